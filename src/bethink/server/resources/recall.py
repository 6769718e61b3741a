"""REST routes of recall and context."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Annotated, Any, Literal

from pydantic import Field

from bethink.lifecycle.inject.values import Context, Strategy
from bethink.pages import Page
from bethink.recall.values import Recall, TimelineEntry, WhyNot
from bethink.server.dependencies import Body, Instant, Label, Scope, Word
from bethink.server.json_responses import Answer, answer, page
from bethink.server.openapi import Router, of

router = Router(prefix="/scopes/{namespace}", tags=["recall"])
Question = Annotated[str, Field(max_length=4_000)]
Kinds = Annotated[tuple[Literal["note", "item"], ...], Field(min_length=1, max_length=2)]
Roles = Annotated[tuple[Literal["user", "assistant", "tool"], ...], Field(min_length=1, max_length=3)]
Categories = Annotated[list[Word], Field(max_length=32)]


class Query(Body):
    """A question, and where to look."""

    query: Question
    limit: Annotated[int, Field(ge=1, le=1_000)] = 10
    kinds: Kinds = ("note", "item")
    category: Categories | None = None
    where: dict[str, Any] | None = None
    session: Label | Annotated[list[Label], Field(min_length=1, max_length=100)] | None = None
    roles: Roles | None = None
    since: Instant | None = None
    until: Instant | None = None


class RecallQuery(Query):
    """A question with all its options."""

    as_of: Instant | None = None
    explain: bool = False
    rerank: bool = False
    pending: bool = False
    answering: Label | None = None


class WhyNotQuery(Query):
    """A question, and what was expected of it."""

    id: Word


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownWhyNot(WhyNot):
    """Where something was lost, and the same for people to read."""

    sentence: str


class TimelineQuery(Body):
    """A matter, or everything, and where to look; what is left out leaves nothing out."""

    query: Question | None = None
    since: Instant | None = None
    until: Instant | None = None
    limit: Annotated[int, Field(ge=1, le=200)] = 20
    cursor: Annotated[str, Field(max_length=512)] | None = None
    kinds: Kinds = ("note", "item")
    category: Categories | None = None
    where: dict[str, Any] | None = None
    session: Label | Annotated[list[Label], Field(min_length=1, max_length=100)] | None = None
    roles: Roles | None = None


class WantedContext(Body):
    """What is to be put before a conversation."""

    session: Label | None = None
    query: Question | None = None
    tokens: Annotated[int, Field(ge=1, le=1_000_000)] | None = None
    strategy: Strategy = "relevance+recency"
    items: Literal["session", "all"] = "session"
    turns: Annotated[int, Field(ge=1, le=10_000)] | None = None
    policy: Annotated[str, Field(max_length=20_000)] | None = None
    max_notes: Annotated[int, Field(ge=0, le=1_000)] | None = None
    max_session_notes: Annotated[int, Field(ge=0, le=1_000)] | None = None


@router.post("/recall")
@of("scope.recall")
async def recall(scope: Scope, asked: RecallQuery) -> Answer[Recall]:
    return answer(await scope.recall(**vars(asked)))


@router.post("/timeline")
@of("scope.timeline")
async def timeline(scope: Scope, asked: TimelineQuery) -> Answer[Page[TimelineEntry]]:
    return page(await scope.timeline(**asked.model_dump()))


@router.post("/why-not")
@of("scope.why_not")
async def why_not(scope: Scope, asked: WhyNotQuery) -> Answer[ShownWhyNot]:
    found = await scope.why_not(**asked.model_dump())
    values = {each.name: getattr(found, each.name) for each in fields(WhyNot)}
    return answer(ShownWhyNot(**values, sentence=str(found)))


@router.post("/context")
@of("scope.context")
async def context(scope: Scope, wanted: WantedContext) -> Answer[Context]:
    return answer(await scope.context(**vars(wanted)))
