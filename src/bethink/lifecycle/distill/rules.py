"""Distill a session by rules: no model, the same answer every time."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from bethink.languages.detection import UNKNOWN, detect
from bethink.languages.loading import language
from bethink.lifecycle.consolidate.endings import Standing, gist
from bethink.lifecycle.distill.clauses import clauses_of, sentences, tidy
from bethink.lifecycle.distill.dates import expires_at
from bethink.lifecycle.distill.firewall import Firewall, folded
from bethink.lifecycle.distill.intents import forbids, forgets
from bethink.lifecycle.distill.judging import UNSURE, Verdict, is_daily, judged
from bethink.lifecycle.distill.keywords import keywords
from bethink.lifecycle.distill.nearby import LESS_SURE, ONE_MORE, Nearby
from bethink.lifecycle.distill.quotations import own_voice
from bethink.lifecycle.distill.salience import Setting, shipped
from bethink.lifecycle.distill.signals import signals
from bethink.lifecycle.distill.spoken import voice, words
from bethink.lifecycle.distill.wording import SHORT_ANSWER, context, is_fragment, worded
from bethink.lifecycle.values import Candidate, Distilled, Dropped, Forget

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence
    from datetime import date

    from bethink.languages.loading import Language
    from bethink.lifecycle.distill.clauses import Clause
    from bethink.lifecycle.distill.intents import Asked
    from bethink.lifecycle.distill.salience import Score
    from bethink.notes.values import Note
    from bethink.sessions.values import Item

ENDING = 0.8  #: how sure it is that what ends a note is meant so
_KNOWN = 20  #: notes whose language a message is in that could be in several
MIN_WORDS = 2  #: words, or signs of a script without spaces, that make a note


@dataclass(slots=True)
class _Turn:
    """What one user message gave."""

    item: Item
    kept: list[Candidate] = field(default_factory=list[Candidate])
    dropped: list[Dropped] = field(default_factory=list[Dropped])
    forgets: list[Forget] = field(default_factory=list[Forget])
    middling: list[Candidate] = field(
        default_factory=list[Candidate]
    )  #: those of `kept` that nothing makes sure
    clauses: int = 0  #: of its author
    negated: bool = False
    stated: bool = False  #: it says something besides "do not remember this"

    def drop(self, reason: str, text: str = "") -> None:
        self.dropped.append(Dropped(reason=reason, sources=(self.item.id,), text=text))


class _Reading:
    """One user message on its way into candidates."""

    def __init__(
        self,
        item: Item,
        asked: str,
        book: Language,
        wall: Firewall,
        today: date | None,
        standing: Standing,
        score: Score | None = None,
    ) -> None:
        self.item = item
        self.score = score
        self.asked = asked
        self.book = book
        self.wall = wall
        self.standing = standing
        self.today = item.at.date() if item.at is not None and today is not None else today
        self.turn = _Turn(item)
        self.governed = False  #: by "this time", for the rest of the message
        self.first = True
        self.turned = False  #: the message says that something ended
        self.mends = False  #: the message mends a mistake
        self.message: tuple[str, ...] = ()

    def read(self, text: str) -> _Turn:
        """Return what the message states."""
        for part, reason in own_voice(text):
            if reason is not None:
                self.turn.drop(reason)
                continue
            own = list(self._own(part))
            self.turn.clauses += len(own)
            if not own and any(map(str.isalnum, part)) and not self.turn.dropped:
                self.turn.drop("small_talk", " ".join(part.split()))
            self.message = tuple(dict.fromkeys(word for each in own for word in each.words))
            asking = any(each.question for each in own)
            self.turned = any(
                self.book.phrases("turning", "ended").within(each.words) for each in own if not each.question
            )
            self.mends = self.book.phrases("turning", "correcting").within(self.book.words(part))
            for place, clause in enumerate(own):
                self._clause(clause, own[:place], asking=asking)
        return self.turn

    def _own(self, text: str) -> Iterator[Clause]:
        """Yield the clauses up to where material is handed over: "translate this: …"."""
        handed = self.book.phrases("vetoes", "material")
        for number, sentence in sentences(tidy(text), self.book):
            opening = sentence.replace("：", ":").partition(":")
            if opening[1] and handed.within(self.book.words(opening[0])):
                self.turn.drop("request", sentence)
                return
            yield from clauses_of(sentence, self.book, number)

    def _clause(self, clause: Clause, said: Sequence[Clause], *, asking: bool) -> None:
        turn, book = self.turn, self.book
        before = said[-1] if said else None
        if reason := self.wall.reason(clause.said):
            turn.drop(reason, clause.said)
            return
        asked, forbidden = forgets(clause, said, book), forbids(clause, book)
        if asked and not (asked.denied and turn.forgets):
            self._forget(asked, forbidden=forbidden)
        if forbidden:
            turn.negated = True
            turn.drop("negated_memory", clause.said)
        if forbidden or asked:
            self.first = self.first and not asked
            return
        turn.stated = True
        clause = self._answer(clause)
        setting = Setting(
            before=before,
            asked=self.asked if self.first else "",
            first=self.first,
            asking=asking,
            message=self.message,
        )
        self.first = False
        verdict = judged(clause, setting, book, governed=self.governed, score=self.score)
        if (verdict == UNSURE or is_daily(verdict)) and self._ends_what_stands(clause):
            verdict = Verdict(durable=True, kind="correction", confidence=ENDING)
        self.governed = self.governed or self._governs(clause)
        if isinstance(verdict, str):
            turn.drop(verdict, clause.said)
            return
        candidate = self._candidate(clause, before, verdict, asked=setting.asked)
        found = folded(candidate.text)
        if (
            len(found.split() if book.spaced else found.replace(" ", "")) < MIN_WORDS
            and candidate.context is None
        ):
            turn.drop("too_short", clause.said)
        else:
            turn.kept.append(candidate)
            if verdict.middling and not self.wall.knows(candidate.text):
                turn.middling.append(candidate)

    def _forget(self, asked: Asked, *, forbidden: bool) -> None:
        """Keep a request to forget; what it is about, said just before it, is not kept as a note."""
        turn = self.turn
        turn.forgets.append(
            Forget(
                text=asked.text,
                beside=asked.beside,
                named=asked.named and not forbidden,
                sources=(self.item.id,),
                language=self.book.code,
                speaker=self.item.speaker,
            )
        )
        about = folded(asked.text)
        for each in [each for each in turn.kept if not asked.within and about in folded(each.text)]:
            turn.kept.remove(each)
            turn.middling = [other for other in turn.middling if other is not each]
            turn.drop("to be forgotten", each.text)

    def _answer(self, clause: Clause) -> Clause:
        """Return an answer with the yes or no that it began with."""
        if not (self.first and self.asked and is_fragment(clause, self.book)):
            return clause
        whole = " ".join(words(self.item.body).split())
        return replace(clause, text=whole) if len(whole.split()) <= SHORT_ANSWER else clause

    def _ends_what_stands(self, clause: Clause) -> bool:
        """Tell whether a clause says that what a note says does not hold any more: that is worth knowing."""
        if not self.standing or clause.question:
            return False
        new = gist(clause.text, self.book.code)._replace(corrects=self.turned, mends=self.mends)
        return self.standing.ended_by(new)

    def _governs(self, clause: Clause) -> bool:
        """Tell whether a clause begins with "this time", which then holds for the rest of the message."""
        once = self.book.phrases("time", "once")
        return any(once.at(clause.words, at) for at in range(3))

    def _candidate(self, clause: Clause, before: Clause | None, verdict: Verdict, *, asked: str) -> Candidate:
        text = worded(clause, self.book)
        return Candidate(
            text=text,
            context=context(clause, before, asked, self.book, today=self.today),
            speaker=self.item.speaker,
            kind="correction" if self.turned and verdict.kind == "fact" else verdict.kind,
            keywords=keywords(clause.words, verdict.kind, self.book),
            durable=verdict.durable,
            salience=verdict.salience,
            review=verdict.review,
            mends=self.mends,
            language=self.book.code,
            source="user",
            sources=(self.item.id,),
            confidence=round(verdict.confidence, 3),
            expires_at=None if verdict.durable else expires_at(clause.words, self.book, self.today),
        )


def _retracted(turns: list[_Turn]) -> None:
    """Drop what the user does not want remembered: the turn that says so, or the one before where it says no more."""
    for index, turn in enumerate(turns):
        if not turn.negated:
            continue
        meant = turn if turn.stated or index == 0 else turns[index - 1]
        for each in meant.kept:
            meant.drop("negated_memory", each.text)
        meant.kept.clear()
        meant.middling.clear()


def _surest(turns: Sequence[_Turn], known: Sequence[Note], least: float) -> None:
    """Keep what is middling only where nothing was kept just before, and surer the more is kept of its message.

    A message that is one clause states it on purpose: what was kept before does not speak against it.
    """
    near = Nearby(turns[0].item, known) if turns else None
    for turn in turns:
        if near is None or not turn.kept:
            continue
        if turn.middling:
            kept = sum(each.durable and each not in turn.middling for each in turn.kept)
            said = turn.clauses > 1 and near.before(turn.item)
            for each in sorted(turn.middling, key=lambda each: -each.confidence):
                if said or each.confidence < least + ONE_MORE * kept:
                    turn.kept.remove(each)
                    turn.drop(LESS_SURE, each.text)
                else:
                    kept += 1
        if any(each.durable for each in turn.kept):
            near.add(turn.item)


def question_of(text: str) -> str:
    """Return the last sentence of what the assistant said, where that is a question."""
    tail = text.rstrip()[-400:]
    if not tail.endswith(("?", "？")):
        return ""
    starts = [tail.rfind(mark, 0, -1) for mark in (".", "!", "?", "。", "！", "？", "\n")]
    return tail[max(starts) + 1 :].strip()


class RulesDistiller:
    """Finds what a user states of themselves, clause by clause, by the data of each language and a small score.

    Args:
        score: tells how lasting a clause is; the one that comes with the package by default.
    """

    def __init__(self, score: Score | None = None) -> None:
        self._score = score

    def distill(
        self,
        items: Sequence[Item],
        *,
        known: Sequence[Note] = (),
        injected: Collection[str] = (),
        today: date | None = None,
    ) -> Distilled:
        """Return the clauses worth keeping, and why the others were not.

        `injected` holds lines that Bethink put into the context, or their fingerprints; `today` is the day
        that "until Friday" is counted from where an item has no time of its own.
        """
        wall, standing = Firewall(known, injected), Standing(known)
        dropped: list[Dropped] = []
        turns: list[_Turn] = []
        before = detect("\n".join(note.text for note in known[-_KNOWN:]))
        fallback = detect("\n".join(words(each.body) for each in items if voice(each.body) == "user"), before)
        asked = ""
        for item in items:
            who = voice(item.body)
            if who == "user":
                text = words(item.body)
                code = detect(text, fallback)
                turns.append(_read(item, text, asked, code, wall, today, standing, self._score))
                asked = ""
            elif who in ("assistant", "system", "tool"):
                dropped.append(Dropped(reason=who, sources=(item.id,)))
                asked = question_of(words(item.body)) if who == "assistant" else asked
        _retracted(turns)
        _surest(turns, known, (self._score or shipped()).thresholds["alone"])
        for turn in turns:
            dropped += turn.dropped
        kept: dict[str, Candidate] = {}
        for candidate in [*(each for turn in turns for each in turn.kept), *signals(items)]:
            fold = folded(candidate.text)
            reason = "duplicate" if fold in kept else None
            if candidate.source == "tool" and wall.knows_word(candidate.text.rstrip(".").split()[-1]):
                reason = "known"  # the choice may be memory's own
            if reason is None:
                kept[fold] = candidate
            else:
                dropped.append(Dropped(reason=reason, sources=candidate.sources, text=candidate.text))
        return Distilled(
            kept=tuple(kept.values()),
            dropped=tuple(dropped),
            forgets=tuple(each for turn in turns for each in turn.forgets),
        )


def _read(
    item: Item,
    text: str,
    asked: str,
    code: str,
    wall: Firewall,
    today: date | None,
    standing: Standing,
    score: Score | None,
) -> _Turn:
    """Return what one user message states."""
    if code == UNKNOWN:
        turn = _Turn(item)
        turn.drop("language", text)
        return turn
    return _Reading(item, asked, language(code), wall, today, standing, score).read(text)
