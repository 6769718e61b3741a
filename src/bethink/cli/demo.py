"""Run the travel-concierge demo on a fresh file."""

from __future__ import annotations

import shlex
import tempfile
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from bethink.cli import views
from bethink.cli.options import add

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import RenderableType

    from bethink.cli.command_context import CommandContext
    from bethink.cli.concierge import Call, Scene
    from bethink.recall.values import Hit
    from bethink.server.demo_script import Script


def demo(
    command: CommandContext,
    *,
    say: Annotated[
        list[str] | None, typer.Option(help="A sentence of the user, in place of the demo's; repeatable.")
    ] = None,
    ask: Annotated[
        list[str] | None,
        typer.Option(help="A question asked afterwards, in place of the demo's; repeatable."),
    ] = None,
) -> None:
    """Run a demo on a fresh file: a travel concierge learns from a conversation and remembers it in a new one.

    No answer is scripted: try your own sentences with --say and your own questions with --ask.
    """
    from bethink.cli.concierge import Call, play
    from bethink.server.demo_script import LINES, QUESTIONS, Script

    script = Script(
        agent="concierge" if command.agent == "default" else command.agent,
        user=command.user or "alice",
        stranger="bob" if command.user != "bob" else "alice",
        lines=tuple(say) if say else LINES,
        questions=tuple(ask) if ask else QUESTIONS,
    )
    command.db = command.named or str(Path(tempfile.mkdtemp(prefix="bethink-demo-"), "memory.db"))
    commands = to_try(script, command.db, command.tenant)
    if command.json:
        calls = [step for step in play(command.memory, script) if isinstance(step, Call)]
        command.show({"database": command.db, "calls": calls, "commands": commands}, str)
        return
    for step in play(command.memory, script):
        command.show(step, view)
    command.show(commands, ending)


def to_try(script: Script, db: str, tenant: str) -> list[str]:
    """Return three commands that go on where the play ends."""
    from bethink.server.demo_script import NEXT_TRIP

    question = script.questions[-1] if script.questions else "what do I like?"
    whose = ["--agent", script.agent, "--user", script.user, "--db", db]
    whose += [] if tenant == "default" else ["--tenant", tenant]
    return [
        shlex.join(["bethink", "recall", question, "--explain", *whose]),
        shlex.join(["bethink", "context", question, "--session", NEXT_TRIP, "--everywhere", *whose]),
        shlex.join(["bethink", "remember", "Is afraid of small planes.", "-k", "flight", *whose]),
    ]


def view(step: Scene | Call) -> Sequence[RenderableType]:
    """A headline, what the user says, or a call with its answer."""
    from rich.padding import Padding
    from rich.rule import Rule

    from bethink.cli.concierge import Scene

    if isinstance(step, Scene):
        return ["", Rule(views.literal(step.title, "bold"), align="left", style="dim"), ""]
    if step.speech is not None:
        return [views.literal(step.speech, "bold"), ""]
    return [
        views.literal(step.text, "cyan"),
        *(Padding(part, (0, 0, 0, 2)) for part in _answer(step.answer)),
        "",
    ]


def _answer(answer: Any) -> Sequence[RenderableType]:
    from bethink.lifecycle.inject.values import Context
    from bethink.lifecycle.values import Distilled
    from bethink.notes.values import Note
    from bethink.pages import Page
    from bethink.recall.values import Recall
    from bethink.state.values import Profile

    match answer:
        case Note() as note:
            shown = [_beside(note.text, f"{note.status}, {note.session or 'for every session'}")]
        case Recall() as found:
            shown = [_beside(hit.text, f"{hit.score:.1f}, {_source(hit)}") for hit in found]
            shown = shown or views.recall(found)
        case Page():
            page = cast("Page[Note]", answer)
            shown = [_beside(note.text, views.day(note.valid_from or note.created_at)) for note in page]
        case Profile() as profile:
            shown = [views.facts([(path, str(value)) for path, value in profile.fields.items()])]
        case Context() as context:
            shown = [views.literal(context.text.rstrip()), views.dim(f"{context.tokens} tokens")]
        case Distilled() as distilled:
            shown = [
                _beside(each.text, "for every session" if each.durable else "for this one")
                for each in distilled.kept
            ]
            reasons = Counter(each.reason for each in distilled.dropped)
            dropped = ", ".join(f"{number} {reason}" for reason, number in sorted(reasons.items()))
            shown.append(views.dim(f"not kept: {dropped or 'nothing'}"))
        case other:
            shown = [views.literal(str(other))]
    return shown


def _source(hit: Hit) -> str:
    """Where a hit is from, in a few words."""
    if hit.item is not None:
        return f"said in {hit.item.session}"
    return f"note of {views.day(hit.note.valid_from or hit.note.created_at)}" if hit.note is not None else ""


def _beside(text: str, remark: str) -> RenderableType:
    from rich.text import Text

    return Text.assemble(views.literal(text), "  ", views.dim(remark))


def ending(commands: Sequence[str]) -> Sequence[RenderableType]:
    """What to try next."""
    from rich.rule import Rule

    head = ["", Rule(views.literal("The file is yours; try", "bold"), align="left", style="dim"), ""]
    return [*head, *(f"  {command}" for command in commands), ""]


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    add(app, demo, makes=True)
