"""Score rankings of turns strictly: any evidence, all evidence, share and rank, by turn and by session."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from bethink.evals.metrics import Interval, bootstrap_by, first_seen, ndcg_at, recall_at, reciprocal_rank

if TYPE_CHECKING:
    from collections.abc import Collection, Hashable, Mapping, Sequence

    from bethink.evals.cases import Question

_DEPTHS: Final = (5, 10, 20)

#: what is measured of turns; the same of sessions, ranked by their best turn, has "session" before it
_OF_ONE: Final = (
    *(f"R@{k}" for k in _DEPTHS),
    *(f"any@{k}" for k in _DEPTHS),
    *(f"all@{k}" for k in _DEPTHS),
    *(f"nDCG@{k}" for k in _DEPTHS),
    "MRR",
)
METRICS: Final = (*_OF_ONE, *(f"session {name}" for name in _OF_ONE))


@dataclass(frozen=True, slots=True, kw_only=True)
class Scored:
    """What one question's ranking was worth."""

    category: str
    conversation: str = ""
    values: Mapping[str, float]  #: by metric; those of turns are missing where only sessions are known


def score(
    ranked: Sequence[str], question: Question, session_of: Mapping[str, str], *, conversation: str = ""
) -> Scored:
    """Measure a ranking of turn ids; what is no turn takes its place, and no more."""
    values: dict[str, float] = {}
    if question.gold:
        values.update(_measured(ranked, question.gold))
    sessions = first_seen([session_of[turn] for turn in ranked if turn in session_of])
    values.update({f"session {name}": each for name, each in _measured(sessions, question.sessions).items()})
    return Scored(category=question.category, conversation=conversation, values=values)


def summary(
    scored: Sequence[Scored], apart: Collection[str] = ()
) -> dict[str, tuple[Sequence[Scored], dict[str, Interval]]]:
    """Return each group with its metrics and their intervals: all, all without some categories, each category.

    Conversations are drawn again and again, and not questions: those of one conversation succeed and fail together.
    """
    groups: dict[str, list[Scored]] = {"all": list(scored)}
    for name in sorted(apart):
        groups[f"without {name}"] = [one for one in scored if one.category != name]
    for name in dict.fromkeys(one.category for one in scored):
        groups[name] = [one for one in scored if one.category == name]
    return {name: (group, _intervals(group)) for name, group in groups.items() if group}


def _intervals(group: Sequence[Scored]) -> dict[str, Interval]:
    found: dict[str, Interval] = {}
    for metric in METRICS:
        known = [(one.values[metric], one.conversation) for one in group if metric in one.values]
        if known:
            found[metric] = bootstrap_by(*zip(*known, strict=True))
    return found


def _measured(ranked: Sequence[Hashable], gold: Collection[Hashable]) -> dict[str, float]:
    shares = {k: recall_at(ranked, gold, k) for k in _DEPTHS}
    return {
        **{f"R@{k}": share for k, share in shares.items()},
        **{f"any@{k}": float(share > 0) for k, share in shares.items()},
        **{f"all@{k}": float(share == 1) for k, share in shares.items()},
        **{f"nDCG@{k}": ndcg_at(ranked, gold, k) for k in _DEPTHS},
        "MRR": reciprocal_rank(ranked, gold),
    }
