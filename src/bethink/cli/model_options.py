"""The options that say who answers in chats, and how long a turn may take."""

from __future__ import annotations

from typing import Annotated

import typer

_PANEL = "Who answers"

Model = Annotated[
    str | None,
    typer.Option(
        "--model",
        help="The model that answers, where a spec names none; the offline responder without one.",
        rich_help_panel=_PANEL,
    ),
]
ModelUrl = Annotated[
    str | None,
    typer.Option(
        "--model-url",
        metavar="URL",
        help="Its OpenAI-compatible endpoint, such as http://localhost:8080/v1; its key is BETHINK_MODEL_KEY.",
        rich_help_panel=_PANEL,
    ),
]
Queue = Annotated[
    int, typer.Option("--queue", min=0, help="Turns that may wait for one session.", rich_help_panel=_PANEL)
]
QueueSeconds = Annotated[
    float,
    typer.Option(
        "--queue-seconds", min=0, help="That a turn waits for those before it.", rich_help_panel=_PANEL
    ),
]
TurnSeconds = Annotated[
    float, typer.Option("--turn-seconds", min=0.1, help="That a turn may take.", rich_help_panel=_PANEL)
]
