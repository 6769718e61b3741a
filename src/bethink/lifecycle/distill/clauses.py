"""Cut a message into clauses, each as it was said: the unit of what is kept.

A sentence ends where its marks say; within it a clause ends where another one begins: after a joint ("and", "but") or
a comma, where a subject follows, or a verb whose subject stands before. "I live in Graz, work for a bank and speak
German" are three clauses; "I like jazz and blues" is one. What depends on a main clause ("when I travel, …") stays
with it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING

from bethink.lifecycle.distill.quotations import is_long, quotations

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bethink.languages.loading import Language
    from bethink.languages.tokenizer import Token

MAX_LENGTH = 400  #: characters of a clause that can be a note
MAX_OPENINGS = 8  #: introductory phrases that are taken off one clause
MIN_CLAUSE = 3  #: words between two commas that can be a clause
_COMMAS = frozenset(",，、")
_NEAR = 5  #: words within which a clause that begins with "my …" shows its verb
#: behind a verb of Japanese, and before more of it: who writes no marks writes a space there
_SPACE = "(?<=[\u3040-\u30ff\u3400-\u9fff]{3}[\u3040-\u309f]{2})\\s+(?=[\u3040-\u30ff\u3400-\u9fff]{5})"
_STOPS = " \t\n\r.,;:!…。、，；：！-–—~～*_•·"


@dataclass(frozen=True, slots=True, kw_only=True)
class Clause:
    """One clause of a message."""

    text: str  #: as it was said, without what only introduces it
    words: tuple[str, ...]  #: the same as it is compared
    carried: str = ""  #: the subject that it shares with the clause before, where it has none of its own
    sentence: int = 0  #: which sentence of the message it is of
    question: bool = False  #: its sentence ends with a question mark, and it is the last of it
    explicit: bool = False  #: the author asks to have it remembered
    revised: bool = False  #: the author corrects something
    cause: bool = False  #: it gives the reason of the clause before
    quoting: bool = False  #: words of somebody else stand in it at length

    @property
    def said(self) -> str:
        """Return the clause with its subject."""
        return f"{self.carried} {self.text}" if self.carried else self.text


@cache
def _patterns() -> dict[str, re.Pattern[str]]:
    return {
        "end": re.compile(
            rf"{_SPACE}|"
            r"(?<=[.!?…])[\"'”’)\]]*\s+|(?<=[。！？!?])[」』”’）]*(?=[^\s。！？!?」』”）])|\n+|(?<=\w)\s*[\U0001F300-\U0001FAFF\u2600-\u27BF]+\s*"
        ),
        "abbreviation": re.compile(r"(?:(?:^|[\s(])(?:\w|[A-Za-z]\.[A-Za-z])|\b\d{1,2})\.$"),
        "bullet": re.compile(r"^[ \t]*(?:[-*•·–—]|\d{1,2}[.)]|#{1,6})\s+"),
        "letters": re.compile(r"[^\W_]"),
    }


def tidy(text: str) -> str:
    """Return a text with one form of apostrophes, spaces and line ends."""
    for old, new in (("’", "'"), ("‘", "'"), ("\r\n", "\n"), ("\r", "\n"), ("\u00a0", " "), ("\u3000", " ")):
        text = text.replace(old, new)
    return text


def sentences(text: str, book: Language) -> Iterator[tuple[int, str]]:
    """Yield the sentences of a text, numbered; the point of an abbreviation ends none."""
    rules = _patterns()
    abbreviations = book.phrases("clauses", "abbreviations")
    start = number = 0
    for end in [*rules["end"].finditer(text), None]:
        piece = text[start : end.start() if end else len(text)]
        if end and "\n" not in end.group() and piece.endswith("."):
            words = book.words(piece[-14:].rstrip("."))
            known = words and any(abbreviations.at(words, at) == len(words) - at for at in range(len(words)))
            if known or rules["abbreviation"].search(piece[-12:]):
                continue
        whole = rules["bullet"].sub("", piece).strip()
        if rules["letters"].search(whole):
            yield number, " ".join(whole.split())
            number += 1
        start = end.end() if end else len(text)


def clauses(text: str, book: Language) -> list[Clause]:
    """Return the clauses of a text, sentence by sentence."""
    found: list[Clause] = []
    for number, sentence in sentences(tidy(text), book):
        found += clauses_of(sentence, book, number)
    return found


def clauses_of(sentence: str, book: Language, number: int = 0) -> list[Clause]:
    """Return the clauses of one sentence."""
    return _Cutting(sentence, book, number).clauses()


class _Cutting:
    """One sentence on its way into clauses."""

    def __init__(self, sentence: str, book: Language, number: int) -> None:
        self.sentence = sentence
        self.book = book
        self.number = number
        self.tokens: Sequence[Token] = book.tokens(sentence)
        self.words = [token.word for token in self.tokens]
        quoted = quotations(sentence)
        self.closed = [any(left <= token.start < right for left, right in quoted) for token in self.tokens]
        self.asked = sentence.rstrip("\"'”’)」』 ").endswith(("?", "？"))
        self.carrying = False  #: the clause under way shares the subject of the one before
        self.long_quotes = [
            (left, right) for left, right in quoted if is_long(sentence[left + 1 : right - 1])
        ]

    def clauses(self) -> list[Clause]:
        """Return the clauses of the sentence."""
        asked = self.asked
        spans = self._spans()
        made: list[Clause] = []
        subject = ""
        for place, (start, end) in enumerate(spans):
            clause = self._clause(start, end, subject)
            if clause is None:
                if made and self.book.phrases("memory", "remember").within(self.words[start:end]):
                    made[-1] = replace(made[-1], explicit=True)  # "…, remember that"
                continue
            if place == len(spans) - 1 and asked:
                clause = replace(
                    clause, question=True, explicit=clause.explicit and self._told(start, clause)
                )
            subject = self._subject(start, end) or subject
            made.append(clause)
        if asked and made and not made[-1].question:  # the last part was empty: "I'm vegan, ok?"
            made[-1] = replace(made[-1], question=len(made) == 1)
        return made

    def _told(self, start: int, clause: Clause) -> bool:
        """Tell whether a question asks to remember what it tells: not "remember that photo you sent me?"."""
        book = self.book
        return (
            not book.spaced
            or bool(book.phrases("openings", "polite").at(self.words, start))
            or any(book.phrases("people", name).at(clause.words, 0) for name in ("subjects", "owning"))
        )

    # ---- where one clause ends -----------------------------------------------------------------------------

    def _spans(self) -> list[tuple[int, int]]:
        """Return the spans of tokens that are clauses."""
        spans: list[tuple[int, int]] = []
        start = place = 0
        waiting = self._depends(0)  # a clause that came first and leans on the next one
        while place < len(self.words):
            begins = None if self.closed[place] else self._boundary(start, place)
            if begins is None:
                place += 1
                continue
            if waiting and not self._is_hard(place):
                waiting = False
                place = max(place + 1, begins)
                continue
            spans.append((start, max(place, min(begins, place + self._closing(place)))))
            start = place = begins
            self.carrying = bool(
                self.book.phrases("clauses", "verbs").at(self.words, self._past_openings(start))
            )
            waiting = self._depends(start)
        spans.append((start, len(self.words)))
        return spans

    def _closing(self, place: int) -> int:
        """Return how many signs at a place still belong to the clause that ends with them: "…んですけど"."""
        return self.book.phrases("clauses", "breaks").at(self.words, place)

    def _is_hard(self, place: int) -> bool:
        word, token = self.words[place], self.tokens[place]
        if word in (":", "："):
            return self.asked  # "I teach Latin: which book for beginners?"
        if word in (";", "；", "—", "–", "…", "|"):
            return True
        if word != "-":
            return False
        before = self.sentence[token.start - 1 : token.start]
        return before == " " and self.sentence[token.end : token.end + 1] == " "

    def _boundary(self, start: int, place: int) -> int | None:
        """Return where the next clause begins, if one ends before this place."""
        if self._is_hard(place):
            return place + 1
        joints = self.book.phrases("clauses", "joints")
        comma = self.words[place] in (",", "，", "、")
        after = place + 1 if comma else place
        length = joints.at(self.words, after)
        closing = self._closing(place)
        if closing and place - start >= MIN_CLAUSE:
            return place + closing
        if not comma and not length:
            return None
        if not self.book.spaced:
            return self._wide_boundary(start, place)
        after = self._past_openings(after + length)
        asks = comma and self._turns_to_ask(after)
        parts = asks or (self._stands(start, place) and self._begins(start, place, after))
        return (place + 1 if comma else place) if parts else None

    def _turns_to_ask(self, after: int) -> bool:
        """Tell whether what follows a comma is what a message asks: "In ufficio usiamo Slack, come silenzio …?"."""
        asking, ordering = (self.book.phrases("clauses", name) for name in ("asking", "ordering"))
        left = len(self.words) - after
        return bool((self.asked and asking.at(self.words, after)) or ordering.at(self.words, after)) and (
            left >= MIN_CLAUSE
        )

    def _wide_boundary(self, start: int, place: int) -> int | None:
        """Return the same in a script without spaces, where a comma alone parts clauses."""
        if self.words[place] not in (",", "，", "、", " "):
            return None
        left = self.words[start:place]
        ends = self.book.phrases("clauses", "ends")
        if ends:  # verbs come last: what ends like one is a clause
            done = any(ends.at(left, at) == len(left) - at for at in range(max(0, len(left) - 4), len(left)))
            return place + 1 if (done or self.asked) and len(left) > MIN_CLAUSE else None
        return None if self.words[place] == "、" or len(left) < MIN_CLAUSE else place + 1

    def _past_openings(self, place: int) -> int:
        fillers = self.book.phrases("openings", "fillers")
        joints = self.book.phrases("clauses", "joints")
        for _ in range(MAX_OPENINGS):
            length = fillers.at(self.words, place) or joints.at(self.words, place)
            if length:
                place += length
            elif place < len(self.words) and self.words[place] in (",", "，", "、"):
                place += 1
            else:
                break
        return place

    def _depends(self, start: int) -> bool:
        """Tell whether a clause begins that leans on the next one: when, if, although."""
        return bool(self.book.phrases("clauses", "dependent").at(self.words, self._past_openings(start)))

    def _stands(self, start: int, end: int) -> bool:
        """Tell whether what was said so far is a clause of its own, and not half of a subject."""
        begin = self._past_openings(start)
        if begin >= end:
            return False
        left = self.words[begin:end]
        finite = (("clauses", "verbs"), ("clauses", "finite"))
        if any(self.book.phrases(*name).within(left) for name in finite):
            return True
        subjects = self.book.phrases("people", "subjects")
        return (bool(subjects.within(left)) and len(left) > 1) or len(left) > 6  # noqa: PLR2004

    def _begins(self, start: int, place: int, after: int) -> bool:
        """Tell whether a clause begins at a place, given what stands before it."""
        words, book = self.words, self.book
        if after >= len(words):
            return False
        if self.closed[after] and after > place + 1:
            return True  # a quotation begins behind a joint
        if self._owns(place, after) or self._opens(place, after):
            return True
        if book.phrases("clauses", "verbs").at(words, after):
            return self._carries(start, place)
        return words[place] in _COMMAS and self._is_clause(after)

    def _owns(self, place: int, after: int) -> bool:
        """Tell whether "my wife is …" begins at a place."""
        words, book = self.words, self.book
        near = words[after : after + _NEAR]
        finite = book.phrases("clauses", "finite"), book.phrases("clauses", "verbs")
        for name in ("owning", "following"):
            length = book.phrases("people", name).at(words, after)
            if length and any(each.within(near[length:]) for each in finite):
                return True
            if (
                length
                and words[place] in _COMMAS
                and book.phrases("compare", "people").at(words, after + length)
            ):
                return True  # "…, and my partner Rui teaches chemistry"
        return False

    def _opens(self, place: int, after: int) -> bool:
        """Tell whether a subject, a question, a request, or a word of the memory or of this time is at a place."""
        words, book = self.words, self.book
        openers = (("people", "subjects"), ("memory", "remember"), ("time", "once"))
        addressed = words[place] in _COMMAS and book.phrases("people", "assistant").at(words, after)
        return bool(
            addressed or self._asks(after) or any(book.phrases(*name).at(words, after) for name in openers)
        )

    def _is_clause(self, start: int) -> bool:
        """Tell whether what stands between two commas is a clause of its own: it has a subject or a finite verb."""
        if self.book.phrases("clauses", "dependent").at(self.words, start) or self.book.phrases(
            "clauses", "relative"
        ).at(self.words, start):
            return False
        end = next((at for at in range(start, len(self.words)) if self.words[at] in _COMMAS), len(self.words))
        part = self.words[start:end]
        tables = (("people", "subjects"), ("clauses", "finite"), ("clauses", "verbs"))
        return len(part) >= MIN_CLAUSE and any(self.book.phrases(*name).within(part) for name in tables)

    def _asks(self, place: int) -> bool:
        """Tell whether a question or a request begins at a place."""
        return bool(
            self.book.phrases("vetoes", "question").at(self.words, place)
            or self.book.phrases("vetoes", "request").at(self.words, place)
        )

    def _carries(self, start: int, place: int) -> bool:
        """Tell whether a verb that follows shares the subject: not after "to", where it is another infinitive."""
        left = self.words[start:place]
        if not self.carrying and not self.book.phrases("people", "subjects").within(left):
            return not self.book.section("clauses").get("carry", False)
        infinitive, verbs = self.book.phrases("clauses", "infinitive"), self.book.phrases("clauses", "verbs")
        return not any(
            (length := infinitive.at(left, at)) and verbs.at(left, at + length) for at in range(len(left))
        )

    # ---- what one clause says ------------------------------------------------------------------------------

    def _subject(self, start: int, end: int) -> str:
        """Return the subject of a clause as it is written."""
        if not self.book.section("clauses").get("carry", False):
            return ""
        found = self.book.phrases("people", "subjects").find(self.words[start:end])
        if found is None:
            return ""
        left, right = self.tokens[start + found[0]], self.tokens[start + found[1] - 1]
        written = self.sentence[left.start : right.end]
        whole = self.book.section("whole_subjects").get(left.word)  # "j'" before a vowel is "je" elsewhere
        if whole:
            return str(whole)
        return written if written.casefold() == left.word or len(left.word) > 1 else left.word.upper()

    def _clause(self, start: int, end: int, subject: str) -> Clause | None:
        """Return the clause between two tokens without its introduction; None where nothing is left."""
        begin, explicit, revised, cause = self._introduced(start, end)
        end, after = self._ended(begin, end)
        if begin >= end:
            return None
        left, right = self.tokens[begin].start, self.tokens[end - 1].end
        text = _paired(self.sentence[left:right].strip(_STOPS), self.sentence)
        if not _patterns()["letters"].search(text):
            return None
        words = tuple(self.words[begin:end])
        bare = (
            bool(subject)
            and bool(self.book.phrases("clauses", "verbs").at(words, 0))
            and not self.book.phrases("people", "subjects").within(words)
            and begin > 0
        )
        return Clause(
            text=text,
            words=words,
            carried=subject if bare and not self._asks(begin) else "",
            sentence=self.number,
            explicit=explicit or after,
            revised=revised,
            cause=cause,
            quoting=any(
                left < each_right and each_left < right for each_left, each_right in self.long_quotes
            ),
        )

    def _introduced(self, start: int, end: int) -> tuple[int, bool, bool, bool]:
        """Return where a clause says something of its own, and what came before that."""
        book, words = self.book, self.words
        place, explicit, revised, cause = start, False, False, False
        forbidden = book.phrases("memory", "forbidden").within(words[start:end])
        for turn in range(MAX_OPENINGS):
            while place < end and words[place] in _MARKS:
                place += 1
            length = 0 if forbidden else book.phrases("memory", "remember").at(words, place)
            if length:
                explicit, place = True, place + length
                continue
            if turn == 0:
                cause = bool(book.phrases("clauses", "causes").at(words, place))
            revisions = book.phrases("openings", "corrections").at(words, place)
            length = max(
                revisions,
                book.phrases("openings", "fillers").at(words, place),
                book.phrases("clauses", "joints").at(words, place),
            )
            lasting = (
                book.phrases("time", "lasting").at(words, place) > length
            )  # "since today" is no introduction
            if lasting or not length or place + length > end or not self._introduces(place, length, end):
                break
            revised = revised or bool(revisions)
            place += length
        return place, explicit, revised, cause

    def _introduces(self, place: int, length: int, end: int) -> bool:
        """Tell whether a phrase only introduces: what begins a clause, or a comma, follows it."""
        after = place + length
        if after >= end:
            return True
        if (
            not self.book.spaced
            or self.words[after] in _MARKS
            or self.book.phrases("clauses", "joints").at(self.words, place)
        ):
            return True
        book, words = self.book, self.words
        openers = (
            ("people", "subjects"), ("people", "owning"), ("people", "following"), ("openings", "fillers"),
            ("wishes", "standing"), ("memory", "remember"), ("vetoes", "request"), ("vetoes", "question"),
            ("time", "once"), ("clauses", "verbs"),
        )  # fmt: skip
        return any(book.phrases(*name).at(words, after) for name in openers)

    def _ended(self, begin: int, end: int) -> tuple[int, bool]:
        """Return where a clause ends without what is said after it, and whether that asks to remember it."""
        tails = self.book.phrases("openings", "tails")
        remembered = self.book.phrases("memory", "remember_after")
        forbidden = self.book.phrases("memory", "forbidden").within(self.words[begin:end])
        explicit = False
        for _ in range(3):
            while end > begin and self.words[end - 1] in _MARKS:
                end -= 1
            for at in range(max(begin + 1, end - (5 if self.book.spaced else 16)), end):
                if not forbidden and remembered.at(self.words, at) == end - at:
                    end, explicit = at, True
                    break
                if tails.at(self.words, at) == end - at and (
                    self.words[at - 1] in _MARKS or not self.book.spaced
                ):
                    end = at
                    break
            else:
                break
        return end, explicit


_MARKS = frozenset(",，、.。!！?？;；:：…-–—~～\"'“”()（）「」*_•·")


def _paired(text: str, sentence: str) -> str:
    """Return a text with the mark that closes what was opened in it."""
    for opening, closing in ('""', "“”", "()", "「」", "（）", "«»", "„“"):
        lacks = (
            text.count(opening) % 2 == 1 if opening == closing else text.count(opening) > text.count(closing)
        )
        if lacks and f"{text}{closing}" in sentence:
            return f"{text}{closing}"
    return text
