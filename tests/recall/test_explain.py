from __future__ import annotations

from bethink.recall import explain
from bethink.recall.namespace_index import NamespaceIndex, SearchFilter
from bethink.recall.values import Hit, Recall

from .samples import ask, embed, index_of, note


def lost(index, key, query, *, limit=10, vectors=True, **options):
    vector = embed([query])[0] if vectors else None
    return explain.why_not(index.place(*key, query, vector, limit=limit, **options), id="x", limit=limit)


def test_a_hit_says_which_words_it_shares(kitchen):
    why = ask(kitchen, "ferry to Naxos", explain=True).hits[0].why
    assert why.terms == ("ferry", "naxos")
    assert str(why).startswith("words +")
    assert "ferry, naxos" in str(why)


def test_why_not_tells_what_is_not_there(kitchen):
    assert lost(kitchen, ("note", 99, 0), "seat").stage == "not indexed"


def test_why_not_names_the_filter(kitchen):
    cases = [
        (("note", 1, 0), SearchFilter(notes=[2]), "note"),
        (("note", 1, 0), SearchFilter(notes=()), "kind"),
        (("item", 1, 1), SearchFilter(items=False), "kind"),
        (("item", 1, 1), SearchFilter(sessions=[2]), "session"),
        (("item", 1, 1), SearchFilter(until=0), "time"),
        (("item", 1, 1), SearchFilter(roles=[1]), "role"),
        (("item", 1, 1), SearchFilter(since=2**62), "time"),
        (("note", 1, 0), SearchFilter(before=0), "time"),
    ]
    for key, allow, name in cases:
        assert lost(kitchen, key, "seat", allow=allow).filter == name


def test_why_not_gives_the_place_and_what_was_needed(kitchen):
    found = lost(kitchen, ("note", 2, 0), "aisle seats", limit=1)
    assert found.stage == "below the cut"
    assert found.rank is not None
    assert found.rank > 1
    assert found.score is not None
    assert found.needed is not None
    assert found.score < found.needed
    assert "place" in str(found)
    assert lost(kitchen, ("note", 1, 0), "aisle seats", limit=1).stage == "returned"


def test_why_not_tells_that_no_word_is_shared(kitchen):
    assert lost(kitchen, ("note", 2, 0), "aisle seats", vectors=False).stage == "no term in common"


def test_empty_answers_say_why(kitchen):
    def reason(index, query, *, limit=10, **options):
        ranking = ask(index, query, vectors=False, limit=limit, **options)
        return explain.empty_because(ranking, limit=limit, vector=False)

    assert reason(NamespaceIndex(), "seat") == "nothing stored"
    assert reason(kitchen, "seat", limit=0) == "limit is 0"
    assert reason(kitchen, "seat", allow=SearchFilter(notes=(), items=False)) == "all filtered"
    assert reason(kitchen, "!?") == "no word to search for"
    assert reason(kitchen, "zeppelin") == "no term in common"
    assert reason(kitchen, "seat") is None


def test_a_recall_is_a_sequence_of_hits():
    hit = Hit(text="a", score=1.0, why=ask(index_of([note(1, "a boat")]), "boat").hits[0].why)
    recall = Recall(query="a", hits=(hit,))
    assert list(recall) == [hit]
    assert recall[0] is hit
    assert len(recall[:1]) == 1
    assert not Recall(query="b", empty_because="nothing stored")
