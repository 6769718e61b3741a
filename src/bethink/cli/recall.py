"""Find what answers a question."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bethink.cli import views
from bethink.cli.instants import instant
from bethink.cli.json_options import json_object
from bethink.cli.options import add

if TYPE_CHECKING:
    from bethink.cli.command_context import Desk


class Role(StrEnum):
    """Who said an item."""

    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"


class Kind(StrEnum):
    """What can be found."""

    NOTE = "note"
    ITEM = "item"


Kinds = Annotated[
    list[Kind] | None, typer.Option("--kind", help="note or item; may be repeated. Both unless one is named.")
]
Categories = Annotated[
    list[str] | None, typer.Option("--category", help="Notes of this category; may be repeated.")
]
Sessions = Annotated[
    list[str] | None, typer.Option("--session", help="Items of this session alone; may be repeated.")
]
Since = Annotated[str | None, typer.Option("--since", help="What was said or holds from then on, ISO 8601.")]
Until = Annotated[str | None, typer.Option("--until", help="And before then.")]


def recall(
    desk: Desk,
    query: Annotated[str, typer.Argument(help="A question, or words that it is about.")],
    *,
    limit: Annotated[int, typer.Option("--limit", "-n", help="How many at most.")] = 10,
    kind: Kinds = None,
    category: Categories = None,
    where: Annotated[
        str | None, typer.Option(help='Notes with this metadata: \'{"stars": {"$gte": 4}}\'.')
    ] = None,
    session: Sessions = None,
    role: Annotated[
        list[Role] | None, typer.Option(help="What user, assistant or tool said; may be repeated.")
    ] = None,
    since: Since = None,
    until: Until = None,
    as_of: Annotated[str | None, typer.Option(help="As things stood then, ISO 8601.")] = None,
    explain: Annotated[bool, typer.Option("--explain", help="Say what each score is made of.")] = False,
    exchanges: Annotated[
        bool, typer.Option("--exchanges", help="Show the reply to a message, or what a reply answers, too.")
    ] = False,
    why_not: Annotated[
        str | None, typer.Option(metavar="ID", help="Say where this note or item was lost on the way.")
    ] = None,
) -> None:
    """Find the notes and conversation items that answer a question, best first."""
    kinds = [each.value for each in kind or Kind]
    filters: dict[str, Any] = {
        "limit": limit,
        "kinds": kinds,
        "category": category,
        "where": json_object(where, "where"),
        "session": session,
        "roles": [each.value for each in role] if role else None,
        "since": instant(since, "since"),
        "until": instant(until, "until"),
    }
    if why_not is not None:
        lost = desk.scope.why_not(query, why_not, **filters)
        desk.show(lost, views.why_not)
        return
    found = desk.scope.recall(query, **filters, as_of=instant(as_of, "as-of"), explain=explain)
    desk.show(found, lambda answer: views.recall(answer, explain=explain, exchanges=exchanges))


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    add(app, recall)
