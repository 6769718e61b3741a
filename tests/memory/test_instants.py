"""Notes as they stood at an instant, page by page: the same as where all of them are read and sorted."""

import random
from datetime import timedelta

import pytest

from bethink import Memory


def everything(scope, limit, **options):
    found, cursor = [], None
    while True:
        page = scope.notes(limit=limit, cursor=cursor, **options)
        found += [(note.id, note.text, note.revision) for note in page]
        cursor = page.next
        if cursor is None:
            return found, page.total


@pytest.mark.parametrize("seed", range(4))
def test_pages_of_an_instant_are_those_of_all_that_stood_then(seed):
    chance = random.Random(seed)
    with Memory(":memory:", embedder=None) as memory:
        scope = memory.scope(agent="bot", user="alice")
        moments, kept = [], []
        for number in range(40):
            deed = chance.choice(("keep", "keep", "stage", "revise", "forget", "undo"))
            note = chance.choice(kept) if kept else None
            try:
                if deed == "stage":
                    scope.stage("talk", f"Staged {number}.")
                elif deed == "keep" or note is None:
                    category = chance.choice(("core", "daily"))
                    kept.append(scope.remember(f"Note {number}.", category=category).id)
                elif deed == "revise":
                    scope.revise(note, f"Reworded {number}.")
                elif deed == "forget":
                    scope.forget(note)
                else:
                    scope.undo(note)
            except LookupError:
                continue
            moments.append(max(each.updated_at for each in scope.notes(status=None)))
        for at in [*chance.sample(moments, 8), moments[0] - timedelta(seconds=1)]:
            for options in ({}, {"category": "daily"}, {"session": "talk"}):
                # a filter by metadata that lets everything through reads all that there is
                wanted = everything(scope, 1_000, as_of=at, where={}, **options)
                for limit in (1, 3, 1_000):
                    assert everything(scope, limit, as_of=at, **options) == wanted
