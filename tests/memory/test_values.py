"""What every value that the library returns can be turned into, and what a wrong name is answered."""

import json
import re

import pytest

import bethink
from bethink import AsyncMemory, InvalidError, Memory, foreign_names

MARKUP = "Likes <script>alert(1)</script> & tea."


@pytest.fixture
def memory():
    with Memory(":memory:") as opened:
        yield opened


@pytest.fixture
def alice(memory):
    scope = memory.scope(agent="concierge", user="alice")
    scope.remember(MARKUP, key="tea")
    scope.session("trip").append([{"role": "user", "content": "This time a window seat, please."}])
    return scope


def answers(scope):
    session = scope.session("trip")
    return {
        "note": scope.get("tea"),
        "notes": scope.notes(),
        "history": scope.history("tea"),
        "recall": scope.recall("tea?", explain=True),
        "why not": scope.why_not("tea?", scope.get("tea").id),
        "items": session.items(),
        "info": session.info(),
        "head": session.append([{"role": "assistant", "content": "Noted."}]),
        "context": scope.context(session="trip", query="tea?"),
        "plan": scope.consolidate(dry_run=True),
        "distilled": scope.distill("trip", dry_run=True),
        "profile": scope.profile.update({"city": "Oslo"}),
        "document": scope.documents.put(("a",), "b", {"c": 1}),
        "receipt": scope.erase(),
    }


def test_every_answer_is_plain_json(alice):
    for name, value in answers(alice).items():
        if isinstance(value, list | tuple):
            continue
        told = json.loads(value.to_json())
        assert told == json.loads(json.dumps(value.to_dict())), name
        assert isinstance(told, dict), name
        assert told, name


def test_every_answer_prints_in_few_lines(alice):
    for name, value in answers(alice).items():
        if isinstance(value, list | tuple):
            continue
        assert "(" not in str(value).partition(" ")[0], name
        assert "datetime" not in str(value), name
        assert str(value).strip(), name


def test_a_printed_recall_is_a_line_a_hit(alice):
    for number in range(9):
        alice.remember(f"Likes tea number {number}, with a long story behind it. " * 8)
    found = alice.recall("tea?")
    assert len(str(found)) < 120 * (len(found) + 1)
    assert str(found).count("\n") == len(found)
    assert str(alice.recall("tea?", limit=1, category="nothing")).startswith("nothing found: ")


def test_what_a_notebook_shows_is_escaped(alice):
    for name, value in answers(alice).items():
        if isinstance(value, list | tuple):
            continue
        assert "<script" not in value._repr_html_(), name


def test_a_receipt_prints_what_it_counts(alice):
    receipt = alice.erase()
    assert "0 remaining" in str(receipt)
    assert "tea" not in str(receipt)


@pytest.mark.parametrize(
    ("handle", "name", "hint"),
    [
        ("memory", "users", "scopes()"),
        ("memory", "add", "memory.scope(user=…), remember(text)"),
        ("memory", "forget", "memory.scope(user=…).forget"),
        ("memory", "append", "memory.scope(user=…).session(name).append"),
        ("memory", "profile", "memory.scope(user=…).profile"),
        ("scope", "add", "remember"),
        ("scope", "search", "recall"),
        ("scope", "get_all", "notes()"),
        ("scope", "messages", "session(name).items()"),
        ("scope", "append", "scope.session(name).append"),
        ("scope", "stats", "memory.stats"),
        ("session", "add", "append("),
        ("session", "messages", "items()"),
        ("session", "context", "session.scope.context(session=session.session_id)"),
        ("session", "revise", "session.scope.revise"),
        ("session", "id", "session_id"),
        ("profile", "set", "update("),
        ("profile", "home_city", "get().fields['home_city']"),
        ("records", "list", "latest("),
        ("note", "content", ".text"),
        ("note", "tags", ".keywords"),
        ("note", "model_dump", "to_dict()"),
        ("hit", "memory", ".text"),
        ("hit", "metadata", ".note.metadata"),
        ("item", "content", ".body"),
        ("page", "results", ".entries"),
        ("recall", "results", ".hits"),
        ("context", "prompt", ".text"),
    ],
)
def test_a_name_of_another_library_or_of_another_handle_says_what_it_is_here(
    memory, alice, handle, name, hint
):
    asked = {
        "memory": memory,
        "scope": alice,
        "session": alice.session("trip"),
        "profile": alice.profile,
        "records": alice.records,
        "note": alice.get("tea"),
        "hit": alice.recall("tea?")[0],
        "item": alice.session("trip").items()[0],
        "page": alice.notes(),
        "recall": alice.recall("tea?"),
        "context": alice.context(),
    }[handle]
    with pytest.raises(AttributeError, match=name) as caught:
        getattr(asked, name)
    assert hint in str(caught.value)
    assert not hasattr(asked, name)


