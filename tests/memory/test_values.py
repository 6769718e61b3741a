"""What every value that the library returns can be turned into, and what a wrong name is answered."""

import json

import pytest

import bethink
from bethink import AsyncMemory, Memory

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
    ("name", "hint"), [("add", "remember"), ("search", "recall"), ("get_all", "notes()")]
)
def test_a_name_of_another_library_says_what_it_is_here(alice, name, hint):
    with pytest.raises(AttributeError, match=name) as caught:
        getattr(alice, name)
    assert hint in str(caught.value)
    assert not hasattr(alice, name)


def test_a_name_that_nobody_has_is_just_unknown(alice):
    with pytest.raises(AttributeError) as caught:
        alice.frobnicate  # noqa: B018
    assert str(caught.value).endswith("'frobnicate'")


@pytest.mark.parametrize(
    ("call", "hint"),
    [
        (lambda scope: scope.recall("tea?", top_k=3), "limit="),
        (lambda scope: scope.recall("tea?", user_id="alice"), "scope("),
        (lambda scope: scope.notes(filters={}), "where="),
        (lambda scope: scope.session("trip").window(max_tokens=9), "tokens="),
    ],
)
def test_an_argument_of_another_library_says_what_it_is_here(alice, call, hint):
    with pytest.raises(TypeError, match="unexpected keyword argument") as caught:
        call(alice)
    assert hint in str(caught.value)


def test_a_memory_that_is_opened_with_another_librarys_arguments_says_what_they_are_here():
    with pytest.raises(TypeError, match="unexpected keyword argument"), Memory(":memory:") as memory:
        memory.scope(user_id="alice")


async def _awaited():
    async with AsyncMemory(":memory:") as memory:
        with pytest.raises(TypeError, match=r"limit="):
            await memory.scope(user="alice").recall("tea?", top_k=3)
        with pytest.raises(AttributeError, match=r"remember"):
            memory.scope(user="alice").add("tea")


def test_the_awaited_face_says_the_same():
    import asyncio

    asyncio.run(_awaited())


def test_whatever_a_verb_returns_can_be_imported_for_annotations():
    missing = {"Scope", "Session", "Note", "Recall", "Hit", "Plan", "Context", "Receipt", "Page"} - set(
        bethink.__all__
    )
    assert not missing
