"""Find what users said in their own words in a session: without quotations, pasted material or tool output."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from bethink.languages.detection import UNKNOWN, detect
from bethink.languages.loading import language
from bethink.lifecycle.distill.clauses import sentences, tidy
from bethink.lifecycle.distill.quotations import is_long, own_voice, quotations
from bethink.lifecycle.distill.rules import question_of
from bethink.lifecycle.distill.spoken import voice, words
from bethink.sessions.values import is_foreign

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from bethink.languages.loading import Language

MAX_TYPED: Final = (
    1_000  #: characters of a message of several paragraphs; of a longer one the first alone is typed
)


@dataclass(frozen=True, slots=True, kw_only=True)
class LogEntry:
    """One entry of a log, as coverage reads it."""

    id: str  #: of the item; empty where it is not stored yet
    body: Mapping[str, Any]
    origin: str = "chat"
    speaker: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnMessage:
    """What a user said in one message."""

    item: str
    sentences: tuple[str, ...]
    asked: str = ""  #: the question of the assistant that it answers
    code: str = "en"  #: its language


def own_words(log: Iterable[LogEntry], user: str | None = None) -> list[OwnMessage]:
    """Return what the user of a session said, message by message, the oldest first."""
    entries = list(log)
    whose = _whose(entries, user)
    found: list[OwnMessage] = []
    asked, fallback = "", "en"
    for each in entries:
        who = voice(each.body)
        if who == "assistant":
            asked = question_of(words(each.body)) or asked
        elif who == "user":
            text = "" if is_foreign(each.origin) or each.speaker not in whose else words(each.body)
            code = detect(text, fallback)
            sentences = _own(text, language("en" if code == UNKNOWN else code))
            if sentences:
                fallback = code if code != UNKNOWN else fallback
                found.append(OwnMessage(item=each.id, sentences=tuple(sentences), asked=asked, code=fallback))
            asked = ""
    return found


def is_all_typed(text: str) -> bool:
    """Tell whether a message is nothing but its author's own words: no quotation, no paste, nothing handed over."""
    language_data = language("en" if (code := detect(text, "en")) == UNKNOWN else code)
    if len(text) > MAX_TYPED or any(reason is not None for _, reason in own_voice(text)):
        return False
    if any(is_long(text[start + 1 : end - 1]) for start, end in quotations(text)):
        return False
    return not language_data.phrases("vetoes", "material").within(language_data.words(text))


def _whose(log: Sequence[LogEntry], user: str | None) -> set[str | None]:
    """Return the speakers whose words are the user's: of several it is the one who has the user's name."""
    named = {each.speaker for each in log if each.speaker is not None and voice(each.body) == "user"}
    own = named_as(named, user)
    return {None, *(own or (named if len(named) == 1 else ()))}


def named_as(speakers: Iterable[str], user: str | None) -> set[str]:
    """Return the speakers who have the user's name."""
    return {each for each in speakers if user is not None and each.casefold() == user.casefold()}


def _own(text: str, language_data: Language) -> list[str]:
    """Return the sentences of a message that are its author's own, up to where material is handed over."""
    material = language_data.phrases("vetoes", "material")
    found: list[str] = []
    for part, reason in own_voice(text):
        if reason is not None:
            continue
        paragraphs = [each for each in tidy(part).strip().split("\n\n") if each.strip()]
        if len(part) > MAX_TYPED or (
            len(paragraphs) > 1 and material.within(language_data.words(paragraphs[0]))
        ):
            paragraphs = paragraphs[:1] if len(paragraphs) > 1 else paragraphs
        for paragraph in paragraphs:
            for _, sentence in sentences(paragraph, language_data):
                opening = sentence.replace("：", ":").partition(":")
                if opening[1] and material.within(language_data.words(opening[0])):
                    return found
                found.append(_unquoted(sentence))
    return [each for each in found if each.strip()]


def _unquoted(sentence: str) -> str:
    """Return a sentence without what stands in it as somebody else's words."""
    for start, end in reversed(quotations(sentence)):
        if is_long(sentence[start + 1 : end - 1]):
            sentence = f"{sentence[:start]} {sentence[end:]}"
    return sentence
