"""Destroy what acts for somebody while nobody is there: webhooks, tasks, subscriptions."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

from bethink.ids import to_text
from bethink.storage.statements import statements

if TYPE_CHECKING:
    from collections.abc import Callable

    from bethink.lifecycle.erase.transactions import Erased
    from bethink.storage.work import Work

sql = statements("bethink.lifecycle.erase")

#: the words of a spec that somebody wrote; the others are ours, and stand in many places
_WRITTEN: Final = {"webhook": "description", "task": "prompt", "subscription": "description"}


def erase_standing(tenant: str, erased: Erased, gone: Callable[[set[str], int], bool]) -> Work[None]:
    """Destroy what acts for somebody who is gone: `gone` is told for whom and whose agents, and since when."""
    for kind, written in _WRITTEN.items():
        for number, principal, other, spec, created_at in (yield sql.queries[f"every_{kind}"](tenant=tenant)):
            people = {principal} if kind == "subscription" else {principal, other}
            if not gone(people, created_at):
                continue
            erased.add_plain(json.loads(spec)[written], other if kind == "subscription" else None)
            erased.count(f"{kind}s", 1)
            yield sql.queries[f"erase_{kind}"](tenant=tenant, number=number)
            word = to_text(kind[0], number)
            if kind == "task":
                yield sql.erase_job(tenant=tenant, name=word)
            erased.count("deliveries", len((yield sql.erase_deliveries_to(tenant=tenant, target=word))))
