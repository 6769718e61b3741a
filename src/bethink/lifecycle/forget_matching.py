"""Tell how far a note says what a request to forget is about.

What a request is about are *units*: matters that it calls by name ("my salary"), and words that tell something. A unit
is in a note that has the word, or a form of it, or that shows the matter ("I earn 3,400 a month"). The score is the
part of the units that a note has. A word that another note has counts more against it than one that no note has: people
give reasons. A note of somebody else ("my parents live in …") is meant less where the request is about its author.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from bethink.languages.content_words import code_of, content_words
from bethink.languages.loading import language
from bethink.lifecycle.consolidate.attributes import read
from bethink.lifecycle.consolidate.telling_words import one_word, telling
from bethink.lifecycle.distill.asked_matters import differ, matter_spans, matter_words, of_somebody, shown
from bethink.lifecycle.distill.asked_matters import named as matters_named
from bethink.lifecycle.distill.intents import subject_words, telling_words
from bethink.lifecycle.text_caches import remembers

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bethink.notes.values import Note

MATTER: Final = 0.9  #: what a matter counts beside a word
ELSEWHERE: Final = 0.6  #: what a word counts against a note that another note has
NOWHERE: Final = 0.25  #: what a word counts against a note that no note has
NOWHERE_UNNAMED: Final = (
    0.5  #: the same where the request does not name the memory: "delete the paragraph on …"
)
SOMEBODY: Final = (
    0.3  #: what it takes from a note that it begins with somebody of whom the request says nothing
)
LITERAL: Final = 0.15  #: what it adds that a note calls a matter as the request does
OF_NOTE: Final = 0.15  #: what it adds that all of a note's words are asked for
_SHORT, _PLURAL = 4, 2  #: letters of a short word, and by how many a form of it is longer
_PART: Final = 4  #: letters of a part of a compound
#: what consolidation reads from a note, as a request calls it
_FACTS: Final = {
    "home": "home", "job": "work", "employer": "work", "age": "age", "allergy": "allergy", "eating": "diet",
    "marital": "divorce", "household": "partner", "name": "name", "called": "name", "car": "car", "phone": "device",
}  # fmt: skip
_SIGN: Final = 0.6  #: what single signs count where no two stand together


class _Content(NamedTuple):
    words: frozenset[str]
    shows: frozenset[str]
    somebody: frozenset[str]
    text: str


class Request:
    """What a request asks to be forgotten, and how far a note says it."""

    def __init__(self, text: str, code: str, notes: Sequence[Note], *, named: bool = True) -> None:
        book = language(code)
        self._code, self._book = code, book
        self._matters = matters_named(text, code)
        self._nowhere = NOWHERE if named else NOWHERE_UNNAMED
        of_matters = matter_words(text, code)
        left = subject_words(text, book)
        if book.spaced:
            words = telling(left, book) or content_words(left, code)
            self._words = frozenset(word for word in words if word not in of_matters)
            self._either = frozenset(word for word in words if word in of_matters)
        else:
            self._words = telling_words(text, book, syllables=True)
            self._either = frozenset(
                "".join(token.word for token in book.tokens(text)[start:end])
                for start, end in matter_spans(text, code)
            )
        self._text = text
        contents = [self._content(note) for note in notes]
        self._elsewhere = frozenset(
            word for word in self._words if any(self._has(word, each) for each in contents)
        )

    def score(self, note: Note) -> float:
        """Return how far a note says what is asked for: 1 and more where it says all of it."""
        content = self._content(note)
        said = missing = 0.0
        for word in self._words:
            has = self._has(word, content)
            said += has
            missing += (1 - has) * (ELSEWHERE if word in self._elsewhere else self._nowhere)
        for matter in self._matters:
            has = float(matter in content.shows and not differ(matter, self._text, note.text, self._code))
            said += MATTER * has
            missing += MATTER * (1 - has)
        if not said:
            return 0.0
        found = said / (said + missing)
        found += LITERAL * any(self._literally(word, content) for word in self._either)
        told = any(self._has(word, content) for word in self._words)
        if content.somebody and not told and not content.somebody & self._matters:
            found -= SOMEBODY
        asked = self._words | self._either
        own = sum(any(self._same(word, other) for word in asked) for other in content.words)
        return found + OF_NOTE * own / max(1, len(content.words))

    def _content(self, note: Note) -> _Content:
        return _content(note.text, note_code(note), self._code)

    def _has(self, word: str, content: _Content) -> float:
        if self._book.spaced:
            return float(any(self._same(word, other) for other in content.words))
        if word.isascii() or len(word) == 1:
            return float(word in content.text)
        pairs = [word[at : at + 2] for at in range(len(word) - 1)]
        both = sum(pair in content.text for pair in pairs) / len(pairs)
        return max(both, _SIGN * sum(sign in content.text for sign in word) / len(word))

    def _literally(self, word: str, content: _Content) -> bool:
        if self._book.spaced:
            return bool(self._has(word, content))
        return len(word) > 1 and word in content.text

    def _same(self, one: str, other: str) -> bool:
        return alike(one, other, compounds=bool(self._book.section("turning").get("nouns")))


def alike(one: str, other: str, *, compounds: bool = False) -> bool:
    """Tell whether two words are forms of one, or one a part of the other where a language builds compounds."""
    if one_word(one, other):
        return True
    short, long = sorted((one, other), key=len)
    if len(short) >= _SHORT and long.startswith(short) and len(long) - len(short) <= _PLURAL:
        return True
    return compounds and len(short) >= _PART and (long.startswith(short) or long.endswith(short))


@remembers(1 << 12)
def _content(text: str, code: str, asked: str) -> _Content:
    told = {_FACTS[fact.attribute] for fact in read(text).facts if fact.attribute in _FACTS}
    shows = shown(text, code) | shown(text, asked) | told
    return _Content(content(text, code), shows, of_somebody(text, code), text.casefold())


def content(text: str, code: str) -> frozenset[str]:
    """Return the words of a note that carry something, without those for its author."""
    book = language(code)
    own = {word for phrase in book.phrases("people", "self") for word in phrase}
    words = [word for word in book.words(text) if any(char.isalnum() for char in word)]
    return content_words([word for word in words if word not in own], code)


def note_code(note: Note) -> str:
    """Return the language of a note."""
    return code_of(note.text, note.metadata.get("language"))
