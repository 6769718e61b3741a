from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bethink.models.static import StaticEmbedder
from bethink.recall import scoring
from bethink.recall.namespace_index import NamespaceIndex, SearchFilter
from bethink.recall.passage_blocks import block_of

from .samples import ask, embed, index_of, keys, note, said

WORDS = ["boat", "kite", "rain", "oven", "the", "is", "map", "Ada", "green", "猫が"]
text = st.lists(st.sampled_from(WORDS), min_size=1, max_size=6).map(" ".join)
long_text = st.lists(st.sampled_from(WORDS), min_size=150, max_size=160).map(" ".join)


@st.composite
def logs(draw):
    """Draw passages of a few sessions and notes, in the order in which they came."""
    batch = []
    ends = dict.fromkeys((1, 2, 3), 0)
    minutes = 0
    for key in range(draw(st.integers(2, 14))):
        minutes += draw(st.sampled_from([1, 1, 1, 400]))
        if draw(st.integers(0, 4)) == 0:
            batch.append([note(100 + key, draw(text))])
            continue
        owner = draw(st.sampled_from([1, 2, 3]))
        ends[owner] += draw(st.integers(1, 3))
        words = draw(long_text if draw(st.integers(0, 6)) == 0 else text)
        batch.append(
            said(
                owner, words, start=ends[owner], minutes=minutes, speaker=draw(st.sampled_from([None, "Ada"]))
            )
        )
    return batch


def flat(batches):
    return [passage for batch in batches for passage in batch]


def assert_same_ranking(one, other, query):
    for vectors in (True, False):
        left, right = (ask(index, query, limit=50, vectors=vectors, explain=True) for index in (one, other))
        assert keys(left) == keys(right)
        assert [hit.why.terms for hit in left.hits] == [hit.why.terms for hit in right.hits]
        for a, b in zip(left.hits, right.hits, strict=True):
            assert a.score == pytest.approx(b.score, abs=1e-9)
        assert (left.scanned, left.allowed, left.unknown) == (right.scanned, right.allowed, right.unknown)


@settings(deadline=None)
@given(logs(), text, st.data())
def test_adding_bit_by_bit_equals_building_at_once(batches, query, data):
    piecewise = NamespaceIndex()
    for batch in batches:
        piecewise.extend(block_of(batch, embed([p.text for p in batch])))
        if data.draw(st.booleans()):
            ask(piecewise, query)
    assert_same_ranking(piecewise, index_of(flat(batches)), query)


@settings(deadline=None)
@given(logs(), text, st.data())
def test_removing_equals_never_having_added(batches, query, data):
    gone = data.draw(st.sets(st.sampled_from([(b[0].kind, b[0].owner, b[0].seq) for b in batches])))
    index = index_of(*batches)
    ask(index, query)
    for kind, owner, seq in sorted(gone):
        assert index.remove(kind, owner, [seq]) == 1
    kept = [p for p in flat(batches) if (p.kind, p.owner, p.seq) not in gone]
    assert_same_ranking(index, index_of(kept) if kept else NamespaceIndex(), query)


@settings(deadline=None)
@given(logs(), text)
def test_items_that_come_late_take_their_place_in_the_session(batches, query):
    index = NamespaceIndex()
    for batch in reversed(batches):
        index.extend(block_of(batch, embed([p.text for p in batch])))
    late, timely = (
        {(hit.kind, hit.owner, hit.seq): hit.score for hit in ask(one, query, limit=99).hits}
        for one in (index, index_of(flat(batches)))
    )
    assert late == pytest.approx(timely, abs=2e-4)


@settings(deadline=None)
@given(logs(), text, st.data())
def test_a_filter_leaves_out_exactly_what_it_says_and_changes_no_score(batches, query, data):
    index = index_of(*batches)
    everything = ask(index, query, limit=99)
    units = {(p.kind, p.owner, p.seq): p for p in flat(batches)}
    allow = SearchFilter(
        notes=data.draw(st.none() | st.sets(st.sampled_from(range(100, 115)))),
        items=data.draw(st.booleans()),
        sessions=data.draw(st.none() | st.sets(st.sampled_from([1, 2, 3, 4]))),
        until=data.draw(st.none() | st.sampled_from([p.at for p in units.values()])),
    )

    def passes(key):
        kind, owner, _ = key
        if kind == "note":
            return allow.notes is None or owner in allow.notes
        at = units[key].at
        return (
            allow.items
            and (allow.sessions is None or owner in allow.sessions)
            and (allow.until is None or at <= allow.until)
        )

    narrowed = ask(index, query, limit=99, allow=allow)
    assert keys(narrowed) == [key for key in keys(everything) if passes(key)]
    scores = {(hit.kind, hit.owner, hit.seq): hit.score for hit in everything.hits}
    assert all(scores[hit.kind, hit.owner, hit.seq] == hit.score for hit in narrowed.hits)
    assert narrowed.allowed == sum(map(passes, units))
    for key in units:
        place = index.place(*key, query, embed([query])[0], allow=allow)
        assert place is not None
        assert (place.filter is None) == passes(key)


@settings(deadline=None)
@given(logs(), text, st.integers(0, 20))
def test_a_smaller_limit_gives_the_beginning_of_a_larger(batches, query, limit):
    index = index_of(*batches)
    assert keys(ask(index, query, limit=limit)) == keys(ask(index, query, limit=99))[:limit]


