"""Extract which shell commands a run executed, and their outcomes."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from bethink.json_kinds import is_list, is_object

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

_EXIT = re.compile(r"exit(?:ed)?(?: with)?(?: status| code)?(?: code)?[:= ]+(-?\d{1,5})\b", re.IGNORECASE)
_FAULT = re.compile(
    r"^(?:Traceback \(most recent|\w*(?:Error|Exception): |error:|fatal:|FAILED\b|npm ERR!"
    r"|[^\n]{0,80}: command not found|[^\n]{0,120}: No such file or directory|An error occurred)",
    re.MULTILINE,
)
_FAULTS = re.compile(
    r"error|exception|fail|not found|denied|fatal|cannot|missing|refused|no such", re.IGNORECASE
)
_LOOKING = frozenset(
    [
        "cat",
        "cd",
        "cut",
        "date",
        "df",
        "diff",
        "du",
        "echo",
        "env",
        "export",
        "file",
        "find",
        "grep",
        "head",
        "hostname",
        "less",
        "ls",
        "nl",
        "printenv",
        "printf",
        "ps",
        "pwd",
        "rg",
        "sed",
        "sleep",
        "sort",
        "source",
        "stat",
        "tail",
        "test",
        "touch",
        "tree",
        "true",
        "type",
        "uname",
        "wc",
        "which",
        "whoami",
    ]
)
_LONGEST = 200
_PREFIX = re.compile(
    r"^(?:(?:cd|source|\.) [^&;|]{1,120}(?:&&|;)\s*|sudo\s+|\w+=\S*\s+|time\s+|env\s+)+", re.IGNORECASE
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """One command, or one call of another tool."""

    text: str
    ok: bool | None = None  #: None where nothing says
    fault: str = ""  #: the line that says what went wrong
    item: str = ""

    @property
    def program(self) -> str:
        """Return what is run, without what stands before it."""
        words = bare_command(self.text).split()
        return words[0].rsplit("/", 1)[-1] if words else ""

    @property
    def is_action(self) -> bool:
        """Tell whether it does more than look around."""
        return self.program not in _LOOKING and len(self.text) <= _LONGEST and "\n" not in self.text


def bare_command(text: str) -> str:
    """Strip leading `cd …` and variable assignments from a shell command."""
    return _PREFIX.sub("", text.strip())


def commands(items: Iterable[tuple[str, Mapping[str, Any]]]) -> list[Command]:
    """Return what was run, in its order, with the outcome that its output tells."""
    found: list[tuple[str, Command]] = []
    outputs: dict[str, tuple[str, int | None]] = {}
    for number, body in items:
        kind = body.get("type")
        if isinstance(kind, str) and kind.endswith("_output"):
            outputs[str(body.get("call_id") or body.get("id") or "")] = _output(body)
        else:
            call = str(body.get("call_id") or body.get("id") or number)
            found += [(call, Command(text=text, item=number)) for text in _commands_of_action(body)]
    alone: dict[str, int] = {}
    for call, _ in found:
        alone[call] = alone.get(call, 0) + 1
    return [
        _judged(command, *outputs[call]) if call in outputs and alone[call] == 1 else command
        for call, command in found
    ]


def _judged(command: Command, output: str, code: int | None) -> Command:
    exit_codes = _EXIT.findall(output[:400]) or _EXIT.findall(output[-400:])
    if code is None and exit_codes:
        code = int(exit_codes[0])
    broken = code != 0 if code is not None else True if _FAULT.search(output) else None
    ok = None if broken is None else not broken
    return Command(text=command.text, ok=ok, fault=fault_in(output) if ok is False else "", item=command.item)


def fault_in(output: str) -> str:
    """Return the line of an output that says what went wrong."""
    rows = [" ".join(row.split()) for row in output.splitlines()]
    rows = [row for row in rows if row and not _EXIT.search(row)]
    faults = [row for row in rows if _FAULTS.search(row)]
    return (faults or rows or [""])[-1][:160]


def _commands_of_action(body: Mapping[str, Any]) -> Iterator[str]:
    kind = body.get("type")
    if kind == "function_call":
        yield from _of_function(body)
    elif kind in {"shell_call", "local_shell_call"}:
        action: Any = body.get("action")
        members = action if is_object(action) else {}
        listed: Any = members.get("commands")
        if is_list(listed):
            yield from (each for each in listed if isinstance(each, str))
        else:
            yield from _words(members.get("command"))


def _of_function(body: Mapping[str, Any]) -> Iterator[str]:
    try:
        given: Any = json.loads(str(body.get("arguments") or "{}"))
    except (ValueError, RecursionError):
        given = {}
    members = given if is_object(given) else {}
    for name in ("cmd", "command", "commands", "script"):
        if members.get(name):
            yield from _words(members[name])
            return


def _words(value: Any) -> Iterator[str]:
    if isinstance(value, str) and value.strip():
        yield value.strip()
    elif is_list(value) and all(isinstance(each, str) for each in value):
        words = cast("list[str]", value)
        yield words[-1] if words[:2] in (["bash", "-lc"], ["bash", "-c"], ["sh", "-c"]) else " ".join(words)


def _output(body: Mapping[str, Any]) -> tuple[str, int | None]:
    """Return what a tool answered, and the exit status where it is told apart."""
    answer: Any = body.get("output")
    if isinstance(answer, str):
        return answer, None
    texts: list[str] = []
    code: int | None = None
    for part in answer if is_list(answer) else [answer]:
        if not is_object(part):
            continue
        piece = part
        texts += [piece[name] for name in ("stdout", "stderr", "text") if isinstance(piece.get(name), str)]
        outcome: Any = piece.get("outcome")
        if is_object(outcome):
            status: Any = outcome.get("exit_code")
            code = status if isinstance(status, int) else code
    return "\n".join(texts), code


def called_tools(items: Iterable[tuple[str, Mapping[str, Any]]]) -> list[str]:
    """Return what was called, each once: commands as they were given, other tools by their names."""
    called: dict[str, int] = {}
    for _, body in items:
        kind = body.get("type")
        if not isinstance(kind, str) or not (kind.endswith("_call") or kind == "program"):
            continue
        asked = [quoted(text) for text in _commands_of_action(body) if len(text) <= _LONGEST]
        for each in asked or [quoted(str(body.get("name") or kind))]:
            called[each] = called.get(each, 0) + 1
    return [f"{each}, {count} times" if count > 1 else each for each, count in called.items()]


def paths(bodies: Iterable[Mapping[str, Any]]) -> tuple[str, ...]:
    """Return the files that patches name, each once."""
    found: dict[str, None] = {}
    for body in bodies:
        if body.get("type") == "apply_patch_call":
            operation: Any = body.get("operation")
            if is_object(operation) and isinstance(operation.get("path"), str):
                found[operation["path"]] = None
        elif body.get("type") in {"custom_tool_call", "function_call"} and body.get("name") == "apply_patch":
            text = str(body.get("input") or body.get("arguments") or "")
            for path in re.findall(r"\*\*\* (?:Add|Update|Delete) File: ([^\n\\\"]{1,200})", text):
                found[path.strip()] = None
    return tuple(found)


def lessons(run: Sequence[Command]) -> tuple[list[str], list[str]]:
    """Return what the commands teach: what works, and what failed with what helped."""
    works: dict[str, None] = {}
    failed: dict[str, None] = {}
    for at, command in enumerate(run):
        if not command.is_action:
            continue
        shown = quoted(command.text)
        if command.ok:
            works[f"{shown} works."] = None
        elif command.ok is False:
            why = f" ({command.fault})" if command.fault else ""
            failed[_ending(run[at + 1 :], command, shown, why)] = None
    return list(works), list(failed)


def _ending(later: Sequence[Command], command: Command, shown: str, why: str) -> str:
    """Say what became of a command that failed."""
    between: list[str] = []
    for each in later:
        if not each.is_action or each.ok is not True:
            continue
        if bare_command(each.text) == bare_command(command.text):
            if between:
                return f"{shown} failed{why} until {', then '.join(between[-2:])}; after that it worked."
            return f"{shown} failed{why} at first and worked when it was run again."
        if each.program == command.program:
            return f"{shown} failed{why}; {quoted(each.text)} worked."
        between.append(quoted(each.text))
    return f"{shown} failed{why}, and nothing in that run put it right."


def quoted(text: str) -> str:
    """Return a command as Markdown shows it."""
    return f"`{' '.join(text.split()).replace('`', chr(39))}`"
