"""Chunk items and notes into passages, the unit of recall."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, TypeAlias, cast

from bethink.expressions import Expression
from bethink.recall.question import has_question_mark, is_question, is_standing_wish, wording_hash
from bethink.sessions.injected_memory import is_memory_call, is_offline_answer, without_context
from bethink.sessions.items import Entry
from bethink.sessions.readers.parts import arguments_text, join_texts
from bethink.sessions.readers.registry import as_plain, read

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping

    from bethink.notes.values import Note
    from bethink.sessions.injected_memory import MemoryAnswers
    from bethink.sessions.readers.values import Reading, Ref, Voice
    from bethink.sessions.values import Item

PassageKind: TypeAlias = Literal["note", "item"]
Role: TypeAlias = Literal["user", "assistant", "tool"]

CHUNK_WORDS: Final = 100  #: target length of a passage of a long text
LONGEST_CHUNK: Final = 140  #: a text up to here is not cut; no passage is longer
SHORTEST_CHUNK: Final = 30  #: a rest shorter than this joins the passage before it, where that has room

RULE: Final = "rule"  #: the kind that distillation gives to a standing wish
_MONTHS: Final = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]
_SENTENCE_END = Expression(r"(?<=[.!?…])[\"')\]]*\s+|(?<=[。！？])|\n+")
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND: Final = timedelta(microseconds=1)
_DAY: Final = timedelta(days=1) // _MICROSECOND
_UNSEEN_TYPES: Final = frozenset(
    {"reasoning", "compaction", "thinking", "redacted_thinking", "item_reference"}
)
_UNSEEN_ROLES: Final = frozenset({"system", "developer"})
_DEEPEST: Final = 6


class Passage(NamedTuple):
    """A piece of text that is found or not found as a whole."""

    kind: PassageKind
    owner: int  #: integer key of the item's session, or of the note
    text: str  #: the indexed text: date and speaker in words, then the message
    words: int  #: word count of the message, without date and speaker
    seq: int = 0  #: the item's place in its session; 0 for a note
    chunk: int = 0  #: index of the passage within a long text
    at: int | None = None  #: microseconds since 1970, UTC
    speaker: str | None = None
    role: Role = "user"
    asks: bool = False  #: there is a question in it
    wishes: bool = (
        False  #: the user says in it how things should be from then on; of a note, that it is a wish
    )
    question: int = 0  #: of the first piece of a user's question: its wording as a number
    lead: int = 0  #: characters of the text before what was said, which are the day and the speaker

    @property
    def spoken(self) -> str:
        """Return what was said, without the day and the speaker."""
        return self.text[self.lead :]


class ItemText(NamedTuple):
    """What an item's JSON says, in words."""

    text: str
    role: Role


def of_note(
    note: Note,
    owner: int,
    *,
    mask: Callable[[str], str] | None = None,
    standing: Callable[[str], bool] | None = None,
) -> list[Passage]:
    """Return the passages of a note; its keywords are found with it.

    `standing` tells which notes hold in every conversation, whatever it is about.
    """
    text = note.text
    if note.keywords:
        text = f"{text} ({', '.join(note.keywords)})"
    when = note.valid_from or note.created_at
    wish = note.metadata.get("kind") == RULE or (standing is not None and standing(note.text))
    found = _passages(
        "note", owner, 0, mask(text) if mask else text, "", "", microseconds(when), None, "user"
    )
    return [each._replace(wishes=True) for each in found] if wish else found


def of_item(
    item: Item,
    owner: int,
    *,
    mask: Callable[[str], str] | None = None,
    answers: MemoryAnswers | None = None,
) -> list[Passage]:
    """Return the passages of an item, none if it says nothing that may be recalled.

    `answers` follows the log that the item stands in: what memory tools answered is left out.
    """
    at = None if item.at is None else microseconds(item.at)
    return of_entry(Entry(item.seq, item.body, at, item.speaker), owner, mask=mask, answers=answers)