@settings(deadline=None)
@given(logs(), text)
def test_the_legs_add_up_to_the_score(batches, query):
    for vectors in (True, False):
        for hit in ask(index_of(*batches), query, limit=99, vectors=vectors).hits:
            legs = sum(
                (
                    hit.why.lexical,
                    hit.why.dense,
                    hit.why.coverage,
                    hit.why.neighbours,
                    hit.why.episode,
                    hit.why.speaker,
                    hit.why.form,
                    hit.why.luck,
                    hit.why.role,
                    hit.why.wish,
                )
            )
            assert hit.score == pytest.approx(legs, abs=1e-4)


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(logs(), text, st.booleans(), st.none() | st.sets(st.sampled_from([1, 2, 3])))
def test_searching_only_what_may_come_first_finds_the_same(monkeypatch, batches, query, vectors, sessions):
    allow = None if sessions is None else SearchFilter(sessions=sessions)
    index = index_of(*batches)
    monkeypatch.setattr(scoring, "EXACT", 10_000)
    everything = ask(index, query, limit=99, vectors=vectors, allow=allow)
    monkeypatch.setattr(scoring, "EXACT", 0)
    monkeypatch.setattr(scoring, "_FEW", 3)
    some = ask(index, query, limit=99, vectors=vectors, allow=allow)
    assert {(h.kind, h.owner, h.seq): h.score for h in some.hits} == pytest.approx(
        {(h.kind, h.owner, h.seq): h.score for h in everything.hits}, abs=1e-2
    )
    assert (some.scanned, some.allowed) == (everything.scanned, everything.allowed)


def test_what_was_said_is_found(kitchen):
    assert keys(ask(kitchen, "How much is the boiler?"))[0] == ("item", 1, 3)
    assert keys(ask(kitchen, "which seat is preferred?"))[0] == ("note", 1, 0)


def test_the_answer_beside_the_words_comes_up_with_them(kitchen):
    found = keys(ask(kitchen, "plumber", vectors=False))
    assert found[0] == ("item", 1, 2)
    assert ("item", 1, 3) in found


def test_one_common_word_does_not_outweigh_meaning_where_the_others_were_never_said():
    talk = [
        "Busy, I hardly sat down.",
        "The windows freeze inside.",
        "I bought a second-hand Vespa that only starts in second gear.",
        "Time flies when you do nothing.",
        "Only bread and cheese, standing up.",
        "I liked the last half hour.",
        "As long as it is nowhere with a queue.",
        "The same people and the same coffee.",
    ] * 4
    talk[10:] = [text for text in talk[10:] if "Vespa" not in text]
    passages = said(1, *talk, speaker="Bruno")
    embedder = StaticEmbedder()
    index = NamespaceIndex()
    index.extend(block_of(passages, embedder.embed([passage.text for passage in passages])))
    query = "Which vehicle did Bruno purchase?"
    found = index.search(query, embedder.embed([query])[0], limit=3)
    assert found.unknown == ("vehicle", "purchase")
    assert 3 in [hit.seq for hit in found.hits]
    assert all(hit.why.lexical < 2 for hit in found.hits)


def test_text_without_spaces_is_found():
    index = index_of([note(1, "我对花生过敏"), note(2, "彼は東京に住んでいる"), note(3, "ผมชอบแมว")])
    assert keys(ask(index, "花生", vectors=False)) == [("note", 1, 0)]
    assert keys(ask(index, "東京", vectors=False)) == [("note", 2, 0)]
    assert keys(ask(index, "แมว", vectors=False))[0] == ("note", 3, 0)


def test_equal_scores_come_in_a_fixed_order_whatever_came_first():
    notes = [note(key, "the same words") for key in (5, 3, 9, 1)]
    for order in (notes, notes[::-1]):
        assert keys(ask(index_of(order), "same", limit=2)) == [("note", 1, 0), ("note", 3, 0)]


def test_the_newer_of_two_equal_items_comes_first():
    index = index_of(said(1, "rain", minutes=0), said(1, "rain", start=2, minutes=900))
    assert keys(ask(index, "rain", vectors=False)) == [("item", 1, 2), ("item", 1, 1)]


def test_a_question_without_known_words_finds_nothing_by_words_and_says_so(kitchen):
    ranking = ask(kitchen, "zeppelin", vectors=False)
    assert ranking.hits == ()
    assert ranking.unknown == ("zeppelin",)
    assert ranking.scanned == ranking.allowed == 10


def test_passages_without_vectors_live_beside_those_with_them():
    index = index_of([note(1, "a boat")], vectors=False)
    index.extend(block_of([note(2, "a kite")], embed(["a kite"])))
    assert keys(ask(index, "boat"))[0] == ("note", 1, 0)
    assert keys(ask(index, "kite"))[0] == ("note", 2, 0)


def test_an_empty_index_finds_nothing():
    assert ask(NamespaceIndex(), "anything").hits == ()


def test_whole_sessions_can_be_removed(kitchen):
    assert kitchen.remove("item", 1) == 4
    assert len(kitchen) == 6
    assert not kitchen.has("item", 1, 3)
    assert kitchen.has("note", 1)
    assert kitchen.remove("item", 1) == 0


def test_the_best_piece_of_a_long_text_is_named():
    filler = " ".join(f"Sentence {n} says nothing of note." for n in range(40))
    (hit, *_) = ask(index_of(said(1, f"{filler} The zeppelin landed.", "other things")), "zeppelin").hits
    assert hit.seq == 1
    assert hit.why.chunk > 0


def test_memory_is_counted():
    index = NamespaceIndex()
    empty = index.nbytes
    index.extend(
        block_of([note(n, "some words here") for n in range(500)], np.eye(500, 64, dtype=np.float32))
    )
    assert index.nbytes > empty + 500 * 64
