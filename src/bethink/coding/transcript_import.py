"""Import what is new in transcripts, in bounded batches; an interrupted import goes on where it stopped."""

from __future__ import annotations

import io
import json
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast

from bethink.coding import session_start
from bethink.coding.events import session_name
from bethink.coding.hook_memory import open_hook_memory
from bethink.coding.hook_reads import TRANSCRIPTS
from bethink.coding.learning import learn
from bethink.coding.options import left_out
from bethink.coding.project_register import Register
from bethink.coding.repository import examine_folder
from bethink.coding.transcript_items import TranscriptItem, TurnFilter
from bethink.coding.transcript_progress import PendingTranscript
from bethink.errors import ConflictError
from bethink.imports import coding_agent_transcripts
from bethink.imports.streams import Blob
from bethink.imports.values import Entry
from bethink.lifecycle.guard import RulesGuard

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bethink.coding.directories import Directories
    from bethink.coding.events import Event
    from bethink.coding.options import Options
    from bethink.coding.projects import Project
    from bethink.sync import Scope

PIECE: Final = 512 << 10  #: bytes that are read at once
AT_ONCE: Final = 400  #: items that are learned from together, at most about
LONGEST_LINE: Final = 32 << 20  #: bytes; a longer line is passed over
WHOLE: Final = 64 << 20  #: bytes of a file that can only be read as a whole
_READERS: Final = {
    "claude-code": coding_agent_transcripts.claude_code,
    "codex": coding_agent_transcripts.codex,
}


class ImportedTranscript(NamedTuple):
    """What became of a transcript."""

    kept: int = 0
    known: int = 0
    left: int = 0  #: that the user does not want to be kept
    whole: bool = True  #: whether it was read to its end
    project: Project | None = None
    skipped: str = ""  #: why nothing of it is kept


def take_in(
    found: PendingTranscript, event: Event, places: Directories, chosen: Options, *, seconds: float
) -> ImportedTranscript:
    """Take in what is new of one session, learn from it by rules, and make it searchable, as far as time allows."""
    end = time.monotonic() + seconds
    with open_hook_memory(places, chosen) as memory:
        register = Register(memory, chosen.user)
        done = TranscriptImporter(register, places, chosen).file(found, event.folder, event.session, end=end)
        if event.kind == "end" and found.format == "journal" and done.whole:
            found.path.unlink(missing_ok=True)
            register.scope.documents.delete(TRANSCRIPTS, found.key)
        return done


class TranscriptImporter:
    """Takes in transcripts for one user."""

    def __init__(self, register: Register, places: Directories, chosen: Options) -> None:
        self._register = register
        self._places = places
        self._chosen = chosen
        self._mask = RulesGuard().mask

    def file(
        self, found: PendingTranscript, folder: str, session: str, *, end: float | None
    ) -> ImportedTranscript:
        """Take in what is new of a file, until it is read or the time is over."""
        documents = self._register.scope.documents
        kept = documents.get(TRANSCRIPTS, found.key)
        state: dict[str, Any] = dict(kept.value) if kept is not None else {}
        scope, project, skipped = self._scope(folder, state.get("project"))
        if scope is None:
            return ImportedTranscript(skipped=skipped, whole=False)
        if found.size < state.get("offset", 0):
            state["offset"] = 0  # it was written anew; what is known by its id stays what it is
        state["project"] = project.id if project is not None else ""
        turns = TurnFilter(self._mask, skipping=state.get("skipping") is True)
        name = session_name(
            found.format if found.format != "journal" else found.path.stem.partition("-")[0], session
        )
        done, fresh = ImportedTranscript(project=project), 0
        while True:
            before = state.get("offset", 0)
            at, entries = _piece(found, before)
            more, known = _append(scope, name, turns.items(entries))
            done = done._replace(kept=done.kept + more, known=done.known + known)
            fresh += more
            if at != before:
                due = bool(more) or state.get("due") is True
                state.update(offset=at, skipping=turns.skipping, path=str(found.path), due=due)
                documents.put(TRANSCRIPTS, found.key, state)
            if fresh >= AT_ONCE:
                learn(scope, self._register.own, name)
                fresh = 0
            if at in {before, found.size}:
                break
            if end is not None and time.monotonic() > end:
                done = done._replace(whole=False)
                break
        if done.kept or state.get("due"):  # of what an earlier hook had no time for, too
            learn(scope, self._register.own, name)
            self._finish(scope, end)
            documents.put(TRANSCRIPTS, found.key, {**state, "due": False})
        return done._replace(left=turns.left)

    def _finish(self, scope: Scope, end: float | None) -> None:
        """Make what was taken in searchable, and choose anew what the next session is told."""
        for each, most in (
            (scope, session_start.MAX_OF_PROJECT),
            (self._register.own, session_start.MAX_OF_USER),
        ):
            session_start.selected_texts(each, most)
        scope.index(seconds=None if end is None else max(end - time.monotonic(), 0.0) + 1.0)

    def _scope(self, folder: str, known: str | None) -> tuple[Scope | None, Project | None, str]:
        """Return the memory that a session belongs to: that of the project in which it began."""
        if left_out(folder, self._chosen):
            return None, None, "it is left out"
        if known:
            project = self._register.get(known)
            if project.excluded:
                return None, project, "its project is left out"
            return self._register.memory_of(project), project, ""
        repository = examine_folder(folder)
        if known == "" or repository.is_nowhere(self._places.user):
            return self._register.own, None, ""
        found = self._register.resolve(repository)
        if found.project is None:
            why = "it is to be confirmed" if found.decision.how == "asks" else "its project is left out"
            return None, found.decision.project, why
        return self._register.memory_of(found.project), found.project, ""


