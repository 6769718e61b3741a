"""Instructions that tell an agent how to read its workspace memory."""

from __future__ import annotations

from importlib import resources
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bethink.workspace.values import Read


def instructions(summary: str, *, directory: str, read: Read) -> str | None:
    """Return what is put into an agent's instructions; None where nothing is remembered."""
    if not summary.strip():
        return None
    update = prompt("live_update" if read.live_update else "read_only")
    return (
        prompt("reading")
        .replace("{update}", update.strip())
        .replace("{directory}", directory)
        .replace("{summary}", fenced(summary).strip())
        .strip()
        .replace("{directory}", directory)
    )


def prompt(name: str) -> str:
    """Return one of the texts that lie beside this file."""
    return resources.files("bethink.workspace").joinpath("prompts", f"{name}.md").read_text(encoding="utf-8")


def fenced(text: str) -> str:
    """Return a text in which nothing can close the fence around it."""
    return text.replace("WORKSPACE_MEMORY", "WORKSPACE MEMORY").replace("{directory}", "{ directory }")
