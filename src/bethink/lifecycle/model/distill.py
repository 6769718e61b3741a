"""Distill with a model: each message yields a validated note, a reason for none, or the rules' answer."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, time
from itertools import pairwise
from typing import TYPE_CHECKING, Any, cast

from bethink.errors import BethinkError
from bethink.languages.detection import detect
from bethink.languages.loading import language
from bethink.lifecycle.consolidate.retention import ephemeral
from bethink.lifecycle.distill.clauses import clauses
from bethink.lifecycle.distill.dates import expires_at
from bethink.lifecycle.distill.firewall import Firewall, folded
from bethink.lifecycle.distill.intents import forbids, forgets
from bethink.lifecycle.distill.judging import EXPLICIT, vetoed
from bethink.lifecycle.distill.quotations import own_voice
from bethink.lifecycle.distill.rules import RulesDistiller
from bethink.lifecycle.distill.spoken import voice, words
from bethink.lifecycle.distill.wishes import wish
from bethink.lifecycle.model.json_validation import array, mismatch, record
from bethink.lifecycle.model.model_call import ModelCaller, RequestOptions
from bethink.lifecycle.model.prompt_examples import prompt
from bethink.lifecycle.model.support import (
    UserMessage,
    is_covered,
    language_of,
    trusted_keywords,
    unsupported_part,
)
from bethink.lifecycle.values import Candidate, Distilled, Dropped, ModelUse
from bethink.notes.checks import check_text

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence
    from datetime import date
    from typing import Unpack

    from bethink.lifecycle.engines import Distiller
    from bethink.models.chat import Chat
    from bethink.notes.values import Note
    from bethink.sessions.values import Item

MAX_READ = 6_000  #: tokens of messages in one question
MAX_WRITTEN = 1_500  #: tokens of an answer
MAX_KNOWN = 30  #: notes that the model is told of, so that it does not repeat them
LONGEST_NOTE = 400  #: characters

_KINDS = ("preference", "constraint", "fact", "correction", "rule")
_WHY = ("question", "request", "small talk", "speculation", "about others", "known", "passing")
#: sentences that state nothing, whatever is made of them
_UNSTATED = frozenset({"question", "hypothetical", "hedge", "reported", "quoted", "too_long"})
_ALWAYS_REPORTED = frozenset({"injected", "negated_memory"})
_NOTE = record(
    text={"type": "string"},
    kind={"type": "string", "enum": _KINDS},
    durable={"type": "boolean"},
    keywords=array({"type": "string"}),
    sources=array({"type": "integer"}),
    confidence={"type": "number"},
)
_NOTHING = record(message={"type": "integer"}, why={"type": "string", "enum": _WHY})
SCHEMA = record("memory_notes", notes=array(_NOTE), nothing=array(_NOTHING))


@dataclass(slots=True)
class _Found:
    """What became of the messages that the model was asked about."""

    kept: list[Candidate] = field(default_factory=list[Candidate])
    dropped: list[Dropped] = field(default_factory=list[Dropped])
    passed: set[str] = field(default_factory=set[str])  #: items that say nothing, as the model finds
    refused: Counter[str] = field(default_factory=Counter[str])
    answered: bool = False


class ModelDistiller(ModelCaller):
    """Finds what a user states of themselves, by a chat model whose every note is checked against the messages.

    Args:
        chat: the model.
        rules: reads what the model may not or does not; the default rules of eight languages.
        how: as every engine that asks a model is told (`How`).
    """

    def __init__(self, chat: Chat, *, rules: Distiller | None = None, **how: Unpack[RequestOptions]) -> None:
        super().__init__(chat, **how)
        self._rules = rules or RulesDistiller()

    def distill(
        self,
        items: Sequence[Item],
        *,
        known: Sequence[Note] = (),
        injected: Collection[str] = (),
        today: date | None = None,
    ) -> Distilled:
        """Return the statements worth keeping, and why the others were not."""
        ruled = self._rules.distill(items, known=known, injected=injected, today=today)
        wall = Firewall(known, injected)
        messages = self._messages(items, ruled, wall)
        if not messages:
            return ruled
        found = _Found()
        uses: list[ModelUse] = []
        remarks: list[str] = []
        budget = self._budget
        for part in self._parts(messages):
            asked = self._asking.ask(
                "distill",
                prompt("distill", self._examples),
                self._data(part, known),
                SCHEMA,
                budget=budget,
                most=MAX_WRITTEN,
            )
            uses.append(asked.use)
            budget = budget.after([asked.use])
            if asked.reply is not None:
                found.answered = True
                _take(found, asked.reply, part, wall, today)
                continue
            remarks.append(f"{asked.remark}; rules read the messages")
            if asked.use.fell_back != "refused":
                break  # what cannot be asked now cannot be asked for the next part either
        speakers = {item.id: item.speaker for item in items}
        found.kept = [replace(each, speaker=speakers.get(each.sources[0])) for each in found.kept]
        remarks += [
            f"{count} of the model's notes refused: {reason}; rules read those messages"
            for reason, count in found.refused.items()
        ]
        return self._joined(ruled, found, uses, remarks)

    def _messages(self, items: Sequence[Item], ruled: Distilled, wall: Firewall) -> dict[int, UserMessage]:
        """Return what the user says in their own voice, numbered, without what is not to be remembered."""
        messages = [(item, words(item.body)) for item in items if voice(item.body) == "user"]
        fallback = detect("\n".join(text for _, text in messages))
        taken_back = _taken_back([item.id for item, _ in messages], ruled)
        by_number: dict[int, UserMessage] = {}
        for item, text in messages:
            code = language_of(text, fallback)
            voiced = tuple(_voiced(self._mask(text), code, wall))
            if voiced and item.id not in taken_back:
                by_number[len(by_number) + 1] = UserMessage(
                    item=item.id, sentences=voiced, code=code, at=item.at
                )
        return by_number

    def _parts(self, messages: Mapping[int, UserMessage]) -> Iterator[dict[int, UserMessage]]:
        """Yield messages in parts that a question has room for; one that never has is left to the rules."""
        part: dict[int, UserMessage] = {}
        size = 0
        for number, message in messages.items():
            tokens = self._asking.count_tokens(" ".join(message.sentences))
            if tokens > MAX_READ:
                continue
            if part and size + tokens > MAX_READ:
                yield part
                part, size = {}, 0
            part[number] = message
            size += tokens
        if part:
            yield part

    def _data(self, part: Mapping[int, UserMessage], known: Sequence[Note]) -> dict[str, Any]:
        words = {
            word for message in part.values() for each in message.sentences for word in folded(each).split()
        }
        near = sorted(known, key=lambda note: -len(words.intersection(folded(note.text).split())))
        return {
            "messages": [{"n": n, "text": " ".join(each.sentences)} for n, each in part.items()],
            "known": [self._mask(note.text) for note in near[:MAX_KNOWN]],
        }

    def _joined(
        self, ruled: Distilled, found: _Found, uses: Sequence[ModelUse], remarks: Sequence[str]
    ) -> Distilled:
        """Put the model's notes and those of the rules together, message by message, nothing twice."""
        by_source: dict[str, list[str]] = {}
        for candidate in found.kept:
            for source in candidate.sources:
                by_source.setdefault(source, []).append(candidate.text)
        settled = by_source.keys() | found.passed
        kept: dict[str, Candidate] = {}
        for each in found.kept:
            kept.setdefault(folded(each.text), _lasting(each, ruled))
        for each in ruled.kept:
            if (
                each.source != "user"
                or not found.passed.intersection(each.sources)
                or each.confidence >= EXPLICIT
            ):
                texts = (text for source in each.sources for text in by_source.get(source, ()))
                if not is_covered(each.text, texts):
                    kept.setdefault(folded(each.text), each)
        dropped = [
            each
            for each in ruled.dropped
            if each.reason in _ALWAYS_REPORTED or not settled.intersection(each.sources)
        ]
        fell_back = next((use.fell_back for use in uses if use.fell_back), "refused" if found.refused else "")
        return Distilled(
            kept=tuple(kept.values()),
            dropped=(*found.dropped, *dropped),
            forgets=ruled.forgets,
            engine=self._asking.chat.identity if found.answered else ruled.engine,
            remarks=(*ruled.remarks, *dict.fromkeys(remarks)),
            used=(
                ModelUse(
                    operation="distill",
                    calls=sum(use.calls for use in uses),
                    tokens_in=sum(use.tokens_in for use in uses),
                    tokens_out=sum(use.tokens_out for use in uses),
                    fell_back=fell_back,
                ),
            ),
        )