def import_folder(
    intake: TranscriptImporter,
    kind: str,
    folder: Path,
    on_progress: Callable[[Path, ImportedTranscript], None] = lambda _, __: None,
) -> Iterator[ImportedTranscript]:
    """Take in every transcript of a folder, the oldest first; those that say where they belong."""
    paths = sorted(
        (path for path in folder.rglob("*.jsonl") if path.is_file() and not path.is_symlink()),
        key=lambda path: (path.stat().st_mtime, str(path)),
    )
    for path in paths:
        found = PendingTranscript.file(path, kind)
        if found is None or "subagents" in path.parts:
            continue
        where, session = _origin(path, kind)
        done = (
            intake.file(found, where, session, end=None)
            if where
            else ImportedTranscript(skipped="it does not say in which folder it was", whole=False)
        )
        on_progress(path, done)
        yield done


def _origin(path: Path, kind: str) -> tuple[str, str]:
    """Return the folder and the id of a session, as the first lines of its transcript say them."""
    with path.open("rb") as file:
        for _ in range(50):
            raw = file.readline(LONGEST_LINE)
            if not raw:
                break
            try:
                line: Any = json.loads(raw)
            except (ValueError, RecursionError):
                continue
            one = cast("dict[str, Any]", line) if isinstance(line, dict) else {}
            header = (
                cast("dict[str, Any]", one.get("payload")) if isinstance(one.get("payload"), dict) else one
            )
            where, id_ = header.get("cwd"), header.get("sessionId" if kind == "claude-code" else "id")
            if isinstance(where, str) and where:
                return where, id_ if isinstance(id_, str) and id_ else path.stem
    return "", path.stem


def _piece(found: PendingTranscript, offset: int) -> tuple[int, Iterator[Entry]]:
    """Return where the next piece of a file ends, and what is in it; a last line that is being written waits."""
    if found.format == "gemini":
        if offset == found.size or found.size > WHOLE:
            return found.size, iter(())
        return found.size, _entries(found, found.path.read_bytes())
    with found.path.open("rb") as file:
        head = file.readline(LONGEST_LINE) if found.format == "codex" and offset else b""
        file.seek(offset)
        data = file.read(PIECE)
        while data and b"\n" not in data and len(data) < LONGEST_LINE:
            more = file.read(PIECE)
            if not more:
                break
            data += more
        end = data.rfind(b"\n") + 1
        if not end and len(data) >= LONGEST_LINE:  # no message is that long: pass it over
            return offset + len(data) + _rest_of_line(file), iter(())
    return offset + end, _entries(found, head + data[:end])


def _rest_of_line(file: Any) -> int:
    passed = 0
    while (more := file.readline(PIECE)) and not more.endswith(b"\n"):
        passed += len(more)
    return passed + len(more)


def _entries(found: PendingTranscript, data: bytes) -> Iterator[Entry]:
    modified = datetime.fromtimestamp(found.path.stat().st_mtime, UTC)
    blob = Blob(found.path.name, lambda: io.BytesIO(data), None, modified)
    if found.format == "journal":
        yield from _written_down(data)
        return
    read = coding_agent_transcripts.gemini_cli if found.format == "gemini" else _READERS[found.format]
    yield from (each for each in read(blob) if isinstance(each, Entry))


def _written_down(data: bytes) -> Iterator[Entry]:
    for number, raw in enumerate(data.splitlines(), 1):
        try:
            line: Any = json.loads(raw)
            yield Entry(
                line=number,
                body=line["item"],
                at=datetime.fromtimestamp(line["at"], UTC),
                key=str(line["id"]),
            )
        except (ValueError, KeyError, TypeError, OverflowError, OSError):
            continue


def _append(scope: Scope, name: str, found: Iterator[TranscriptItem]) -> tuple[int, int]:
    """Append items that are new; what was said before its session was deleted stays away."""
    given = list(found)
    if not given:
        return 0, 0
    try:
        return _kept(scope, name, given)
    except ConflictError as error:
        if error.facts.get("reason") != "deleted":
            raise
    kept = known = 0
    for each in given:
        try:
            more, again = _kept(scope, name, [each])
        except ConflictError as error:
            if error.facts.get("reason") != "deleted":
                raise
            continue
        kept, known = kept + more, known + again
    return kept, known


def _kept(scope: Scope, name: str, given: list[TranscriptItem]) -> tuple[int, int]:
    head = scope.session(name).append(
        [each.body for each in given],
        at=[each.at for each in given],
        origin="import",
        keys=[each.key for each in given],
        revive=False,
    )
    return len(given) - head.known, head.known
