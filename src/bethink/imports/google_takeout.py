"""Read Gemini activities from Google Takeout: newest first, without ids or conversations."""

from __future__ import annotations

import html
import re
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final

from bethink.imports import names_and_ids
from bethink.imports.values import Entry, Skipped
from bethink.sessions.readers.parts import instant, objects, text_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bethink.imports.streams import Blob
    from bethink.imports.values import Read

_PROMPTED: Final = re.compile(
    r"(?:Prompted|Asked|Said|Eingegeben|Frage|Demande|Pregunta)\s*:?\s+", re.IGNORECASE
)
_NOT_PROMPTED: Final = ("Created", "Used", "Gave feedback", "Selected")
_PAUSE: Final = timedelta(
    minutes=30
)  #: a longer silence begins another session: a guess, for nothing says so
_TAG: Final = re.compile(r"<(?:br|/p|/li|/h\d|/tr)[^>]*>")
_ANY: Final = re.compile(r"<[^>]+>")


def is_takeout(one: dict[str, Any]) -> bool:
    """Tell whether an object is an activity."""
    return "header" in one and "title" in one and "time" in one


def read_all(activities: Iterator[tuple[int, dict[str, Any]]], blob: Blob) -> Iterator[Read]:
    """Read activities: each is a prompt with its answer; they are put in the order of time."""
    held = [(instant(one.get("time")) or blob.modified, number, one) for number, one in activities]
    held.sort(key=lambda each: (each[0] is not None, each[0]))
    session, last = "", None
    for at, number, one in held:
        title = text_of(one, "title")
        answers = [text_of(each, "html") for each in objects(one.get("safeHtmlItem"))]
        found = _PROMPTED.match(title)
        if title.startswith(_NOT_PROMPTED) or (found is None and not answers):
            yield Skipped(reason="an activity that is not a prompt")
            continue
        prompt = title[found.end() :] if found else title.partition(" ")[2] or title
        if last is None or at is None or at - last > _PAUSE:
            session = names_and_ids.session_name(
                "gemini",
                at.strftime("%Y-%m-%d-%H%M") if at else "undated",
                names_and_ids.text_digest(title)[:6],
            )
        last = at
        key = names_and_ids.text_digest(text_of(one, "time"), title)
        yield Entry(line=number, body={"role": "user", "content": prompt}, session=session, at=at, key=key)
        if answers and (text := _text(answers[0])):
            body = {"role": "assistant", "content": text}
            yield Entry(line=number, body=body, session=session, at=at, key=f"{key}-a")
        if len(answers) > 1:
            yield Skipped(reason="another draft of an answer", count=len(answers) - 1)


def _text(markup: str) -> str:
    return html.unescape(_ANY.sub("", _TAG.sub("\n", markup))).strip()
