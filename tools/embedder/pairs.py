"""The pairs of texts that belong together, taken from the corpus by rule."""

from __future__ import annotations

import zlib
from itertools import pairwise
from typing import TYPE_CHECKING

from dialogues import Exchange

from bethink.models.static import split_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from random import Random

    from corpus import Meaning
    from dialogues import Dialogues

Pair = tuple[str, str]

ASKED = (
    "What did {name} say about {what}?",
    "When did {name} {what}?",
    "What does {name} think of {what}?",
    "Who {what}?",
    "Where did {name} {what}?",
    "Why {what}?",
    "{what}",
    "{what}",
    "How does {name} feel about {what}?",
    "What {what} does {name} have?",
    "Did {name} {what}?",
    "Which {what} did {name} mention?",
)
FEW_NAMES_FOR = 512  # pairs; in a real conversation a name tells little, since it is in every line

ASKED_OF_A_WORD = (
    "What is {what}?",
    "Who is {name} and what about {what}?",
    "How do I {what}?",
    "When did {name} {what}?",
    "Why {what}?",
    "Tell me about {what}",
    "Does {name} like {what}?",
    "Where can I find {what}?",
    "What did {name} say about {what}?",
    "my favorite {what}",
)
EMPTY = frozenset(
    split_words(
        "the a an of to in and was is were be been he she it his her they their with for on at by from as that this had "
        "has have are not or but him them its i you we my your our who which what would could will"
    )
)


def held_out(key: str) -> bool:
    """Say whether a synset is kept for measuring: one in ten is."""
    return zlib.crc32(key.encode()) % 10 == 0


def of_meanings(meanings: Mapping[str, Meaning], random: Random) -> dict[str, list[Pair]]:
    """Pair names with glosses, examples with glosses, and examples with themselves in a synonym's words."""
    glosses: list[Pair] = []
    examples: list[Pair] = []
    synonyms: list[Pair] = []
    for key, meaning in meanings.items():
        if held_out(key):
            continue
        called = random.choice(meaning.lemmas) if random.random() < 0.5 else ", ".join(meaning.lemmas)
        glosses.append((called, meaning.gloss))
        for example in meaning.examples[:2]:
            examples.append((example, f"{meaning.lemmas[0]}: {meaning.gloss}"))
            synonyms += [(other, example) for other in _in_other_words(example, meaning.lemmas, random)]
    return {"gloss": glosses, "example": examples, "synonym": synonyms}


def of_neighbours(documents: Iterable[list[str]], limit: int, random: Random) -> list[Pair]:
    """Pair what stands next to each other."""
    found = [pair for document in documents for pair in pairwise(document)]
    return random.sample(found, min(limit, len(found)))


def as_said(
    meanings: Mapping[str, Meaning], speeches: list[str], dialogues: Dialogues, random: Random
) -> list[Pair]:
    """Pair short questions with sentences that are said in a conversation, between greetings and dates."""
    told: list[tuple[Meaning | None, str]] = [
        (meaning, example)
        for key, meaning in meanings.items()
        if not held_out(key)
        for example in meaning.examples[:2]
    ]
    told += [(None, sentence) for sentence in speeches]
    random.shuffle(told)
    out: list[Pair] = []
    names: list[str] = []
    for meaning, sentence in told:
        if len(out) % FEW_NAMES_FOR == 0:
            names = random.sample(dialogues.names, 3)
        name, other = random.sample(names, 2)
        telling = [word for word in split_words(sentence) if word not in EMPTY]
        if len(telling) >= 2:
            question = _question(meaning, sentence, telling, name, random)
            stray = random.choice(told)[1] if random.random() < 0.25 else ""
            out.append((question, chatter(sentence, stray, name, other, dialogues, random)))
    return out


def chatter(sentence: str, stray: str, name: str, other: str, dialogues: Dialogues, random: Random) -> str:
    """Put a sentence into the mouth of somebody, with what people say around it."""
    line = sentence
    if random.random() < 0.5:
        line = f"{random.choice(dialogues.openers).format(other=other)} {line}"
    if random.random() < 0.5:
        line = f"{line} {random.choice(dialogues.closers)}"
    before = f"{other}: {random.choice(dialogues.replies).format(other=name)}"
    return Exchange(0, "", "", name, dialogues.day(), before, f"{line} {stray}".strip(), "").texts(random)


def loose_questions(
    meanings: Mapping[str, Meaning], names: list[str], limit: int, random: Random
) -> list[str]:
    """Make short questions about words, for the teacher to say what is like what."""
    chosen = random.sample([key for key in meanings if not held_out(key)], limit)
    return [
        random.choice(ASKED_OF_A_WORD).format(
            what=random.choice(meanings[key].lemmas), name=random.choice(names)
        )
        for key in chosen
    ]


def _question(meaning: Meaning | None, sentence: str, telling: list[str], name: str, random: Random) -> str:
    kind = random.random()
    if meaning is not None and kind < 0.25:
        return f"{random.choice(meaning.lemmas)} {meaning.gloss}"
    if meaning is not None and kind < 0.5 and len(meaning.lemmas) > 1:
        other = _in_other_words(sentence, meaning.lemmas, random)
        said = split_words(other[0] if other else f"{random.choice(meaning.lemmas)} {random.choice(telling)}")
        return " ".join(said if random.random() < 0.3 else random.sample(said, max(2, len(said) * 2 // 3)))
    what = " ".join(random.sample(telling, min(len(telling), random.choice((2, 2, 3)))))
    return random.choice(ASKED).format(name=name, what=what)


def _in_other_words(sentence: str, lemmas: list[str], random: Random) -> list[str]:
    lowered = sentence.lower()
    return [
        lowered.replace(lemma.lower(), random.choice([other for other in lemmas if other != lemma]))
        for lemma in lemmas
        if len(set(lemmas)) > 1 and lemma.lower() in lowered.split()
    ]
