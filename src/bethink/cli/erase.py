"""Erase a user, an agent or a scope for good, and print the erasure receipt."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from bethink.cli import views
from bethink.cli.options import add
from bethink.errors import InvalidError

if TYPE_CHECKING:
    from collections.abc import Callable

    from bethink.cli.command_context import CommandContext
    from bethink.lifecycle.erase.values import Receipt


def erase(
    command: CommandContext,
    *,
    session: Annotated[str | None, typer.Option()] = None,
    note: Annotated[str | None, typer.Option()] = None,
    items: Annotated[bool, typer.Option("--items")] = False,
    namespace: Annotated[
        str | None, typer.Option(help="Everything in a namespace, such as agent:concierge:u:alice.")
    ] = None,
    everything: Annotated[
        bool, typer.Option("--everything", help="Everything of the tenant named by --tenant.")
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask for confirmation.")] = False,
) -> None:
    """--user alone erases the user in the memory of every agent; --agent and --user together mean that one memory.

    A note is also removed from notebooks; conversation items with the same content are emptied with --items, and
    named in the receipt otherwise. Exits with 1 if anything is left. To hide a note only, use `bethink notes forget`.
    """
    what, work = _subject(command, session, note, namespace, items=items, everything=everything)
    command.check_there()
    if not yes:
        _ask(command, what)
    receipt = work()
    command.show(receipt, views.receipt)
    raise typer.Exit(1 if receipt.remaining else 0)


def _subject(
    command: CommandContext,
    session: str | None,
    note: str | None,
    namespace: str | None,
    *,
    items: bool,
    everything: bool,
) -> tuple[str, Callable[[], Receipt]]:
    """Return what is to be destroyed, in words, and how."""
    if sum([session is not None, note is not None, namespace is not None, everything]) > 1:
        raise InvalidError(
            "choose only one of --session, --note, --namespace and --everything", argument="session"
        )
    if items and note is None:
        raise InvalidError("--items works only with --note", argument="items")
    if session is not None:
        return f"the session {session}", lambda: command.scope.erase(session=session)
    if note is not None:
        beside = " with the items that it was drawn from" if items else ""
        return f"the note {note}{beside}", lambda: command.scope.erase(note=note, items=items)
    if namespace is not None:
        return f"everything of {namespace}", lambda: command.memory.namespace(namespace).erase()
    if everything:
        if command.user is not None or command.agent != "default":
            raise InvalidError(
                "--everything erases the whole tenant; leave out --user and --agent", argument="user"
            )
        return f"everything of the tenant {command.tenant}", lambda: command.memory.erase(
            tenant=command.tenant
        )
    if command.agent != "default":
        return f"everything of {command.scope.namespace}", command.scope.erase
    if command.user is not None:
        return f"everything of the user {command.user}", lambda: command.memory.erase(user=command.user)
    raise InvalidError(
        "choose what to erase: --user, --session, --note, --namespace, or --everything for the whole tenant",
        argument="user",
    )


def _ask(command: CommandContext, what: str) -> None:
    if command.json or not sys.stdin.isatty():
        raise InvalidError(f"this permanently destroys {what}; add --yes to confirm", argument="yes")
    typer.confirm(f"Destroy {what} for good?", abort=True, err=True)


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    add(app, erase, verb="scope.erase")
