"""Request bodies of mem0's API; unknown fields are refused."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from bethink.server.dependencies import Body

MAX_PAGE = 1_000
MAX_BATCH = 1_000


class _Named(Body):
    """What every request may say; none of it changes what is answered."""

    org_id: str | None = None
    project_id: str | None = None
    version: str | None = None
    output_format: str | None = None
    enable_graph: bool | None = None
    source: str | None = None


class NewMemories(_Named):
    """The body of `add`."""

    messages: Any
    user_id: Any = None
    agent_id: Any = None
    app_id: Any = None
    run_id: Any = None
    filters: dict[str, Any] | None = None
    metadata: dict[str, Any] | None = None
    infer: bool | None = None
    timestamp: Any = None
    expiration_date: str | None = None
    async_mode: bool | None = None
    custom_categories: Any = None
    custom_instructions: Any = None
    agent_custom_instructions: Any = None
    includes: Any = None
    excludes: Any = None
    structured_data_schema: Any = None
    immutable: bool | None = None


class Asked(_Named):
    """The body of `search`."""

    query: str
    filters: dict[str, Any] | None = None
    user_id: Any = None
    agent_id: Any = None
    app_id: Any = None
    run_id: Any = None
    metadata: dict[str, Any] | None = None
    categories: list[str] | None = None
    top_k: Annotated[int, Field(ge=1, le=MAX_PAGE)] | None = None
    limit: Annotated[int, Field(ge=1, le=MAX_PAGE)] | None = None
    threshold: Annotated[float, Field(ge=0, le=1)] | None = None
    rerank: bool | None = None
    fields: list[str] | None = None
    show_expired: bool | None = None
    reference_date: Any = None
    latest_only: bool | None = None
    keyword_search: bool | None = None
    filter_memories: bool | None = None


class Listed(_Named):
    """The body of `get_all`."""

    filters: dict[str, Any] | None = None
    categories: list[str] | None = None
    metadata: dict[str, Any] | None = None
    start_date: Any = None
    end_date: Any = None
    fields: list[str] | None = None
    show_expired: bool | None = None
    latest_only: bool | None = None
    page: Annotated[int, Field(ge=1)] | None = None
    page_size: Annotated[int, Field(ge=1, le=MAX_PAGE)] | None = None


class Changed(Body):
    """The body of `update`; omitted fields are unchanged."""

    text: str | None = None
    metadata: dict[str, Any] | None = None
    timestamp: Any = None
    expiration_date: str | None = None


class BatchEntry(Body):
    """A memory of a batch."""

    memory_id: Annotated[str, Field(min_length=1, max_length=128)]
    text: str | None = None
    metadata: dict[str, Any] | None = None


class Batch(Body):
    """Memories that are changed or deleted together."""

    memories: Annotated[list[BatchEntry], Field(min_length=1, max_length=MAX_BATCH)]
