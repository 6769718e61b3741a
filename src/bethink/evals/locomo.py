"""Read LoCoMo, a data set of two-person conversations over months whose questions name evidence turns."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from bethink.errors import InvalidError
from bethink.evals.cases import Conversation, Dataset, Turn, question
from bethink.evals.dataset_files import field_of, instant, list_of, object_of, read_entries, read_json
from bethink.json_kinds import is_list
from bethink.sessions.values import Item

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

CATEGORIES: Final = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop", 5: "adversarial"}

_TURN = re.compile(r"D:?(\d+):(\d+)")
_SESSION = re.compile(r"session_\d+")
_WHEN: Final = "%I:%M %p on %d %B, %Y"


def read(path: Path) -> Dataset:
    """Return the conversations of a file; questions without usable evidence are left out.

    Raises:
        NotFoundError: there is no such file.
        InvalidError: it cannot be read, or is not LoCoMo.
    """
    found = load(path)
    return Dataset(
        name="locomo",
        conversations=found,
        questions=sum(len(one.questions) for one in found),
        apart=frozenset({"adversarial"}),
    )


def load(path: Path) -> list[Conversation]:
    """Return the conversations of a file, all of them at once; errors as in `read`."""
    return conversations(path, read_json(path))


def conversations(path: Path, samples: Any) -> list[Conversation]:
    """Return the conversations out of the JSON of a file.

    Raises:
        InvalidError: it is not LoCoMo.
    """
    if not is_list(samples):
        raise InvalidError(f"{path} does not contain a JSON array", argument="path")
    return list(read_entries(path, "LoCoMo", conversation, iter(samples)))


def evidence(raw: Iterable[str]) -> list[str]:
    """Read turn ids out of evidence as it was typed: "D8:6; D9:17", "D:11:26", "D30:05"."""
    return [f"D{int(session)}:{int(turn)}" for text in raw for session, turn in _TURN.findall(text)]


def conversation(entry: Any, _: int = 1) -> Conversation:
    """Read one conversation out of its JSON; it may come without questions.

    Raises:
        ValueError: something is missing, or in another form.
    """
    turns = tuple(_turns(object_of(entry, "conversation")))
    asked: list[Any] = list_of({"qa": [], **entry}, "qa")
    found = [
        question(
            field_of(one, "question", str),
            CATEGORIES.get(field_of(one, "category", int), "other"),
            evidence(str(each) for each in one.get("evidence") or ()),
            turns,
            id=f"{number}",
        )
        for number, one in enumerate(asked, start=1)
    ]
    known = tuple(one for one in found if one is not None)
    return Conversation(field_of(entry, "sample_id", str), turns, known, len(found) - len(known))


def _turns(talk: dict[str, Any]) -> Iterator[Turn]:
    first = field_of(talk, "speaker_a", str)
    numbers = sorted(int(key.split("_")[1]) for key in talk if _SESSION.fullmatch(key))
    for number in numbers:
        session = f"session_{number}"
        when = instant(field_of(talk, f"{session}_date_time", str).upper(), _WHEN)
        for seq, message in enumerate(list_of(talk, session), start=1):
            speaker = field_of(message, "speaker", str)
            content: list[dict[str, str]] = [{"type": "input_text", "text": field_of(message, "text", str)}]
            if message.get("blip_caption"):
                content.append({"type": "input_image", "caption": field_of(message, "blip_caption", str)})
            ids = evidence([field_of(message, "dia_id", str)])
            if len(ids) != 1:
                raise ValueError("'dia_id' must have the form D1:2")
            role = "user" if speaker == first else "assistant"
            body = {"role": role, "content": content}
            item = Item(id=ids[0], session=session, seq=seq, body=body, at=when, speaker=speaker)
            yield Turn(ids[0], session, item)