def _lasting(candidate: Candidate, ruled: Distilled) -> Candidate:
    """Return a candidate as durable where the rules find that it lasts: a model may not make less of it."""
    lasts = (
        not candidate.durable
        and ephemeral(candidate.text) is None
        and any(
            each.durable
            and set(each.sources) & set(candidate.sources)
            and is_covered(each.text, [candidate.text])
            for each in ruled.kept
        )
    )
    return replace(candidate, durable=True, expires_at=None) if lasts else candidate


def _taken_back(items: Sequence[str], ruled: Distilled) -> set[str]:
    """Return the messages that a user does not want remembered: the one that says so, and the one before it."""
    denied = {source for each in ruled.dropped if each.reason == "negated_memory" for source in each.sources}
    return denied | {before for before, after in pairwise(items) if after in denied}


def _voiced(text: str, code: str, wall: Firewall) -> Iterator[str]:
    """Yield the clauses that may state something of their author."""
    language_data = language(code)
    for part, reason in own_voice(text):
        own = clauses(part, language_data) if reason is None else []
        for place, clause in enumerate(own):
            asked = forgets(clause, own[:place], language_data)
            if wall.reason(clause.said) or forbids(clause, language_data) or asked:
                continue
            if wish(clause, language_data) == "standing" or vetoed(clause, language_data) not in _UNSTATED:
                yield f"{clause.said}{'.' if language_data.spaced else '。'}"


