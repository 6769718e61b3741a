"""The options that all commands share, and how a command comes by them."""

from __future__ import annotations

import inspect
import sys
from typing import TYPE_CHECKING, Annotated, Any, Concatenate, ParamSpec, get_type_hints

import typer

from bethink.cli.command_context import Desk
from bethink.errors import BethinkError

if TYPE_CHECKING:
    from collections.abc import Callable

P = ParamSpec("P")
_PANEL = "Which memory"


def shared(
    *,
    db: Annotated[
        str | None,
        typer.Option(
            "--db",
            metavar="PATH|URL",
            help="The database: a path, sqlite:///… or postgresql://… (else BETHINK_DB, else memory.db)",
            rich_help_panel=_PANEL,
            show_default=False,
        ),
    ] = None,
    tenant: Annotated[
        str, typer.Option("--tenant", help="The customer of a deployment.", rich_help_panel=_PANEL)
    ] = "default",
    agent: Annotated[
        str, typer.Option("--agent", help="Whose memory it is.", rich_help_panel=_PANEL)
    ] = "default",
    user: Annotated[
        str | None,
        typer.Option(
            "--user", help="Whom it is about; without one, the agent itself.", rich_help_panel=_PANEL
        ),
    ] = None,
    embedder: Annotated[
        str | None,
        typer.Option(
            "--embedder",
            metavar="NAME",
            help="What makes vectors: static, none, onnx:FOLDER or openai:MODEL (else BETHINK_EMBEDDER, else static)",
            rich_help_panel=_PANEL,
            show_default=False,
        ),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Answer in JSON, for programs.")] = False,
) -> None:
    """Hold the signature that every command is given."""


def add(
    app: typer.Typer,
    function: Callable[Concatenate[Desk, P], None],
    *,
    name: str | None = None,
    makes: bool = False,
) -> None:
    """Add a function to the commands, with the shared options beside its own; they come to it as a desk.

    `makes` says that the command may begin a database that is not there yet. An option of its own stands in the place
    of the shared one of its name. What the library raises on purpose becomes one line and the exit status 1.
    """
    own = _parameters(function)[1:]
    replaced = {parameter.name for parameter in own}
    usual = {parameter.name: parameter.default for parameter in _parameters(shared)}
    common = [parameter for parameter in _parameters(shared) if parameter.name not in replaced]

    def run(**given: Any) -> None:
        told = {parameter.name: given.pop(parameter.name) for parameter in common}
        desk = Desk(**{**usual, **told}, makes=makes)
        try:
            with desk:
                function(desk, **given)  # pyright: ignore[reportCallIssue]
        except BethinkError as error:
            _fail(error, json=desk.json)
        except ImportError as error:  # its sentence says what to install
            _fail(BethinkError(str(error), missing=error.name), json=desk.json)

    run.__doc__ = function.__doc__
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in [*own, *common]}
    vars(run)["__signature__"] = inspect.Signature([*own, *common])
    app.command(name or function.__name__)(run)


def _parameters(function: Callable[..., Any]) -> list[inspect.Parameter]:
    hints = get_type_hints(function, localns={"Desk": Desk}, include_extras=True)
    return [
        parameter.replace(annotation=hints[parameter.name], kind=inspect.Parameter.KEYWORD_ONLY)
        for parameter in inspect.signature(function).parameters.values()
    ]


def _fail(error: BethinkError, *, json: bool) -> None:
    from bethink.cli.failures import as_json, line

    sys.stderr.write((as_json if json else line)(error) + "\n")
    raise typer.Exit(1) from error
