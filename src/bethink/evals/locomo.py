"""Read LoCoMo, and score a ranking of its turns."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

from bethink.evals.metrics import Interval, bootstrap, first_seen, ndcg_at, recall_at
from bethink.sessions.values import Item

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

CATEGORIES: Final = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop", 5: "adversarial"}
METRICS: Final = ("R@5", "R@10", "R@20", "nDCG@10", "session R@5")

_TURN = re.compile(r"D:?(\d+):(\d+)")
_WHEN: Final = "%I:%M %p on %d %B, %Y"


@dataclass(frozen=True, slots=True)
class Turn:
    """One message of a conversation."""

    id: str  #: "D8:6": the sixth turn of the eighth session
    session: str
    item: Item


@dataclass(frozen=True, slots=True)
class Question:
    """A question, with the turns that answer it."""

    text: str
    category: int
    gold: frozenset[str]


@dataclass(frozen=True, slots=True)
class Conversation:
    """Two people talking over months."""

    id: str
    turns: tuple[Turn, ...]
    questions: tuple[Question, ...]


@dataclass(frozen=True, slots=True)
class Scored:
    """What one question's ranking was worth."""

    category: int
    values: Mapping[str, float]


def load(path: Path) -> list[Conversation]:
    """Read the conversations of a LoCoMo file; questions without usable evidence are left out."""
    data: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))
    return [conversation(entry) for entry in data]


def evidence(raw: Iterable[str]) -> list[str]:
    """Read turn ids out of evidence as it was typed: "D8:6; D9:17", "D:11:26", "D30:05"."""
    return [f"D{int(session)}:{int(turn)}" for text in raw for session, turn in _TURN.findall(text)]


def score(ranked: Sequence[str], question: Question) -> Scored:
    """Measure a ranking of turn ids."""
    sessions = first_seen([turn.partition(":")[0] for turn in ranked])
    gold_sessions = {turn.partition(":")[0] for turn in question.gold}
    return Scored(
        question.category,
        {
            "R@5": recall_at(ranked, question.gold, 5),
            "R@10": recall_at(ranked, question.gold, 10),
            "R@20": recall_at(ranked, question.gold, 20),
            "nDCG@10": ndcg_at(ranked, question.gold, 10),
            "session R@5": recall_at(sessions, gold_sessions, 5),
        },
    )


def summary(scored: Sequence[Scored]) -> dict[str, dict[str, Interval]]:
    """Return every metric with its interval: over all questions, without the adversarial, and by category."""
    groups: dict[str, list[Scored]] = {
        "all": list(scored),
        "without adversarial": [one for one in scored if one.category != 5],  # noqa: PLR2004
    }
    for number, name in CATEGORIES.items():
        groups[name] = [one for one in scored if one.category == number]
    return {
        name: {metric: bootstrap([one.values[metric] for one in group]) for metric in METRICS}
        for name, group in groups.items()
        if group
    }


def conversation(entry: Mapping[str, Any]) -> Conversation:
    """Read one conversation out of its JSON; it may come without questions."""
    turns = tuple(_turns(entry["conversation"]))
    known = {turn.id for turn in turns}
    questions = [
        Question(str(one["question"]), int(one["category"]), gold)
        for one in entry.get("qa", ())
        if (gold := frozenset(evidence(one.get("evidence") or ())) & known)
    ]
    return Conversation(str(entry["sample_id"]), turns, tuple(questions))


def _turns(conversation: Mapping[str, Any]) -> Iterator[Turn]:
    first = conversation["speaker_a"]
    numbers = sorted(int(key.split("_")[1]) for key in conversation if re.fullmatch(r"session_\d+", key))
    for number in numbers:
        session = f"session_{number}"
        when = datetime.strptime(conversation[f"{session}_date_time"].upper(), _WHEN).replace(tzinfo=UTC)
        for seq, turn in enumerate(conversation[session], start=1):
            content: list[dict[str, str]] = [{"type": "input_text", "text": turn["text"]}]
            if turn.get("blip_caption"):
                content.append({"type": "input_image", "caption": turn["blip_caption"]})
            (turn_id,) = evidence([turn["dia_id"]])
            role = "user" if turn["speaker"] == first else "assistant"
            item = Item(
                id=turn_id,
                session=session,
                seq=seq,
                body={"role": role, "content": content},
                at=when,
                speaker=turn["speaker"],
            )
            yield Turn(turn_id, session, item)