@pytest.mark.parametrize("handle", ["memory", "scope", "session", "records", "note", "page"])
def test_a_name_that_nobody_has_is_just_unknown(memory, alice, handle):
    asked = {
        "memory": memory,
        "scope": alice,
        "session": alice.session("trip"),
        "records": alice.records,
        "note": alice.get("tea"),
        "page": alice.notes(),
    }[handle]
    with pytest.raises(AttributeError) as caught:
        asked.frobnicate  # noqa: B018
    assert str(caught.value).endswith("'frobnicate'")


def test_what_a_hint_names_is_there(memory, alice):
    """Every call that a hint names belongs to the handle that is asked, or to the one that it names."""
    handles = {
        "MEMORY": memory,
        "SCOPE": alice,
        "SESSION": alice.session("trip"),
        "PROFILE": alice.profile,
        "RECORDS": alice.records,
    }
    named = {"memory": memory, "scope": alice, "session": alice.session("trip"), "": None}
    for table, handle in handles.items():
        for name, hint in getattr(foreign_names, table).items():
            assert not hasattr(handle, name), (table, name)
            for before, called in re.findall(r"(?:(\w+|\))\.)?\b([a-z_]+)\(", hint):
                if before in named:
                    assert hasattr(named[before] or handle, called), (table, name, called)


@pytest.mark.parametrize(
    ("call", "hint"),
    [
        (lambda scope: scope.recall("tea?", top_k=3), "limit="),
        (lambda scope: scope.recall("tea?", k=3), "limit="),
        (lambda scope: scope.recall("tea?", limt=3), "did you mean limit=…?"),
        (lambda scope: scope.recall("tea?", user_id="alice"), "scope("),
        (lambda scope: scope.recall(q="tea?"), "query is the first argument"),
        (lambda scope: scope.recall("tea?", thread_id="trip"), "session="),
        (lambda scope: scope.notes(filters={}), "where="),
        (lambda scope: scope.remember(content="Likes tea."), "text is the first argument"),
        (lambda scope: scope.remember("Likes tea.", tags=["tea"]), "keywords="),
        (lambda scope: scope.remember("Likes tea.", ttl=3), "expires_at="),
        (lambda scope: scope.forget(id="n1"), "key_or_id is the first argument"),
        (lambda scope: scope.session("trip").window(max_tokens=9), "tokens="),
        (lambda scope: scope.session("trip").window(limit=9), "messages="),
        (lambda _: Memory(path="memory.db"), "Memory('memory.db')"),
        (lambda _: Memory(db="memory.db"), "Memory('memory.db')"),
        (lambda _: Memory(":memory:", user_id="alice"), "memory.scope(agent=…, user=…)"),
        (lambda _: Memory(":memory:", llm=None), "chat="),
    ],
)
def test_an_argument_of_another_library_says_what_it_is_here(alice, call, hint):
    with pytest.raises(TypeError, match="unexpected keyword argument") as caught:
        call(alice)
    assert hint in str(caught.value)


@pytest.mark.parametrize(
    ("call", "hint"),
    [
        (lambda memory: memory.scope("concierge", "alice"), "(agent=…, user=…, owner=…)"),
        (lambda memory: memory.scope().recall("tea?", 5), "(query, limit=…"),
        (lambda memory: memory.scope().context("tea?"), "(session=…, query=…"),
        (lambda memory: memory.scope().session("trip").window(50), "(messages=…"),
        (lambda _: Memory(), "Memory('memory.db')"),
        (lambda memory: memory.scope().get(), "notes()"),
    ],
)
def test_an_argument_without_its_name_says_how_it_is_passed(memory, call, hint):
    with pytest.raises(TypeError, match="positional") as caught:
        call(memory)
    assert hint in str(caught.value)


def test_a_type_error_within_a_verb_is_left_as_it_is(alice):
    class Broken(list):
        def __iter__(self):
            raise TypeError("Scope.recall() got an unexpected turn")

    with pytest.raises(TypeError, match=r"unexpected turn$"):
        alice.recall("tea?", session=Broken(["trip"]))