def _take(
    found: _Found,
    reply: Mapping[str, Any],
    part: Mapping[int, UserMessage],
    wall: Firewall,
    today: date | None,
) -> None:
    """Check an answer, note by note, so that one bad note spoils no other."""
    cited: set[int] = set()
    for plain in reply["notes"]:
        made = _note(plain, part, wall, today)
        numbers = _numbers(plain, part)
        cited.update(numbers)
        sources = tuple(part[number].item for number in numbers)
        if isinstance(made, Candidate):
            found.kept.append(made)
        elif made == "known":
            found.passed.update(sources)
            found.dropped.append(Dropped(reason=made, sources=sources))
        else:
            found.refused[made] += 1
            found.dropped.append(Dropped(reason=f"refused: {made}", sources=sources))
    for plain in reply["nothing"]:
        if mismatch(plain, _NOTHING) is None and plain["message"] in part and plain["message"] not in cited:
            message = part[plain["message"]]
            found.passed.add(message.item)
            found.dropped.append(Dropped(reason=plain["why"].replace(" ", "_"), sources=(message.item,)))


def _numbers(plain: Any, part: Mapping[int, UserMessage]) -> list[int]:
    """Return the messages that a note names, as far as there are such."""
    named = cast("dict[str, Any]", plain).get("sources") if isinstance(plain, dict) else None
    listed = cast("list[Any]", named) if isinstance(named, list) else []
    whole = [each for each in listed if isinstance(each, int) and not isinstance(each, bool)]
    return [each for each in dict.fromkeys(whole) if each in part]


def _note(plain: Any, part: Mapping[int, UserMessage], wall: Firewall, today: date | None) -> Candidate | str:
    """Return a note that its messages bear out, or why it is none."""
    wrong = mismatch(plain, _NOTE, "note") or _uncited(plain["sources"], part)
    if wrong is not None:
        return wrong
    try:
        text = check_text(" ".join(plain["text"].split()), most=LONGEST_NOTE)
    except BethinkError:
        return "its text is empty, too long, or cannot be stored"
    if wall.reason(text) is not None:
        return "known"
    cited = [part[number] for number in dict.fromkeys(plain["sources"])]
    stated_at = max((each.at for each in cited if each.at is not None), default=None)
    reason = unsupported_part(text, cited, now=stated_at or datetime.combine(today or _EPOCH, time(), UTC))
    return reason or _candidate(plain, text, cited, stated_at.date() if stated_at and today else today)


def _uncited(numbers: Sequence[int], part: Mapping[int, UserMessage]) -> str | None:
    if not numbers:
        return "no source is cited"
    return None if all(each in part for each in numbers) else "a source that is cited does not exist"


def _candidate(
    plain: Mapping[str, Any], text: str, cited: Sequence[UserMessage], day: date | None
) -> Candidate:
    durable = plain["durable"] and ephemeral(text) is None
    return Candidate(
        text=text,
        kind=plain["kind"],
        keywords=trusted_keywords(plain["keywords"], cited) or (plain["kind"],),
        durable=durable,
        language=cited[0].code,
        source="user",
        sources=tuple(each.item for each in cited),
        confidence=min(1.0, max(0.0, float(plain["confidence"]))),
        expires_at=None if durable else _expires_at(text, cited[0].code, day),
    )


def _expires_at(text: str, code: str, day: date | None) -> datetime | None:
    language_data = language(code)
    return expires_at(language_data.words(text), language_data, day)


_EPOCH = datetime(1970, 1, 1, tzinfo=UTC).date()
