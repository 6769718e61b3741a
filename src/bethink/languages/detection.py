"""Language detection by script and function words."""

from __future__ import annotations

import re
from functools import cache

from bethink.languages.loading import CODES, language
from bethink.languages.phrases import phrase_list
from bethink.languages.tokenizer import fold

UNKNOWN = "und"
LESSER = 0.7  #: what a word of everyday talk weighs beside a function word
_TALK = (
    ("people", "subjects"), ("people", "owning"), ("clauses", "verbs"), ("clauses", "finite"),
    ("vetoes", "question"), ("vetoes", "request"), ("vetoes", "reply"), ("time", "passing"), ("compare", "light"),
    ("compare", "people"), ("compare", "liking"), ("compare", "number_words"), ("turning", "now"), ("turning", "ended"),
)  # fmt: skip
SAMPLE = 2000  #: characters that are looked at


@cache
def _scripts() -> dict[str, re.Pattern[str]]:
    return {
        "kana": re.compile(r"[\u3041-\u309f\u30a1-\u30fa]"),
        "han": re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff]"),
        "latin": re.compile(r"[A-Za-z\u00c0-\u024f]"),
        "other": re.compile(r"[\u0370-\u1fff\uac00-\ud7af]"),
        "word": re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?"),
    }


@cache
def function_words(code: str) -> frozenset[str]:
    """Return the words by which a language is known."""
    return frozenset(fold(word) for word in language(code).word("detection", "words").split())


@cache
def _talk() -> dict[str, tuple[str, ...]]:
    """Return words of everyday talk, each with the languages that have it and list no function word like it."""
    found: dict[str, list[str]] = {}
    for code in _spaced():
        language_data = language(code)
        tables = [*_TALK, *(("topics", name) for name in language_data.section("topics"))]
        phrase_words = {
            word for table in tables for phrase in language_data.phrases(*table) for word in phrase
        }
        for word in phrase_words - function_words(code):
            found.setdefault(word, []).append(code)
    return {word: tuple(codes) for word, codes in found.items()}


@cache
def _weights() -> dict[str, tuple[tuple[str, float], ...]]:
    """Return what a word speaks for: the languages that have it, each with its weight, function words first."""
    found: dict[str, list[tuple[str, float]]] = {}
    for word in frozenset[str]().union(*map(function_words, _spaced())):
        codes = [code for code in _spaced() if word in function_words(code)]
        found[word] = [(code, 1 / len(codes)) for code in codes]
    for word, codes in _talk().items():
        found.setdefault(word, []).extend((code, LESSER / len(codes)) for code in codes)
    return {word: tuple(weighed) for word, weighed in found.items()}


@cache
def _letters() -> dict[str, str]:
    """Return the letters that point to a language, none of them ASCII."""
    return {code: language(code).word("detection", "letters") for code in _spaced()}


@cache
def _spaced() -> tuple[str, ...]:
    return tuple(code for code in CODES if language(code).spaced)


def detect(text: str, fallback: str = "en") -> str:
    """Return the code of a text's language, the fallback where it is too short to say, or `und`."""
    scripts = _scripts()
    sample = text[:SAMPLE].replace("’", "'")
    if scripts["kana"].search(sample):
        return "ja"
    han = len(scripts["han"].findall(sample))
    latin = len(scripts["latin"].findall(sample))
    if han and han * 4 >= latin:
        chinese = any(sign in sample for sign in phrase_list(language("zh").word("detection", "signs")))
        return "ja" if fallback == "ja" and not chinese else "zh"
    if len(scripts["other"].findall(sample)) > latin:
        return UNKNOWN
    tally = dict.fromkeys(_spaced(), 0.0)
    weights = _weights()
    for word in scripts["word"].findall(sample.casefold()):
        for part in word.split("'"):
            for code, weight in weights.get(fold(part), ()):
                tally[code] += weight
    if not sample.isascii():
        for code, letters in _letters().items():
            tally[code] += sum(sign in letters for sign in sample.casefold())
    best = max(tally, key=lambda code: (tally[code], code == fallback))
    default = fallback if fallback in tally else "en"
    return best if tally[best] > 0 else default
