"""Commands of Anthropic's memory tool (`memory_20250818`), answered as its documentation says."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NoReturn

from bethink.errors import DeniedError, InvalidError
from bethink.lifecycle.guard.masking import findings_text
from bethink.workspace import transactions
from bethink.workspace.directory import parts
from bethink.workspace.files import text_of
from bethink.workspace.workspace_context import BASE

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bethink.workspace.workspace_context import WorkspaceContext

ROOT: Final = "/memories"
MAX_LINES: Final = 999_999
MAX_CHARACTERS: Final = 1_000_000
DEPTH: Final = 2
_WIDTH: Final = 6
_AROUND: Final = 2  #: lines shown before and after an edit
_HIDDEN: Final = frozenset({"node_modules"})
_UNIT: Final = 1024


class CommandError(InvalidError):
    """A command cannot be done; the sentence is what the model is told."""


async def run(workspace: WorkspaceContext, command: Mapping[str, Any]) -> str:
    """Do one command.

    Raises:
        CommandError: it cannot be done.
    """
    name = command.get("command")
    if name not in _COMMANDS:
        _fail(f"Error: Unknown command: {name}", "command")
    try:
        if name == "view":
            return await _view(workspace, command)
        async with workspace.files.locked(workspace.location.memory(f"{BASE}/lock")):
            return await _COMMANDS[name](workspace, command)
    except DeniedError as denied:
        path = str(command.get("path") or command.get("old_path") or "")
        raise CommandError(f"Error: Path {path} would escape {ROOT} directory", argument="path") from denied


# ---- view -----------------------------------------------------------------------------------------------------


async def _view(workspace: WorkspaceContext, command: Mapping[str, Any]) -> str:
    shown = _shown(command, "path")
    below = _below(shown)
    if await _is_file(workspace, below):
        text = workspace.guard.mask(text_of(await workspace.files.read(_full(workspace, below)) or b""))
        return _numbered(shown, text, command.get("view_range"))
    rows, size = await _tree(workspace, below, shown, DEPTH)
    if not rows and below and not await _is_folder(workspace, below):
        _fail(f"The path {shown} does not exist. Please provide a valid path.", "path")
    head = (
        f"Here're the files and directories up to {DEPTH} levels deep in {shown}, "
        "excluding hidden items and node_modules:"
    )
    return "\n".join([head, f"{_size(size)}\t{shown}", *rows])


async def _tree(workspace: WorkspaceContext, below: str, shown: str, depth: int) -> tuple[list[str], int]:
    """Return the lines of a folder, and the bytes in it."""
    rows: list[str] = []
    whole = 0
    for name in await workspace.files.names(_full(workspace, below)):
        plain = name.removesuffix("/")
        if plain.startswith(".") or plain in _HIDDEN:
            continue
        inner = f"{below}/{plain}" if below else plain
        if name.endswith("/"):
            more, size = await _tree(workspace, inner, f"{shown}/{plain}", depth - 1)
            rows += [f"{_size(size)}\t{shown}/{plain}", *more] if depth > 0 else []
        else:
            size = len(await workspace.files.read(_full(workspace, inner)) or b"")
            rows += [f"{_size(size)}\t{shown}/{plain}"] if depth > 0 else []
        whole += size
    return rows, whole


def _numbered(shown: str, text: str, wanted: Any) -> str:
    rows = text.split("\n")
    if len(rows) > MAX_LINES:
        _fail(f"File {shown} exceeds maximum line limit of 999,999 lines.", "path")
    first, last = 1, len(rows)
    if wanted is not None:
        try:
            first, last = (int(each) for each in wanted)
        except (TypeError, ValueError):
            _fail("Error: Invalid `view_range` parameter: give two line numbers.", "view_range")
        last = len(rows) if last == -1 else last
        if not 1 <= first <= len(rows) or last < first:
            _fail(
                f"Error: Invalid `view_range` parameter: {list(wanted)}. It should be within the range of lines of "
                f"the file: [1, {len(rows)}]",
                "view_range",
            )
    return f"Here's the content of {shown} with line numbers:\n" + _snippet(rows, first, last)


def _snippet(rows: list[str], first: int, last: int) -> str:
    return "\n".join(
        f"{number:>{_WIDTH}}\t{row}" for number, row in enumerate(rows[first - 1 : last], max(1, first))
    )


def _size(count: int) -> str:
    """Return a number of bytes as `du -h` writes it."""
    amount = float(count)
    for unit in ("", "K", "M"):
        if amount < _UNIT:
            return f"{amount:.0f}" if not unit else f"{amount:.1f}{unit}"
        amount /= _UNIT
    return f"{amount:.1f}G"


# ---- changes --------------------------------------------------------------------------------------------------


async def _create(workspace: WorkspaceContext, command: Mapping[str, Any]) -> str:
    shown = _shown(command, "path")
    below = _below(shown)
    if not below or await _is_folder(workspace, below):
        _fail(f"Error: {shown} is a directory", "path")
    if await _is_file(workspace, below):
        _fail(f"Error: File {shown} already exists", "path")
    await _put(workspace, below, _text(command, "file_text"))
    return f"File created successfully at: {shown}"


async def _str_replace(workspace: WorkspaceContext, command: Mapping[str, Any]) -> str:
    shown = _shown(command, "path")
    below = _below(shown)
    text = await _content(workspace, below, shown)
    old, new = _text(command, "old_str"), _text(command, "new_str")
    count = text.count(old) if old else 0
    if count == 0:
        _fail(f"No replacement was performed, old_str `{old}` did not appear verbatim in {shown}.", "old_str")
    if count > 1:
        rows = ", ".join(str(number) for number in _lines_of(text, old))
        _fail(
            f"No replacement was performed. Multiple occurrences of old_str `{old}` in lines: {rows}. "
            "Please ensure it is unique",
            "old_str",
        )
    at = text[: text.index(old)].count("\n") + 1
    after = text.replace(old, new)
    await _put(workspace, below, after, new)
    rows = after.split("\n")
    first, last = max(1, at - _AROUND), at + new.count("\n") + _AROUND
    return f"The memory file has been edited.\n{_snippet(rows, first, last)}"


async def _insert(workspace: WorkspaceContext, command: Mapping[str, Any]) -> str:
    shown = _shown(command, "path")
    below = _below(shown)
    text = await _content(workspace, below, shown)
    rows = text.split("\n")
    if rows[-1] == "":
        rows.pop()
    at = command.get("insert_line")
    if isinstance(at, bool) or not isinstance(at, int) or not 0 <= at <= len(rows):
        _fail(
            f"Error: Invalid `insert_line` parameter: {at}. It should be within the range of lines of the file: "
            f"[0, {len(rows)}]",
            "insert_line",
        )
    new = _text(command, "insert_text")
    rows[at:at] = new.removesuffix("\n").split("\n")
    await _put(workspace, below, "\n".join(rows) + "\n", new)
    return f"The file {shown} has been edited."


async def _delete(workspace: WorkspaceContext, command: Mapping[str, Any]) -> str:
    shown = _shown(command, "path")
    below = _below(shown)
    if not below:
        _fail(f"Error: Cannot delete the {ROOT} directory itself", "path")
    gone = [below] if await _is_file(workspace, below) else await _everything(workspace, below)
    if not gone and not await _is_folder(workspace, below):
        _fail(f"Error: The path {shown} does not exist", "path")
    for each in gone:
        await workspace.files.remove(_full(workspace, each))
    await workspace.files.prune(_full(workspace, below))
    await _keep(workspace, {}, [_full(workspace, each) for each in gone])
    return f"Successfully deleted {shown}"


async def _rename(workspace: WorkspaceContext, command: Mapping[str, Any]) -> str:
    old_shown, new_shown = _shown(command, "old_path"), _shown(command, "new_path")
    old, new = _below(old_shown), _below(new_shown)
    if not old or not new:
        _fail(f"Error: Cannot rename the {ROOT} directory itself", "old_path")
    if await _is_file(workspace, new) or await _is_folder(workspace, new):
        _fail(f"Error: The destination {new_shown} already exists", "new_path")
    moved = [old] if await _is_file(workspace, old) else await _everything(workspace, old)
    if not moved:
        _fail(f"Error: The path {old_shown} does not exist", "old_path")
    if new.startswith(f"{old}/"):
        _fail(f"Error: The destination {new_shown} lies within {old_shown}", "new_path")
    kept: dict[str, str | None] = {}
    for each in moved:
        data = await workspace.files.read(_full(workspace, each)) or b""
        target = _full(workspace, new + each.removeprefix(old))
        await workspace.files.write(target, data)
        kept[target] = text_of(data)
    for each in moved:
        await workspace.files.remove(_full(workspace, each))
    await workspace.files.prune(_full(workspace, old))
    await _keep(workspace, kept, [_full(workspace, each) for each in moved])
    return f"Successfully renamed {old_shown} to {new_shown}"


_COMMANDS: Final[dict[Any, Any]] = {
    "view": _view,
    "create": _create,
    "str_replace": _str_replace,
    "insert": _insert,
    "delete": _delete,
    "rename": _rename,
}


# ---- what they share ------------------------------------------------------------------------------------------


def _shown(command: Mapping[str, Any], name: str) -> str:
    """Return a path as the model wrote it."""
    given = command.get(name)
    if not isinstance(given, str) or not given:
        _fail(f"Error: `{name}` is missing", name)
    return given if given == ROOT else given.rstrip("/") or given


def _below(shown: str) -> str:
    """Return a path below the memories; the empty text is the folder itself."""
    if shown != ROOT and not shown.startswith(f"{ROOT}/"):
        _fail(f"Error: Path must start with {ROOT}, got: {shown}", "path")
    plain = shown.removeprefix(ROOT).strip("/")
    if not plain:
        return ""
    pieces = parts(plain)  # refuses what leads out
    if "%2e" in plain.casefold() or "%2f" in plain.casefold():
        _fail(f"Error: Path {shown} would escape {ROOT} directory", "path")
    if pieces[0] == BASE:
        _fail(f"Error: Path {shown} is not yours to change", "path")
    return "/".join(pieces)


def _full(workspace: WorkspaceContext, below: str) -> str:
    return workspace.location.memory(below) if below else workspace.location.layout.memories_dir


def _text(command: Mapping[str, Any], name: str) -> str:
    given = command.get(name, "" if name == "new_str" else None)
    if given is None and name == "new_str":
        given = ""
    if not isinstance(given, str):
        _fail(f"Error: `{name}` is missing", name)
    if len(given) > MAX_CHARACTERS:
        _fail(f"Error: `{name}` is longer than {MAX_CHARACTERS} characters", name)
    return given


async def _content(workspace: WorkspaceContext, below: str, shown: str) -> str:
    if not below or not await _is_file(workspace, below):
        if below and not await _is_folder(workspace, below):
            _fail(f"Error: The path {shown} does not exist. Please provide a valid path.", "path")
        _fail(f"Error: The path {shown} is not a file.", "path")
    return text_of(await workspace.files.read(_full(workspace, below)) or b"")


async def _put(workspace: WorkspaceContext, below: str, text: str, new: str | None = None) -> None:
    """Write a file, if nothing in what is new has to stay out of memory."""
    fresh = text if new is None else new
    if workspace.guard.mask(fresh) != fresh:
        reasons = findings_text(workspace.guard.judge(fresh, source="agent", stage="injection").reasons)
        _fail(f"Error: Refused: contains {reasons}. Remove it and try again.", "file_text")
    rows = (row for row in fresh.split("\n") if row.strip())
    if any(
        workspace.guard.judge(row, source="user", stage="injection").action == "quarantine" for row in rows
    ):
        _fail(
            "Error: This is not kept: a line of it gives orders to a model. Write down facts instead.",
            "file_text",
        )
    path = _full(workspace, below)
    await workspace.files.write(path, text.encode("utf-8", "replace"))
    await _keep(workspace, {path: text_of(text.encode("utf-8", "replace"))}, [])


async def _keep(workspace: WorkspaceContext, files: Mapping[str, str | None], gone: list[str]) -> None:
    """Keep in the store what was written; what our own phases make is compared with it at the next settling."""
    made = {
        workspace.location.memory(name)
        for name in ("MEMORY.md", "memory_summary.md", "raw_memories.md", "phase_two_selection.json")
    }
    await workspace.store.write(
        transactions.put_files,
        workspace.namespace,
        workspace.location,
        {path: text for path, text in files.items() if path not in made},
        [path for path in gone if path not in made],
        directory=workspace.files.directory,
        writing=workspace.writing(),
    )


async def _is_file(workspace: WorkspaceContext, below: str) -> bool:
    above, _, name = below.rpartition("/")
    return bool(below) and name in await workspace.files.names(_full(workspace, above))


async def _is_folder(workspace: WorkspaceContext, below: str) -> bool:
    above, _, name = below.rpartition("/")
    return not below or f"{name}/" in await workspace.files.names(_full(workspace, above))


async def _everything(workspace: WorkspaceContext, below: str) -> list[str]:
    found: list[str] = []
    for name in await workspace.files.names(_full(workspace, below)):
        inner = f"{below}/{name.removesuffix('/')}"
        found += await _everything(workspace, inner) if name.endswith("/") else [inner]
    return found


def _lines_of(text: str, old: str) -> list[int]:
    found: list[int] = []
    start = text.find(old)
    while start != -1:
        found.append(text[:start].count("\n") + 1)
        start = text.find(old, start + 1)
    return found


def _fail(sentence: str, argument: str) -> NoReturn:
    raise CommandError(sentence, argument=argument)
