"""Tell whether what is said ends what was said before, whatever verb carries it.

Each note is scored once (`clause_score`): which matter it speaks of, and how far it says that something is not as it
was. A small network then weighs a newer and an older note together: whether both speak of the same matter, of the same
person, in the same words, with other numbers. It was trained on pairs of messages whose authors saw no rule.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Final, NamedTuple

from bethink.languages.content import carrying, code_of
from bethink.languages.detection import function_words
from bethink.languages.loading import CODES, language
from bethink.lifecycle.consolidate.clause_score import MATTERS, Scored, model, scored

if TYPE_CHECKING:
    from collections.abc import Container, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from bethink.languages.loading import Language
    from bethink.lifecycle.consolidate.clause_score import Model
    from bethink.notes.values import Note

FRESH, CHANGED, ENDED = 1, 2, 3  #: how strongly a text says that something is not as it was
_TURNS: Final = {FRESH: "fresh", CHANGED: "now", ENDED: "ended"}
SURE: Final = (
    0.5  #: how probable it has to be that a note ends another, of all that stand, where words of change occur
)
SCORED: Final = 0.85  #: the same where the score of change alone says that something changed
LEAST: Final = 1.0  #: that score, of a clause that is looked at for it
TOLD: Final = (
    0.4  #: how probable a matter has to be that a part of a note, or what is ended by scores alone, speaks of
)
_NEAREST: Final = 16  #: older notes that are looked at for one reason
_MOST_WEIGHT: Final = 30.0  #: of one pair, as a logarithm
_MANY: Final = 10  #: telling words of a long text
_MOST: Final = 4.0  #: the change that a clause can say at most
_ROOT = 5  #: letters that two forms of one word share at least
_LONGER = 4  #: letters by which one form may be longer
_LIVING: Final = frozenset({"couple", "pet", "child", "relative", "friend", "name"})  #: who has a name
_PART: Final = re.compile(r"[,;:.!?]\s+|[，、；：。！？]")


#: matters that are told in each other's words
_KINDRED: Final = (
    ("employer", "job", "hours", "study"), ("home", "place", "origin", "address"),
    ("stack", "process", "software", "project"), ("phone", "computer", "provider", "possession"),
    ("couple", "child", "relative", "friend", "pet"), ("car", "commute"), ("diet", "drinks", "food", "smoking"),
    ("allergy", "illness", "medicine", "body"), ("fitness", "hobby", "goal", "instrument"), ("hours", "sleep", "habit"),
    ("trip", "project", "goal"), ("budget", "provider"), ("name", "answers", "rule"),
)  # fmt: skip


class Gist(NamedTuple):
    """What a text speaks of, and whether it says that this changed."""

    code: str  #: of its language
    turn: int
    corrects: bool  #: its message says that something ended
    adds: bool  #: it puts nothing in the place of anything: also, another, a bigger one
    likes: bool
    own: bool  #: it speaks of its author
    unsure: bool
    people: frozenset[str]
    words: frozenset[str]
    names: frozenset[str]
    numbers: frozenset[str]
    scored: Scored


@lru_cache(maxsize=1 << 13)
def gist(text: str, code: str) -> Gist:
    """Return what a text in a language speaks of."""
    return gist_by(text, code, scored(text, code))


def gist_by(text: str, code: str, found: Scored) -> Gist:
    """Return what a text in a language speaks of, as it was scored."""
    book = language(code)
    words = book.words(text)
    turns = [turn for turn, name in _TURNS.items() if _said(words, book, name)]
    return Gist(
        code=code,
        turn=max(turns, default=0),
        corrects=False,
        own=book.phrases("people", "self").within(words),
        adds=any(book.phrases("turning", name).within(words) for name in ("also", "vague")),
        likes=any(book.phrases("compare", name).within(words) for name in ("liking", "preferring")),
        unsure=any(
            book.phrases(*name).within(words)
            for name in (("compare", "tentative"), ("vetoes", "hedge"), ("vetoes", "hypothetical"))
        ),
        people=_people(words, book),
        words=telling(words, book),
        names=_names(text, book),
        numbers=frozenset(word for word in words if word.isdecimal())
        | frozenset(word for word in words if book.phrases("compare", "number_words").at([word], 0)),
        scored=found,
    )


def _people(words: Sequence[str], book: Language) -> frozenset[str]:
    """Return the people other than its author that a text names by what they are: sister, boss."""
    known = book.phrases("compare", "people")
    lengths = ((place, known.at(words, place)) for place in range(len(words)))
    return frozenset(" ".join(words[place : place + length]) for place, length in lengths if length)


def _said(words: Sequence[str], book: Language, name: str) -> bool:
    """Tell whether words say that something changed, or ended: "never quit" does not."""
    found = book.phrases("turning", name).find(words)
    if found is None or name != "ended" or not book.spaced:
        return found is not None
    denied = book.phrases("compare", "negative").at(words, found[0] - 1) == 1 if found[0] else 0
    return not denied


def telling(words: Sequence[str], book: Language) -> frozenset[str]:
    """Return the words that carry something, without those that say that it changed."""
    tables = (
        ("turning", "ended"), ("turning", "now"), ("turning", "fresh"), ("turning", "also"),
        ("people", "self"), ("compare", "light"),
        ("compare", "carrying"), ("compare", "soft"), ("compare", "passing"), ("compare", "number_words"),
        ("clauses", "verbs"),
        ("clauses", "finite"),
    )  # fmt: skip
    taken = [False] * len(words)
    for place in range(len(words)):
        for at in range(place, place + max(book.phrases(*name).at(words, place) for name in tables)):
            taken[at] = True
    left = [word for word, gone in zip(words, taken, strict=True) if not gone]
    common = frozenset(book.numbers("units")).union(*map(function_words, CODES))
    return frozenset(word for word in carrying(left, book.code) if len(word) > 1 + book.spaced) - common


def _names(text: str, book: Language) -> frozenset[str]:
    """Return the words that are written as names are, where a language writes only names so."""
    if not book.spaced or book.section("turning").get("nouns"):
        return frozenset()
    tokens = book.tokens(text)
    return frozenset(
        each.word
        for before, each in pairwise(tokens)
        if text[each.start].isupper() and before.word not in ".!?:"
    ) - function_words(book.code).union(book.numbers("months"), book.numbers("weekdays"))


def gist_of(note: Note) -> Gist:
    """Return what a note speaks of; that it corrects something, distillation may have seen in its message."""
    found = gist(note.text, code_of(note.text, note.metadata.get("language")))
    if note.metadata.get("kind") == "correction":
        return found._replace(corrects=True)
    return found


def signs(new: Gist, old: Gist, common: Container[str] = ()) -> NDArray[np.float32]:
    """Return what speaks for it, or against it, that a newer text ends an older one.

    Words that are `common` among somebody's notes tell nothing.
    """
    import numpy as np

    both = np.sqrt(new.scored.matters * old.scored.matters)
    near = alike(new.scored, old.scored)
    kindred = _kindred(new, old)
    agree, change = float(both.sum()), max(-_MOST, min(_MOST, new.scored.change)) / 2
    words = [word for word in old.words if word not in common]
    shared = [word for word in words if any(one_word(word, other) for other in new.words)]
    part, share = len(shared) / max(1, len(words)), len(shared) / max(1, len(new.words))
    ended = float(new.turn == ENDED or new.corrects)
    counted = bool(new.numbers) and bool(old.numbers)
    others = float(counted and new.numbers.isdisjoint(old.numbers))
    elsewhere = bool(new.names) and bool(old.names) and new.names.isdisjoint(old.names)
    apart = float(new.people.isdisjoint(old.people) and bool(new.people or old.people))
    told = (
        change, max(-_MOST, min(_MOST, old.scored.change)) / 2, agree, float(both.max()), near, part, share,
        new.corrects, new.turn == ENDED, new.turn == CHANGED, new.turn == FRESH, new.adds, new.unsure, new.likes,
        old.likes, new.own, old.own, old.turn > FRESH, apart, bool(new.people & old.people), bool(new.people),
        bool(old.people), bool(new.names & old.names), elsewhere,
        others, counted and not others, min(len(new.words), _MANY) / _MANY, min(len(old.words), _MANY) / _MANY,
        change * agree, change * near, change * part, ended * part, ended * near, ended * agree, others * near,
        others * agree, apart * agree, ended * share, kindred, change * kindred, ended * kindred,
    )  # fmt: skip
    return np.concatenate([np.array(told, np.float32), both])


def _kindred(one: Gist, other: Gist) -> float:
    """Return how far two texts speak of matters of one kind."""
    import numpy as np

    return float(np.sqrt((one.scored.matters @ _kinds()) * (other.scored.matters @ _kinds())).max())


@cache
def _kinds() -> NDArray[np.float32]:
    """Return which matters are of which kind, a column a kind."""
    import numpy as np

    return np.array([[name in kind for kind in _KINDRED] for name in MATTERS], np.float32)


def alike(one: Scored, other: Scored) -> float:
    """Return the cosine of two texts by their features, of which the rare ones weigh more."""
    shorter, longer = sorted((one.values, other.values), key=len)
    return sum(value * longer.get(place, 0.0) for place, value in shorter.items())


def _weights(told: NDArray[np.float32], by: Model) -> NDArray[np.float32]:
    """Return what the signs of pairs weigh, one row a pair: 1 is as likely as that nothing is ended."""
    import numpy as np

    hidden = np.tanh(told @ by.hidden[:-1] + by.hidden[-1])
    return np.exp(np.minimum(hidden @ by.out[:-1] + by.out[-1], _MOST_WEIGHT))


def ends(new: Gist, old: Gist, common: Container[str] = ()) -> bool:
    """Tell whether a newer text says that what an older one says does not hold any more, the two seen alone."""
    return bool(ended_of(new, [old], common))


def ended_of(new: Gist, olds: Sequence[Gist], common: Container[str] = ()) -> list[int]:
    """Return the places of the older texts of which a newer one says that they do not hold any more.

    They are seen together: a text ends what it fits best, or nothing.
    """
    import numpy as np

    meant = [place for place, old in enumerate(olds) if not _spared(new, old)] if turns(new) else []
    if not meant:
        return []
    weights = _weights(np.array([signs(new, olds[place], common) for place in meant]), model())
    least = (SURE if _worded(new) else SCORED) * (1 + float(weights.sum()))
    return [place for place, weight in zip(meant, weights.tolist(), strict=True) if weight > least]


def _spared(new: Gist, old: Gist) -> bool:
    """Tell whether a newer text cannot mean an older one, however near they are.

    Who no longer uses something may like it; "no longer lives in Paris" says nothing of Berlin; "we use Teams, too".
    """
    elsewhere = bool(new.names) and bool(old.names) and new.names.isdisjoint(old.names)
    if not _worded(new) and _kindred(new, old) < TOLD:
        return True
    if new.turn == ENDED:
        return elsewhere or (old.likes and not new.likes)
    versions = {MATTERS[int(each.scored.matters.argmax())] for each in (new, old)} == {"stack"}
    return new.adds or (elsewhere and versions and bool(new.numbers) and bool(old.numbers))


def whoever(new: Gist, old: Gist) -> bool:
    """Tell whether two texts name the same being, whoever is their subject."""
    return bool(new.names & old.names) and MATTERS[int(old.scored.matters.argmax())] in _LIVING


def turns(new: Gist) -> bool:
    """Tell whether a text may say that something is not as it was."""
    return _worded(new) or new.scored.change > LEAST


def _worded(new: Gist) -> bool:
    """Tell whether words of change occur."""
    return bool(new.turn or new.corrects)


class Standing:
    """What stands, looked up by what a newer text speaks of."""

    def __init__(self) -> None:
        import numpy as np

        self._gists: list[Gist] = []
        self._roots = np.zeros((64, len(MATTERS)), np.float32)
        self._by_word: dict[str, list[int]] = {}

    def add(self, found: Gist) -> None:
        """Remember what a text speaks of; its place is how many there were before."""
        import numpy as np

        place = len(self._gists)
        if place == len(self._roots):
            self._roots = np.concatenate([self._roots, np.zeros_like(self._roots)])
        self._roots[place] = np.sqrt(found.scored.matters)
        self._gists.append(found)
        for word in found.words:
            self._by_word.setdefault(word[:_ROOT], []).append(place)

    def near(self, new: Gist) -> list[int]:
        """Return the places of the texts that a newer one may end: on the same matter, or with a rare word of it."""
        import numpy as np

        agree = self._roots[: len(self._gists)] @ np.sqrt(new.scored.matters)
        count = min(_NEAREST, len(agree))
        found = set(np.argpartition(-agree, count - 1)[:count].tolist()) if count else set[int]()
        for word in new.words:
            places = self._by_word.get(word[:_ROOT], ())
            if len(places) <= _NEAREST:
                found.update(places)
        return sorted(found)


def ended(note: Note, old: Note) -> bool:
    """Tell whether a note ends an older one."""
    return ends(gist_of(note), gist_of(old))


def left(text: str, new: Gist, code: str) -> str:
    """Return the parts of an older text that a newer one does not end, as they are written; all may be gone."""
    places = [0, *(found.end() for found in _PART.finditer(text)), len(text)]
    parts = [text[start:end] for start, end in pairwise(places) if start < end]
    gists = [gist(part, code) for part in parts]
    gone = [place for place, part in enumerate(gists) if ends(new, part)]
    standing = [place for place in range(len(parts)) if place not in gone]
    if not gone or not all(_told_alone(gists[place], [gists[each] for each in gone]) for place in standing):
        return ""
    whole = "".join(parts[place] for place in standing).strip(" ,;:，、；：")
    return whole[:1].upper() + whole[1:]


def _told_alone(part: Gist, gone: Sequence[Gist]) -> bool:
    """Tell whether a part of a text speaks of a matter of its own."""
    matter = int(part.scored.matters.argmax())
    return part.scored.matters[matter] > TOLD and all(
        int(each.scored.matters.argmax()) != matter for each in gone
    )


def one_word(one: str, other: str) -> bool:
    """Tell whether two words are likely forms of one."""
    if one == other:
        return True
    return len(one) >= _ROOT and one[:_ROOT] == other[:_ROOT] and abs(len(one) - len(other)) <= _LONGER
