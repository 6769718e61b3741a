"""The tool with which a personal agent stages what its user says about themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bethink.errors import RefusedError
from bethink.notes.values import CONVERSATION
from bethink.tools.schemas import argument_description, arguments, describe, text, words
from bethink.tools.values import Tool

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bethink.tools.values import Reach

MAX_KEYWORDS = 3

SAVE = """Only notes about the user are stored; what proves lasting is kept for good later.

Call it only for what is durable or marked as for this time ("This trip only: …"), changes what you would recommend,
and was said or confirmed by the user. Write one or two short sentences as a statement ("Prefers aisle seats."), with
one to three lowercase topic words. Never save guesses, rules for yourself, secrets, payment data, identity numbers,
codes or addresses. The answer is metadata: do not mention it."""


async def _save(reach: Reach, given: Mapping[str, Any]) -> dict[str, Any]:
    keywords = [word.strip().lower() for word in given["keywords"] if isinstance(word, str) and word.strip()]
    try:
        await reach.scope.propose(
            given["text"].strip(),
            session=reach.session,
            category=CONVERSATION,
            keywords=keywords[:MAX_KEYWORDS],
            family="notes",
            door=reach.door,
        )
    except RefusedError as error:
        return {"ok": False, "reason": list(error.verdict.reasons)}
    return {"ok": True}


TOOLS = (
    Tool(
        name="save_memory_note",
        family="notes",
        effect="adds",
        verb="session.remember",
        description=describe("session.remember", SAVE),
        parameters=arguments(
            text=text(argument_description("session.remember", "text", "A statement about the user.")),
            keywords=words(
                argument_description(
                    "session.remember", "keywords", "One to three lowercase words that name the topic."
                )
            ),
        ),
        act=_save,
        answers={
            "type": "object",
            "properties": {
                "ok": {"type": "boolean"},
                "reason": {"type": "array", "items": {"type": "string"}},
            },
            "required": ["ok"],
        },
    ),
)
