"""Session notes into global ones, by rules."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bethink.lifecycle.consolidate.attributes import read
from bethink.lifecycle.consolidate.check import check
from bethink.lifecycle.consolidate.duplicates_and_conflicts import conflicting
from bethink.lifecycle.consolidate.nearest_notes import Nearness
from bethink.lifecycle.consolidate.retention import ephemeral
from bethink.lifecycle.consolidate.rules import RulesConsolidator
from bethink.lifecycle.consolidate.words import canonical
from bethink.lifecycle.values import Add, Keep, Retire, Revise

from .samples import CONCIERGE, NOW, TRIP, applied, at, globals_of, note, outcomes, staged, texts
from .sentences import SENTENCES


def propose(session_notes, global_notes=(), **given):
    return RulesConsolidator().propose(session_notes, global_notes, now=NOW, **given)


def after(session_notes, global_notes=()):
    return texts(applied(propose(session_notes, global_notes), session_notes, global_notes))


def test_the_concierge_keeps_the_lasting_preference_and_drops_the_one_for_this_trip():
    proposal = propose(TRIP, CONCIERGE)
    notes = applied(proposal, TRIP, CONCIERGE)
    assert texts(notes) == sorted(
        [
            *(each.text for each in CONCIERGE),
            "Prefers vegetarian meal options when traveling.",
        ]
    )
    assert outcomes(proposal) == {"s1": "promoted", "s2": "ephemeral"}
    (added,) = [each for each in proposal.changes if isinstance(each, Add)]
    assert (added.keywords, added.sources, added.category) == (("dietary",), ("s1",), "core")
    assert added.valid_from == at("2026-01-07")


def test_a_duplicate_is_merged_with_united_keywords_best_wording_and_newest_date():
    proposal = propose([staged("s1", "prefers aisle seats", keywords=("flight",))], CONCIERGE)
    assert outcomes(proposal) == {"s1": "merged"}
    (revised,) = [each for each in proposal.changes if isinstance(each, Revise)]
    assert revised.note == "n2"
    assert revised.text == "Prefers aisle seats."
    assert revised.keywords == ("seat_preference", "flight")
    assert revised.valid_from == at("2026-01-07")
    assert revised.sources == ("n2", "s1")


def test_duplicates_within_a_session_become_one():
    proposal = propose([staged("s1", "Vegetarian."), staged("s2", "Is a vegetarian.")])
    assert sorted(outcomes(proposal).values()) == ["merged", "promoted"]
    (added,) = [each for each in proposal.changes if isinstance(each, Add)]
    assert set(added.sources) == {"s1", "s2"}


def test_the_newer_of_two_conflicting_notes_wins():
    newer = propose([staged("s1", "Prefers window seats.", "2026-01-07")], CONCIERGE)
    assert outcomes(newer) == {"s1": "promoted", "n2": "superseded"}
    assert newer.conflicts == 1
    older = propose([staged("s1", "Prefers window seats.", "2020-01-07")], CONCIERGE)
    assert outcomes(older) == {"s1": "superseded"}
    assert older.conflicts == 0
    assert [each.note for each in older.changes if isinstance(each, Keep)] == ["n2"]


def test_on_the_same_day_the_session_wins():
    stored = replace(CONCIERGE[1], updated_at=at("2026-01-07") + timedelta(hours=20))
    assert (
        outcomes(propose([staged("s1", "Prefers window seats.", "2026-01-07")], [stored]))["n2"]
        == "superseded"
    )


def test_the_time_since_which_a_note_holds_counts_before_the_time_it_was_written():
    stored = replace(CONCIERGE[1], valid_from=at("2026-01-20"))
    assert outcomes(propose([staged("s1", "Prefers window seats.")], [stored])) == {"s1": "superseded"}


def test_within_a_session_the_last_word_counts():
    notes = [
        staged("s1", "Prefers window seats.", "2026-01-07"),
        staged("s2", "Prefers aisle seats.", "2026-01-08"),
    ]
    assert after(notes) == ["Prefers aisle seats."]
    assert outcomes(propose(notes)) == {"s1": "superseded", "s2": "promoted"}


def test_who_comes_back_to_what_is_stored_confirms_it():
    notes = [
        staged("s1", "Prefers window seats.", "2026-01-07"),
        staged("s2", "Prefers aisle seats.", "2026-01-08"),
    ]
    proposal = propose(notes, CONCIERGE)
    assert outcomes(proposal) == {"s1": "superseded", "s2": "merged"}
    assert proposal.conflicts == 0


def test_a_successor_is_named_for_all_that_was_superseded():
    notes = [
        staged("s1", "Prefers window seats.", "2026-01-07"),
        staged("s2", "Prefers middle seats.", "2026-01-08"),
    ]
    proposal = propose(notes, CONCIERGE)
    (place,) = [place for place, each in enumerate(proposal.changes) if isinstance(each, Add)]
    retired = {each.note: each.successor for each in proposal.changes if isinstance(each, Retire)}
    assert retired == {"n2": place, "s1": place, "s2": place}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Prefers aisle seats.", "Does not like aisle seats."),
        ("Likes jazz.", "Does not like jazz."),
        ("Prefers aisle seats.", "Prefers window seats."),
    ],
)
def test_opposites_are_never_merged(one, other):
    proposal = propose([staged("s1", other)], [note("n1", one)])
    assert outcomes(proposal) == {"n1": "superseded", "s1": "promoted"}


def test_unrelated_notes_are_left_alone():
    stored = [
        note(f"n{place}", f"User has a {thing}.") for place, thing in enumerate(("dog", "boat", "bike"))
    ]
    proposal = propose([staged("s1", "User has a dog named Rex.")], stored)
    assert outcomes(proposal) == {"s1": "promoted"}
    assert len(proposal.changes) == 2


def test_what_depends_on_a_condition_stands_beside_what_holds_in_general():
    proposal = propose([staged("s1", "Prefers window seats on long flights.")], CONCIERGE)
    assert outcomes(proposal) == {"s1": "promoted"}


def test_only_the_sentence_that_was_overridden_goes():
    stored = [note("n1", "Prefers aisle seats. Has a dog.")]
    assert after([staged("s1", "Prefers window seats.")], stored) == ["Has a dog.", "Prefers window seats."]


def test_a_note_that_cannot_be_parted_is_kept_beside_the_new_one():
    stored = [note("n1", "Prefers aisle seats and vegetarian meals.")]
    proposal = propose([staged("s1", "Prefers window seats.")], stored)
    assert outcomes(proposal) == {"s1": "promoted"}
    assert [each.note for each in proposal.changes if isinstance(each, Keep)] == ["n1"]


def test_a_note_with_a_key_takes_the_new_words_and_keeps_its_key():
    stored = [replace(CONCIERGE[1], key="seat")]
    proposal = propose([staged("s1", "Prefers window seats.")], stored)
    assert outcomes(proposal) == {"s1": "promoted"}
    (revised,) = [each for each in proposal.changes if isinstance(each, Revise)]
    assert (revised.note, revised.text) == ("n2", "Prefers window seats.")
    assert proposal.conflicts == 1


def test_what_a_tool_showed_does_not_override_what_the_user_said():
    seen = staged("s1", "Prefers window seats.", source="tool")
    assert outcomes(propose([seen], CONCIERGE)) == {"s1": "superseded"}
    told = staged("s1", "Prefers window seats.", "2020-01-01")
    assert outcomes(propose([told], [replace(CONCIERGE[1], source="tool")]))["n2"] == "superseded"


def test_what_nobody_said_and_is_doubtful_is_not_remembered():
    assert outcomes(propose([staged("s1", "Likes jazz.", source="tool", confidence=0.3)])) == {
        "s1": "ephemeral"
    }


def test_global_notes_worded_alike_are_merged():
    stored = [
        note("n1", "Likes tea.", "2024-01-01", keywords=("drink",)),
        note("n2", "likes tea", keywords=("tea",)),
    ]
    proposal = propose([], stored)
    assert outcomes(proposal) == {"n2": "merged"}
    assert [each.keywords for each in proposal.changes if isinstance(each, Revise)] == [("drink", "tea")]


def test_notes_expire_by_their_instant_and_their_category():
    stored = [
        note("core", "Likes rain.", "2001-01-01"),
        note("fresh", "Had soup.", "2026-01-31", category="daily"),
        note("archived", "Had rice.", "2026-01-10", category="daily"),
        note("old", "Had fish.", "2025-12-01", category="daily"),
        note("own", "Had figs.", "2001-12-01", category="recipes"),
        note("over", "Has a coupon.", expires_at=NOW),
    ]
    assert outcomes(propose([], stored)) == {"old": "expired", "over": "expired"}


def test_a_session_note_with_a_last_day_does_not_outlive_its_session():
    notes = [
        staged("s1", "Is in Oslo.", expires_at=NOW + timedelta(days=2)),
        staged("s2", "Hi there.", expires_at=NOW),
    ]
    assert outcomes(propose(notes)) == {"s1": "ephemeral", "s2": "expired"}


def test_notes_that_are_not_live_are_not_touched():
    quarantined = staged("s1", "Likes tea.", status="quarantined")
    closed = staged("s2", "Likes rain.", outcome="promoted")
    forgotten = note("n1", "Likes snow.", status="forgotten")
    assert propose([quarantined, closed], [forgotten]).changes == ()


def test_vectors_join_other_wordings_of_the_same():
    stored = [note("n1", "Likes to compare options side by side."), note("n2", "Likes jazz.")]
    said = [staged("s1", "Wants a side-by-side comparison of options.")]
    vectors = np.array([[0.9, 0.436, 0], [1, 0, 0], [0, 0, 1]], dtype=np.float32)
    assert outcomes(propose(said, stored)) == {"s1": "promoted"}
    assert outcomes(propose(said, stored, embed=vectors)) == {"s1": "merged"}
    unclear = np.array([[0.9, 0.436, 0], [1, 0, 0], [1, 0, 0]], dtype=np.float32)
    assert Nearness(said, [*said, *stored], vectors).nearest(said[0])[0] == "n1"
    assert Nearness(said, [*said, *stored], unclear).nearest(said[0]) == (None, None)


def test_however_near_their_vectors_opposites_stay_apart():
    stored, said = [note("n1", "Prefers aisle seats.")], [staged("s1", "Prefers window seats.")]
    same = np.ones((2, 1), dtype=np.float32)
    assert outcomes(propose(said, stored, embed=same)) == {"n1": "superseded", "s1": "promoted"}


def test_the_embedder_is_asked_once_for_all():
    class Counting:
        identity, dimensions, asked = "counting", 1, 0

        def embed(self, texts):
            self.asked += 1
            return np.zeros((len(texts), 1), dtype=np.float32)

    embedder = Counting()
    RulesConsolidator(embedder).propose(TRIP, CONCIERGE, now=NOW)
    assert embedder.asked == 1


DAYS = st.integers(0, 3).map(lambda day: f"2026-01-{day + 5:02}")
SOURCES = st.sampled_from(["user", "user", "user", "tool"])
KEYWORDS = st.lists(st.sampled_from(["seat", "diet", "drink"]), max_size=1).map(tuple)
TOLD = st.tuples(SENTENCES, DAYS, SOURCES, KEYWORDS)


@st.composite
def memories(draw, most=5):
    said = draw(st.lists(TOLD, max_size=most))
    known = draw(st.lists(st.tuples(TOLD, st.booleans()), max_size=most))
    session_notes = [
        staged(f"s{place}", text, day, source=source, keywords=words, revision=50 + place)
        for place, (text, day, source, words) in enumerate(said)
    ]
    global_notes = [
        note(
            f"n{place}",
            text,
            day,
            source=source,
            keywords=words,
            revision=place,
            key=f"k{place}" if keyed else None,
        )
        for place, ((text, day, source, words), keyed) in enumerate(known)
    ]
    return session_notes, global_notes


@settings(max_examples=400)
@given(memories())
def test_every_session_note_ends_with_one_outcome(memory):
    session_notes, _global_notes = memory
    ended = [each.note for each in propose(*memory).changes if isinstance(each, Retire)]
    assert sorted(each for each in ended if each.startswith("s")) == sorted(each.id for each in session_notes)
    assert len(ended) == len(set(ended))


@settings(max_examples=400)
@given(memories())
def test_no_global_note_goes_without_a_living_successor(memory):
    proposal = propose(*memory)
    gone = {each.note for each in proposal.changes if isinstance(each, Retire)}
    for each in proposal.changes:
        if isinstance(each, Retire) and each.outcome not in {"ephemeral", "expired"}:
            if isinstance(each.successor, int):
                assert isinstance(proposal.changes[each.successor], Add)
            else:
                assert each.successor is not None
                assert each.successor not in gone
                assert each.successor.startswith("n")


@settings(max_examples=400)
@given(memories())
def test_what_is_merged_never_says_the_opposite(memory):
    session_notes, global_notes = memory
    proposal = propose(*memory)
    known = {each.id: each for each in (*session_notes, *global_notes)}
    for each in proposal.changes:
        if isinstance(each, Retire) and each.outcome in {"merged", "promoted"}:
            told = known[each.note]
            text = (
                proposal.changes[each.successor].text
                if isinstance(each.successor, int)
                else next(
                    (
                        change.text
                        for change in proposal.changes
                        if isinstance(change, Revise) and change.note == each.successor
                    ),
                    known[each.successor].text if isinstance(each.successor, str) else "",
                )
            )
            one, other = read(canonical(told.text), told.keywords), read(canonical(text), told.keywords)
            assert not conflicting(one, other)
            signs = dict(other.core)
            assert all(signs.get(word, affirmed) == affirmed for word, affirmed in one.core)


@settings(max_examples=400)
@given(memories())
def test_proposing_again_after_applying_changes_nothing(memory):
    session_notes, global_notes = memory
    notes = applied(propose(*memory), session_notes, global_notes)
    again = propose([each for each in notes if each.session], globals_of(notes))
    assert again.changes == ()


@settings(max_examples=300)
@given(memories(), st.randoms())
def test_the_order_in_which_notes_come_makes_no_difference(memory, random):
    session_notes, global_notes = memory
    first = propose(session_notes, global_notes)
    random.shuffle(session_notes)
    random.shuffle(global_notes)
    assert propose(session_notes, global_notes) == first


@settings(max_examples=400)
@given(memories())
def test_what_the_rules_propose_passes_the_check(memory):
    session_notes, global_notes = memory
    assert check(propose(*memory), [*session_notes, *global_notes]) == []


@settings(max_examples=300)
@given(memories())
def test_what_is_for_once_is_never_promoted(memory):
    session_notes, _ = memory
    ended = outcomes(propose(*memory))
    assert all(ended[each.id] == "ephemeral" for each in session_notes if ephemeral(each.text))
