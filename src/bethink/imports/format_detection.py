"""Detect the format of a file, an archive or a folder by its content."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from bethink.errors import BethinkError, InvalidError, NotFoundError
from bethink.imports import (
    chatgpt,
    claude_ai,
    coding_agent_transcripts,
    google_takeout,
    locomo,
    markdown,
    names_and_ids,
    openai_items,
)
from bethink.imports import mem0_zep_letta_exports as exports
from bethink.imports.streams import Blob, archive_members, array_elements, numbered_lines, open_file
from bethink.imports.values import Entry, Fact, ImportedUsage, Malformed, Source
from bethink.json_kinds import is_list, is_object
from bethink.sessions.readers.parts import objects

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from bethink.imports.values import Read

_LOOKED_AT: Final = 40  #: lines, or elements, that say what a file is
_WHOLE: Final = 64 << 20  #: bytes of an object that is read as one
_MACHINE: Final = {
    "claude-code": (".claude", "projects"),
    "codex": (".codex", "sessions"),
    "gemini": (".gemini", "tmp"),
}

_ReadObject: TypeAlias = "Callable[[int, dict[str, Any], Blob], Iterator[Read]]"
#: what one object of an array, or of lines, may be: how it is told, and how it is read
_OBJECTS: Final[tuple[tuple[str, Callable[[dict[str, Any]], bool], _ReadObject], ...]] = (
    ("chatgpt", chatgpt.is_chatgpt, chatgpt.read),
    ("claude", claude_ai.is_claude, claude_ai.read),
    ("langgraph", exports.is_langgraph, lambda number, one, _: exports.read_langgraph(number, one)),
    ("mcp-memory", exports.is_mcp, lambda number, one, _: exports.read_mcp_memory(number, one)),
    ("zep", exports.is_graphiti, lambda number, one, _: exports.read_graphiti(number, one)),
    ("zep", exports.is_zep_message, lambda number, one, _: exports.zep_message(number, one)),
    ("mem0", exports.is_mem0, lambda number, one, _: exports.read_mem0(number, one)),
)
_LINES: Final = (
    ("claude-code", coding_agent_transcripts.is_claude_code, coding_agent_transcripts.claude_code),
    ("codex", coding_agent_transcripts.is_codex, coding_agent_transcripts.codex),
    ("gemini", coding_agent_transcripts.is_gemini_cli, coding_agent_transcripts.gemini_cli),
)
#: the lists that stand under a name in the top object
_LISTS: Final = (
    "results",
    "conversations",
    "memories",
    "facts",
    "edges",
    "messages",
    "items",
    "entities",
    "data",
)
FORMATS: Final = (
    "jsonl", "json", "locomo", "chatgpt", "claude", "claude-code", "codex", "gemini", "mem0", "letta", "zep",
    "langgraph", "mcp-memory", "markdown", "openviking", "openai-agents", "bethink",
)  # fmt: skip
_TALK: Final = "messages.jsonl"  #: of a session of OpenViking
_OURS: Final = {"bethink-export"}


class OwnExportError(InvalidError):
    """The file is an export of Bethink or a state file, which `import_json` imports as a whole."""


def open_source(
    path: Path | str | None,
    *,
    user: str | None = None,
    wanted: str | None = None,
    key: str | None = None,
) -> Source:
    """Return the entries of whatever is at a path; without a path, of what `wanted` keeps on this machine.

    `user` is whose conversations those of LoCoMo, and the facts of mem0 and others, are to be; each has a user of its
    own unless it is given. With `wanted`, a file of another format is refused. A text with `://` is the address of
    a database, `postgresql://…` or `redis://…`; `key` opens encrypted sessions of the Agents SDK.

    Raises:
        NotFoundError: there is no such file.
        InvalidError: it cannot be read, or is of no known format, or of another one than is wanted.
    """
    if wanted is not None and wanted not in FORMATS:
        raise InvalidError(f"--from must be one of {', '.join(FORMATS)}", argument="from", actual=wanted)
    if isinstance(path, str) and "://" in path:
        source = _database(path, user, key)
        path = path.partition("://")[0]
    else:
        path = _usual(wanted) if path is None else Path(path)
        source = _opened(path, user, wanted, key)
    if wanted is not None and wanted not in source.format.split("+"):
        raise InvalidError(
            f"{path} looks like {source.format}, not {wanted}; leave out --from, or choose another file",
            argument="from",
            expected=wanted,
            actual=source.format,
        )
    return replace(source, entries=_guarded(source.entries, None))


def _usual(wanted: str | None) -> Path:
    if wanted not in _MACHINE:
        raise InvalidError(
            f"pass a file; only {', '.join(_MACHINE)} are found automatically",
            argument="path",
        )
    return Path.home().joinpath(*_MACHINE[wanted])


def _database(url: str, user: str | None, key: str | None) -> Source:
    kind = url.partition("://")[0].partition("+")[0]
    if kind in {"redis", "rediss", "unix"}:
        from bethink.imports.openai_agents_sdk import of_redis

        return Source(format="openai-agents", count=None, entries=_owned(of_redis(url, key), user))
    if kind in {"postgresql", "postgres"}:
        from bethink.imports.databases import of_postgresql

        name, entries = of_postgresql(f"postgresql://{url.partition('://')[2]}", key)
        return Source(format=name, count=None, entries=_owned(entries, user))
    raise InvalidError(
        "a database must be postgresql://… or redis://…; anything else is read as a file", argument="path"
    )


def _opened(path: Path, user: str | None, wanted: str | None, key: str | None = None) -> Source:
    if path.is_dir():
        return _folder(path, user, wanted)
    if not path.exists():
        raise NotFoundError(f"no such file: {path}", kind="file", id=str(path))
    blob = open_file(path)
    start = blob.head(16)
    if start.startswith(b"SQLite format 3"):
        from bethink.imports.databases import read

        name, entries = read(path, key)
        return Source(format=name, count=None, entries=_owned(entries, user))
    if start.startswith(b"PK\x03\x04"):
        return _together([(each.name, _archived(each, user)) for each in archive_members(blob)], path.name)
    return _read(blob, user)


# ---- several files ----------------------------------------------------------------------------------------------


def _folder(folder: Path, user: str | None, wanted: str | None) -> Source:
    pages = list(markdown.files(folder))
    others = sorted(
        path
        for ending in ("*.jsonl", "*.json", "*.zip", "*.jsonl.gz", "*.json.gz", "*.jsonl.zst", "*.af")
        for path in folder.rglob(ending)
        if not path.is_symlink() and ".obsidian" not in path.parts
    )
    others += _of_mem0(folder)
    viking = any(folder.rglob(".overview.md")) or any(folder.rglob(".abstract.md"))
    if (
        pages
        and wanted in {None, "markdown"}
        and (viking or not any(path.suffix == ".jsonl" for path in others))
    ):
        notes = Source(format="markdown", count=len(pages), entries=_owned(markdown.read(folder), user))
        talks = [path for path in others if path.name == _TALK] if viking else []
        if not talks:
            return notes
        rest = [(str(path.relative_to(folder)), _lazily(path, user, wanted)) for path in talks]
        return _together([("", lambda: notes), *rest], str(folder))
    if not others:
        raise InvalidError(
            f"{folder} contains no file in a known format (JSON, JSONL, archives or Markdown)",
            argument="path",
        )
    return _together(
        [(str(path.relative_to(folder)), _lazily(path, user, wanted)) for path in others], str(folder)
    )


def _of_mem0(folder: Path) -> list[Path]:
    """Return the databases of mem0 in a folder: its points say whose they are, its history does not."""
    points = sorted(path for path in folder.rglob("storage.sqlite") if not path.is_symlink())
    return points or sorted(path for path in folder.rglob("history.db") if not path.is_symlink())


def _lazily(path: Path, user: str | None, wanted: str | None) -> Callable[[], Source]:
    return lambda: _opened(path, user, wanted)


def _archived(blob: Blob, user: str | None) -> Callable[[], Source]:
    def read() -> Source:
        ending = blob.name.lower().rpartition(".")[2]
        if f".{ending}" in markdown.ENDINGS and not _is_hidden(blob.name):
            return Source(format="markdown", count=None, entries=_owned(markdown.of_blob(blob), user))
        if ending not in {"json", "jsonl"}:
            raise InvalidError("not valid JSON", argument="path")
        return _read(blob, user)

    return read


def _together(parts: list[tuple[str, Callable[[], Source]]], name: str) -> Source:
    """Join the files that are recognised; the others are counted as left out."""
    found: dict[str, int] = {}
    sources: list[tuple[str, Source]] = []
    left: Counter[str] = Counter()
    broken: list[Malformed] = []
    for each, opened in parts:
        try:
            source = opened()
        except OwnExportError:
            left["a Bethink export in a folder (import it separately)"] += 1
            continue
        except BethinkError as error:
            if "incomplete" in error.sentence or "damaged" in error.sentence:
                broken.append(Malformed(line=0, reason=str(error), file=each))
            else:
                left["a file of another kind: ." + each.rpartition(".")[2][:8]] += 1
            continue
        source = _talk(source, each)
        if source.format in {"json", "jsonl"}:  # settings and the like; items are imported by themselves
            left["a file that is not a conversation"] += 1
            continue
        found[source.format] = found.get(source.format, 0) + 1
        sources.append((each, source))
    if not sources and not broken:
        raise InvalidError(f"{name} contains nothing in a known format", argument="path")

    def entries() -> Iterator[Read]:
        yield from names_and_ids.skipped_counts(left)
        yield from broken
        for each, source in sources:
            for one in _guarded(source.entries, each):
                yield replace(one, file=one.file or each) if isinstance(one, Malformed) else one

    counts = [source.count for _, source in sources]
    count = None if any(each is None for each in counts) else sum(each or 0 for each in counts)
    return Source(format="+".join(found), count=count, entries=entries())


def _talk(source: Source, name: str) -> Source:
    """Take the messages of a session of OpenViking for what they are."""
    if source.format != "jsonl" or name.rpartition("/")[2] != _TALK:
        return source
    return replace(source, format="openviking", entries=_in_session(source.entries, name))


def _in_session(entries: Iterator[Read], name: str) -> Iterator[Read]:
    """Name the session of a conversation by the folder that it lies in."""
    session = names_and_ids.session_name("openviking", name.rpartition("/")[0].rpartition("/")[2])
    for each in entries:
        yield replace(each, session=each.session or session) if isinstance(each, Entry) else each


def _is_hidden(name: str) -> bool:
    """Tell whether a member of an archive is hidden, also as OpenViking's packs write it."""
    return any(part.startswith((".", "_._", "__MACOSX")) for part in name.split("/"))


