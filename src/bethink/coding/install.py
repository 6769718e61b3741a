"""Install Bethink into a coding agent's settings, and uninstall it without touching anything else in them."""

from __future__ import annotations

import difflib
import os
import re
import shutil
import sys
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Final

from bethink.coding import jsonc
from bethink.coding.agents import NAMES, REMARKS, file_edits
from bethink.errors import InvalidError, StorageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bethink.coding.directories import Directories
    from bethink.coding.settings_edits import FileEdit

_COMMENT: Final = re.compile(r"//|/\*")
BACKUP: Final = ".before-bethink"  #: what the name of a copy ends with
NO_SERVER: Final = (
    "The MCP server is left out: it needs the extra, as in pipx install 'bethink[mcp]'; then install again."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangedFile:
    """What became of one file."""

    path: str
    what: tuple[str, ...]
    done: str  #: written, changed, removed, unchanged
    backup: str | None = None
    diff: str = ""


@dataclass(slots=True, kw_only=True)
class Installed:
    """What became of the settings of an agent."""

    tool: str
    files: list[ChangedFile] = field(default_factory=list[ChangedFile])
    remarks: list[str] = field(default_factory=list[str])
    dry_run: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class InstallState:
    """How far Bethink is in the settings of an agent."""

    tool: str
    where: str  #: user or project
    there: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    wrong: tuple[str, ...] = ()  #: files that cannot be read, and why

    @property
    def state(self) -> str:
        """Say it in a word."""
        return "damaged" if self.wrong else "no" if not self.there else "partly" if self.missing else "yes"


def our_command() -> list[str]:
    """Return how agents start Bethink: by its path, or by `uvx` where that is how it runs now."""
    named = Path(sys.argv[0])
    prefix = Path(sys.prefix)
    if "archive-v0" in prefix.parts or ("uv" in prefix.parts and "cache" in prefix.parts):
        return ["uvx", "--from", "bethink[mcp]", "bethink"]
    beside = Path(sys.executable).with_name("bethink.exe" if sys.platform == "win32" else "bethink")
    if named.name.startswith("bethink") and named.is_absolute() and named.exists():
        return [str(named)]
    if beside.exists():
        return [str(beside)]
    found = shutil.which("bethink")
    return [found] if found else [sys.executable, "-m", "bethink.cli"]


def install(
    tool: str, places: Directories, root: Path | None, command: Sequence[str], *, dry_run: bool = False
) -> Installed:
    """Write hooks, the MCP server and instructions into the settings of an agent; once is as good as twice.

    Every change is made out first: where one file cannot be read, none is written. A file that was there is copied
    beside itself before its first change.

    Raises:
        InvalidError: a file of settings is not what it should be; its line is said.
        StorageError: a file cannot be written.
    """
    mcp = find_spec("mcp") is not None
    report = Installed(tool=tool, dry_run=dry_run)
    report.remarks += [REMARKS[tool]] if tool in REMARKS else []
    report.remarks += [] if mcp else [NO_SERVER]
    found = _planned(file_edits(tool, places, root, command, mcp=mcp), put=True)
    if tool == "copilot" and root is None:
        report.remarks.append("Copilot hooks belong to a repository; run this inside one with --project.")
    _carried_out(found, report, dry_run=dry_run)
    return report


def uninstall(tool: str, places: Directories, root: Path | None, *, dry_run: bool = False) -> Installed:
    """Take everything of ours out of the settings of an agent; what others wrote stays, and memory stays, too."""
    report = Installed(tool=tool, dry_run=dry_run)
    _carried_out(
        _planned(file_edits(tool, places, root, ["bethink"], mcp=True), put=False), report, dry_run=dry_run
    )
    return report


def install_states(places: Directories, root: Path | None) -> list[InstallState]:
    """Say for each agent how far Bethink is in its settings, for the user and for a project."""
    found: list[InstallState] = []
    for where, folder in (("user", None), ("project", root)):
        if where == "project" and folder in {None, places.user}:
            continue
        for tool in NAMES:
            there: list[str] = []
            missing: list[str] = []
            wrong: list[str] = []
            for piece in file_edits(tool, places, folder, ["bethink"], mcp=find_spec("mcp") is not None):
                try:
                    text = _read(piece.path)
                    taken = text is not None and piece.take(text) != text
                except (InvalidError, StorageError) as error:
                    wrong.append(f"{piece.path}: {error}")
                    continue
                (there if taken else missing).append(piece.what)
            found.append(
                InstallState(
                    tool=tool, where=where, there=tuple(there), missing=tuple(missing), wrong=tuple(wrong)
                )
            )
    return found


@dataclass(slots=True)
class _Plan:
    before: str | None
    after: str
    what: list[str]
    put: bool  #: rather than taken out


def _planned(found: Sequence[FileEdit], *, put: bool) -> dict[Path, _Plan]:
    plans: dict[Path, _Plan] = {}
    for piece in found:
        path = piece.path.resolve()  # settings are often links into somebody's collection of them
        plan = plans.get(path)
        if plan is None:
            before = _read(path)
            plan = plans[path] = _Plan(before, before or "", [], put)
        try:
            if put:
                plan.after = piece.put(plan.after)
                plan.what.append(piece.what)
            elif plan.before is not None:
                taken = piece.take(plan.after)
                plan.what += [piece.what] if taken != plan.after else []
                plan.after = taken
        except InvalidError as error:
            raise InvalidError(
                f"{path}: {error}; nothing was changed", argument="settings", path=str(path), **_line(error)
            ) from None
    return plans


def _line(error: InvalidError) -> dict[str, object]:
    return {"line": error.facts["line"]} if "line" in error.facts else {}


def _carried_out(plans: dict[Path, _Plan], report: Installed, *, dry_run: bool) -> None:
    for path, plan in plans.items():
        report.files.append(_one(path, plan, dry_run=dry_run))
    report.files = [each for each in report.files if each.what or each.done != "unchanged"]


def _one(path: Path, plan: _Plan, *, dry_run: bool) -> ChangedFile:
    before, after, what = plan.before, plan.after, tuple(plan.what)
    if not what or after == (before or ""):
        return ChangedFile(path=str(path), what=what, done="unchanged")
    backup = path.with_name(path.name + BACKUP)
    gone = not plan.put and _is_empty(after) and not backup.exists()
    diff = "".join(
        difflib.unified_diff(
            (before or "").splitlines(keepends=True),
            ("" if gone else after).splitlines(keepends=True),
            str(path),
            str(path),
        )
    )
    done = "removed" if gone else "written" if before is None else "changed"
    kept = None
    if not dry_run:
        try:
            kept = _write(path, plan, backup, gone=gone)
        except OSError as error:
            raise StorageError(
                f"cannot write {path}: {error.strerror or type(error).__name__}; make it writable and try "
                "again",
                reason=type(error).__name__,
                path=str(path),
                outcome="none",
            ) from error
    return ChangedFile(path=str(path), what=what, done=done, backup=kept, diff=diff)


def _write(path: Path, plan: _Plan, backup: Path, *, gone: bool) -> str | None:
    if gone:
        path.unlink()
        return None
    path.parent.mkdir(parents=True, exist_ok=True)
    mode = path.stat().st_mode if plan.before is not None else None
    if plan.put and plan.before is not None and not backup.exists():
        shutil.copy2(path, backup)
    elif backup.exists() and backup.read_bytes().decode("utf-8", "replace") == plan.after:
        backup.unlink()  # it is as it was before us
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with beside.open("w", encoding="utf-8", newline="") as file:
            file.write(plan.after)
        if mode is not None:
            beside.chmod(mode)
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)
    return str(backup) if backup.exists() else None


def _read(path: Path) -> str | None:
    try:
        with path.open(encoding="utf-8", newline="") as file:
            return file.read()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise StorageError(
            f"cannot read {path}: {type(error).__name__}; nothing was changed",
            reason=type(error).__name__,
            path=str(path),
            outcome="none",
        ) from error


def _is_empty(text: str) -> bool:
    """Tell whether a file says nothing but what we began it with."""
    if not text.strip().strip("\ufeff"):
        return True
    try:
        return jsonc.parse(text).plain() in ({}, {"version": 1}) and not _COMMENT.search(text)
    except InvalidError:
        return False
