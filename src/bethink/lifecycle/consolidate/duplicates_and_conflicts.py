"""Tell whether two notes say the same, or cannot both hold.

Two notes are the same only where nothing stands against it: they are about the same person, deny the same words,
name the same numbers, and have no value, and no word of a pair of contrasts, that the other has otherwise. However
near two texts lie in meaning, they are not taken for the same on that alone: "aisle" and "window" lie near.
"""

from __future__ import annotations

from functools import cache
from itertools import product, starmap
from typing import TYPE_CHECKING, Literal, TypeAlias

from bethink.lifecycle.consolidate.attributes import SINGLE, attribute
from bethink.lifecycle.consolidate.matters import exact, single
from bethink.lifecycle.consolidate.tables import contrasts, joined
from bethink.lifecycle.consolidate.words import stem

if TYPE_CHECKING:
    from bethink.lifecycle.consolidate.attributes import Reading
    from bethink.lifecycle.consolidate.claims import Claim

Likeness: TypeAlias = Literal["exact", "near", "meaning"]

NEAR_MEANING = 0.7  #: the cosine from which two wordings of the same words may be one
MARGIN = 0.02  #: by which the nearest note must be nearer than the next one
_ROOT = 5  #: letters that two forms of one word share at least
_PARTED = ("marital", "partner")
_ALONE = frozenset({"singl", "separat", "divorc"})  #: of them one ends a relationship
_ENDING = frozenset(
    {"uses", "has", "partner", "takes"}
)  #: what is said to have ended may be told otherwise, too
_DEPENDENT = frozenset({"employer", "job"})  #: a new employer ends the old job


def likeness(one: Reading, other: Reading, cosine: float | None = None) -> Likeness | None:
    """Return in what way two notes say the same, or None.

    `cosine` is given where the two are each other's nearest in meaning, by a margin.
    """
    if not one.core or one.about != other.about:
        return None
    if one.core == other.core or (one.facts and _same_facts(one, other)):
        return "exact"
    kind = _alike(one, other, cosine)
    if kind is None or _facts_conflict(one, other) or not _unopposed(one, other):
        return None
    return kind


def _alike(one: Reading, other: Reading, cosine: float | None) -> Likeness | None:
    directed = one.directed or other.directed
    if one.claims and other.claims and not directed and _same_claims(one, other):
        return "exact"
    ours, theirs = one.carried, other.carried
    if len(ours) != len(theirs) or not ours:
        return None
    if _one_word(ours[0], theirs[0]) and all(map(_one_word, ours, theirs)):
        return "near"
    if cosine is None or cosine < NEAR_MEANING or directed:
        return None
    return "meaning" if all(map(_one_word, sorted(ours), sorted(theirs))) else None


def conflicting(new: Reading, old: Reading) -> bool:
    """Tell whether two notes cannot both hold."""
    if new.tentative or new.about != old.about:
        return False
    if new.facts and _facts_conflict(new, old):
        return True
    if new.claims and old.claims and any(starmap(claims_conflict, product(new.claims, old.claims))):
        return True
    if new.words == old.words:
        return new.core != old.core  # the same words, denied in one and not in the other
    return new.preferring and old.preferring and _turned(new, old)


def _turned(new: Reading, old: Reading) -> bool:
    """Tell whether two preferences differ in one word, which has its contrary in its place."""
    if len(new.core) != len(old.core):
        return False
    differing = [pair for pair in zip(new.core, old.core, strict=True) if pair[0] != pair[1]]
    if len(differing) != 1:
        return False
    (new_word, affirmed), (old_word, affirmed_too) = differing[0]
    return affirmed and affirmed_too and _contrast(new_word, old_word)


def replaces_wholly(new: Reading, old: Reading) -> bool:
    """Tell whether nothing is lost of an old note when a new one that conflicts with it takes its place."""
    if _facts_conflict(new, old):
        return not old.facts or (old.whole and _all_replaced(new, old))
    conflicts = [claim for by, claim in product(new.claims, old.claims) if claims_conflict(by, claim)]
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
    if new.attribute != old.attribute or new.condition != old.condition or new.subject != old.subject:
        return False
    if not (new.about <= old.about or old.about <= new.about):
        return False
    if new.value == old.value:
        return new.positive != old.positive and new.rest == old.rest
    return new.positive and old.positive and _exclusive(new, old)


