"""The entry point of `bethink hook`: it loads only what its event needs, and never fails the calling agent."""

from __future__ import annotations

import gc
import os
import signal
import sys
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

from bethink.coding import events, options
from bethink.coding.directories import of_machine

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Mapping
    from types import FrameType

    from bethink.coding.directories import Directories
    from bethink.coding.events import Event
    from bethink.coding.options import Options

TOOLS: Final = ("claude", "codex", "cursor", "gemini", "copilot", "opencode", "vscode")
MAX_INPUT: Final = 8 << 20  #: bytes of what an agent writes to a hook
SECONDS: Final = {
    "start": 5.0,
    "prompt": 5.0,
    "compact": 12.0,
    "stop": 12.0,
    "end": 8.0,
    "tool": 3.0,
    "said": 3.0,
}
_MAX_LOG: Final = 256 << 10


class _TooLongError(Exception):
    """The event took longer than an agent should wait."""


def main(arguments: list[str]) -> None:
    """Do what an event asks for; whatever happens, the process ends with 0 and the agent goes on."""
    gc.disable()  # a process of half a second has no use for it
    for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ.setdefault(name, "1")  # there is too little to do here for threads of numpy
    try:
        sys.stdout.write(run(arguments, lambda: sys.stdin.buffer.read(MAX_INPUT)))
        sys.stdout.flush()
    finally:
        os._exit(0)


def run(
    arguments: list[str], given: Callable[[], bytes], environment: Mapping[str, str] | None = None
) -> str:
    """Return what the agent reads; what goes wrong is one line in the log, and the agent reads nothing of it."""
    named, tool = _parse_arguments(arguments)
    event = None
    places = of_machine(environment)
    try:
        text = given().decode("utf-8", "replace")
        event = events.parse(tool, named, text)
        if event is None:
            return ""
        with _bounded(SECONDS[event.kind]):
            return _answered(event, places)
    except BaseException as error:  # noqa: BLE001 - an agent is never stopped by its memory
        log(places, f"{tool} {named}", error)
        return "" if event is None else events.answer(event, "")


def log(places: Directories, where: str, error: BaseException | str) -> None:
    """Write one line about what failed, without anything that was said; where that is not possible, nothing."""
    what = error if isinstance(error, str) else f"{type(error).__name__}: {_reason(error)}"
    line = f"{time.strftime('%Y-%m-%dT%H:%M:%S')} {where}: {' '.join(what.split())[:300]}\n"
    try:
        places.home.mkdir(mode=0o700, parents=True, exist_ok=True)
        if places.log.exists() and places.log.stat().st_size > _MAX_LOG:
            kept = places.log.read_text(encoding="utf-8", errors="replace")[-_MAX_LOG // 2 :]
            places.log.write_text(kept.partition("\n")[2], encoding="utf-8")
        with places.log.open("a", encoding="utf-8") as file:
            file.write(line)
    except OSError:
        return


def _reason(error: BaseException) -> str:
    """Return what may be said of an error: our own are written without memory text, of others the kind is enough."""
    ours = type(error).__module__ == "bethink.errors"
    if ours or isinstance(error, OSError):
        return str(error)
    return str(error) if isinstance(error, _TooLongError) else "a defect, or something damaged"


def _parse_arguments(arguments: list[str]) -> tuple[str, str]:
    named, tool = "", ""
    rest = list(arguments)
    while rest:
        each = rest.pop(0)
        if each == "--for" and rest:
            tool = rest.pop(0)
        elif each.startswith("--for="):
            tool = each[6:]
        elif not each.startswith("-"):
            named = named or each
    return named, tool if tool in TOOLS else "claude"


@contextmanager
def _bounded(seconds: float) -> Generator[None]:
    """Let what is done end after so long, whatever it waits for."""

    def over(_: int, __: FrameType | None) -> None:
        raise _TooLongError(f"stopped after {seconds:.0f} s; everything done so far was saved")

    if not hasattr(signal, "setitimer"):
        yield
        return
    before = signal.signal(signal.SIGALRM, over)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _answered(event: Event, places: Directories) -> str:
    chosen = options.read(places.options)
    if chosen.problem:
        log(places, f"{event.tool} {event.kind}", chosen.problem)
    folder = event.folder or str(Path.cwd())
    if places.private or options.left_out(folder, chosen):
        return events.answer(event, "")
    event = event._replace(folder=folder)
    if event.tool not in events.TRANSCRIPTS:
        _write_down(event, places)
    if event.kind == "start":
        return events.answer(event, _start(event, places, chosen))
    if event.kind == "prompt":
        return events.answer(event, _prompt(event, places, chosen))
    if event.kind in {"compact", "stop", "end"}:
        _take_in(event, places, chosen)
    return ""


def _write_down(event: Event, places: Directories) -> None:
    found = events.items(event)
    if found:
        from bethink.coding import journal

        journal.add(journal.path_of(places.journals, event.tool, event.session), event.folder, found)


def _start(event: Event, places: Directories, chosen: Options) -> str:
    """Tell a session what its project taught and what the user wants, from the file alone where that is possible."""
    if not events.takes_context(event):
        return ""
    from bethink.coding.context_block import block, session_start_block
    from bethink.coding.hook_reads import open_stored
    from bethink.coding.projects import decide_by_folder
    from bethink.coding.repository import examine_folder

    repository = examine_folder(event.folder)
    stored = open_stored(places.database(chosen.db), chosen.user)
    if stored is not None:
        try:
            found = decide_by_folder(repository, stored.projects())
            if found is not None and found.how == "known" and found.project is not None:
                if found.project.excluded:
                    return ""
                lessons, wishes = stored.start(found.project.agent), stored.own()
                if lessons.fresh and wishes.fresh:
                    return block(session_start_block(lessons.texts, wishes.texts), project=found.project.name)
        finally:
            stored.close()
    from bethink.coding.session_start import start

    return start(repository, places, chosen)


def _prompt(event: Event, places: Directories, chosen: Options) -> str:
    if not event.prompt or not events.takes_context(event):
        return ""
    from bethink.coding.prompt_filter import worth_asking

    if not worth_asking(event.prompt):
        return ""
    from bethink.coding.prompt_recall import relevant_block

    return relevant_block(event, places, chosen)


def _take_in(event: Event, places: Directories, chosen: Options) -> None:
    """Take in what is new of a transcript; where there is nothing new, nothing is loaded."""
    from bethink.coding.hook_reads import open_stored
    from bethink.coding.transcript_progress import PendingTranscript

    found = PendingTranscript.of(event, places)
    if found is None:
        return
    stored = open_stored(places.database(chosen.db), chosen.user)
    if stored is not None:
        try:
            if not found.has_more(stored.taken(found.key)):
                if found.format == "journal" and event.kind == "end":
                    found.path.unlink(missing_ok=True)
                return
        finally:
            stored.close()
    gc.enable()
    from bethink.coding.transcript_import import take_in

    take_in(found, event, places, chosen, seconds=SECONDS[event.kind] / 2)
