"""REST routes of the profile: fields with provenance."""

from __future__ import annotations

from typing import Any

from bethink.server.dependencies import Body, Expected, Instant, Scope, Word
from bethink.server.json_responses import Answer, Entries, answer
from bethink.server.openapi import Router, of
from bethink.state.values import Profile

router = Router(prefix="/scopes/{namespace}/profile", tags=["profile"])


class Fields(Body):
    """Fields to be set; null removes one, and nested fields are merged by name."""

    fields: dict[str, Any]
    source: Word = "system"
    at: Instant | None = None


@router.get("")
@of("profile.get")
async def read(scope: Scope, as_of: Instant | None = None) -> Answer[Profile]:
    profile = await scope.profile.get(as_of=as_of)
    return answer(profile, revision=profile.version)


@router.patch("")
@of("profile.update")
async def update(scope: Scope, given: Fields, expected: Expected) -> Answer[Profile]:
    profile = await scope.profile.update(given.fields, source=given.source, at=given.at, expected=expected)
    return answer(profile, revision=profile.version)


@router.get("/history")
@of("profile.history")
async def history(scope: Scope) -> Answer[Entries[Profile]]:
    return answer({"entries": await scope.profile.history()})