def _exclusive(new: Claim, old: Claim) -> bool:
    """Tell whether who has one of two values has not the other."""
    if new.attribute == "budget" or new.attribute.startswith(SINGLE):
        return new.rest == old.rest
    known = attribute(new.attribute)
    if known is None or (known.told_only and new.rest != old.rest):
        return False
    if not known.firm:
        return True
    chosen = [each.strength == "prefer" or (each.strength is None and not each.rest) for each in (new, old)]
    return all(chosen)


def _facts_conflict(new: Reading, old: Reading) -> bool:
    if not new.facts:
        return False
    if not old.facts:
        return any(_ends(fact, old) for fact in new.facts)
    return any(starmap(_fact_conflicts, product(new.facts, old.facts)))


def _fact_conflicts(new: Claim, old: Claim) -> bool:
    """Tell whether two everyday facts cannot both hold."""
    if new.condition != old.condition or new.subject != old.subject:
        return False
    if new.attribute != old.attribute:
        return (
            (new.attribute, old.attribute) == _PARTED
            and new.value in _ALONE
            and new.positive
            and old.positive
        )
    new_words, old_words = set(new.value.split()), set(old.value.split())
    if not (new.positive or old.positive):
        return False
    if new.positive and old.positive:
        within = not exact(new.attribute) and (
            new_words <= old_words or old_words <= new_words
        )  # one may only say more: Paris, Paris 11
        return single(new.attribute) and new_words != old_words and not within
    return new_words <= old_words if old.positive else old_words <= new_words


def _ends(new: Claim, old: Reading) -> bool:
    """Tell whether what has ended is all that an old note affirms, whatever verb carries it."""
    if new.positive or new.attribute not in _ENDING or not new.value or old.clauses > 1:
        return False
    if not joined("liking").isdisjoint(map(stem, old.spoken)):
        return False  # who no longer uses it may like it
    return sorted(new.value.split()) == sorted(old.carried) and all(affirmed for _, affirmed in old.core)


def _all_replaced(new: Reading, old: Reading) -> bool:
    """Tell whether each fact of an old note is ended or repeated by a new one."""
    kept = {(each.attribute, each.value, each.positive) for each in new.facts}
    ended = {fact.attribute for by, fact in product(new.facts, old.facts) if _fact_conflicts(by, fact)}
    return all(
        each.attribute in ended
        or (each.attribute, each.value, each.positive) in kept
        or (each.attribute in _DEPENDENT and ended & _DEPENDENT)
        for each in old.facts
    )


def _same_facts(one: Reading, other: Reading) -> bool:
    """Tell whether two notes tell the same everyday facts, and nothing besides."""
    return bool(one.core) and one.whole and other.whole and one.facts == other.facts


def _unopposed(one: Reading, other: Reading) -> bool:
    if one.numbers != other.numbers:
        return False
    ours, theirs = dict(one.core), dict(other.core)
    if any(theirs.get(word, affirmed) != affirmed for word, affirmed in one.core):
        return False
    if {affirmed for _, affirmed in one.core} != {affirmed for _, affirmed in other.core}:
        return False
    if any(starmap(claims_conflict, product(one.claims, other.claims))):
        return False
    return not any(starmap(_contrast, product(ours.keys() - theirs.keys(), theirs.keys() - ours.keys())))


def _same_claims(one: Reading, other: Reading) -> bool:
    """Tell whether two notes claim the same, and nothing besides."""
    if not one.claims or len(one.claims) != len(other.claims) or one.clauses != other.clauses:
        return False
    return len(one.claims) == one.clauses and all(map(_same_claim, one.claims, other.claims))


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
    if one[:_ROOT] != other[:_ROOT] or len(one) < _ROOT or abs(len(one) - len(other)) > _ROOT:
        return False
    shared = next((place for place, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), None)
    shorter = min(len(one), len(other))
    return shorter - (shorter if shared is None else shared) <= 1


@cache
def _contrasts() -> dict[str, frozenset[int]]:
    found: dict[str, set[int]] = {}
    for place, group in enumerate(contrasts()):
        for word in group:
            found.setdefault(word, set()).add(place)
    return {word: frozenset(places) for word, places in found.items()}


def _contrast(one: str, other: str) -> bool:
    groups = _contrasts()
    return one != other and not groups.get(one, frozenset()).isdisjoint(groups.get(other, ()))
