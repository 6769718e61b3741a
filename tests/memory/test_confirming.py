"""What the user says again is renewed and counted, and a plan that did so can be undone."""

from __future__ import annotations

from bethink import Memory
from bethink.testing.faces import Clock, HashingEmbedder


def test_a_restatement_is_counted_on_the_note_and_undone_with_its_plan():
    with Memory(":memory:", embedder=HashingEmbedder(), clock=Clock()) as memory:
        alice = memory.scope(agent="concierge", user="alice")
        alice.remember("Home city is Oslo.")
        alice.session("s1").append([{"role": "user", "content": "I live in Oslo."}])
        plan = alice.consolidate()
        assert "said again, 2 times in all" in str(plan)
        (note,) = [each for each in alice.notes() if each.session is None]
        assert note.metadata["said"] == 2
        alice.undo(plan.id)
        (note,) = [each for each in alice.notes() if each.session is None]
        assert "said" not in note.metadata


def test_notes_that_were_remembered_one_by_one_are_reconciled():
    with Memory(":memory:", embedder=HashingEmbedder(), clock=Clock()) as memory:
        alice = memory.scope(agent="concierge", user="alice")
        alice.remember("Lives in Oslo.")
        alice.remember("I live in Bergen now.")
        plan = alice.consolidate()
        assert [each.text for each in alice.notes()] == ["I live in Bergen now."]
        alice.undo(plan.id)
        assert {each.text for each in alice.notes()} == {"Lives in Oslo.", "I live in Bergen now."}
