"""Read ConvoMem, a data set of conversations with evidence messages."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from bethink.errors import NotFoundError
from bethink.evals.cases import Conversation, Dataset, Question, Turn, question, turn
from bethink.evals.dataset_files import field_of, list_of, read_entries, read_json
from bethink.json_kinds import is_list

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

_KIND: Final = re.compile(r"([a-z_]+)_evidence")  #: the folder that says what kind of evidence a file has
_ABSTAIN: Final = "abstention"


def read(path: Path) -> Dataset:
    """Return the test cases of a file, or of all files below a folder, each file read when it is asked for.

    Both forms are known: `{"evidence_items": [...]}`, and cases that were mixed, `[{"evidenceItems": [...], ...}]`.

    Raises:
        NotFoundError: there is no such file, or no JSON file below the folder.
        InvalidError: when it is asked for: a file cannot be read, or is not ConvoMem.
    """
    files = sorted(path.rglob("*.json")) if path.is_dir() else [path]
    if not files:
        raise NotFoundError(f"no JSON file found below {path}", kind="file", id=str(path))
    return Dataset(name="convomem", conversations=(case for file in files for case in _cases(file)))


def _cases(path: Path) -> Iterator[Conversation]:
    kind = next((found[1] for part in reversed(path.parts) if (found := _KIND.fullmatch(part))), "other")

    def read_one(case: Any, number: int) -> Conversation:
        turns = tuple(_turns(list_of(case, "conversations")))
        items: list[Any] = list_of(case, "evidenceItems") if "evidenceItems" in case else [case]
        found = [_question(item, kind, turns, f"{place}") for place, item in enumerate(items, start=1)]
        known = tuple(one for one in found if one is not None)
        return Conversation(f"{kind} {path.stem} {number}", turns, known, len(found) - len(known))

    data = read_json(path)
    if is_list(data):
        return read_entries(path, "ConvoMem", read_one, iter(data))
    ((items),) = read_entries(path, "ConvoMem", lambda file, _: list_of(file, "evidence_items"), iter([data]))
    return read_entries(path, "ConvoMem", read_one, iter(items))


def _turns(talks: Sequence[Any]) -> Iterator[Turn]:
    for number, talk in enumerate(talks, start=1):
        session = f"conversation {number}"
        for seq, message in enumerate(list_of(talk, "messages"), start=1):
            text, speaker = field_of(message, "text", str), field_of(message, "speaker", str)
            role = "assistant" if speaker.lower() == "assistant" else "user"
            if text.strip():
                yield turn(f"{number}:{seq}", session, seq, text, role=role)


def _question(item: Any, kind: str, turns: Sequence[Turn], number: str) -> Question | None:
    """Return a question; None where nothing is to be found, or a part of its evidence is nowhere in the messages."""
    text = field_of(item, "question", str)
    wanted = [field_of(one, "text", str).strip() for one in list_of(item, "message_evidences")]
    gold = [_message_with(one, turns) for one in wanted]
    if kind == _ABSTAIN or None in gold:
        return None
    return question(text, kind, [one for one in gold if one is not None], turns, id=number)


def _message_with(text: str, turns: Sequence[Turn]) -> str | None:
    """Return the message that is a piece of evidence, or else the first that has it within."""
    bodies = {one.id: str(one.item.body["content"]) for one in turns}
    same = next((name for name, body in bodies.items() if body.strip() == text), None)
    return same or next((name for name, body in bodies.items() if text in body), None)
