"""Tell whether two notes say the same, or cannot both hold.

Two notes are the same only where nothing stands against it: they are about the same person, deny the same words,
name the same numbers, and have no value, and no word of a pair of contrasts, that the other has otherwise. However
near two texts lie in meaning, they are not taken for the same on that alone: "aisle" and "window" lie near.
"""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import TYPE_CHECKING, Literal, TypeAlias

from bethink.lifecycle.consolidate import lexicon
from bethink.lifecycle.consolidate.attributes import SINGLE, attribute
from bethink.lifecycle.consolidate.words import stem, words

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bethink.lifecycle.consolidate.attributes import Claim, Reading

Likeness: TypeAlias = Literal["exact", "near", "meaning"]

NEAR_MEANING = 0.7  #: the cosine from which two wordings of the same words may be one
MARGIN = 0.02  #: by which the nearest note must be nearer than the next one
_ROOT = 5  #: letters that two forms of one word share at least
_OPEN = frozenset({"home", "employer", "job", "budget"})
_PLACED = frozenset({"home", "employer", "job"})  #: whatever else is said beside them
_DEPENDENT = frozenset({"employer", "job"})  #: a new employer ends the old job


def likeness(one: Reading, other: Reading, cosine: float | None = None) -> Likeness | None:
    """Return in what way two notes say the same, or None.

    `cosine` is given where the two are each other's nearest in meaning, by a margin.
    """
    if not one.core or (one.subject, one.tentative) != (other.subject, other.tentative):
        return None
    if one.core == other.core:
        return "exact"
    kind = _alike(one, other, cosine)
    return kind if kind is not None and _comparable(one, other) else None


def _alike(one: Reading, other: Reading, cosine: float | None) -> Likeness | None:
    directed = one.directed or other.directed
    if one.claims and not directed and _same_claims(one, other):
        return "exact"
    ours, theirs = one.carried, other.carried
    if not ours or len(ours) != len(theirs):
        return None
    if all(map(_one_word, ours, theirs)):
        return "near"
    if cosine is None or cosine < NEAR_MEANING or directed:
        return None
    return "meaning" if all(map(_one_word, sorted(ours), sorted(theirs))) else None


def conflicting(new: Reading, old: Reading) -> bool:
    """Tell whether two notes cannot both hold."""
    if new.subject != old.subject or new.tentative or old.tentative:
        return False
    if new.claims and old.claims and any(claims_conflict(*pair) for pair in product(new.claims, old.claims)):
        return True
    if not new.core or len(new.core) != len(old.core):
        return False
    differing = [(mine, its) for mine, its in zip(new.core, old.core, strict=True) if mine != its]
    if differing and all(mine[0] == its[0] for mine, its in differing):
        return True  # the same words, denied in one and not in the other
    return (
        len(differing) == 1
        and new.preferring
        and old.preferring
        and all(denied[1] for denied in differing[0])
        and _contrast(differing[0][0][0], differing[0][1][0])
    )


def replaces_wholly(new: Reading, old: Reading) -> bool:
    """Tell whether nothing is lost of an old note when a new one that conflicts with it takes its place."""
    conflicts = {its for mine, its in product(new.claims, old.claims) if claims_conflict(mine, its)}
    if not conflicts:
        return True
    if {each.clause for each in conflicts} != set(range(old.clauses)):
        return False
    kept = {(each.attribute, each.value, each.positive) for each in new.claims}
    ended = {each.attribute for each in conflicts}
    return all(
        each.attribute in ended
        or (each.attribute, each.value, each.positive) in kept
        or (each.attribute in _DEPENDENT and ended & _DEPENDENT)
        for each in old.claims
    )


def claims_conflict(new: Claim, old: Claim) -> bool:
    """Tell whether two claims cannot both hold."""
    if (new.subject, new.attribute, new.condition) != (old.subject, old.attribute, old.condition):
        return False
    if not (new.about <= old.about or old.about <= new.about):
        return False
    if new.value == old.value:
        return new.positive != old.positive and new.rest == old.rest
    return new.positive and old.positive and _exclusive(new, old)


def _exclusive(new: Claim, old: Claim) -> bool:
    """Tell whether who has one of two values has not the other."""
    if new.attribute in _OPEN or new.attribute.startswith(SINGLE):
        return new.rest == old.rest or new.attribute in _PLACED
    known = attribute(new.attribute)
    if known is None or (known.told_only and new.rest != old.rest):
        return False
    if not known.firm:
        return True
    chosen = [each.strength == "prefer" or (each.strength is None and not each.rest) for each in (new, old)]
    return all(chosen)


def _comparable(one: Reading, other: Reading) -> bool:
    if one.numbers != other.numbers:
        return False
    ours, theirs = dict(one.core), dict(other.core)
    if any(theirs.get(word, affirmed) != affirmed for word, affirmed in one.core):
        return False
    if {affirmed for _, affirmed in one.core} != {affirmed for _, affirmed in other.core}:
        return False
    if any(claims_conflict(mine, its) for mine, its in product(one.claims, other.claims)):
        return False
    mine, its = ours.keys() - theirs.keys(), theirs.keys() - ours.keys()
    return not any(_contrast(word, against) for word, against in product(mine, its))


def _same_claims(one: Reading, other: Reading) -> bool:
    """Tell whether two notes claim the same, and nothing besides."""
    if not one.claims or len(one.claims) != len(other.claims) or one.clauses != other.clauses:
        return False
    return len(one.claims) == one.clauses and all(
        _same_claim(mine, its) for mine, its in zip(one.claims, other.claims, strict=True)
    )


def _same_claim(one: Claim, other: Claim) -> bool:
    return (
        (one.subject, one.attribute, one.value, one.positive, one.condition, one.rest)
        == (other.subject, other.attribute, other.value, other.positive, other.condition, other.rest)
        and (one.about <= other.about or other.about <= one.about)
    )  # fmt: skip


def _one_word(one: str, other: str) -> bool:
    """Tell whether two words are forms of one, such as allergy and allergic."""
    if one == other:
        return True
    if len(one) < _ROOT or len(other) < _ROOT or abs(len(one) - len(other)) > _ROOT:
        return False
    shared = next((place for place, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), None)
    shared = min(len(one), len(other)) if shared is None else shared
    return shared >= _ROOT and min(len(one), len(other)) - shared <= 1


@cache
def _contrasts() -> dict[str, frozenset[int]]:
    found: dict[str, set[int]] = {}
    for place, group in enumerate(lexicon.CONTRASTS.split(";")):
        for word in _each_word(group.split(",")):
            found.setdefault(word, set()).add(place)
    return {word: frozenset(places) for word, places in found.items()}


def _each_word(group: Iterable[str]) -> Iterable[str]:
    return (stem(word) for each in group for word in words(each))


def _contrast(one: str, other: str) -> bool:
    groups = _contrasts()
    return one != other and not groups.get(one, frozenset()).isdisjoint(groups.get(other, ()))
