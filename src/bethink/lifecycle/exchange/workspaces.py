"""Export and import the workspaces of a scope.

The directory of a workspace belongs to its machine and does not travel; its rows do, and files are made of them.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final, TypedDict

from bethink.errors import InvalidError
from bethink.json_kinds import is_list, is_object
from bethink.lifecycle.exchange import queries
from bethink.lifecycle.exchange.values import Loss
from bethink.notes.checks import check_characters
from bethink.notes.transactions import change
from bethink.scope.transactions import find

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable

    from bethink.lifecycle.exchange.queries import BringSegment
    from bethink.lifecycle.guard import Guard
    from bethink.scope.namespace import Namespace
    from bethink.scope.transactions import ScopeRow, Writing
    from bethink.storage.work import Work

MAX: Final = 16 * 1024 * 1024  #: characters of one segment or file
_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,127}")
_PATH: Final = re.compile(r"(?:[^/\\\x00-\x1f]{1,255}/){0,8}[^/\\\x00-\x1f]{1,255}")
_TAUGHT: Final = ".bethink/taught.json"  #: which note stands for which line
_FORGOTTEN: Final = ".bethink/forgotten.json"  #: which conversations are not to be taken in again
_ENTRY: Final = re.compile(
    r"(?:all of )?[A-Za-z0-9][A-Za-z0-9._-]{0,127}"
)  #: a digest, an id, a conversation
_JOINED: Final = (_TAUGHT, _FORGOTTEN, ".bethink/suppressed.json")  #: what both stores know counts


class RolloutFacts(TypedDict):
    """What is known of a conversation, and what was made of it."""

    extracted: int
    tries: int
    updated_at: str
    terminal_state: str
    origin: str
    slug: str | None
    summary: str | None
    raw: str | None
    engine: str
    archived: int


@dataclass(frozen=True, slots=True, kw_only=True)
class IncomingRollout:
    """A conversation in a workspace, with its segments."""

    workspace: str
    rollout: str
    count: int  #: segments that it has had
    made: RolloutFacts
    segments: tuple[tuple[str, str, int], ...]  #: line, the mark it is recognised by, and when it was written


@dataclass(frozen=True, slots=True, kw_only=True)
class IncomingFile:
    """What was written into a file of a workspace last."""

    workspace: str
    path: str
    content: str | None  #: None for a file that rows make
    at: int


@dataclass(frozen=True, slots=True, kw_only=True)
class IncomingWorkspaces:
    """Everything that a file brings of workspaces."""

    rollouts: tuple[IncomingRollout, ...] = ()
    files: tuple[IncomingFile, ...] = ()


# ---- out --------------------------------------------------------------------------------------------------------


def exported_workspaces(namespace: Namespace) -> Work[list[dict[str, Any]]]:
    """Return the workspaces of a scope as an export has them."""
    place = yield from find(namespace)
    if place is None:
        return []
    found: dict[str, dict[str, Any]] = {}

    def of(workspace: str) -> dict[str, Any]:
        return found.setdefault(workspace, {"workspace": workspace, "rollouts": [], "files": []})

    segments: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for row in (yield from queries.segments_of(**place.keys)):
        plain = {"line": row.line, "digest": row.digest, "at": row.at}
        segments.setdefault((row.workspace, row.rollout), []).append(plain)
    for rollout in (yield from queries.rollouts_of(**place.keys)):
        of(rollout.workspace)["rollouts"].append(
            {
                "rollout": rollout.rollout,
                "count": rollout.segments,
                "segments": segments.get((rollout.workspace, rollout.rollout), []),
                "extracted": rollout.extracted,
                "tries": rollout.tries,
                "updated_at": rollout.updated_at,
                "terminal_state": rollout.terminal_state,
                "origin": rollout.origin,
                "slug": rollout.slug,
                "summary": rollout.summary,
                "raw": rollout.raw,
                "engine": rollout.engine,
                "archived": rollout.archived,
            }
        )
    for file in (yield from queries.files_of(**place.keys)):
        of(file.workspace)["files"].append({"path": file.path, "content": file.content, "at": file.at})
    return [found[name] for name in sorted(found)]


# ---- in ---------------------------------------------------------------------------------------------------------


def read(plain: Any) -> IncomingWorkspaces:
    """Return one workspace of an export.

    Raises:
        InvalidError: a name or a path could lead out of the directory, or something has another form.
    """
    workspace = _key(plain["workspace"])
    return IncomingWorkspaces(
        rollouts=tuple(_rollout(workspace, each) for each in plain.get("rollouts", ())),
        files=tuple(_file(workspace, each) for each in plain.get("files", ())),
    )


def merged_workspaces(each: Iterable[IncomingWorkspaces]) -> IncomingWorkspaces:
    """Return several workspaces as one."""
    listed = tuple(each)
    return IncomingWorkspaces(
        rollouts=tuple(rollout for one in listed for rollout in one.rollouts),
        files=tuple(file for one in listed for file in one.files),
    )


def _key(text: Any) -> str:
    parts = json.loads(text)
    if not is_list(parts) or len(parts) != 3:  # noqa: PLR2004 - name and two folders
        raise InvalidError("workspace must be the key of a workspace", argument="workspace")
    name, *folders = parts
    _text(name)
    for folder in folders:
        _path(folder)
    return json.dumps(parts)


def _rollout(workspace: str, plain: Any) -> IncomingRollout:
    name = plain["rollout"]
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise InvalidError("a conversation's id must be usable as a file name", argument="rollout")
    segments = tuple(
        (_line(each["line"]), _mark(each["digest"]), _count(each["at"])) for each in plain["segments"]
    )
    made: RolloutFacts = {
        "extracted": _count(plain["extracted"]),
        "tries": _count(plain["tries"]),
        "updated_at": _text(plain["updated_at"]),
        "terminal_state": _text(plain["terminal_state"]),
        "origin": _text(plain["origin"]),
        "slug": _optional(plain["slug"]),
        "summary": _optional(plain["summary"]),
        "raw": _optional(plain["raw"]),
        "engine": _text(plain["engine"]),
        "archived": _count(plain["archived"]),
    }
    if made["slug"] is not None and not _NAME.fullmatch(made["slug"]):
        raise InvalidError("a conversation's slug must be usable as a file name", argument="slug")
    count = max(_count(plain["count"]), len(segments))
    return IncomingRollout(workspace=workspace, rollout=name, count=count, made=made, segments=segments)


def _file(workspace: str, plain: Any) -> IncomingFile:
    content = plain["content"]
    path = _path(plain["path"])
    if path in _JOINED and content is not None:
        _check_list(path, _text(content))
    return IncomingFile(
        workspace=workspace,
        path=path,
        content=None if content is None else _text(content),
        at=_count(plain["at"]),
    )


def _check_list(path: str, content: str) -> None:
    decoded = json.loads(content)
    entries: Any = decoded.items() if is_object(decoded) else [("", each) for each in decoded]
    wanted = dict if path == _TAUGHT else list
    if not isinstance(decoded, wanted) or not all(
        isinstance(each, str) and _ENTRY.fullmatch(each) and (wanted is list or _ENTRY.fullmatch(mark))
        for mark, each in entries
    ):
        raise InvalidError("a list of the workspace is malformed", argument="path", actual=path)


def _line(text: Any) -> str:
    line = _text(text)
    if not is_object(json.loads(line)) or "\n" in line:
        raise InvalidError("a segment is one line of JSON", argument="line")
    return line


def _mark(text: Any) -> str:
    if not isinstance(text, str) or not _NAME.fullmatch(text):
        raise InvalidError("digest must be the digest of a segment", argument="digest")
    return text


def _path(path: Any) -> str:
    if not isinstance(path, str) or not _PATH.fullmatch(path) or {".", ".."} & set(path.split("/")):
        raise InvalidError("path must stay inside the workspace", argument="path")
    return path


def _text(text: Any) -> str:
    if not isinstance(text, str) or len(text) > MAX:
        raise InvalidError("text must be a str of moderate size", argument="text")
    check_characters(text, "text")
    return text


def _optional(text: Any) -> str | None:
    return None if text is None else _text(text)


def _count(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 1 << 62:
        raise InvalidError("expected a number of 0 or more", argument="number")
    return value


def screen_workspaces(incoming: IncomingWorkspaces, guard: Guard) -> tuple[IncomingWorkspaces, list[Loss]]:
    """Return what may come in: of files and summaries each line that the guard lets through."""
    losses: list[Loss] = []

    def let_in(text: str | None, name: str) -> str | None:
        if text is None:
            return None
        kept: list[str] = []
        for line in text.split("\n"):
            verdict = guard.judge(line, source="import", stage="capture") if line.strip() else None
            if verdict is not None and verdict.action in {"block", "quarantine"}:
                losses.append(
                    Loss(kind="workspace", reason="refused", id=name, details=tuple(verdict.reasons))
                )
            else:
                kept.append(line if verdict is None else verdict.text)
        return "\n".join(kept)

    rollouts = tuple(
        replace(
            each,
            made={
                **each.made,
                "summary": let_in(each.made["summary"], each.rollout),
                "raw": let_in(each.made["raw"], each.rollout),
            },
        )
        for each in incoming.rollouts
    )
    files = tuple(
        each if each.path in _JOINED else replace(each, content=let_in(each.content, each.path))
        for each in incoming.files
    )
    return IncomingWorkspaces(rollouts=rollouts, files=files), losses


@dataclass(slots=True)
class SortedWorkspaces:
    """What of the workspaces is new here, and what became of the rest."""

    rollouts: list[IncomingRollout] = field(default_factory=list[IncomingRollout])
    longer: list[tuple[IncomingRollout, int]] = field(
        default_factory=list[tuple[IncomingRollout, int]]
    )  #: with how many segments are here already
    files: list[IncomingFile] = field(default_factory=list[IncomingFile])
    joined: list[IncomingFile] = field(
        default_factory=list[IncomingFile]
    )  #: files that are here, as they are now
    doubled: list[str] = field(default_factory=list[str])  #: notes brought for lines that have one here
    known: int = 0
    losses: list[Loss] = field(default_factory=list[Loss])

    @property
    def count(self) -> int:
        """Return how many conversations and files are new, or go on."""
        return len(self.rollouts) + len(self.longer) + len(self.files) + len(self.joined)


def new_in_workspaces(
    place: ScopeRow | None, incoming: IncomingWorkspaces, covered: Callable[[int], bool]
) -> Work[SortedWorkspaces]:
    """Return what is new: conversations that are not here or go on, and files that are not here."""
    here: dict[tuple[str, str], list[str]] = {}
    files: dict[tuple[str, str], str | None] = {}
    if place is not None:
        for row in (yield from queries.segments_of(**place.keys)):
            here.setdefault((row.workspace, row.rollout), []).append(row.digest)
        stored = yield from queries.files_of(**place.keys)
        files = {(each.workspace, each.path): each.content for each in stored}
    found = SortedWorkspaces()
    for each in incoming.rollouts:
        if f"all of {each.rollout}" in _listed(files.get((each.workspace, _FORGOTTEN))):
            found.losses.append(Loss(kind="workspace", reason="erased", id=each.rollout))
        else:
            _sort_rollout(each, here.get((each.workspace, each.rollout)), covered, found)
    for file in incoming.files:
        if covered(file.at):
            found.losses.append(Loss(kind="workspace", reason="erased", id=file.path))
        elif (file.workspace, file.path) not in files:
            found.files.append(file)
        elif not _join(file, files[file.workspace, file.path], found):
            found.known += 1
    return found


def _join(file: IncomingFile, here: str | None, found: SortedWorkspaces) -> bool:
    """Add to a list of ours what the other store's has; where both name a note for a line, ours stands."""
    if file.path not in _JOINED:
        return False
    before, brought = _parsed(here), _parsed(file.content)
    if file.path == _TAUGHT:
        found.doubled += [note for line, note in brought.items() if before.get(line, note) != note]
        after: Any = {**brought, **before}
    else:
        after = sorted({*before, *brought})
    if after == before:
        return False
    found.joined.append(replace(file, content=json.dumps(after, sort_keys=True)))
    return True