def of_entry(
    entry: Entry,
    owner: int,
    *,
    mask: Callable[[str], str] | None = None,
    answers: MemoryAnswers | None = None,
) -> list[Passage]:
    """Return the passages of an entry as the log has it; the rest is as in `of_item`."""
    seq, body, at, speaker = entry
    plain = as_plain(body)
    if plain is not None:
        words = _of_plain_message(*plain)
    else:
        reading = read(body)
        own = answers.among(reading) if answers is not None and reading is not None else ()
        words = _unread(body) if reading is None else _of_reading(reading, own)
        speaker = speaker or (reading.author if reading is not None else None)
    if words is None:
        return []
    lead = f"{speaker}: " if speaker else ""
    day = "" if at is None else _day(at // _DAY)
    text = mask(words.text) if mask else words.text
    return _passages("item", owner, seq, text, day, lead, at, speaker or None, words.role)


def said_in(body: Mapping[str, Any]) -> ItemText | None:
    """Read the words out of an item's JSON, whichever framework made it; None where there is nothing to recall."""
    reading = read(body)
    return _unread(body) if reading is None else _of_reading(reading)


def _of_plain_message(voice: Voice, text: str) -> ItemText | None:
    """Return what somebody says in a message that has nothing but words."""
    if voice == "system":
        return None
    words = without_context(text)
    if not words or words.isspace() or (voice == "assistant" and is_offline_answer(words)):
        return None
    return ItemText(words, "user" if voice == "user" else "assistant")


def _of_reading(reading: Reading, own: Collection[Ref] = ()) -> ItemText | None:
    """Return what a reader understood: what is said, what tools are asked for, and what they answer.

    What memory itself put there is left out: injected context, calls of its tools with their answers, of which `own`
    names those known to be its, and answers of the offline responder.
    """
    if reading.voice == "system":
        return None
    words = without_context(reading.text)
    if reading.voice == "assistant" and is_offline_answer(words):
        words = ""
    if not reading.calls and not reading.results:  # most items
        text = words
    else:
        asked = (
            f"{call.name} {arguments_text(call.arguments)}"
            for call in reading.calls
            if call.name and call.arguments is not None and not is_memory_call(call)
        )
        outputs = (result.output for result in reading.results if (result.family, result.id) not in own)
        text = join_texts([words, *asked, *outputs])
    if not text.strip():
        return None
    voiced = reading.kind in {"user", "assistant"} and bool(words.strip())
    return ItemText(text, "user" if voiced and reading.voice == "user" else "assistant" if voiced else "tool")


def _unread(body: Mapping[str, Any]) -> ItemText | None:
    """Return the words of a shape that nobody knows, by the names that frameworks give to words."""
    kind, role = _label(body, "type"), _label(body, "role")
    if kind in _UNSEEN_TYPES or role in _UNSEEN_ROLES:
        return None
    text = "\n".join(piece for piece in _pieces(body, 0) if piece)
    if not text.strip():
        return None
    return ItemText(text, "user" if role is None and kind in {None, "message"} else "tool")


def date_in_words(at: datetime) -> str:
    """Write a day the way people speak of it, in the same words everywhere."""
    return _words_of(at.astimezone(UTC))


def _words_of(day: datetime) -> str:
    return f"{day.day} {_MONTHS[day.month - 1]} {day.year}"


@lru_cache(1_024)
def _day(days: int) -> str:
    """Return how the texts of a day begin, by the days since 1970."""
    return f"[{_words_of(_EPOCH + timedelta(days=days))}] "


def microseconds(at: datetime) -> int:
    """Count microseconds since 1970, exactly."""
    return (at - _EPOCH) // _MICROSECOND


def split(text: str) -> list[str]:
    """Cut a long text into pieces of about a hundred words, at the ends of sentences where there are any."""
    return [piece for piece, _ in _weighed(text)]


def _weighed(text: str) -> list[tuple[str, int]]:
    """Return the pieces of a text, and how many words each has."""
    whole = _weight(text)
    if whole <= LONGEST_CHUNK:
        return [(text, whole)]
    pieces: list[str] = []
    held: list[str] = []
    weight = 0
    for sentence, extra in _sentences(text):
        if held and weight + extra > CHUNK_WORDS:
            pieces.append(" ".join(held))
            held, weight = [], 0
        held.append(sentence)
        weight += extra
    rest = " ".join(held)
    if pieces and weight < SHORTEST_CHUNK and _weight(pieces[-1]) + weight <= LONGEST_CHUNK:
        pieces[-1] = f"{pieces[-1]} {rest}"
    elif rest:
        pieces.append(rest)
    return [(piece, _weight(piece)) for piece in pieces]


def _passages(
    kind: PassageKind,
    owner: int,
    seq: int,
    text: str,
    day: str,
    lead: str,
    at: int | None,
    speaker: str | None,
    role: Role,
) -> list[Passage]:
    before = len(day) + len(lead)
    if kind == "note":
        return [
            Passage("note", owner, day + lead + piece, weight, seq, number, at, speaker, role, lead=before)
            for number, (piece, weight) in enumerate(_weighed(text))
        ]
    user = role == "user"
    asked = wording_hash(text) if user and is_question(text) else 0
    return [
        Passage(
            "item",
            owner,
            day + lead + piece,
            weight,
            seq,
            number,
            at,
            speaker,
            role,
            has_question_mark(piece),
            user and is_standing_wish(piece),
            0 if number else asked,
            before,
        )
        for number, (piece, weight) in enumerate(_weighed(text))
    ]


def _sentences(text: str) -> Iterator[tuple[str, int]]:
    """Yield sentences with the number of their words, cutting those that are longer than a passage."""
    for found in _SENTENCE_END.compiled.split(text):
        sentence = found.strip()
        if not sentence:
            continue
        weight = _weight(sentence)
        if weight <= CHUNK_WORDS:
            yield sentence, weight
            continue
        parts = sentence.split()
        if len(parts) * 2 > weight:
            cut = (" ".join(parts[at : at + CHUNK_WORDS]) for at in range(0, len(parts), CHUNK_WORDS))
        else:
            step = len(sentence) * CHUNK_WORDS // weight
            cut = (sentence[at : at + step] for at in range(0, len(sentence), step))
        for part in cut:
            yield part, _weight(part)


def _weight(text: str) -> int:
    """Count words; where there are few spaces (other scripts, data), twelve bytes make one."""
    spaced = len(text.split())
    return (
        max(spaced, len(text) // 12)
        if text.isascii()
        else max(spaced, len(text.encode("utf-8", "replace")) // 12)
    )


def _label(body: Mapping[str, Any], field: str) -> str | None:
    value = body.get(field)
    return value if isinstance(value, str) else None


def _pieces(value: object, depth: int) -> Iterator[str]:
    """Yield the texts of a JSON value in the order they are written, by the names that frameworks give them."""
    if isinstance(value, str):
        if not value.startswith("data:"):
            yield value
    elif depth > _DEEPEST:
        return
    elif isinstance(value, list):
        for part in cast("list[object]", value):
            yield from _pieces(part, depth + 1)
    elif isinstance(value, dict):
        yield from _pieces_of_object(cast("dict[str, object]", value), depth)


def _pieces_of_object(body: dict[str, object], depth: int) -> Iterator[str]:
    if _label(body, "type") in _UNSEEN_TYPES:
        return
    call = body.get("function")
    if isinstance(call, dict):
        yield from _pieces_of_object(cast("dict[str, object]", call), depth + 1)
    arguments = body.get("arguments", body.get("input"))
    name = body.get("name")
    if arguments is not None and isinstance(name, str):
        yield f"{name} {arguments_text(arguments)}"
    for field in ("content", "text", "refusal", "transcript", "output", "tool_calls"):
        yield from _pieces(body.get(field), depth + 1)
    for field in ("caption", "alt", "alt_text"):
        caption = body.get(field)
        if isinstance(caption, str) and caption:
            yield f"(image: {caption})"
