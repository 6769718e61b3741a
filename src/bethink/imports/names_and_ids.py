"""What several readers need: names of sessions, ids of facts, statements of a Markdown text."""

from __future__ import annotations

import json
import re
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, Final, cast

from bethink.imports.values import Malformed, Skipped
from bethink.scope.labels import LABEL_BYTES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bethink.imports.streams import Blob

_BAD: Final = re.compile(r"[\x00-\x1f\x7f\ud800-\udfff\u2028\u2029]")
_HEADING: Final = re.compile(r"#{1,6}\s+(.*)")
_BULLET: Final = re.compile(r"\s*(?:[-*+•]|\d+[.)])\s+(.*)")
_TASK: Final = re.compile(r"\[[ xX-]\]\s")
_LINK: Final = re.compile(r"!?\[\[([^\]|]+)(?:\|([^\]]+))?\]\]")
_COMMENT: Final = re.compile(r"%%.*?%%|<!--.*?-->", re.DOTALL)
LONGEST_FACT: Final = 4_000  #: characters of a statement


def session_name(*parts: str) -> str:
    """Build a session name from another system's ids; a name that is too long is truncated."""
    text = _BAD.sub("", "-".join(part for part in parts if part)) or "import"
    if len(text.encode()) <= LABEL_BYTES:
        return text
    return text.encode()[: LABEL_BYTES - 17].decode("utf-8", "ignore") + "-" + text_digest(text)[:16]


def text_digest(*parts: str) -> str:
    """Return a short digest of texts."""
    return blake2b("\x1f".join(parts).encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()


def speaker_name(text: Any) -> str | None:
    """Return a name as it may stand beside an item."""
    plain = _BAD.sub("", text).strip() if isinstance(text, str) else ""
    return plain.encode()[:LABEL_BYTES].decode("utf-8", "ignore") or None


def markdown_statements(markdown: str) -> Iterator[tuple[str, str]]:
    """Yield the statements of a Markdown text, each with the heading that it stands under.

    A bullet is a statement, and so is a paragraph; code, tasks and comments are none.
    """
    heading, held, fenced = "", list[str](), False
    for raw in [*_COMMENT.sub("", markdown).splitlines(), ""]:
        line = raw.rstrip()
        if line.lstrip().startswith(("```", "~~~")):
            fenced = not fenced
            continue
        if fenced:
            continue
        title, bullet = _HEADING.fullmatch(line.strip()), _BULLET.fullmatch(line)
        if held and (not line.strip() or title or bullet):
            yield from _cut(without_links(" ".join(held)), heading)
            held = []
        if title:
            heading = without_links(title[1]).strip()
        elif bullet:
            held = [] if _TASK.match(bullet[1]) else [bullet[1]]
        elif line.strip() and not set(line.strip()) <= {"-", "=", "*", "_"}:
            held.append(line.strip())


def _cut(text: str, heading: str) -> Iterator[tuple[str, str]]:
    while len(text) > LONGEST_FACT:
        at = max(text.rfind(". ", 0, LONGEST_FACT), text.rfind(" ", 0, LONGEST_FACT), LONGEST_FACT // 2)
        yield text[: at + 1].strip(), heading
        text = text[at + 1 :]
    if text.strip():
        yield text.strip(), heading


def without_links(text: str) -> str:
    """Return a text with its links as words."""
    return _LINK.sub(lambda found: found[2] or found[1].partition("#")[0] or found[1], text)


def objects_of_lines(blob: Blob) -> Iterator[tuple[int, dict[str, Any] | Malformed]]:
    """Yield the objects of JSONL; several on one line, and a last line that is cut, are borne."""
    from bethink.imports.streams import numbered_lines

    decoder = json.JSONDecoder()
    for number, line in numbered_lines(blob):
        try:
            text = line.decode("utf-8").strip()
        except UnicodeDecodeError as error:
            yield (
                number,
                Malformed(line=number, reason=f"not valid UTF-8: see byte {error.start + 1}", file=blob.name),
            )
            continue
        at = 0
        while at < len(text):
            try:
                value, at = decoder.raw_decode(text, at)
            except (ValueError, RecursionError) as error:
                problem = getattr(error, "msg", "nested too deeply")
                yield number, Malformed(line=number, reason=f"not valid JSON: {problem}", file=blob.name)
                break
            if isinstance(value, dict):
                yield number, cast("dict[str, Any]", value)
            else:
                yield number, Malformed(line=number, reason="it is not a JSON object", file=blob.name)
            while at < len(text) and text[at] in " \t,":
                at += 1


def skipped_counts(counted: dict[str, int]) -> Iterator[Skipped]:
    """Yield what was counted as left out."""
    for reason, count in counted.items():
        yield Skipped(reason=reason, count=count)