@pytest.mark.parametrize(
    ("call", "hint"),
    [
        (lambda scope: scope.context(session=scope.session("trip")), "pass its session_id"),
        (lambda scope: scope.consolidate(scope.session("trip")), "pass its session_id"),
        (lambda scope: scope.distill(scope.session("trip")), "pass its session_id"),
        (lambda scope: scope.recall("tea?", session=scope.session("trip")), "pass its session_id"),
        (lambda scope: scope.erase(session=scope.session("trip")), "pass its session_id"),
        (lambda scope: scope.forget(scope.get("tea")), "pass its id"),
        (
            lambda scope: scope.remember([{"role": "user", "content": "Hi."}]),
            "session(name).append(messages)",
        ),
        (lambda _: Memory({"url": "memory.db"}), "got dict"),
    ],
)
def test_a_value_of_another_kind_says_what_is_passed_instead(alice, call, hint):
    with pytest.raises(InvalidError) as caught:
        call(alice)
    assert hint in str(caught.value)


def test_a_session_is_the_same_however_its_name_is_composed(alice):
    alice.session("caf\u00e9").append([{"role": "user", "content": "My sister lives in Oslo."}])
    assert alice.consolidate("cafe\u0301", dry_run=True).session == "caf\u00e9"
    assert alice.distill("cafe\u0301", dry_run=True).kept
    assert alice.erase(session="cafe\u0301").erased
    assert "caf\u00e9" not in {each.id for each in alice.sessions()}


@pytest.mark.parametrize("name", ["page", "recall"])
def test_a_list_that_is_asked_by_name_says_that_it_is_a_list(alice, name):
    found = alice.notes() if name == "page" else alice.recall("tea?")
    with pytest.raises(TypeError, match=f"a {name} is a sequence of its"):
        found["results"]


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("MemoryClient", "import Memory"),
        ("AsyncClient", "import AsyncMemory"),
        ("Conversation", "session(name)"),
    ],
)
def test_a_class_of_another_library_says_what_it_is_here(name, hint):
    with pytest.raises(ImportError, match=name) as caught:
        exec(f"from bethink import {name}", {})
    assert hint in str(caught.value)
    assert not hasattr(bethink, name)
    with pytest.raises(AttributeError, match=name) as caught:
        getattr(bethink, name)
    assert hint in str(caught.value)


def test_a_class_that_nobody_has_is_just_unknown():
    with pytest.raises(ImportError, match=r"cannot import name 'Frobnicator' from 'bethink'"):
        exec("from bethink import Frobnicator", {})


def test_a_memory_is_opened_by_a_path(tmp_path):
    with Memory(tmp_path / "memory.db") as memory:
        assert "memory.db" in repr(memory)
        assert memory.url == str(tmp_path / "memory.db")


def test_a_memory_that_is_opened_with_another_librarys_arguments_says_what_they_are_here():
    with pytest.raises(TypeError, match="unexpected keyword argument"), Memory(":memory:") as memory:
        memory.scope(user_id="alice")


async def _awaited():
    async with AsyncMemory(":memory:") as memory:
        with pytest.raises(TypeError, match=r"limit="):
            await memory.scope(user="alice").recall("tea?", top_k=3)
        with pytest.raises(AttributeError, match=r"remember"):
            memory.scope(user="alice").add("tea")
        with pytest.raises(AttributeError, match=r"memory\.scope\(user=…\)\.forget"):
            memory.forget("tea")
        with pytest.raises(TypeError, match=r"agent=…, user=…"):
            memory.scope("concierge", "alice")
    with pytest.raises(TypeError, match=r"Memory\('memory.db'\)"):
        AsyncMemory(path="memory.db")


def test_the_awaited_face_says_the_same():
    import asyncio

    asyncio.run(_awaited())


def test_whatever_a_verb_returns_can_be_imported_for_annotations():
    missing = {"Scope", "Session", "Note", "Recall", "Hit", "Plan", "Context", "Receipt", "Page"} - set(
        bethink.__all__
    )
    assert not missing


@pytest.mark.parametrize("metadata", [{}, {"places": ["Oslo"]}])
def test_what_somebody_does_to_the_metadata_of_a_hit_no_other_answer_shows(memory, metadata):
    scope = memory.scope(agent="concierge", user="bob")
    scope.remember("Likes jasmine tea.", metadata=metadata)
    for _ in range(2):  # the second time the row is known
        (hit,) = scope.recall("tea?").hits
        assert hit.note.metadata == metadata
        hit.note.metadata.setdefault("places", []).append("Rome")
    assert scope.recall("tea?").hits[0].note.metadata == metadata
