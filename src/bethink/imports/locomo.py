"""Read LoCoMo conversations as entries: a conversation becomes a user, its sessions become sessions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bethink.imports.values import Entry

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bethink.evals.cases import Conversation


def entries(conversations: Iterable[Conversation], *, user: str | None = None) -> Iterator[Entry]:
    """Return every turn. With one `user` for all of them, sessions are told apart by their conversation."""
    line = 0
    for conversation in conversations:
        for turn in conversation.turns:
            line += 1
            yield Entry(
                line=line,
                body=turn.item.body,
                session=turn.session if user is None else f"{conversation.id}-{turn.session}",
                at=turn.item.at,
                speaker=turn.item.speaker,
                user=user or conversation.id,
            )
