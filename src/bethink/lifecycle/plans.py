"""A plan: the changes that a consolidation proposes or has applied."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, assert_never, cast

from bethink.lifecycle.consolidate.diff import NOTHING, lines
from bethink.lifecycle.values import Add, Keep, Retire, Revise
from bethink.plain import Plain
from bethink.times import to_datetime

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from bethink.lifecycle.queries import PlanRow
    from bethink.lifecycle.values import Change
    from bethink.notes.values import Note
    from bethink.scope.namespace import Namespace

State: TypeAlias = Literal[
    "proposed",  #: by a dry run
    "applied",
    "undone",
    "empty",  #: there was nothing to change: it is not kept, and there is nothing to undo
]


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldChange(Plain):
    """A steady preference that becomes a field of the profile."""

    field: str  #: the field's name
    value: Any  #: its new value
    source: str  #: provenance of the value
    at: datetime  #: since when it holds
    sources: tuple[str, ...]  #: ids of the notes that say it
    reason: str  #: why it is promoted

    def __str__(self) -> str:
        return f"profile: {self.field} = {json.dumps(self.value, ensure_ascii=False)}  ({self.reason})"


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan(Plain):
    """What a consolidation changes, each change with its reason and its sources. Print it for a readable diff."""

    id: str  #: pass it to `undo`
    state: State  #: whether it was only proposed, was applied, or was undone
    engine: str  #: rules, or the model that proposed it
    namespace: str = ""  #: whose memory it changes, as `Scope.namespace` prints
    session: str | None = None  #: the session it was made for; None for all
    changes: tuple[Change, ...] = ()  #: what happens to notes, in order
    fields: tuple[FieldChange, ...] = ()  #: what moves into the profile
    texts: Mapping[str, str] = field(default_factory=dict[str, str])  #: of the notes it names, by id
    staged: tuple[str, ...] = ()  #: ids of session notes that distillation made for it
    dropped: Mapping[str, int] = field(default_factory=dict[str, int])  #: statements not kept, by reason
    conflicts: int = 0  #: stored preferences that the user overrode
    remarks: tuple[str, ...] = ()  #: what the reader should know, such as a model's refused proposal
    created_at: datetime | None = None  #: when it was made

    def __str__(self) -> str:
        whose = f" of {self.namespace}" if self.namespace else ""
        shown = [f"plan {self.id}{whose} ({self.state}, by {self.engine})"]
        changes = [*lines(self.changes, self.texts), *self.fields]
        shown += [f"  {line}" for line in changes] or [f"  {NOTHING}"]
        if self.dropped:
            reasons = ", ".join(f"{count} {reason}" for reason, count in sorted(self.dropped.items()))
            shown.append(f"  not kept: {reasons}")
        shown += [f"  note: {remark}" for remark in self.remarks]
        return "\n".join(shown)


_KINDS: dict[str, type[Add | Revise | Retire | Keep]] = {
    "add": Add,
    "revise": Revise,
    "retire": Retire,
    "keep": Keep,
}


def change_from_json(plain: Mapping[str, Any]) -> Change:
    """Read a change back."""
    from datetime import datetime

    fields = dict(plain)
    for name in ("keywords", "sources", "items"):
        if name in fields:
            fields[name] = tuple(fields[name])
    if fields.get("valid_from"):
        fields["valid_from"] = datetime.fromisoformat(fields["valid_from"])
    return _KINDS[fields["kind"]](**fields)


def plan_from_row(row: PlanRow, namespace: Namespace) -> Plan:
    """Read a plan that the store keeps."""
    plain = json.loads(row.plan)
    return Plan(
        id=plain["id"],
        state=cast("State", row.state),
        engine=plain["engine"],
        namespace=str(namespace),
        session=plain["session"],
        changes=tuple(change_from_json(change) for change in plain["changes"]),
        fields=tuple(_field_from_json(each) for each in plain.get("fields", ())),
        texts=plain["texts"],
        staged=tuple(plain["staged"]),
        dropped=plain["dropped"],
        conflicts=plain["conflicts"],
        remarks=tuple(plain["remarks"]),
        created_at=to_datetime(row.created_at),
    )


def _field_from_json(plain: Mapping[str, Any]) -> FieldChange:
    from datetime import datetime

    return FieldChange(
        field=plain["field"],
        value=plain["value"],
        source=plain["source"],
        at=datetime.fromisoformat(plain["at"]),
        sources=tuple(plain["sources"]),
        reason=plain["reason"],
    )


def notes_named(change: Change) -> tuple[str, ...]:
    """Return the ids that a change names: of notes, and of what a new note is made from."""
    match change:
        case Add():
            return change.sources
        case Revise():
            return change.note, *change.sources
        case Retire():
            return (change.note, change.successor) if isinstance(change.successor, str) else (change.note,)
        case Keep():
            return (change.note,)
        case _:
            assert_never(change)


def texts_of(changes: Sequence[Change], notes: Mapping[str, Note]) -> dict[str, str]:
    """Return the words of every note that changes name."""
    named = {word for change in changes for word in notes_named(change)}
    return {word: notes[word].text for word in sorted(named) if word in notes}
