"""Judge one clause: vetoes by closed classes first, then how lasting it is by its words, then by a score."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bethink.lifecycle.distill.clauses import MAX_LENGTH
from bethink.lifecycle.distill.dates import limited
from bethink.lifecycle.distill.salience import shipped
from bethink.lifecycle.distill.wishes import introduces, wish
from bethink.lifecycle.distill.wording import is_fragment

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bethink.languages.loading import Language
    from bethink.lifecycle.distill.clauses import Clause
    from bethink.lifecycle.distill.salience import Salience, Score, Setting
    from bethink.lifecycle.values import NoteKind
    from bethink.lifecycle.values import Salience as Worth

MAX_ENDING = 8  #: words, or signs, at the end of a clause that show a question
EXPLICIT = 0.95  #: the user asked for it to be remembered
NAMED = 0.9  #: the user said their name
UNSURE = "not salient"  #: the reason where the score alone speaks against a clause
#: how much less is enough to keep for good what limits its author: an allergy that expires does harm
EASIER = 0.1
WISHED = 0.6  #: how probable it has to be that a command is meant for all answers
SCORED = 0.94  #: the most that a score alone tells


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What a clause is worth."""

    durable: bool  #: false for "this time"
    salience: Worth = "core"
    kind: NoteKind = "fact"
    confidence: float
    review: bool = False  #: it grants rights or acts on others
    middling: bool = False  #: it is worth keeping only where nothing surer was kept nearby


def is_daily(verdict: Verdict | str) -> bool:
    """Tell whether a clause is worth keeping for a while only."""
    return isinstance(verdict, Verdict) and verdict.salience == "daily"


def vetoed(clause: Clause, book: Language) -> str | None:
    """Return why a clause states nothing of its author, whatever it says; None where nothing stands against it."""
    words = clause.words
    if len(clause.text) > MAX_LENGTH:
        return "too_long"
    asks = clause.question or _ends(words, "question_ends", book)
    if not clause.explicit and (asks or book.phrases("vetoes", "question").at(words, 0)):
        return "question"
    if book.phrases("vetoes", "reply").whole([word for word in words if any(map(str.isalnum, word))]):
        return "small_talk"
    if clause.quoting:
        return "quoted"
    for name in ("hypothetical", "hedge", "reported", "idiom"):
        if book.phrases("vetoes", name).within(words):
            return name
    asked = book.phrases("vetoes", "request").at(words, 0) or _ends(words, "request_ends", book)
    return "request" if asked else None


def _ends(words: Sequence[str], name: str, book: Language) -> bool:
    """Tell whether a clause ends as a question or a request does, where a language says so at its end."""
    phrases = book.phrases("vetoes", name)
    return bool(phrases) and any(
        phrases.at(words, at) == len(words) - at for at in range(max(0, len(words) - MAX_ENDING), len(words))
    )


def judged(
    clause: Clause, setting: Setting, book: Language, *, governed: bool, score: Score | None = None
) -> Verdict | str:
    """Return what a clause is worth, or the reason why it is not kept.

    `governed` says that the turn is about this time only, by a clause before this one; `score` tells what the words
    do not.
    """
    words = clause.words
    score = score or shipped()
    wished = "none" if clause.question else wish(clause, book)
    if (
        wished in {"none", "perhaps"}
        and not governed
        and introduces(clause, book)
        and not book.phrases("time", "once").within(words)
    ):
        return Verdict(durable=True, kind="correction" if clause.revised else "fact", confidence=NAMED)
    if (
        wished in {"none", "perhaps"}
        and (reason := vetoed(clause, book))
        and (reason != "request" or wished == "none")
    ):
        return reason
    lasting = book.phrases("time", "lasting").within(words) or book.phrases("time", "changes").within(words)
    once = (
        governed or book.phrases("time", "once").within(words) or _wants_today(clause, book)
    ) and not lasting
    if wished in {"standing", "acting"}:
        return Verdict(durable=not once, kind="rule", confidence=EXPLICIT, review=wished == "acting")
    scored = score(clause, setting, book)
    kind = "rule" if wished == "perhaps" else _kind(clause, book)
    if wished == "perhaps" and scored.lasting < WISHED:
        return "request"
    if once or (limited(words, book) and not lasting):
        return _for_now(clause, scored, kind, book, once=once, least=score.thresholds["once"])
    sure = bool(setting.asked) or clause.revised or _changes(clause, book)
    return _for_good(clause, scored, kind, score.thresholds, lasting=lasting, sure=sure)


