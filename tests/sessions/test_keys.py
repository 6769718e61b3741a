"""Items by the caller's own ids, replacing one, branches, and what tools were used."""

from __future__ import annotations

import threading

import pytest

from bethink import ConflictError, InvalidError, Memory, NotFoundError

from . import shapes


@pytest.fixture
def memory():
    with Memory(":memory:") as memory:
        yield memory


@pytest.fixture
def scope(memory):
    return memory.scope(agent="concierge", user="alice")


def said(*texts):
    return [{"role": "user", "content": text} for text in texts]


def test_an_item_whose_key_is_known_is_not_appended_again(scope):
    session = scope.session("s")
    first = session.append(said("a", "b"), keys=["1", "2"])
    again = session.append(said("b", "c"), keys=["2", "3"])
    assert (first.known, again.known, again.repeated, again.count) == (0, 1, False, 3)
    assert session.get_items() == said("a", "b", "c")
    all_known = session.append(said("a"), keys=["1"])
    assert (all_known.known, all_known.repeated, all_known.count) == (1, True, 3)
    assert session.append(said("x", "y"), keys=["4", "4"]).count == 4


def test_keys_are_of_their_session_and_items_without_one_are_always_new(scope):
    scope.session("a").append(said("x"), keys=["1"])
    assert scope.session("b").append(said("x"), keys=["1"]).count == 1
    assert scope.session("a").append(said("y", "y"), keys=[None, None]).count == 3


def test_hundreds_of_keys_are_told_apart(scope):
    session = scope.session("s")
    keys = [f"k{n}" for n in range(300)]
    session.append(said(*keys), keys=keys)
    head = session.append(said(*keys, "new"), keys=[*keys, "new"])
    assert (head.known, head.count) == (300, 301)


def test_what_was_taken_back_does_not_return_by_a_late_repeat(scope):
    session = scope.session("s")
    session.append(said("a"), keys=["1"])
    session.undo()
    assert session.append(said("a"), keys=["1"]).count == 0
    assert session.item("1") is None
    session.clear()
    assert session.append(said("a"), keys=["1"]).count == 0


def test_a_deleted_session_knows_no_keys(scope):
    session = scope.session("s")
    session.append(said("a"), keys=["1"])
    session.delete()
    assert session.append(said("a"), keys=["1"]).count == 1


def test_two_writers_with_the_same_keys_leave_each_item_once(tmp_path):
    with Memory(tmp_path / "m.db") as memory:
        keys = [f"k{n}" for n in range(40)]

        def write():
            for key in keys:
                memory.scope(user="u").session("s").append(said(key), keys=[key])

        threads = [threading.Thread(target=write) for _ in range(4)]
        for each in threads:
            each.start()
        for each in threads:
            each.join()
        assert [item["content"] for item in memory.scope(user="u").session("s").get_items()] == keys


def test_an_item_is_found_by_its_key_and_by_its_place(scope):
    session = scope.session("s")
    session.append(said("a", "b"), keys=["1", "2"], speaker="Ann")
    found = session.item("2")
    assert (found.body["content"], found.seq, found.speaker) == ("b", 2, "Ann")
    assert session.item(found.seq) == found
    assert session.item("9") is None
    assert session.item(99) is None
    assert scope.session("none").item("2") is None


def test_wrong_keys_are_refused(scope):
    session = scope.session("s")
    with pytest.raises(InvalidError):
        session.append(said("a", "b"), keys=["1"])
    with pytest.raises(InvalidError):
        session.append(said("a"), keys="1")
    with pytest.raises(InvalidError):
        session.append(said("a"), keys=[7])
    assert session.head().count == 0


def test_a_replaced_item_is_read_by_everything_and_the_old_one_is_kept(scope):
    session = scope.session("s")
    session.append(said("My sister Ingrid lives in Bergen.", "The weather is fine."), keys=["1", "2"])
    assert scope.recall("Where does Ingrid live?")[0].item.seq == 1
    new = session.replace("1", {"role": "user", "content": "My sister Ingrid lives in Tromsø."})
    assert new.seq == 1
    assert session.window()[0]["content"].endswith("Tromsø.")
    assert session.get_items(2)[0]["content"].endswith("Tromsø.")
    assert scope.recall("Ingrid lives in Bergen")[0].text.endswith("Tromsø.")
    assert not any("Bergen" in hit.text for hit in scope.recall("Ingrid lives in Bergen"))
    (old,) = session.versions("1")
    assert old.item.body["content"].endswith("Bergen.")
    assert session.versions("2") == []


