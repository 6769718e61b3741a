"""Read LongMemEval (S, M and oracle): a chat history for each question."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from bethink.evals.cases import Conversation, Dataset, Turn, question, turn
from bethink.evals.dataset_files import entries, field_of, instant, list_of, read_entries, translated_errors

if TYPE_CHECKING:
    from pathlib import Path

_WHEN: Final = "%Y/%m/%d %H:%M"
_WEEKDAY: Final = re.compile(r"\s*\(\w+\)\s*")
_ID: Final = b'"question_id"'
_ABSTAIN: Final = (
    "_abs"  #: at the end of an id: nothing in the history answers, so nothing is there to be found
)
_PIECE: Final = 1 << 20


def read(path: Path) -> Dataset:
    """Return a conversation for each question, read when it is asked for; the questions to abstain from are left out.

    Raises:
        NotFoundError: there is no such file.
        InvalidError: it cannot be read; or, when they are asked for: it is not LongMemEval.
    """
    return Dataset(
        name="longmemeval",
        conversations=read_entries(path, "LongMemEval", _conversation, entries(path)),
        questions=_count(path),
    )


def _count(path: Path) -> int:
    """Count the questions without reading what is in them; M takes gigabytes."""
    count, tail = 0, b""
    with translated_errors(path), path.open("rb") as file:
        while piece := file.read(_PIECE):
            count += (tail + piece).count(_ID)
            tail = piece[-len(_ID) + 1 :]
    return count


def _conversation(entry: Any, _: int) -> Conversation:
    name = field_of(entry, "question_id", str)
    turns, gold = _turns(entry)
    asked = None
    if not name.endswith(_ABSTAIN):
        sessions = [str(each) for each in list_of(entry, "answer_session_ids")]
        category = field_of(entry, "question_type", str)
        asked = question(field_of(entry, "question", str), category, gold, turns, id=name, sessions=sessions)
    return Conversation(name, turns, (asked,) if asked else (), int(asked is None))


def _turns(entry: Any) -> tuple[tuple[Turn, ...], list[str]]:
    """Return what was said, oldest session first, and the ids of the turns that have the answer."""
    ids, dates, sessions = (
        list_of(entry, f"haystack_{part}") for part in ("session_ids", "dates", "sessions")
    )
    if not len(ids) == len(dates) == len(sessions):
        raise ValueError(
            "'haystack_session_ids', 'haystack_dates' and 'haystack_sessions' have different lengths"
        )
    days = [instant(_WEEKDAY.sub(" ", str(date)), _WHEN) for date in dates]
    names = [_name(str(each), [str(one) for one in ids[:place]]) for place, each in enumerate(ids)]
    found: list[Turn] = []
    gold: list[str] = []
    for place in sorted(range(len(ids)), key=days.__getitem__):
        for seq, one in enumerate(sessions[place], start=1):
            text, role = field_of(one, "content", str), field_of(one, "role", str)
            if text.strip():
                found.append(
                    turn(f"{names[place]}:{seq}", names[place], seq, text, role=role, at=days[place])
                )
                gold += [found[-1].id] if one.get("has_answer") is True else []
    return tuple(found), gold


def _name(session: str, before: list[str]) -> str:
    """Return a name that no other session of the history has: some histories hold one twice."""
    times = before.count(session)
    return f"{session}#{times + 1}" if times else session