def _changes(clause: Clause, book: Language) -> bool:
    """Tell whether a clause says that something changed, which is worth knowing however it is said."""
    tables = (("time", "changes"), ("turning", "ended"))
    return any(book.phrases(*name).within(clause.words) for name in tables)


def _for_now(
    clause: Clause, score: Salience, kind: NoteKind, book: Language, *, once: bool, least: float
) -> Verdict | str:
    """Return what a clause is worth that holds for a while: what its author says of this time is kept for it."""
    told = score.lasting + score.passing
    if clause.carried or book.phrases("people", "self").within(clause.words):
        least = 0.0 if once else least / 4
    elif _wants(clause, book):
        least = 0.0
    if told < least and not clause.explicit:
        return UNSURE
    return Verdict(durable=False, kind=kind, confidence=EXPLICIT if clause.explicit else min(told, SCORED))


def _for_good(
    clause: Clause,
    score: Salience,
    kind: NoteKind,
    limits: Mapping[str, float],
    *,
    lasting: bool,
    sure: bool,
) -> Verdict | str:
    """Return what a clause is worth that names no end; `sure` says that it need not stand alone to be kept."""
    told = score.lasting + limits["passing"] * score.passing
    if clause.explicit:
        return Verdict(durable=True, kind=kind, confidence=EXPLICIT)
    lasts = lasting and score.lasting >= score.passing  # "off sick since Monday" has a word of it, too
    least = limits["core"] - (EASIER if kind == "constraint" else 0)
    if score.lasting >= least or (lasts and told >= least):
        return Verdict(durable=True, kind=kind, confidence=min(score.lasting, SCORED))
    if told < limits["alone"]:
        return UNSURE
    middling = told < limits["daily"] and not sure
    return Verdict(durable=True, salience="daily", kind=kind, confidence=min(told, SCORED), middling=middling)


def _wants_today(clause: Clause, book: Language) -> bool:
    """Tell whether a clause says what its author would have today: "today I'd rather stay indoors"."""
    today = {word for word, days in book.numbers("days").items() if days == 0}
    here = " ".join(clause.words) if book.spaced else "".join(clause.words)
    named = any(word in here.split(" ") or (not book.spaced and word in here) for word in today)
    return named and any(
        book.phrases("compare", name).within(clause.words) for name in ("liking", "preferring")
    )


def _wants(clause: Clause, book: Language) -> bool:
    """Tell whether a clause says itself that it is for this time, and what its author would have.

    "This time I like to have a window seat"; "this time a window seat, please", which has no verb but a topic.
    """
    words = clause.words
    if not book.phrases("time", "once").within(words) or book.phrases("people", "others").within(words):
        return False
    if any(book.phrases("compare", name).within(words) for name in ("liking", "preferring")):
        return True
    opens = any(book.phrases("time", "once").at(words, at) for at in range(3))
    topic = any(book.phrases("topics", name).within(words) for name in book.section("topics"))
    return opens and topic and is_fragment(clause, book)


def _kind(clause: Clause, book: Language) -> NoteKind:
    words = clause.words
    if clause.revised or book.phrases("time", "changes").within(words):
        return "correction"
    topics = book.section("topics")
    if any(name in topics and book.phrases("topics", name).within(words) for name in ("dietary", "health")):
        return "constraint"
    liking = book.phrases("compare", "liking"), book.phrases("compare", "preferring")
    return "preference" if any(each.within(words) for each in liking) else "fact"
