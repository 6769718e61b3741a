"""The options that say who answers in chats, and how long a turn may take."""

from __future__ import annotations

from typing import Annotated

import typer

_PANEL = "Model"

Model = Annotated[
    str | None,
    typer.Option(
        "--model",
        help="The chat model, if the spec names none; without one, the offline responder answers.",
        rich_help_panel=_PANEL,
    ),
]
ModelUrl = Annotated[
    str | None,
    typer.Option(
        "--model-url",
        metavar="URL",
        help="The OpenAI-compatible endpoint, such as http://localhost:8080/v1; its key is BETHINK_MODEL_KEY.",
        rich_help_panel=_PANEL,
    ),
]
Queue = Annotated[
    int,
    typer.Option(
        "--queue",
        min=0,
        help="Maximum number of turns that may wait for one session.",
        rich_help_panel=_PANEL,
    ),
]
QueueSeconds = Annotated[
    float,
    typer.Option(
        "--queue-seconds",
        min=0,
        help="Maximum time that a turn waits for earlier ones.",
        rich_help_panel=_PANEL,
    ),
]
TurnSeconds = Annotated[
    float, typer.Option("--turn-seconds", min=0.1, help="Maximum time of a turn.", rich_help_panel=_PANEL)
]