def _guarded(entries: Iterator[Read], name: str | None) -> Iterator[Read]:
    """Let a file that breaks off end there, and the others be read."""
    try:
        yield from entries
    except BethinkError as error:
        yield Malformed(line=0, reason=str(error), file=name)


# ---- one file ----------------------------------------------------------------------------------------------------


def _read(blob: Blob, user: str | None) -> Source:
    start = blob.start()
    if not start:
        return Source(format="jsonl", count=0, entries=iter(()))
    if start.startswith("["):
        return _array(blob, None, user)
    if not start.startswith("{"):
        if start.startswith(("<!DOCTYPE", "<html")):
            raise InvalidError(
                f"{blob.name} is a web page; request the export as JSON instead (Takeout: Multiple "
                "formats, JSON)",
                argument="path",
            )
        return _lines(blob, user)
    first = next(numbered_lines(blob))[1]
    try:
        json.loads(first)
    except (ValueError, RecursionError):
        return _object(blob, user) if _spans(blob) else _lines(blob, user)
    return _lines(blob, user) if _second(blob) else _object(blob, user)


def _second(blob: Blob) -> bool:
    found = numbered_lines(blob)
    next(found)
    return next(found, None) is not None


def _spans(blob: Blob) -> bool:
    """Tell whether a file that begins with a brace is one object on several lines."""
    first = next(numbered_lines(blob))[1].strip()
    return first == b"{" or (not first.endswith(b"}") and _second(blob) and not _looks_like_lines(blob))


