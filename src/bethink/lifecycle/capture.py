"""The one way in for every new note: the guard judges it, then it is stored and counted.

The application that remembers as trusted code, the owner's import and what a person writes into a file have the last
word: the guard masks and blocks, and what passes is active with its source. A candidate of an agent is cut to what it
states, bounded, and compared with what stands; whose word it is decides its status (`lifecycle.admission`).
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from bethink.errors import LimitError, RefusedError
from bethink.ids import to_number
from bethink.json_kinds import is_list, is_object
from bethink.languages.content_words import code_of
from bethink.languages.loading import language
from bethink.lifecycle.admission.speculation import speculative_words
from bethink.lifecycle.daily_counts import add_counts
from bethink.lifecycle.distill.clauses import clauses
from bethink.lifecycle.distill.firewall import folded
from bethink.lifecycle.guard.masking import findings_text
from bethink.lifecycle.values import Finding, Verdict
from bethink.notes.transactions import activate, add, find_same, notes_among
from bethink.scope.transactions import touch

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from bethink.lifecycle.guard import Guard
    from bethink.lifecycle.values import Stage
    from bethink.notes.values import NewNote, Note
    from bethink.scope.namespace import Namespace
    from bethink.scope.transactions import ScopeRow, Writing
    from bethink.storage.work import Work

MAX_PROPOSED: Final = 1_000  #: characters of a note that an agent hands in: a few sentences
SOMEBODY: Final = "somebody"  #: a speaker whose name may not be told
MIN_WORDS: Final = 2  #: of what is left of a note that was cut
_JOINTS: Final = re.compile(
    r",?\s+(?:and|but)\s+(?=(?:their|his|her|its|the|they|he|she|has|have|had|is|are|was|likes|prefers|wants|needs|works|lives|"
    r"owns|uses|loves|hates|enjoys|may|might|probably|perhaps|maybe|possibly)\b)",
    re.IGNORECASE,
)
SPECULATION: Final = "speculation"


def admit(new: NewNote, guard: Guard, *, stage: Stage = "capture") -> NewNote:
    """Return a note as it may be kept: redacted where that is enough, quarantined where a person should look.

    Raises:
        RefusedError: the guard blocks the text, the key or the metadata; `verdict` says why.
    """
    verdict = guard.judge(new.text, source=new.source, stage=stage)
    if verdict.action == "block":
        raise RefusedError(
            f"Refused: contains {findings_text(verdict.reasons)}. Remove it and try again.",
            verdict=verdict,
        )
    beside = [("metadata", text) for text in _texts(new.metadata)] if new.metadata else []
    for argument, text in (("key", new.key), *beside):
        judged = guard.judge(text, source=new.source, stage=stage) if text else None
        if judged is not None and judged.action in {"block", "redact"}:
            raise RefusedError(
                f"Refused: {argument} contains {findings_text(judged.reasons)}. Remove it and try again.",
                verdict=judged,
            )
    return replace(
        new,
        text=verdict.text,
        context=(new.context and _shown(new.context, new, guard, stage)) or None,
        speaker=new.speaker and (_shown(new.speaker, new, guard, stage) or SOMEBODY),
        keywords=new.keywords and _keywords(new, guard, stage),
        status="quarantined" if verdict.action == "quarantine" else new.status,
    )


def admit_proposed(new: NewNote, guard: Guard, *, sentences: Iterable[str] = ()) -> NewNote:
    """Return an agent's note as it may be stored: without speculative clauses, and without what the guard blocks.

    `sentences` are the user's own: a hedge that the user said is not speculation.

    Raises:
        LimitError: it is longer than a few sentences.
        RefusedError: nothing is left of it: the guard blocks it, or it only guesses.
    """
    if len(new.text) > MAX_PROPOSED:
        raise LimitError(
            f"text has {len(new.text)} characters, but a note written by an agent may have at most "
            f"{MAX_PROPOSED}; shorten it, or split it into several notes",
            argument="text",
            limit=MAX_PROPOSED,
            actual=len(new.text),
            unit="characters",
        )
    own_words = tuple(sentences)
    parts = _statements(new.text)
    guesses = [each for each in parts if speculative_words(each, own_words)] or (
        [new.text] if speculative_words(new.text, own_words) else []
    )
    if guesses:
        new = _cut(new, [each for each in parts if each not in guesses], _speculation(new.text))
    verdict = guard.judge(new.text, source=new.source, stage="capture")
    if verdict.action == "block":
        statements = [
            each for each in parts if guard.judge(each, source=new.source, stage="capture").action == "allow"
        ]
        statements = [each for each in statements if each not in guesses]
        new = _cut(new, statements, verdict)
    return admit(new, guard)


def _statements(text: str) -> list[str]:
    """Return the clauses of a note, which says of somebody else what people say of themselves."""
    cut = [each.said for each in clauses(text, language(code_of(text)))]
    return [part.strip() for each in cut for part in _JOINTS.split(each) if part.strip()]


def _cut(new: NewNote, parts: list[str], verdict: Verdict) -> NewNote:
    """Return a note of what is left of its clauses.

    Raises:
        RefusedError: that is nothing, or says nothing.
    """
    left = " ".join(f"{each.strip().rstrip('.,;')}." for each in parts)
    if len(left.split()) < MIN_WORDS:
        raise RefusedError(
            f"Refused: contains {findings_text(verdict.reasons)}. Remove it and try again.",
            verdict=verdict,
        )
    return replace(new, text=left[:1].upper() + left[1:])


def _speculation(text: str) -> Verdict:
    found = Finding(category=SPECULATION, start=0, end=len(text), action="block")
    return Verdict(action="block", findings=(found,), text="")


def _shown(text: str, new: NewNote, guard: Guard, stage: Stage) -> str:
    """Return what the guard lets stand of a text beside a note; nothing where a person should look at it."""
    verdict = guard.judge(text, source=new.source, stage=stage)
    return verdict.text if verdict.action in {"allow", "redact"} else ""


def _keywords(new: NewNote, guard: Guard, stage: Stage) -> tuple[str, ...]:
    words = guard.judge_keywords(new.keywords, source=new.source, stage=stage)
    return tuple(word for word in new.keywords if words[word].action == "allow")


def store_admitted(namespace: Namespace, admitted: NewNote, *, writing: Writing) -> Work[Note]:
    """Keep a note that was let in, and count it: what is blocked is a part of all that was tried."""
    place = yield from touch(namespace, writing)
    note = yield from add(place, admitted, writing=writing)
    yield from add_counts(place, {"remembered": 1}, now=writing.now)
    return note


def store_proposed(namespace: Namespace, admitted: NewNote, *, writing: Writing) -> Work[Note]:
    """Keep a candidate of an agent, unless it stands already; what waited for the user's word is active with it."""
    place = yield from touch(namespace, writing)
    mark = folded(admitted.text)
    standing = yield from find_same(place, admitted, lambda text: folded(text) == mark, now=writing.now)
    if standing is not None and (standing.status == "active" or admitted.status == "pending"):
        return standing
    if standing is not None and standing.status == "pending" and admitted.status == "active":
        return (
            yield from activate(
                place,
                standing,
                "confirmed",
                writing=writing,
                source=admitted.source,
                sources=admitted.sources,
            )
        )
    note = yield from add(place, admitted, writing=writing)
    counted = {"remembered": 1, "pending": 1} if admitted.status == "pending" else {"remembered": 1}
    yield from add_counts(place, counted, now=writing.now)
    return note


def activate_all(
    namespace: Namespace, found: Mapping[str, tuple[str, ...]], *, writing: Writing
) -> Work[list[Note]]:
    """Let notes stand that the user said by now; `found` names the messages of each."""
    place = yield from touch(namespace, writing)
    return (yield from confirm_in(place, found, writing=writing))


def confirm_in(
    place: ScopeRow, found: Mapping[str, tuple[str, ...]], *, writing: Writing
) -> Work[list[Note]]:
    """Do what `activate_all` does, within a write that is under way; what waits no more is left alone."""
    notes = yield from notes_among(place, [to_number("n", each) or 0 for each in found])
    done: list[Note] = []
    for note in notes.values():
        if note.status == "pending":
            stands = yield from activate(
                place, note, "confirmed", writing=writing, source="user", sources=found[note.id]
            )
            done.append(stands)
    return done


def _texts(value: object) -> list[str]:
    """Return the texts in a JSON value, however deep."""
    if isinstance(value, str):
        return [value]
    if is_object(value):
        return [text for each in value.values() for text in _texts(each)]
    if is_list(value):
        return [text for each in value for text in _texts(each)]
    return []
