"""Remove an erased user from the grants of other users' agents and teams."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from bethink.lifecycle.erase import queries

if TYPE_CHECKING:
    from collections.abc import Callable

    from bethink.lifecycle.erase.erased import Erased
    from bethink.scope.transactions import Writing
    from bethink.storage.work import Work


def remove_grantee(
    tenant: str, erased: Erased, gone: Callable[[str, int], bool], *, writing: Writing
) -> Work[None]:
    """Shorten the lists that name somebody who is gone: `gone` is told who, and since when they stand."""
    for specs, reword in (
        (queries.specs_of_agents, queries.reword_agent),
        (queries.specs_of_teams, queries.reword_team),
    ):
        for owner, name, spec, updated_at in (yield from specs(tenant=tenant)):
            plain = json.loads(spec)
            listed = plain.get("shared_with", ())
            left = [each for each in listed if not gone(each, updated_at)]
            if len(left) < len(listed):
                text = json.dumps(plain | {"shared_with": left})
                yield from reword(tenant=tenant, owner=owner, name=name, spec=text, now=writing.now)
                erased.count("shared_with", len(listed) - len(left))


def still_owned(tenant: str, erased: Erased, user: str) -> Work[None]:
    """Say what keeps the name all the same: pools and teams, since what others put into them is theirs."""
    rows = yield from queries.shares_owned(tenant=tenant, owner=user)
    if rows:
        erased.retained.append(
            f"the register names the user as the owner of {len(rows)} pools and teams: "
            "what others keep there is theirs; an admin removes each of them when it is empty"
        )