def _looks_like_lines(blob: Blob) -> bool:
    found = numbered_lines(blob)
    next(found)
    return next(found, (0, b""))[1].lstrip().startswith(b"{")


def _array(blob: Blob, under: str | None, user: str | None) -> Source:
    for _, one in _some(blob, under):
        if not is_object(one):
            continue
        if "conversation" in one and under is None:
            return _locomo(blob, user)
        if google_takeout.is_takeout(one):
            named = ((number, each) for number, each in array_elements(blob, under) if is_object(each))
            return Source(format="gemini", count=None, entries=google_takeout.read_all(named, blob))
        for name, recognises, read in _OBJECTS:
            if recognises(one):
                return Source(format=name, count=None, entries=_each(blob, under, recognises, read, user))
    return Source(format="json", count=None, entries=openai_items.of_numbered(array_elements(blob, under)))


def _some(blob: Blob, under: str | None) -> Iterator[tuple[int, Any]]:
    for number, one in array_elements(blob, under):
        yield number, one
        if number >= _LOOKED_AT:
            return


def _checked(found: Iterable[tuple[int, Any]]) -> Iterator[tuple[int, Any]]:
    for number, one in found:
        if isinstance(one, ValueError):
            raise InvalidError(f"not valid JSON: element {number}: {one}", argument="path")
        yield number, one


def _locomo(blob: Blob, user: str | None) -> Source:
    from bethink.evals.locomo import conversations as read

    array = [one for _, one in _checked(array_elements(blob))]
    conversations = read(blob.path or Path(blob.name), array)
    turns = sum(len(conversation.turns) for conversation in conversations)
    return Source(format="locomo", count=turns, entries=locomo.entries(conversations, user=user))


