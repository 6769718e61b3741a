"""Consolidate with a model: it groups the notes, and the rules verify its groups."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from bethink.errors import BethinkError
from bethink.lifecycle.consolidate.candidates import Candidates, labels
from bethink.lifecycle.consolidate.check import check
from bethink.lifecycle.consolidate.duplicates_and_conflicts import conflicting, replaces_wholly
from bethink.lifecycle.consolidate.entries import MAX_KEYWORDS, Entry, rank, reading
from bethink.lifecycle.consolidate.retention import said_again, since
from bethink.lifecycle.consolidate.rules import RulesConsolidator
from bethink.lifecycle.consolidate.words import words
from bethink.lifecycle.model.json_validation import array, mismatch, record
from bethink.lifecycle.model.model_call import ModelCaller, RequestOptions
from bethink.lifecycle.model.prompt_examples import prompt
from bethink.lifecycle.model.support import is_covered
from bethink.lifecycle.values import Add, Proposal, Retire, Revise
from bethink.notes.checks import check_text
from bethink.notes.values import DAILY, is_closed

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime
    from typing import Literal, Unpack

    from bethink.lifecycle.engines import Consolidator
    from bethink.lifecycle.values import Change, ModelUse
    from bethink.models.chat import Chat
    from bethink.notes.values import Note

MAX_SESSION_NOTES = 40  #: in one question; where there are more, the rules decide alone
MAX_GLOBAL_NOTES = 40
MIN_WRITTEN = 400  #: tokens of an answer, and so many more for each note
FOR_EACH = 80
LONGEST_NOTE = 400  #: characters

_DECISION = record(
    **{
        "note": {"type": "string"},
        "as": {"type": "string", "enum": ("new", "same", "replaces")},
        "of": array({"type": "string"}),
        "text": {"type": "string"},
    }
)
SCHEMA = record("consolidation", decisions=array(_DECISION))


class _RefusedError(Exception):
    """The model's decisions cannot be followed; the sentence says why, without any note's words."""


class ModelConsolidator(ModelCaller):
    """Proposes what becomes of session notes, by a chat model whose every decision is verified.

    Args:
        chat: the model.
        rules: decide where the model may not or does not; they alone let notes expire.
        how: as every engine that asks a model is told (`How`).
    """

    def __init__(
        self, chat: Chat, *, rules: Consolidator | None = None, **how: Unpack[RequestOptions]
    ) -> None:
        super().__init__(chat, **how)
        self._rules = rules or RulesConsolidator()

    def propose(
        self,
        session_notes: Sequence[Note],
        global_notes: Sequence[Note],
        *,
        now: datetime,
        settled: datetime | None = None,
    ) -> Proposal:
        """Return the changes, each with its reason and its sources; the rules reconcile what is global already."""
        ruled = self._rules.propose(session_notes, global_notes, now=now, settled=settled)
        closed = {
            each.note
            for each in ruled.changes
            if isinstance(each, Retire) and each.outcome in {"ephemeral", "expired"}
        }
        open_notes = [
            note
            for note in session_notes
            if note.id not in closed and note.status == "active" and not is_closed(note)
        ]
        if not open_notes:
            return ruled
        if len(open_notes) > MAX_SESSION_NOTES:
            remark = f"the model is asked about {MAX_SESSION_NOTES} notes at most: the rules' plan is used"
            return replace(ruled, remarks=(*ruled.remarks, remark))
        held = [note for note in global_notes if note.id not in closed and note.status == "active"]
        asked_about = _nearest(open_notes, held)
        names = {f"s{place}": note for place, note in enumerate(open_notes, 1)}
        names |= {f"g{place}": note for place, note in enumerate(asked_about, 1)}
        asked = self._asking.ask(
            "consolidate",
            prompt("consolidate", self._examples),
            self._data(names),
            SCHEMA,
            budget=self._budget,
            most=MIN_WRITTEN + FOR_EACH * len(open_notes),
        )
        if asked.reply is None:
            return _ruled(ruled, asked.use, asked.remark)
        try:
            made = _followed(asked.reply["decisions"], names)
        except _RefusedError as error:
            return _ruled(ruled, replace(asked.use, fell_back="refused"), _why(str(error)))
        changes = (*made.changes(), *_beside(ruled, made.touched, session_notes))
        proposal = Proposal(
            changes=changes,
            conflicts=made.conflicts,
            engine=self._asking.chat.identity,
            remarks=ruled.remarks,
            used=(asked.use,),
        )
        refusals = check(proposal, (*session_notes, *global_notes))
        if refusals:
            return _ruled(ruled, replace(asked.use, fell_back="refused"), _why(refusals[0].reason))
        return proposal

    def _data(self, names: Mapping[str, Note]) -> dict[str, Any]:
        return {
            kind: [
                {"id": name, "text": self._mask(note.text), "since": since(note).date().isoformat()}
                for name, note in names.items()
                if name.startswith(kind[0])
            ]
            for kind in ("session_notes", "global_notes")
        }


def _ruled(ruled: Proposal, use: ModelUse, remark: str) -> Proposal:
    return replace(
        ruled, remarks=(*ruled.remarks, f"{remark}; the rules' plan is used"), used=(*ruled.used, use)
    )


def _why(reason: str) -> str:
    return f"the model's plan was refused: {reason}"


def _nearest(open_notes: Sequence[Note], settled: Sequence[Note]) -> list[Note]:
    """Return the global notes that a session note could be about: those that share most with one, then the newest."""
    if len(settled) <= MAX_GLOBAL_NOTES:
        return list(settled)
    known = Candidates()
    for note in settled:
        known.add(labels(words(note.text)))
    shared: dict[int, int] = {}
    for note in open_notes:
        own = labels(words(note.text))
        for place in known.near(own):
            shared[place] = max(shared.get(place, 0), len(own & labels(words(settled[place].text))))
    chosen = sorted(shared, key=lambda place: (-shared[place], -settled[place].revision))
    return [settled[place] for place in chosen[:MAX_GLOBAL_NOTES]]


@dataclass(slots=True)
class _Group:
    """Session notes that end in one global note."""

    text: str
    members: list[Note] = field(default_factory=list["Note"])  #: the one whose words were chosen comes first
    note: Note | None = None  #: the global note that stays; None where one is added
    replaced: list[Note] = field(default_factory=list["Note"])
    taken_over: bool = False  #: the global note has a key, and gets new words under it


@dataclass(slots=True)
class _Decided:
    """The decisions of a model, as groups."""

    groups: list[_Group] = field(default_factory=list[_Group])

    @property
    def touched(self) -> set[str]:
        """Return the ids of all notes that something was decided about."""
        return {
            note.id
            for group in self.groups
            for note in (*group.members, *group.replaced, *([group.note] if group.note else []))
        }

    @property
    def conflicts(self) -> int:
        """Return how many stored preferences the user overrode."""
        return sum(len(group.replaced) + group.taken_over for group in self.groups)

    def changes(self) -> list[Change]:
        """Return the decisions as changes; what is added comes first, for others are named by its place."""
        added = [group for group in self.groups if group.note is None]
        made: list[Change] = [_added(group) for group in added]
        made += [change for group in self.groups if (change := _revised(group)) is not None]
        for group in self.groups:
            successor = group.note.id if group.note is not None else added.index(group)
            for place, note in enumerate(group.members):
                first = place == 0 and (group.note is None or group.taken_over)
                made.append(_closed(note, successor, first=first))
            made += [
                Retire(note=note.id, successor=successor, outcome="superseded", reason="newer wins")
                for note in group.replaced
            ]
        return made


def _closed(note: Note, successor: str | int, *, first: bool) -> Retire:
    outcome: Literal["promoted", "merged"] = "promoted" if first else "merged"
    reason = "it holds beyond the session" if first else "said already"
    return Retire(note=note.id, successor=successor, outcome=outcome, reason=reason)


def _added(group: _Group) -> Add:
    confidences = [each.confidence for each in group.members if each.confidence is not None]
    return Add(
        text=group.text,
        keywords=_keywords(group),
        category=Entry(session_notes=group.members).category,
        sources=tuple(each.id for each in group.members),
        valid_from=max(map(since, group.members)),
        confidence=max(confidences) if len(confidences) == len(group.members) else None,
        reason="newer wins" if group.replaced else "said in the session",
    )


def _revised(group: _Group) -> Revise | None:
    note = group.note
    if note is None:
        return None
    newest = max(map(since, group.members))
    valid_from = newest if newest > since(note) else note.valid_from
    entry = Entry(note=note, session_notes=group.members, taken_over=group.taken_over)
    category = entry.category if note.category == DAILY != entry.category else None
    unchanged = (group.text, _keywords(group), valid_from) == (note.text, note.keywords, note.valid_from)
    if unchanged and not entry.confirmed and category is None:
        return None
    return Revise(
        note=note.id,
        text=group.text,
        keywords=_keywords(group),
        sources=(note.id, *(each.id for each in group.members)),
        valid_from=valid_from,
        confirmed=entry.confirmed,
        category=category,
        reason="newer wins" if group.taken_over else said_again(note, entry.confirmed),
    )


def _keywords(group: _Group) -> tuple[str, ...]:
    notes = [*([group.note] if group.note else []), *group.members]
    return tuple(dict.fromkeys(word for each in notes for word in each.keywords))[:MAX_KEYWORDS]


def _followed(decisions: Sequence[Any], names: Mapping[str, Note]) -> _Decided:
    """Return what decisions amount to.

    Raises:
        _RefusedError: they are not of the right shape, leave a note out, or lose something.
    """
    chosen = _read(decisions, names)
    made = _Decided()
    groups: dict[str, _Group] = {}
    for name, plain in chosen.items():
        if plain["as"] != "same":
            groups[name] = _opened(names[name], plain, names)
            made.groups.append(groups[name])
    kept: dict[str, _Group] = {}
    for name, plain in chosen.items():
        if plain["as"] != "same":
            continue
        target = plain["of"][0] if len(plain["of"]) == 1 else ""
        if target in groups:
            groups[target].members.append(names[name])
        elif target.startswith("g") and target in names:
            if target not in kept:
                kept[target] = _Group(text="", note=names[target])
                made.groups.append(kept[target])
            kept[target].members.append(names[name])
            kept[target].text = plain["text"]
        else:
            raise _RefusedError("a note is the same as one that does not exist")
    for group in made.groups:
        _verify(group)
    return made


def _read(decisions: Sequence[Any], names: Mapping[str, Note]) -> dict[str, Any]:
    """Return the decisions by the session notes that they are about: one each."""
    chosen: dict[str, Any] = {}
    for plain in decisions:
        wrong = mismatch(plain, _DECISION, "a decision")
        if wrong is not None:
            raise _RefusedError(wrong)
        if plain["note"] not in names or plain["note"].startswith("g") or plain["note"] in chosen:
            raise _RefusedError("it decides about a note twice, or about a note that does not exist")
        try:
            text = check_text(" ".join(plain["text"].split()), most=LONGEST_NOTE)
        except BethinkError:
            raise _RefusedError("a text is empty, too long, or not storable") from None
        chosen[plain["note"]] = {**plain, "text": text}
    if len(chosen) < sum(name.startswith("s") for name in names):
        raise _RefusedError("it leaves out a note")
    return chosen


def _opened(note: Note, plain: Mapping[str, Any], names: Mapping[str, Note]) -> _Group:
    """Return the group that a note begins which is new, or takes the place of others."""
    if plain["as"] == "new":
        if plain["of"]:
            raise _RefusedError("a new note is attributed to another note")
        return _Group(text=plain["text"], members=[note])
    replaced = [names[name] for name in plain["of"] if name in names and name.startswith("g")]
    if not replaced or len(replaced) != len(plain["of"]) or len(set(plain["of"])) != len(replaced):
        raise _RefusedError("a note replaces one that does not exist")
    keyed = [each for each in replaced if each.key is not None]
    if len(keyed) > 1:
        raise _RefusedError("a note replaces several notes with keys")
    if keyed:
        others = [each for each in replaced if each.key is None]
        return _Group(text=plain["text"], members=[note], note=keyed[0], replaced=others, taken_over=True)
    return _Group(text=plain["text"], members=[note], replaced=replaced)


def _verify(group: _Group) -> None:
    """Make sure that nothing is lost, and that nobody is overridden by what is older or less trusted.

    Raises:
        _RefusedError: otherwise.
    """
    staying = group.members if group.note is None or group.taken_over else [group.note, *group.members]
    if not all(is_covered(note.text, [group.text]) for note in staying):
        raise _RefusedError("it leaves out what its source says")
    new = group.members[0]
    overridden = [*group.replaced, *([group.note] if group.note and group.taken_over else [])]
    statement = reading(replace(new, text=group.text))
    for old in overridden:
        if rank(new) < rank(old):
            raise _RefusedError("it overrides a newer or more trusted note")
        was = reading(old)
        if not replaces_wholly(statement, was) or (was.clauses > 1 and not conflicting(statement, was)):
            raise _RefusedError("it overrides more than it answers")


def _beside(ruled: Proposal, touched: set[str], session_notes: Sequence[Note]) -> list[Retire]:
    """Return what the rules let go by themselves: what is over, and global notes worded exactly alike."""
    staged = {note.id for note in session_notes}
    return [
        each
        for each in ruled.changes
        if isinstance(each, Retire)
        and each.note not in touched
        and (
            each.outcome in {"ephemeral", "expired"}
            or (
                each.outcome == "merged"
                and each.note not in staged
                and isinstance(each.successor, str)
                and each.successor not in touched
            )
        )
    ]
