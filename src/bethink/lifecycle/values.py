"""Values of the lifecycle's engines: verdicts, candidates and proposed changes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, TypeAlias

from bethink.plain import Plain, shortened

if TYPE_CHECKING:
    from datetime import datetime

    from bethink.notes.values import Source

Action: TypeAlias = Literal["allow", "redact", "quarantine", "block"]
Stage: TypeAlias = Literal["capture", "consolidation", "injection"]
NoteKind: TypeAlias = Literal["preference", "constraint", "fact", "correction", "rule"]
Salience: TypeAlias = Literal["core", "daily"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding(Plain):
    """One reason for a verdict: what was found and where, never the text itself."""

    category: str  #: payment_card, iban, email, api_key, instruction, …
    start: int  #: where it begins in the text
    end: int  #: where it ends
    action: Action  #: what it calls for


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict(Plain):
    """What the guard says of a text. The gravest finding decides the action."""

    action: Action  #: what is done with the text
    findings: tuple[Finding, ...] = ()  #: what was found in it, and where
    text: str  #: the text to keep: the original, or with redacted spans replaced; empty when blocked

    @property
    def reasons(self) -> tuple[str, ...]:
        """Return the categories found, each once, in order of appearance."""
        return tuple(dict.fromkeys(finding.category for finding in self.findings))


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate(Plain):
    """A statement that distillation found worth keeping."""

    text: str  #: one clause, as it was said, in the speaker's language and person
    context: str | None = None  #: what its open words point to: the question it answers, the day it names
    speaker: str | None = None  #: who said it, where the item names somebody
    kind: NoteKind  #: what sort of statement it is
    keywords: tuple[str, ...] = ()  #: one to three labels
    durable: bool  #: false for "this time": it stays with its session
    salience: Salience = "core"  #: core is kept, daily expires unless it is said again or used
    review: bool = False  #: it grants rights or acts on others: a person decides
    mends: bool = False  #: its message mends a mistake: "no, I meant …"
    language: str  #: ISO 639-1
    source: Source  #: whose words they are
    sources: tuple[str, ...]  #: ids of the items it was found in
    confidence: float  #: 0 to 1
    expires_at: datetime | None = None  #: until when it is worth keeping, where it says so


@dataclass(frozen=True, slots=True, kw_only=True)
class Dropped(Plain):
    """A statement that was looked at and not kept, and why."""

    reason: str  #: question, assistant, injected, duplicate, hedge, not salient, blocked, …
    sources: tuple[str, ...]  #: ids of the items it was found in
    text: str = ""  #: the clause, as it was said; empty where the reason is about the whole item


@dataclass(frozen=True, slots=True, kw_only=True)
class Forget(Plain):
    """What the user asked to be forgotten, as a direct request."""

    text: str  #: what it is about, in the user's words
    beside: tuple[str, ...] = ()  #: what else the message says, the nearest first
    named: bool = True  #: it names the memory: where it does not, only a note that says all of it is meant
    sources: tuple[str, ...]  #: ids of the items in which it was asked
    language: str = "en"  #: ISO 639-1
    speaker: str | None = None  #: who asked, where the item names somebody


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelUse(Plain):
    """What one stage took of a model, and whether rules had to stand in for it."""

    operation: str  #: distill, consolidate, rerank
    calls: int = 0  #: how often it was asked
    tokens_in: int = 0  #: tokens that were read
    tokens_out: int = 0  #: tokens that were written
    fell_back: str = (
        ""  #: why rules stood in: cap, calls, configuration, unavailable, refused; empty where not
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Distilled(Plain):
    """The outcome of distillation; nothing kept is an outcome too, with its reasons."""

    kept: tuple[Candidate, ...] = ()  #: what is worth keeping
    dropped: tuple[Dropped, ...] = ()  #: what was not kept, and why
    forgets: tuple[Forget, ...] = ()  #: what is to be forgotten
    engine: str = "rules"  #: or the model that found it
    remarks: tuple[str, ...] = ()  #: what the reader should know, such as a model's refused notes
    used: tuple[ModelUse, ...] = ()  #: what it took of a model

    def __str__(self) -> str:
        shown = [f"kept ({each.salience}): {shortened(each.text)}" for each in self.kept]
        shown += [f"not kept ({each.reason}): {shortened(each.text)}" for each in self.dropped]
        return "\n".join(shown) or "nothing to keep"


@dataclass(frozen=True, slots=True, kw_only=True)
class Add(Plain):
    """Remember a global note that was not there."""

    text: str  #: the note's words
    keywords: tuple[str, ...] = ()  #: one to three labels
    category: str = "core"  #: core, daily or a custom word
    sources: tuple[str, ...]  #: ids of the notes it is made from
    valid_from: datetime | None = None  #: since when it holds in the world
    confidence: float | None = None  #: 0 to 1, where an engine gave one
    reason: str  #: why it is added
    kind: Literal["add"] = "add"  #: always `add`


@dataclass(frozen=True, slots=True, kw_only=True)
class Revise(Plain):
    """Put a better wording, more keywords or a later date in place of a global note; its history stays."""

    note: str  #: id of the global note
    text: str  #: the new wording
    keywords: tuple[str, ...] = ()  #: the labels it has then
    sources: tuple[str, ...]  #: ids of the notes it is made from
    valid_from: datetime | None = None  #: since when it holds in the world
    confirmed: int = 0  #: how many times the user said it again
    category: str | None = None  #: where it changes
    reason: str  #: why it is reworded
    kind: Literal["revise"] = "revise"  #: always `revise`


@dataclass(frozen=True, slots=True, kw_only=True)
class Retire(Plain):
    """Stop believing a note; `successor` is a note's id, or the index of an Add of the same plan."""

    note: str  #: id of the note
    successor: str | int | None = None  #: what takes its place, if anything does
    #: what becomes of the note
    outcome: Literal["superseded", "expired", "merged", "ephemeral", "promoted", "forgotten"]
    reason: str  #: why it is no longer believed
    items: tuple[
        str, ...
    ] = ()  #: of what is forgotten: ids of the items it was drawn from, which recall no longer finds
    kind: Literal["retire"] = "retire"  #: always `retire`


@dataclass(frozen=True, slots=True, kw_only=True)
class Keep(Plain):
    """Leave a note as it is, and say why."""

    note: str  #: id of the note
    reason: str  #: why it stays
    kind: Literal["keep"] = "keep"  #: always `keep`


Change: TypeAlias = Add | Revise | Retire | Keep


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """What a consolidation engine proposes; only a service writes it."""

    changes: tuple[Change, ...] = ()
    conflicts: int = 0  #: how many stored preferences the user overrode
    engine: str = "rules"
    remarks: tuple[str, ...] = field(default=())
    used: tuple[ModelUse, ...] = ()  #: what it took of a model
