"""Read BEAM, a data set of long chats with probing questions."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Any, Final, cast

from bethink.errors import NotFoundError
from bethink.evals.cases import Conversation, Dataset, Question, Turn, question, turn
from bethink.evals.dataset_files import check_format, field_of, instant, list_of, read_json
from bethink.json_kinds import is_list, is_object

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from pathlib import Path

_CHAT: Final = "chat.json"
_QUESTIONS: Final = "probing_questions/probing_questions.json"
_ABSTAIN: Final = "abstention"
_WHEN: Final = "%B-%d-%Y"
_NUMBERING: Final = re.compile(r"\s*->->\s*[\d,\s]*$")  #: what the data set ends some messages with


def read(path: Path) -> Dataset:
    """Return the chats below a folder, such as `chats/100K`, each read when it is asked for.

    Raises:
        NotFoundError: there is no chat.json below it.
        InvalidError: when it is asked for: a file cannot be read, or is not BEAM.
    """
    found = sorted(path.rglob(_CHAT), key=lambda chat: (len(chat.parent.name), str(chat)))
    if not found:
        raise NotFoundError(f"no {_CHAT} found below {path}; pass a folder of chats", kind="file", id=_CHAT)
    return Dataset(name="beam", conversations=(_conversation(chat.parent) for chat in found))


def _conversation(folder: Path) -> Conversation:
    chat_file, questions_file = folder / _CHAT, folder / _QUESTIONS
    with check_format(chat_file, "BEAM"):
        turns = _turns(read_json(chat_file))
    times = Counter(one.id.partition("#")[0] for one in turns)
    repeated = {name for name, count in times.items() if count > 1}
    with check_format(questions_file, "BEAM"):
        found = list(_questions(read_json(questions_file), turns, repeated))
    known = tuple(one for one in found if one is not None)
    return Conversation(folder.name, turns, known, len(found) - len(known))


def _turns(chat: Any) -> tuple[Turn, ...]:
    """Return every message. A batch is a session; its date is the last that was named, if one was."""
    found: list[Turn] = []
    seen: Counter[int] = Counter()
    at = None
    for place, batch in enumerate(_batches(chat), start=1):
        for seq, one in enumerate(_messages(list_of(batch, "turns")), start=1):
            number = field_of(one, "id", int)
            seen[number] += 1
            name = f"{number}" if seen[number] == 1 else f"{number}#{seen[number]}"
            at = instant(field_of(one, "time_anchor", str), _WHEN) if one.get("time_anchor") else at
            text = _NUMBERING.sub("", field_of(one, "content", str))
            if text.strip():
                found.append(turn(name, f"batch {place}", seq, text, role=field_of(one, "role", str), at=at))
    return tuple(found)


def _batches(chat: Any) -> Iterator[Any]:
    """Return the batches of a chat; those of ten million tokens have them under the name of a plan."""
    match chat:
        case {"turns": _}:
            yield chat
        case dict():
            for part in cast("dict[str, Any]", chat).values():
                yield from _batches(part)
        case list():
            for part in cast("list[Any]", chat):
                yield from _batches(part)
        case _:
            raise ValueError("expected a batch of turns")


def _messages(turns: list[Any]) -> Iterator[Any]:
    for part in turns:
        yield from part if is_list(part) else [part]


def _questions(asked: Any, turns: Collection[Turn], repeated: Collection[str]) -> Iterator[Question | None]:
    """Return questions; None for one that nothing answers, or whose evidence may be one message or another."""
    if not is_object(asked):
        raise ValueError("expected an object with the kinds of questions")
    for kind in asked:
        for number, one in enumerate(list_of(asked, kind), start=1):
            text = field_of(one, "question", str)
            gold = {f"{each}" for each in _numbers(one.get("source_chat_ids"))}
            unclear = kind == _ABSTAIN or gold & set(repeated)
            yield None if unclear else question(text, kind, gold, turns, id=f"{kind} {number}")


def _numbers(found: Any) -> Iterator[int]:
    """Return the numbers of messages, which are listed, or listed under names."""
    match found:
        case int():
            yield found
        case dict():
            for part in cast("dict[str, Any]", found).values():
                yield from _numbers(part)
        case list():
            for part in cast("list[Any]", found):
                yield from _numbers(part)
        case _:
            return
