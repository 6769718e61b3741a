"""The options that all commands share, and how a command receives them."""

from __future__ import annotations

import inspect
import sys
from copy import copy
from typing import TYPE_CHECKING, Annotated, Any, Concatenate, ParamSpec, get_type_hints

import typer

from bethink.cli.command_context import CommandContext
from bethink.cli.examples import epilog
from bethink.errors import BethinkError
from bethink.verbs import VERBS

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
            help="The database: a path, sqlite:///… or postgresql://… (default: BETHINK_DB, else memory.db)",
            rich_help_panel=_PANEL,
            show_default=False,
        ),
    ] = None,
    tenant: Annotated[str, typer.Option("--tenant", help="The tenant.", rich_help_panel=_PANEL)] = "default",
    agent: Annotated[
        str, typer.Option("--agent", help="The agent whose memory is used.", rich_help_panel=_PANEL)
    ] = "default",
    user: Annotated[
        str | None,
        typer.Option(
            "--user",
            help="The user whom the memory is about; by default, the agent's own memory.",
            rich_help_panel=_PANEL,
        ),
    ] = None,
    embedder: Annotated[
        str | None,
        typer.Option(
            "--embedder",
            metavar="NAME",
            help="The embedder: static, none, onnx:FOLDER or openai:MODEL (default: BETHINK_EMBEDDER, else static)",
            rich_help_panel=_PANEL,
            show_default=False,
        ),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Hold the signature that every command is given."""


def add(
    app: typer.Typer,
    function: Callable[Concatenate[CommandContext, P], None],
    *,
    name: str | None = None,
    makes: bool = False,
    verb: str | None = None,
) -> None:
    """Add a function to the commands, with the shared options beside its own; they come to it as a command context.

    `makes` says that the command may begin a database that is not there yet. The help of the command, and of its own
    parameters that have none, are those of `verb`; examples come from the table. An option of its own stands in the
    place of the shared one of its name. What the library raises on purpose becomes one line and the exit status 1.
    """
    own = [_described(each, verb) for each in _parameters(function)[1:]]
    replaced = {parameter.name for parameter in own}
    usual = {parameter.name: parameter.default for parameter in _parameters(shared)}
    common = [parameter for parameter in _parameters(shared) if parameter.name not in replaced]

    def run(**given: Any) -> None:
        passed = {parameter.name: given.pop(parameter.name) for parameter in common}
        command = CommandContext(**{**usual, **passed}, makes=makes)
        try:
            with command:
                function(command, **given)  # pyright: ignore[reportCallIssue]
        except BethinkError as error:
            _fail(error, json=command.json)
        except ImportError as error:  # its sentence says what to install
            _fail(BethinkError(str(error), missing=error.name), json=command.json)

    run.__doc__ = _help(function, verb)
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in [*own, *common]}
    vars(run)["__signature__"] = inspect.Signature([*own, *common])
    called = name or function.__name__
    app.command(called, epilog=epilog(f"{app.info.name} {called}" if app.info.name != "bethink" else called))(
        run
    )


def _help(function: Callable[..., Any], verb: str | None) -> str:
    """Return the help of a command: the summary of its verb, and what is said of the command alone."""
    parts = [] if verb is None else [VERBS[verb].summary]
    return "\n\n".join([*parts, *filter(None, [inspect.getdoc(function)])])


def _described(parameter: inspect.Parameter, verb: str | None) -> inspect.Parameter:
    """Return a parameter of a command with the verb's description, unless it has one of its own."""
    kind, *found = getattr(parameter.annotation, "__metadata__", (None,))
    if verb is None or kind is None or kind.help is not None:
        return parameter
    known = VERBS[verb].parameters
    flags = [each for each in (kind.default, *(kind.param_decls or ())) if isinstance(each, str)]
    words = [parameter.name, *(each.lstrip("-").replace("-", "_") for each in flags)]
    name = next(each for word in words for each in (word, f"{word}s", f"{word}_at") if each in known)
    shown = copy(kind)
    shown.help = known[name] + (" Repeatable." if "list" in str(parameter.annotation.__origin__) else "")
    annotation = Annotated[(parameter.annotation.__origin__, shown, *found)]  # pyright: ignore[reportInvalidTypeForm]
    return parameter.replace(annotation=annotation)


def _parameters(function: Callable[..., Any]) -> list[inspect.Parameter]:
    hints = get_type_hints(function, localns={"CommandContext": CommandContext}, include_extras=True)
    return [
        parameter.replace(annotation=hints[parameter.name], kind=inspect.Parameter.KEYWORD_ONLY)
        for parameter in inspect.signature(function).parameters.values()
    ]


def _fail(error: BethinkError, *, json: bool) -> None:
    from bethink.cli.failures import as_json, line

    sys.stderr.write((as_json if json else line)(error) + "\n")
    raise typer.Exit(1) from error
