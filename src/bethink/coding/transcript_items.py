"""Convert the lines of a transcript into items: messages, tool calls and results, with long outputs truncated."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast

from bethink.coding.events import MAX_OF_AN_OUTPUT, truncated_middle
from bethink.sessions.readers.registry import read

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from datetime import datetime

    from bethink.imports.values import Entry
    from bethink.sessions.readers.values import Reading

MAX_OF_A_TEXT: Final = 20_000  #: characters of one message
MAX_OF_ARGUMENTS: Final = 1_000  #: characters of one argument of a call
MARGIN: Final = 4_000  #: characters beside a cut that are looked through for secrets, which are shorter
#: what a hook of ours told the agent: it is never learned again
_OURS: Final = re.compile(r"<bethink_memory\b.*?</bethink_memory>\s*", re.DOTALL)
#: how a user says that something is not to be kept, in the languages that we claim
_NEVER: Final = re.compile(
    r"""\b(?:never|don(?:'|’)?t|do\ not)\ (?:ever\ )?(?:remember|memori[sz]e|record|store|save\ to\ memory|keep)
      \ (?:this|that|any\ of\ this)\b
    |\b(?:off\ the\ record|keep\ this\ out\ of\ (?:your\ )?memory|forget\ (?:this|that)\ conversation)\b
    |\b(?:merk(?:e)?\ dir\ das\ nicht|nicht\ merken|vergiss\ das\ gleich\ wieder)\b
    |\b(?:ne\ (?:retiens|mémorise|garde)\ pas\ (?:ça|ceci|cela))\b
    |\b(?:no\ (?:recuerdes|guardes|memorices)\ esto)\b
    |(?:これは覚えないで|記憶しないで|不要记住|别记住)""",
    re.IGNORECASE | re.VERBOSE,
)


class TranscriptItem(NamedTuple):
    """An item that is ready to be appended."""

    key: str
    body: dict[str, Any]
    at: datetime | None


def asks_not_to_remember(text: str) -> bool:
    """Tell whether a message says that it is not to be remembered."""
    return _NEVER.search(text[:MAX_OF_A_TEXT]) is not None


class TurnFilter:
    """Goes through entries, and leaves out the turns that the user does not want to be remembered."""

    def __init__(self, mask: Callable[[str], str], *, skipping: bool = False) -> None:
        self._mask = mask
        self.skipping = skipping  #: whether the turn that is going on is left out
        self.left = 0

    def items(self, entries: Iterable[Entry]) -> Iterator[TranscriptItem]:
        """Yield the items of entries, in their order."""
        for entry in entries:
            reading = read(entry.body)
            if reading is None or reading.kind in {"system", "reasoning", "other"}:
                continue
            if reading.kind == "user" and reading.text and not reading.results:
                self.skipping = asks_not_to_remember(reading.text)
            if self.skipping:
                self.left += 1
                continue
            for number, body in enumerate(self._bodies(reading, entry.body)):
                key = entry.key or f"line-{entry.line}"
                yield TranscriptItem(key if number == 0 else f"{key}:{number}", body, entry.at)

    def _bodies(self, reading: Reading, line: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
        text = _OURS.sub("", reading.text).strip()
        if text and reading.voice in {"user", "assistant"}:
            yield {"role": reading.voice, "content": self._trimmed(text, MAX_OF_A_TEXT)}
        for call in reading.calls:
            yield {
                "type": "function_call",
                "call_id": call.id,
                "name": call.name,
                "arguments": self._arguments(call.arguments),
            }
        failed = _failed(line)
        for result in reading.results:
            status = "incomplete" if result.id in failed else "completed"
            output = self._trimmed(result.output, MAX_OF_AN_OUTPUT)
            yield {"type": "function_call_output", "call_id": result.id, "output": output, "status": status}

    def _trimmed(self, text: str, most: int) -> str:
        """Mask a text and leave out its middle; a secret that the cut would go through is masked before it."""
        if len(text) <= most + 2 * MARGIN:
            return truncated_middle(self._mask(text), most)
        half = most // 2
        head, tail = self._mask(text[: half + MARGIN])[:half], self._mask(text[-half - MARGIN :])[-half:]
        return f"{head}\n[… {len(text) - most} characters left out …]\n{tail}"

    def _arguments(self, given: Any) -> str:
        try:
            found: Any = json.loads(given) if isinstance(given, str) else given
        except (ValueError, RecursionError):
            found = {"input": given}
        members = cast("dict[str, Any]", found) if isinstance(found, dict) else {"input": found}
        return json.dumps({key: self._argument(value) for key, value in members.items()}, ensure_ascii=False)

    def _argument(self, value: Any) -> Any:
        if isinstance(value, str):
            return self._trimmed(value, MAX_OF_ARGUMENTS)
        if isinstance(value, int | float | bool) or value is None:
            return value
        if isinstance(value, list) and all(isinstance(each, str) for each in cast("list[Any]", value)):
            return [self._trimmed(each, MAX_OF_ARGUMENTS) for each in cast("list[str]", value)]
        return self._trimmed(json.dumps(value, ensure_ascii=False), MAX_OF_ARGUMENTS)


def _failed(line: Mapping[str, Any]) -> set[str]:
    """Return the calls whose results a line says to be errors."""
    inner = line.get("message")
    content = cast("dict[str, Any]", inner).get("content") if isinstance(inner, dict) else None
    found: set[str] = set()
    for each in cast("list[Any]", content) if isinstance(content, list) else []:
        if isinstance(each, dict) and cast("dict[str, Any]", each).get("is_error") is True:
            found.add(str(cast("dict[str, Any]", each).get("tool_use_id")))
    return found
