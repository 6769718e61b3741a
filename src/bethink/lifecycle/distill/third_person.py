"""Turn what someone says of themselves in English into a note about them, in their own words."""

from __future__ import annotations

import re
from functools import cache

UNCHANGED = (
    "can could will would may might must should shall did was were had had went got took came grew gave became"
    " quit began bought chose drove ate fell felt found flew forgot kept knew left lost made met paid put ran rode"
    " said sat saw sold sent slept spoke spent stood taught told thought understood woke won wore wrote born"
    " cannot can't couldn't won't wouldn't mustn't shouldn't didn't wasn't hadn't meant"
)
MODALS = (
    "can could will would may might must should shall did does cannot can't couldn't won't wouldn't"
    " mustn't shouldn't didn't doesn't"
)
IRREGULAR = {
    "am": "is",
    "are": "is",
    "have": "has",
    "do": "does",
    "go": "goes",
    "don't": "doesn't",
    "haven't": "hasn't",
    "aren't": "isn't",
    "dont": "doesn't",
}
ADVERBS = (
    "always never often rarely seldom hardly mostly just still also only even ever both all almost now too quite"
    " sometimes much then once no longer"
)
COORDINATED = (
    "am are have do don't prefer like love hate enjoy work live use need want eat drink avoid travel "
    "run swim cycle bike speak study teach own play drive can't stay take read write go get fly sleep "
    "cook code wear always never usually rarely dislike keep visit commute wake train watch walk hike "
    "sing paint volunteer freelance manage lead"
)
OPENED = (
    (r"\bI'm\b", "I am"),
    (r"\bI've\b", "I have"),
    (r"\bI'd\b", "I would"),
    (r"\bI'll\b", "I will"),
    (r"\bwe're\b", "we are"),
    (r"\bwe've\b", "we have"),
    (r"\bwe'd\b", "we would"),
    (r"\bwe'll\b", "we will"),
    (r"\bim\b", "I am"),
)
PERSONS = {
    "i": "they",
    "me": "them",
    "my": "their",
    "mine": "theirs",
    "myself": "themselves",
    "we": "they",
    "us": "them",
    "our": "their",
    "ours": "theirs",
    "ourselves": "themselves",
}


@cache
def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


@cache
def _compiled() -> dict[str, re.Pattern[str]]:
    return {
        "person": re.compile(
            r"\b(?:i|me|my|mine|myself|we|us|our|ours|ourselves)\b(?!['’-]\w)", re.IGNORECASE
        ),
        "they am": re.compile(r"\b(they) am\b", re.IGNORECASE),
        "they was": re.compile(r"\b(they) (really |also |just )?was\b", re.IGNORECASE),
        "subject": re.compile(r"^i\s+", re.IGNORECASE),
        "and i": re.compile(r"\b(and|but|or) i (?=\w)", re.IGNORECASE),
        "possessive": re.compile(r"^(?:my|our)\s+(?=[a-z])", re.IGNORECASE),
        "coordinated": re.compile(r"\b(and|or|but|and also|and then) ([\w']+)", re.IGNORECASE),
        "token": re.compile(r"\S+"),
    }


@cache
def _openings() -> tuple[tuple[re.Pattern[str], str], ...]:
    return tuple((re.compile(expression, re.IGNORECASE), opened) for expression, opened in OPENED)


def third(verb: str) -> str:
    """Return a verb's form after "she", given its form after "I"; a past form or a modal stays as it is."""
    low = verb.lower()
    if low in IRREGULAR:
        return IRREGULAR[low]
    if low in _words(UNCHANGED) or (
        low.endswith("ed") and low not in {"need", "feed", "breed", "speed", "embed"}
    ):
        return verb
    if not low.isalpha():
        return verb
    if low.endswith(("s", "sh", "ch", "x", "z", "o")):
        return f"{verb}es"
    if low.endswith("y") and low[-2:-1] not in "aeiou":
        return f"{verb[:-1]}ies"
    return f"{verb}s"


def _adverb(word: str) -> bool:
    low = word.lower().rstrip(",")
    return low in _words(ADVERBS) or (
        low.endswith("ly") and low not in {"fly", "apply", "reply", "rely", "supply", "multiply"}
    )


def _inflected(predicate: str) -> str:
    """Return a predicate with its first verb, and the verbs strung to it, in the third person."""
    tokens = predicate.split(" ")
    place = next((index for index, token in enumerate(tokens) if not _adverb(token)), 0)
    verb = tokens[place]
    bare = verb.rstrip(",.;!")
    changed = third(bare)
    tokens[place] = changed + verb[len(bare) :]
    rest = " ".join(tokens)
    if changed.lower() in _words(MODALS):
        return rest
    return _compiled()["coordinated"].sub(_coordinate, rest)


def _coordinate(found: re.Match[str]) -> str:
    word = found.group(2)
    if word.lower() in _words(COORDINATED) and not _adverb(word):
        return f"{found.group(1)} {third(word)}"
    return found.group()


def third_person(sentence: str) -> str:
    """Return a first-person sentence as a note: "I love rain" becomes "Loves rain"."""
    rules = _compiled()
    text = sentence
    for expression, opened in _openings():
        text = expression.sub(opened, text)
    if rules["subject"].match(text):
        text = rules["and i"].sub(r"\1 ", rules["subject"].sub("", text))
        text = _inflected(text)
    else:
        text = rules["possessive"].sub("", text)
    text = rules["person"].sub(lambda found: PERSONS[found.group().lower()], text)
    text = rules["they am"].sub(r"\1 are", text)
    return rules["they was"].sub(r"\1 \2were", text) if "they" in text.lower() else text