def test_a_replaced_item_is_recalled_after_the_memory_was_opened_again(tmp_path):
    path = tmp_path / "m.db"
    with Memory(path) as memory:
        scope = memory.scope(user="u")
        scope.session("s").append(said(*(f"Item number {n} says little." for n in range(600))))
        scope.session("s").append(said("Ingrid lives in Bergen."), keys=["1"])
        assert scope.recall("Ingrid Bergen")[0].text == "Ingrid lives in Bergen."
        scope.session("s").append(said(*(f"Item number {n} says little." for n in range(600))))
        assert scope.recall("Ingrid Bergen")[0].text == "Ingrid lives in Bergen."
        scope.session("s").replace("1", said("Ingrid lives in Tromsø.")[0])
        assert scope.recall("Ingrid Bergen")[0].text == "Ingrid lives in Tromsø."
    with Memory(path) as memory:
        hits = memory.scope(user="u").recall("Ingrid Bergen")
        assert hits[0].text == "Ingrid lives in Tromsø."
        assert not any("Bergen" in hit.text for hit in hits)


def test_replacing_what_is_not_there_or_was_written_since_is_refused(scope):
    session = scope.session("s")
    with pytest.raises(NotFoundError):
        session.replace("1", said("x")[0])
    head = session.append(said("a"), keys=["1"])
    session.append(said("b"))
    with pytest.raises(NotFoundError):
        session.replace("2", said("x")[0])
    with pytest.raises(ConflictError):
        session.replace("1", said("x")[0], expected=head.revision)
    session.undo(2)
    with pytest.raises(NotFoundError):
        session.replace("1", said("x")[0])


def test_details_are_changed_only_if_nothing_came_between(scope):
    session = scope.session("s")
    head = session.append(said("a"))
    info = session.annotate(metadata={"n": 1}, expected=head.revision)
    with pytest.raises(ConflictError) as refused:
        session.annotate(metadata={"n": 2}, expected=head.revision)
    assert refused.value.facts["actual"] == info.revision
    assert session.annotate(metadata={"n": 3}, expected=info.revision).metadata == {"n": 3}


def test_a_fork_knows_its_parent_and_the_keys_that_it_was_given(scope):
    session = scope.session("s")
    session.append(said("a", "b", "c"), keys=["1", "2", "3"])
    fork = session.fork(2, "other")
    assert [(branch.session.id, branch.at) for branch in session.branches()] == [("other", 2)]
    assert (fork.origins().parent, fork.origins().at) == ("s", 2)
    assert fork.append(said("b", "c"), keys=["2", "3"]).count == 3
    assert session.origins().parent is None
    session.delete()
    assert (fork.origins().parent, fork.origins().at) == (None, 2)
    fork.delete()
    assert session.branches() == []


def test_the_tools_of_a_session_are_counted_from_its_log(scope):
    session = scope.session("s")
    for family in ("openai chat", "anthropic", "pydantic ai", "vercel interface"):
        session.append(shapes.items(family))
    user, tools, _ = shapes.TALKS["openai responses"]
    session.append([user, tools[0]])
    (used,) = session.tools_used()
    assert (used.tool, used.calls, used.answered, used.turns) == (shapes.TOOL, 5, 4, 5)


def test_keys_versions_and_branches_travel_in_an_export(scope):
    session = scope.session("s")
    session.append(said("a", "b"), keys=["1", "2"])
    session.replace("1", said("A")[0])
    session.replace("1", said("AA")[0])
    session.fork(1, "other")
    data = scope.export()
    with Memory(":memory:") as other:
        there = other.scope(agent="concierge", user="alice")
        there.import_json(data)
        copy = there.session("s")
        assert copy.append(said("b"), keys=["2"]).known == 1
        assert [old.item.body["content"] for old in copy.versions("1")] == ["a", "A"]
        copy.replace("1", said("AAA")[0])
        assert [old.item.body["content"] for old in copy.versions("1")] == ["a", "A", "AA"]
        assert [branch.session.id for branch in copy.branches()] == ["other"]
        assert not any(there.import_json(data).kept.values())


def test_erasing_leaves_nothing_of_what_an_item_was_before(tmp_path):
    path = tmp_path / "m.db"
    with Memory(path) as memory:
        scope = memory.scope(user="u")
        scope.session("s").append(
            said("The vault of Archibald opens with xylophones."), keys=["key-of-archibald"]
        )
        scope.session("s").replace("key-of-archibald", said("redacted")[0])
        scope.session("t").append(
            said("The vault of Archibald opens with xylophones."), keys=["key-of-archibald"]
        )
        scope.session("t").replace("key-of-archibald", said("redacted")[0])
        assert scope.erase(session="t").remaining == 0
        assert scope.erase().remaining == 0
    assert b"xylophones" not in path.read_bytes()