def _parsed(text: str | None) -> Any:
    return json.loads(text) if text else {}


def _listed(text: str | None) -> list[str]:
    return list(_parsed(text))


def _sort_rollout(
    each: IncomingRollout, standing: list[str] | None, covered: Callable[[int], bool], found: SortedWorkspaces
) -> None:
    brought = [mark for _, mark, _ in each.segments]
    if any(covered(at) for _, _, at in each.segments):
        found.losses.append(Loss(kind="workspace", reason="erased", id=each.rollout))
    elif standing is None:
        found.rollouts.append(each)
    elif set(brought) <= set(standing):
        found.known += 1
    elif brought[: len(standing)] == standing:
        found.longer.append((each, len(standing)))
    else:
        found.losses.append(Loss(kind="workspace", reason="another log", id=each.rollout))


class _RolloutKeys(TypedDict):
    """The columns that name a conversation, and the revision of its write."""

    tenant: str
    scope: int
    workspace: str
    rollout: str
    revision: int


def store_workspaces(
    namespace: Namespace,
    place: ScopeRow,
    found: SortedWorkspaces,
    fresh: Collection[str],
    *,
    writing: Writing,
) -> Work[None]:
    """Write what is new; of `fresh`, the notes that were brought, those go whose lines have a note here."""
    for number in found.doubled:
        if number in fresh:
            yield from change(
                namespace, number, "forgotten", writing=writing, only=("active",), status="forgotten"
            )
    for file in found.joined:
        yield from queries.join_file(
            **place.keys,
            workspace=file.workspace,
            path=file.path,
            content=file.content,
            revision=place.revision,
        )
    segments: list[BringSegment] = []
    for each, here in [*((rollout, 0) for rollout in found.rollouts), *found.longer]:
        known: _RolloutKeys = {
            **place.keys,
            "workspace": each.workspace,
            "rollout": each.rollout,
            "revision": place.revision,
        }
        if here:
            yield from queries.extend_rollout(
                **known,
                segments=each.count,
                updated_at=each.made["updated_at"],
                terminal_state=each.made["terminal_state"],
            )
        else:
            yield from queries.bring_rollout(**known, **each.made, segments=each.count)
        for seq, (line, mark, at) in enumerate(each.segments, 1):
            if seq > here:
                segments.append({**known, "seq": seq, "line": line, "digest": mark, "at": at})
    if segments:
        yield from queries.bring_segment_many(segments)
    if found.files:
        yield from queries.bring_file_many(
            [
                {
                    **place.keys,
                    "workspace": file.workspace,
                    "path": file.path,
                    "content": file.content,
                    "at": file.at,
                    "revision": place.revision,
                }
                for file in found.files
            ]
        )
