"""Many documents read, changed and measured at once."""

from datetime import UTC, datetime, timedelta

import pytest

from bethink import DeniedError, InvalidError, Memory, Principal
from bethink.documents.values import DeleteDocument, PutDocument, RefreshDocument

HOUR = timedelta(hours=1)


class Clock:
    """A clock that is set by hand."""

    def __init__(self):
        self.at = datetime(2026, 1, 1, tzinfo=UTC)

    def __call__(self):
        return self.at


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture(params=["sqlite", "postgresql"])
def memory(request, clock):
    url = ":memory:" if request.param == "sqlite" else request.getfixturevalue("postgresql_url")
    with Memory(url, clock=clock) as memory:
        yield memory


@pytest.fixture
def documents(memory):
    return memory.scope(agent="graph", user="ana").documents


def put(key, value=1, path="a", **options):
    return PutDocument(path=path, key=key, value=value, **options)


def test_changes_are_made_in_their_order(documents):
    documents.change([put("k", 1), DeleteDocument(path="a", key="k"), put("k", 2), put("l", 3)])
    assert [
        each.value for each in documents.get_all([("a", "k"), ("a", "l"), ("a", "m"), ("b", "k")])[:2]
    ] == [2, 3]
    assert documents.get_all([("a", "m"), ("b", "k")]) == [None, None]


def test_all_changes_are_made_or_none(documents):
    documents.put("a", "k", 1)
    with pytest.raises(InvalidError):
        documents.change([DeleteDocument(path="a", key="k"), put("l", object())])
    with pytest.raises(InvalidError):
        documents.change([put("l"), "no change"])
    assert documents.keys("a") == ["k"]


def test_what_is_put_only_if_absent_leaves_what_is_there(documents, clock):
    documents.change([put("k", "first", ttl=HOUR)])
    documents.change([put("k", "second", absent=True), put("l", "third", absent=True)])
    assert [each.value for each in documents.get_all([("a", "k"), ("a", "l")])] == ["first", "third"]
    clock.at += 2 * HOUR
    documents.change([put("k", "fourth", absent=True)])
    assert documents.get("a", "k").value == "fourth"


def test_below_a_path_everything_is_deleted_and_nothing_beside_it(documents):
    documents.change([put("k"), put("k", path="a/b"), put("k", path="ab"), put("k", path="b")])
    documents.change([DeleteDocument(path="a")])
    assert documents.paths() == [("ab",), ("b",)]


def test_ingested_texts_are_not_deleted_over_the_heads_of_their_passages(documents):
    documents.ingest("manuals", "ferry", "The ferry moors at pier seven on Sundays.")
    for path in ("", "texts", ("texts", "manuals")):
        with pytest.raises(InvalidError):
            documents.change([DeleteDocument(path=path)])


def test_time_begins_anew_for_one_or_for_all_below_a_path(documents, clock):
    documents.change([put(key, path=path, ttl=HOUR) for path in ("a", "a/b", "c") for key in "kl"])
    clock.at += HOUR / 2
    documents.change([RefreshDocument(path="a"), RefreshDocument(path="c", key="k")])
    clock.at += HOUR * 3 / 4
    names = [("a", "k"), ("a/b", "l"), ("c", "k"), ("c", "l")]
    assert [each is not None for each in documents.get_all(names)] == [True, True, True, False]


def test_what_is_over_does_not_come_back_by_a_refresh(documents, clock):
    documents.change([put("k", ttl=HOUR)])
    clock.at += 2 * HOUR
    documents.change([RefreshDocument(path="a")])
    assert documents.get("a", "k") is None


def test_documents_of_a_path_come_in_the_order_of_their_keys(documents):
    documents.change([put(key, value) for value, key in enumerate("cabd")] + [put("z", path="a/b")])
    assert [each.key for each in documents.within("a")] == list("dcba")
    assert [each.key for each in documents.within("a", before="c", limit=1)] == ["b"]
    assert documents.keys("a", limit=2) == ["d", "c"]
    assert documents.keys("a", before="b") == ["a"]
    assert documents.keys("nowhere") == []


def test_the_newest_are_found_by_fields_within_fields(documents):
    documents.change(
        [put(str(number), {"n": number, "deep": {"er": number % 2, "a.b": 1}}) for number in range(1200)]
    )
    found = documents.newest("a", where={"deep.er": 1, "n": {"$lt": 9}}, limit=2, offset=1)
    assert [each.value["n"] for each in found] == [3, 5]
    documents.put("a", "7", {"n": 7, "deep": {"er": 1}})
    assert documents.newest("a", where={"deep.er": 1}, limit=1)[0].key == "7"
    assert documents.newest("a", where={"deep.no": 1}) == []
    assert documents.find("a", where={"a.b": 1}).entries == ()


def test_a_field_whose_name_has_a_dot_is_found_by_its_name(documents):
    documents.put("a", "k", {"a.b": 1})
    assert [each.key for each in documents.newest("a", where={"a.b": 1})] == ["k"]


def test_what_is_kept_is_measured_in_documents_and_bytes(documents, clock):
    before = documents.size()
    documents.change([put("k", b"12345"), put("l", "é", path="a/b", ttl=HOUR)])
    assert (before.documents, before.bytes) == (0, 0)
    assert (documents.size("a").documents, documents.size("a").bytes) == (2, 5 + len('"\\u00e9"'))
    assert documents.size("a/b").documents == 1
    clock.at += 2 * HOUR
    assert documents.size("a").documents == 1
    assert documents.sweep() == 1
    assert documents.sweep() == 0


def test_hits_beyond_the_first_that_are_tried_are_found(documents):
    documents.change(
        [put(f"{n:03}", {"text": f"harbour fee {n}", "odd": n % 2}, index=["text"]) for n in range(130)]
    )
    found = [
        hit.document.value["odd"] for hit in documents.search("harbour fee", "a", where={"odd": 1}, limit=60)
    ]
    assert found == [1] * 60
    pages = [documents.search("harbour fee", "a", limit=30, offset=start) for start in (0, 30, 60, 90, 120)]
    assert len({hit.document.key for page in pages for hit in page}) == 130


def test_who_may_not_delete_deletes_nothing_among_other_changes(memory):
    pool = memory.pools.create("commons", owner="ana")
    memory.pools.grant("commons", "bob", ["read", "write"])
    assert pool is not None
    memory.pool("commons").documents.put("a", "k", 1)
    documents = memory.acting_as(Principal("bob")).pool("commons").documents
    documents.change([put("l")])
    with pytest.raises(DeniedError):
        documents.change([put("m"), DeleteDocument(path="a", key="k")])
    assert memory.pool("commons").documents.keys("a") == ["l", "k"]
