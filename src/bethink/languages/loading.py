"""Load the data file of a language on first use."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files
from typing import TYPE_CHECKING, Any, cast

from bethink.languages.phrases import Phrases, Template, phrase_list
from bethink.languages.tokenizer import fold, tokens

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bethink.languages.tokenizer import Token

CODES = ("en", "de", "fr", "es", "it", "pt", "ja", "zh")


@dataclass(frozen=True, eq=False)
class Language:
    """One language: tables of words, phrases and short templates, by section and name."""

    code: str  #: ISO 639-1
    name: str  #: in English
    spaced: bool  #: words are parted by spaces
    tables: Mapping[str, Any]

    @cached_property
    def contractions(self) -> Mapping[str, str]:
        """Return what contracted words stand for."""
        return {fold(short): fold(full) for short, full in self.section("contractions").items()}

    @cached_property
    def elisions(self) -> frozenset[str]:
        """Return what may stand before an apostrophe as a word of its own."""
        return frozenset(phrase_list(self.word("detection", "elisions")))

    @cached_property
    def kept(self) -> frozenset[str]:
        """Return words that are told from others by their accents alone, as they are written.

        With them go what somebody did in the words of an order to do it: "cancelé" and "cancele".
        """
        past, orders = self.word("detection", "past_ending"), phrase_list(self.word("vetoes", "request"))
        stems = {word[:-1] for word in orders if past and word[-1] == fold(past) and " " not in word}
        stems |= {
            stem.replace("è", vowel) for stem in stems for vowel in "eé"
        }  # "achète, répète": "acheté, répété"
        done = (stem + past for stem in stems)
        return frozenset([*phrase_list(self.word("detection", "kept")), *done])

    def section(self, name: str) -> Mapping[str, Any]:
        """Return a section; an absent one is empty."""
        return cast("Mapping[str, Any]", self.tables.get(name, {}))

    def word(self, section: str, name: str) -> str:
        """Return a table as it is written; an absent one is empty."""
        return str(self.section(section).get(name, ""))

    def tokens(self, text: str) -> list[Token]:
        """Return the tokens of a text in this language."""
        return tokens(text, self.contractions, self.elisions, self.kept)

    def words(self, text: str) -> list[str]:
        """Return the words of a text as they are compared."""
        return [token.word for token in self.tokens(text)]

    @cache  # noqa: B019 - a language is there as long as its process
    def phrases(self, section: str, name: str) -> Phrases:
        """Return the phrases of a table."""
        return Phrases(tuple(self.words(each)) for each in phrase_list(self.word(section, name)))

    @cache  # noqa: B019
    def numbers(self, section: str) -> Mapping[str, int]:
        """Return a section of numbers, whose names may be several phrases parted by commas."""
        return {
            " ".join(self.words(word)): int(value)
            for name, value in self.section(section).items()
            for word in phrase_list(name)
        }

    @cached_property
    def _fills(self) -> Mapping[str, Phrases]:
        """Return the gaps of templates that hold a word of a table."""
        digits = {str(number): number for number in range(1, 32)}
        tables = {
            "weekday": self.numbers("weekdays"),
            "month": self.numbers("months"),
            "near": {word: days for word, days in self.numbers("days").items() if 0 <= days <= 1},
            "count": {**self.numbers("counts"), **digits},
            "unit": self.numbers("units"),
            "edge": self.numbers("units"),
            "day": {
                **digits,
                **{f"{number}{end}": number for number in digits for end in ("st", "nd", "rd", "th")},
            },
        }
        return {name: Phrases(self._split(word) for word in table) for name, table in tables.items()}

    def _split(self, word: str) -> tuple[str, ...]:
        return tuple(word.split(" "))

    @cache  # noqa: B019
    def templates(self, section: str, name: str) -> tuple[Template, ...]:
        """Return the templates of a table."""
        stops = frozenset(".;!?。！？；,，、")
        return tuple(
            Template(each, spaced=self.spaced, stops=stops, fills=self._fills)
            for each in self.section(section).get(name, ())
        )


@cache
def language(code: str) -> Language:
    """Return a language by its code.

    Raises:
        KeyError: there is no file for it.
    """
    if code not in CODES:
        raise KeyError(code)
    text = (files("bethink.languages") / f"{code}.toml").read_text("utf-8")
    tables = tomllib.loads(text)
    return Language(code=code, name=tables["name"], spaced=tables.get("spaced", True), tables=tables)
