"""Whatever is done in whatever order, a memory is what a plain model of it says."""

from datetime import timedelta

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, invariant, precondition, rule

from bethink import ConflictError, Memory, NotFoundError, Settings
from bethink.testing.faces import Clock, HashingEmbedder

SESSIONS = st.sampled_from(["one", "two", "three"])
KEYS = st.none() | st.sampled_from(["seat", "home"])
LIFETIMES = st.none() | st.integers(1, 5)


def said(number):
    return {"role": "user", "content": f"word{number} was said"}


class Life(RuleBasedStateMachine):
    """A scope beside its model: sessions as lists, notes as records with the versions they had."""

    notes_made = Bundle("notes")

    def __init__(self):
        super().__init__()
        self.clock = Clock()
        self.memory = Memory(
            ":memory:", clock=self.clock, embedder=HashingEmbedder(), settings=Settings(index_batch=3)
        )
        self.scope = self.memory.scope(agent="bot", user="ann")
        self.other = self.memory.scope(agent="bot", user="ben")
        self.other.remember("word0 of somebody else")
        self.sessions = {}
        self.notes = {}
        self.undone = {}
        self.count = 0

    def teardown(self):
        assert [note.text for note in self.other.notes()] == ["word0 of somebody else"]
        self.memory.close()

    def fresh(self):
        self.count += 1
        return self.count

    # ---- sessions ---------------------------------------------------------------------------------------------

    @rule(name=SESSIONS, count=st.integers(1, 4), replies=st.booleans())
    def append(self, name, count, replies):
        new = [said(self.fresh()) for _ in range(count)]
        if replies:
            new = [item for each in new for item in (each, {"role": "assistant", "content": "noted"})]
        self.scope.session(name).append(new)
        self.sessions.setdefault(name, []).extend(new)

    @rule(name=SESSIONS)
    def pop(self, name):
        log = self.sessions.get(name, [])
        assert self.scope.session(name).pop_item() == (log.pop() if log else None)

    @rule(name=SESSIONS, turns=st.integers(1, 3))
    def undo_turns(self, name, turns):
        head = self.scope.session(name).undo(turns)
        log = self.sessions.get(name, [])
        starts = [place for place, body in enumerate(log) if body["role"] == "user"]
        if starts:
            del log[starts[-turns] if turns <= len(starts) else 0 :]
        else:
            log.clear()
        assert head.count == len(log)

    @rule(name=SESSIONS)
    def clear(self, name):
        assert self.scope.session(name).clear().count == 0
        if name in self.sessions:
            self.sessions[name] = []

    @rule(name=SESSIONS)
    def delete(self, name):
        try:
            self.scope.session(name).delete()
        except NotFoundError:
            assert name not in self.sessions
        else:
            del self.sessions[name]

    @rule(name=SESSIONS, target_name=SESSIONS)
    def fork(self, name, target_name):
        try:
            self.scope.session(name).fork(None, target_name)
        except NotFoundError:
            assert name not in self.sessions
        except ConflictError:
            assert target_name in self.sessions
        else:
            self.sessions[target_name] = list(self.sessions[name])

    @rule(name=SESSIONS, fails=st.booleans())
    def turn(self, name, fails):
        new = said(self.fresh())
        before = list(self.sessions.get(name, []))
        try:
            with self.scope.session(name).turn() as turn:
                turn.append([new])
                assert turn.get_items() == [*before, new]
                if fails:
                    raise TimeoutError  # noqa: TRY301
        except TimeoutError:
            self.sessions.setdefault(name, [])
        else:
            self.sessions[name] = [*before, new]

    # ---- notes ------------------------------------------------------------------------------------------------

    def live(self, key):
        return next((id_ for id_, note in self.notes.items() if note[1] == key and not note[2]), None)

    @rule(target=notes_made, key=KEYS, lifetime=LIFETIMES)
    def remember(self, key, lifetime):
        text = f"word{self.fresh()} is remembered"
        expires = None if lifetime is None else self.clock.at + timedelta(hours=lifetime)
        note = self.scope.remember(text, key=key, expires_at=expires)
        known = self.live(key) if key else None
        if known is not None:
            assert note.id == known
            self.undone[known].append(self.notes[known])
        else:
            assert note.id not in self.notes
            self.undone[note.id] = []
        self.notes[note.id] = (text, key, False, expires)
        return note.id

    @rule(id_=notes_made)
    def revise(self, id_):
        text, key, forgotten, expires = self.notes[id_]
        new = f"word{self.fresh()} is revised"
        try:
            self.scope.revise(id_, new)
        except NotFoundError:
            assert forgotten
        else:
            assert not forgotten
            self.undone[id_].append((text, key, forgotten, expires))
            self.notes[id_] = (new, key, False, expires)

    @rule(id_=notes_made)
    def forget(self, id_):
        text, key, forgotten, expires = self.notes[id_]
        try:
            self.scope.forget(id_)
        except NotFoundError:
            assert forgotten
        else:
            assert not forgotten
            self.undone[id_].append((text, key, forgotten, expires))
            self.notes[id_] = (text, key, True, expires)

    @rule(id_=notes_made)
    def undo_note(self, id_):
        versions = self.undone[id_]
        now = self.notes[id_]
        try:
            self.scope.undo(id_)
        except NotFoundError:
            assert not versions
        except ConflictError:
            _, key, forgotten, _ = versions[-1]
            assert not forgotten
            assert self.live(key) not in {None, id_}
        else:
            self.notes[id_] = versions[-1]
            versions.append(now)
        assert len(self.scope.history(id_)) == len(self.undone[id_])

    @rule(hours=st.integers(1, 3))
    def time_passes(self, hours):
        self.clock.advance(hours=hours)

    # ---- what must hold -----------------------------------------------------------------------------------------

    def standing(self):
        return {
            id_: text
            for id_, (text, _, forgotten, expires) in self.notes.items()
            if not forgotten and (expires is None or expires > self.clock.at)
        }

    @invariant()
    def lists_are_what_the_model_says(self):
        page = self.scope.notes()
        assert {note.id: note.text for note in page} == self.standing()
        assert page.total == len(page)
        assert {info.id: info.count for info in self.scope.sessions()} == {
            name: len(log) for name, log in self.sessions.items()
        }
        for name, log in self.sessions.items():
            assert self.scope.session(name).get_items() == log
            assert [item.body for item in self.scope.session(name).items()] == log

    @precondition(lambda self: self.count)
    @rule(data=st.data())
    def recall_finds_what_stands_and_nothing_that_is_gone(self, data):
        word = f"word{data.draw(st.integers(1, self.count))}"
        found = self.scope.recall(word, limit=1000)
        expected = sorted(text for text in self.standing().values() if word in text.split())
        expected_items = sorted(
            body["content"]
            for log in self.sessions.values()
            for body in log
            if word in body["content"].split()
        )
        everything = {*self.standing().values()} | {
            body["content"] for log in self.sessions.values() for body in log
        }
        assert {hit.text for hit in found} <= everything
        assert sorted(hit.text for hit in found if hit.note and word in hit.text.split()) == expected
        assert sorted(hit.text for hit in found if hit.item and word in hit.text.split()) == expected_items


TestLife = Life.TestCase
TestLife.settings = settings(max_examples=40, stateful_step_count=25)
