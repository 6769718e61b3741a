"""FastAPI dependencies: the caller's memory, the scope of the path, the expected revision (If-Match).

All of it is there at once: as coroutines they are run where they stand, and not each in a thread of its own.
"""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Depends, Header, Path, Query, Request
from pydantic import AwareDatetime, BaseModel, ConfigDict, Field

from bethink.memory.memory import AsyncMemory
from bethink.memory.scope import AsyncScope
from bethink.memory.session import AsyncSession
from bethink.notes.checks import MAX_KEY, MAX_TEXT
from bethink.scope.labels import LABEL_BYTES
from bethink.server.agents import Agents
from bethink.server.json_schema import REF
from bethink.server.problems import MEDIA
from bethink.server.services import services
from bethink.verbs import VERBS

LONGEST_NAMESPACE = 2_048  #: characters
PROBLEMS: dict[int | str, dict[str, Any]] = {
    code: {
        "description": "Problem details (RFC 9457).",
        "content": {MEDIA: {"schema": {"$ref": REF + "Problem"}}},
    }
    for code in ("4XX", "5XX")
}


class Body(BaseModel):
    """The body of a request; what is not known is refused."""

    model_config = ConfigDict(extra="forbid")


async def _memory(request: Request) -> AsyncMemory:
    return request.state.memory


Memory = Annotated[AsyncMemory, Depends(_memory)]


async def find_scope(
    request: Request,
    namespace: Annotated[
        str, Path(max_length=LONGEST_NAMESPACE, description="A namespace, such as agent:concierge:u:alice.")
    ],
) -> AsyncScope:
    """Return the scope that a path names."""
    memory: AsyncMemory = request.state.memory
    return memory.namespace(namespace)


Scope = Annotated[AsyncScope, Depends(find_scope)]


BYTES = "At most 128 bytes, with a visible character and no control characters."
PartOfPath = Annotated[str, Path(min_length=1, max_length=LABEL_BYTES, description=BYTES)]
Label = Annotated[str, Field(min_length=1, max_length=LABEL_BYTES, description=BYTES)]


async def find_session(scope: Scope, session: PartOfPath) -> AsyncSession:
    """Return the session that a path names."""
    return scope.session(session)


Session = Annotated[AsyncSession, Depends(find_session)]


async def _agents(request: Request, memory: Memory) -> Agents:
    return Agents(memory, creation=services(request).options.creation)


Registered = Annotated[Agents, Depends(_agents)]


async def find_expected(
    request: Request,
    if_match: Annotated[
        str | None, Header(description="The ETag that was read; 412 if it has changed.")
    ] = None,
) -> int | None:
    """Return the revision that a header expects to stand."""
    if if_match is None or if_match.strip() == "*":
        return None
    word = if_match.strip().removeprefix("W/").strip('"')
    request.state.preconditioned = True
    # what is no ETag of ours is never the one that stands: 412 is said where the rest of the request was in order
    return int(word) if word.isascii() and word.isdecimal() and len(word) < 19 else NONE  # noqa: PLR2004


Expected = Annotated[int | None, Depends(find_expected)]


async def find_operation(request: Request) -> str | None:
    """Return the digest of the request's Idempotency-Key."""
    return getattr(request.state, "operation", None)


Operation = Annotated[str | None, Depends(find_operation)]
Limit = Annotated[int, Query(ge=1, le=1_000, description=VERBS["scope.notes"].parameters["limit"])]
Cursor = Annotated[str | None, Query(max_length=512, description=VERBS["scope.notes"].parameters["cursor"])]
Owner = Annotated[
    str | None,
    Query(
        min_length=1,
        max_length=LABEL_BYTES,
        description="The owner of the agent; default: the caller's own agent, else the system's.",
    ),
]
NONE = -1  #: a revision that nothing ever has
Revision = Annotated[int | None, Field(ge=0, le=1 << 53)]
Text = Annotated[str, Field(max_length=200_000, json_schema_extra={"maxLength": MAX_TEXT, "minLength": 1})]
Key = Annotated[str, Field(min_length=1, max_length=MAX_KEY, description="At most 512 bytes.")]
Word = Annotated[str, Field(max_length=2_048)]
Instant = AwareDatetime
