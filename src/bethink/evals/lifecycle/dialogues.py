"""Measure distillation on recorded dialogues: MemoryBank by our labels, LoCoMo by its observations.

The files are given; of MemoryBank (Zhong et al. 2023) only the labels are here, two a sentence, by two people who
wrote no rule. LoCoMo (Maharana et al. 2024) names the turns that say something lasting of a speaker. Its turns are
long: what keeps every turn of 28 words or more is measured beside, as the floor to be better than.
"""

from __future__ import annotations

import json
import re
from contextlib import contextmanager
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final

from bethink.errors import InvalidError
from bethink.evals.dataset_files import read_json
from bethink.evals.lifecycle.text_checks import covers
from bethink.evals.lifecycle.values import Check, SuiteResult

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
    from pathlib import Path

    from bethink.lifecycle.values import Candidate
    from bethink.sync import Memory, Scope

LONG_TURN: Final = 28  #: words
_SENTENCE: Final = re.compile(r"(?<=[.!?])[\"'”’)]*\s+|(?<=[。！？!?])[\"”’）]*")
_OBSERVED: Final = re.compile(r"D\d+:\d+")


def sentences(text: str) -> list[str]:
    """Return the sentences of a text, as the labels count them."""
    return [part.strip() for part in _SENTENCE.split(text) if part and part.strip()]


def labels() -> dict[str, tuple[str, str]]:
    """Return both labels of each sentence of MemoryBank's users: L lasting, W for a while, N nothing."""
    text = (files("bethink.evals.lifecycle") / "data" / "memorybank_labels.tsv").read_text("utf-8")
    rows = (line.split("\t") for line in text.splitlines())
    return {key: (one, other) for key, one, other in rows}


def check_memorybank(
    memory: Memory, path: Path, *, done: Callable[[int], None] = lambda _: None
) -> SuiteResult:
    """Say each day of each user, and compare what is kept with the labels; sentences labelled unlike are left out.

    So are sentences without labels: those of other users of the data set.

    Raises:
        InvalidError: the file cannot be read, is not MemoryBank's, or no sentence of it has labels.
    """
    known, checks, labelled = labels(), list[Check](), 0
    plain = read_json(path)
    with _shaped(path, "MemoryBank"):
        for language, users in plain.items():
            for user, kept in users.items():
                scope = memory.scope(agent="memorybank", user=" ".join(f"{language} {user}".split()))
                for day, turns in kept["history"].items():
                    pairs = [_pair(turn["query"], turn["response"]) for turn in turns]
                    texts = _distilled(scope, day, [item for pair in pairs for item in pair])
                    for number, turn in enumerate(turns):
                        for place, sentence in enumerate(sentences(turn["query"])):
                            both = known.get(f"{language}|{user}|{day}|{number}|{place}")
                            labelled += both is not None
                            if both and both[0] == both[1]:
                                checks += sentence_checks(
                                    f"{user} {day} {number}", language, sentence, both[0], texts
                                )
                done(1)
    if not labelled:
        raise InvalidError(
            f"{path} contains none of the users whose sentences were labelled", argument="path"
        )
    return SuiteResult(checks=tuple(checks))


def sentence_checks(
    case: str, language: str, sentence: str, label: str, kept: Sequence[Candidate]
) -> Iterator[Check]:
    """Compare what was kept of a sentence with its label."""
    taken = [each for each in kept if each.durable and _within(each.text, sentence)]

    def check(metric: str, right: bool, wanted: str) -> Check:
        return Check(
            metric=metric,
            case=case,
            group=language,
            value=float(right),
            wanted=wanted,
            got="; ".join(each.text for each in taken),
        )

    if label == "L":
        yield check("memorybank.recall", bool(taken), sentence)
    core = [each for each in taken if each.salience == "core"]
    if core:
        yield check("memorybank.core_precision", label == "L", f"{label}: {sentence}")
    if taken:
        yield check(
            "memorybank.precision", label == "L" or (label == "W" and not core), f"{label}: {sentence}"
        )


def _within(text: str, sentence: str) -> bool:
    squeezed = re.sub(r"[\W_]+", "", text).casefold()
    return squeezed in re.sub(r"[\W_]+", "", sentence).casefold() or covers(text, sentence)


def check_locomo(memory: Memory, path: Path, *, done: Callable[[int], None] = lambda _: None) -> SuiteResult:
    """Say each session of LoCoMo from both sides, and compare the turns that notes came from with the observations.

    Raises:
        InvalidError: the file cannot be read, or is not LoCoMo's.
    """
    checks: list[Check] = []
    plain = read_json(path)
    with _shaped(path, "LoCoMo"):
        for number, sample in enumerate(plain):
            checks += _conversation(memory, number, sample["conversation"], _gold(sample["observation"]))
            done(1)
    return SuiteResult(checks=tuple(checks))


def _gold(observation: Mapping[str, Any]) -> set[str]:
    return set(_OBSERVED.findall(json.dumps(observation)))


def _conversation(memory: Memory, number: int, talk: Mapping[str, Any], gold: set[str]) -> Iterator[Check]:
    names = (key for key in talk if re.fullmatch(r"session_\d+", key))
    for name in sorted(names, key=lambda key: int(key.removeprefix("session_"))):
        for speaker in (talk["speaker_a"], talk["speaker_b"]):
            scope = memory.scope(agent="observed", user=f"{number} {speaker}")
            items = [
                {"role": "user" if turn["speaker"] == speaker else "assistant", "content": turn["text"]}
                for turn in talk[name]
            ]
            kept = _by_item(scope, name, items)
            for place, turn in enumerate(talk[name]):
                if turn["speaker"] == speaker:
                    yield from _turn(turn, turn["dia_id"] in gold, kept.get(place, 0))


def _turn(turn: Mapping[str, Any], gold: bool, kept: int) -> Iterator[Check]:
    case, long = turn["dia_id"], len(turn["text"].split()) >= LONG_TURN
    if gold:
        yield Check(metric="observed.recall", case=case, value=float(kept > 0), wanted=turn["text"])
        yield Check(metric="observed.floor_recall", case=case, value=float(long))
    if kept:
        yield Check(
            metric="observed.precision", case=case, value=float(gold), wanted=f"nothing of: {turn['text']}"
        )
        yield Check(metric="observed.clauses", case=case, value=float(kept))
    if long:
        yield Check(metric="observed.floor_precision", case=case, value=float(gold))


def _distilled(scope: Scope, session: str, items: list[dict[str, Any]]) -> Sequence[Candidate]:
    scope.session(session).append(items)
    return scope.distill(session).kept


def _by_item(scope: Scope, session: str, items: list[dict[str, Any]]) -> dict[int, int]:
    """Return how many lasting notes each item of a session gave, by its place."""
    kept = _distilled(scope, session, items)
    places = {item.id: place for place, item in enumerate(scope.session(session).items(limit=1000))}
    found: dict[int, int] = {}
    for each in kept:
        if each.durable and each.source == "user":
            place = places[each.sources[0]]
            found[place] = found.get(place, 0) + 1
    return found


def _pair(question: str, reply: str) -> tuple[dict[str, Any], dict[str, Any]]:
    return {"role": "user", "content": question}, {"role": "assistant", "content": reply}


@contextmanager
def _shaped(path: Path, name: str) -> Generator[None]:
    """Say of a file that is not of the data set that it is not.

    Raises:
        InvalidError: something in it is missing, or in another form.
    """
    try:
        yield
    except (AttributeError, KeyError, TypeError) as error:
        raise InvalidError(
            f"{path} is not a valid {name} file: {type(error).__name__} {error}", argument="path"
        ) from error
