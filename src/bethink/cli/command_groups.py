"""Commands that have commands of their own, one of which is meant when none is named."""

from __future__ import annotations

from typing import Any

import typer
from typer.core import TyperGroup


def family(app: typer.Typer, name: str, help: str, *, usual: str) -> typer.Typer:  # noqa: A002
    """Add a family of commands to the commands; `bethink NAME` alone is `bethink NAME USUAL`."""

    class Family(TyperGroup):
        def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
            if not args or (args[0].startswith("-") and args[0] not in {"-h", "--help"}):
                args = [usual, *args]
            return super().parse_args(ctx, args)

    members = typer.Typer(name=name, help=f"{help} Default command: `{usual}`.", cls=Family)
    app.add_typer(members)
    return members
