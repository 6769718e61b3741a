"""What was read before stands in for a look at the store only where that would say the same."""

import gc
from datetime import UTC, datetime, timedelta

import pytest

from bethink import Memory
from bethink.notes.queries import NoteRow
from bethink.notes.values import Note
from bethink.testing.faces import HashingEmbedder


class Clock:
    """A clock that is moved by hand."""

    def __init__(self):
        self.now = datetime(2026, 3, 1, 12, tzinfo=UTC)

    def __call__(self):
        return self.now

    def on(self, **spans):
        self.now += timedelta(**spans)


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def opened(tmp_path, clock):
    """Open the same file as often as is wanted: each time is another process to what is held in memory."""
    made = []

    def another():
        memory = Memory(str(tmp_path / "memory.db"), clock=clock, embedder=HashingEmbedder())
        made.append(memory)
        return memory.scope(agent="concierge", user="alice")

    yield another
    for memory in made:
        memory.close()


def seen(scope):
    """Return every context that is asked for in these tests, in full."""
    return [
        scope.context(tokens=600, **asked).to_dict()
        for asked in (
            {},
            {"query": "Where does she sit?"},
            {"session": "trip"},
            {"session": "trip", "query": "window seat", "items": "all"},
            {"session": "trip", "turns": 1},
            {"session": "other"},
            {"max_notes": 1},
            {},
        )
    ]


def recalled(scope):
    """Return the notes that a question finds, as they are answered."""
    found = [scope.recall("aisle vegetarian Oslo German", kinds=("note",)) for _ in range(2)]
    assert found[0].to_dict() == found[1].to_dict()
    return {hit.note.id: (hit.text, hit.note.to_dict()) for hit in found[1]}


def fill(scope):
    for number, text in enumerate(
        ("Sits at the aisle.", "Is vegetarian.", "Lives in Oslo.", "Always reply in German.")
    ):
        scope.remember(text, key=f"key-{number}")
    scope.remember("Has a cold.", category="daily")
    scope.remember("Is in Paris.", expires_at=datetime(2026, 3, 1, 14, tzinfo=UTC))
    scope.profile.update({"home_city": "Oslo"})
    for number in range(3):
        scope.session("trip").append(
            [
                {"role": "user", "content": f"A window seat, number {number}."},
                {"role": "assistant", "content": "Noted."},
            ]
        )
    scope.session("trip").remember("This time a window seat.")


WRITES = {
    "a note": lambda scope: scope.remember("Never flies at night."),
    "another wording": lambda scope: scope.revise("key-1", "Is vegan."),
    "a key that is given again": lambda scope: scope.remember("Lives in Bergen.", key="key-2"),
    "a note that is forgotten": lambda scope: scope.forget("key-0"),
    "a wish that is forgotten": lambda scope: scope.forget("key-3"),
    "a field": lambda scope: scope.profile.update({"home_city": "Bergen"}),
    "items": lambda scope: scope.session("trip").append(
        [{"role": "user", "content": "A seat in the middle."}]
    ),
    "fewer items": lambda scope: scope.session("trip").undo(),
    "a cleared session": lambda scope: scope.session("trip").clear(),
    "a note of the session": lambda scope: scope.session("trip").remember("And a late train."),
    "a deleted session": lambda scope: scope.session("trip").delete(),
    "notes made of a session": lambda scope: scope.consolidate(session="trip"),
    "an erasure": lambda scope: scope.erase(),
}


@pytest.mark.parametrize("write", WRITES.values(), ids=WRITES)
@pytest.mark.parametrize("by", ["this process", "another one"])
def test_a_context_and_a_recall_after_a_write_are_what_somebody_sees_who_never_asked_before(
    opened, clock, write, by
):
    scope = opened()
    fill(scope)
    seen(scope)
    recalled(scope)
    clock.on(minutes=1)
    assert seen(scope) == seen(opened())

    clock.on(minutes=1)
    write(scope if by == "this process" else opened())
    clock.on(minutes=1)

    assert recalled(scope) == recalled(opened())
    assert seen(scope) == seen(opened())


@pytest.mark.parametrize("span", [{"hours": 3}, {"days": 8}, {"days": 400}], ids=str)
def test_what_ends_by_itself_is_in_no_context_afterwards(opened, clock, span):
    scope = opened()
    fill(scope)
    before = seen(scope)
    clock.on(**span)
    after = seen(scope)

    assert "Is in Paris." in before[0]["text"]
    assert "Is in Paris." not in after[0]["text"]
    assert after == seen(opened())


def test_what_was_not_yet_over_is_shown_to_a_clock_that_goes_back(opened, clock):
    scope = opened()
    fill(scope)
    clock.on(hours=3)
    seen(scope)
    clock.on(hours=-3)

    assert seen(scope) == seen(opened())
    assert "Is in Paris." in scope.context().text


def test_the_notes_of_session_stores_that_stand_in_are_read_each_time(opened, tmp_path):
    scope = opened()
    scope.profile.update({"home_city": "Oslo"})
    with Memory(str(tmp_path / "memory.db"), embedder=HashingEmbedder()) as memory:
        store = memory.namespace(f"{scope.namespace}:s:trip")
        store.remember("Sits by the window.")
        before = seen(scope)
        store.remember("Takes late trains.")

    assert "Sits by the window." in before[0]["text"]
    assert seen(scope) == seen(opened())


def test_what_somebody_does_to_an_answer_is_in_no_other_answer(opened):
    scope = opened()
    fill(scope)
    scope.remember("Keeps a cat.", metadata={"said": {"times": 1}})
    for _ in range(2):
        for hit in scope.recall("cat aisle Oslo", kinds=("note",)):
            hit.note.metadata["of"] = "somebody else"
            if "said" in hit.note.metadata:
                hit.note.metadata["said"]["times"] = 2

    for hit in scope.recall("cat aisle Oslo", kinds=("note",)):
        assert hit.note.metadata in ({}, {"said": {"times": 1}})


def test_nothing_that_a_context_or_a_recall_was_made_of_stays_in_memory_after_an_erasure(opened):
    scope = opened()
    fill(scope)
    seen(scope)
    recalled(scope)
    scope.erase()
    gc.collect()

    kept = [each for each in gc.get_objects() if type(each) in {Note, NoteRow}]
    assert not [each for each in kept if each.text == "Sits at the aisle."]