def _each(
    blob: Blob,
    under: str | None,
    recognises: Callable[[dict[str, Any]], bool],
    read: _ReadObject,
    user: str | None,
) -> Iterator[Read]:
    """Read the objects of an array one at a time; a broken one is named, and the rest is read."""
    for number, one in array_elements(blob, under):
        if isinstance(one, ValueError):
            yield Malformed(line=number, reason=f"not valid JSON: {one}", file=blob.name)
        elif not is_object(one) or not recognises(one):
            reader = next((each[2] for each in _OBJECTS if is_object(one) and each[1](one)), None)
            if reader is None:
                yield Malformed(
                    line=number, reason="a different kind than the other elements", file=blob.name
                )
            else:
                yield from _owned(reader(number, one, blob), user)
        else:
            yield from _owned(read(number, one, blob), user)


def _owned(found: Iterator[Read], user: str | None) -> Iterator[Read]:
    """Give everything to one user, where that is wanted."""
    for each in found:
        yield (
            replace(each, user=user)
            if user is not None and isinstance(each, Entry | Fact | ImportedUsage)
            else each
        )


def _object(blob: Blob, user: str | None) -> Source:
    """Recognise one object: a conversation, an agent, or a list under a name."""
    with blob.text() as text:
        start = text.read(_WHOLE)
    if len(start) == _WHOLE:
        found = _cut_list(blob, start, user)
        if found is None:
            raise InvalidError(f"{blob.name} is a JSON object in an unknown format", argument="path")
        return found
    try:
        one: Any = json.loads(start)
    except (ValueError, RecursionError) as error:
        found = _cut_list(blob, start, user)
        if found is not None:
            return found
        raise InvalidError(
            f"{blob.name} is not valid JSON, or is incomplete: {error}", argument="path"
        ) from None
    if one.get("format") in _OURS or one.keys() & {"global_memory", "session_memory", "trip_history"}:
        raise OwnExportError(f"{blob.name} is a Bethink export; it is imported as a whole", argument="path")
    return _known_object(blob, one, user)


def _known_object(blob: Blob, one: dict[str, Any], user: str | None) -> Source:
    if exports.is_letta(one):
        return Source(format="letta", count=None, entries=_owned(exports.read_letta(one, blob), user))
    for name, recognises, read in _OBJECTS:
        if recognises(one):
            return Source(format=name, count=1, entries=_owned(read(1, one, blob), user))
    if is_list(one.get("entities")) and is_list(one.get("relations")):
        both = [*objects(one["entities"]), *objects(one["relations"])]
        read_ = (
            each for number, thing in enumerate(both, 1) for each in exports.read_mcp_memory(number, thing)
        )
        return Source(format="mcp-memory", count=len(both), entries=_owned(read_, user))
    for name in _LISTS:
        if is_list(one.get(name)):
            return _array(blob, name, user)
    return _lines(blob, user) if _single_item(one) else _unknown(blob, one)


def _cut_list(blob: Blob, start: str, user: str | None) -> Source | None:
    """Return the list of an object that is large, or breaks off: what comes before its end is read."""
    for name in _LISTS:
        if f'"{name}"' in start[:4096]:
            try:
                return _array(blob, name, user)
            except InvalidError:
                continue
    return None


def _single_item(one: dict[str, Any]) -> bool:
    return isinstance(one.get("role", one.get("type")), str) or is_object(one.get("item"))


def _unknown(blob: Blob, one: dict[str, Any]) -> Source:
    from bethink.sessions.readers.registry import fields_text

    raise InvalidError(
        f"{blob.name} is in an unknown format; it looks like {fields_text(one)}. See `bethink import "
        "--help` for the formats",
        argument="path",
    )


def _lines(blob: Blob, user: str | None) -> Source:
    """Recognise JSONL by its first lines."""
    looked = 0
    for _, line in names_and_ids.objects_of_lines(blob):
        looked += 1
        if looked > _LOOKED_AT:
            break
        if isinstance(line, Malformed):
            continue
        if is_object(line.get("item")):
            break
        for name, recognises, read in _LINES:
            if recognises(line):
                return Source(format=name, count=None, entries=_owned(read(blob), user))
        for name, recognises, read in _OBJECTS:
            if recognises(line):
                return Source(format=name, count=None, entries=_owned(_objects_of(blob, read), user))
    count = sum(1 for _ in _raw(blob))
    return Source(format="jsonl", count=count, entries=openai_items.of_lines(_raw(blob)))


def _objects_of(blob: Blob, read: _ReadObject) -> Iterator[Read]:
    for number, line in names_and_ids.objects_of_lines(blob):
        if isinstance(line, Malformed):
            yield line
        else:
            reader = next((each[2] for each in _OBJECTS if each[1](line)), None)
            yield from (reader or read)(number, line, blob)


def _raw(blob: Blob) -> Iterator[bytes]:
    with blob.utf8() as raw:
        yield from raw
