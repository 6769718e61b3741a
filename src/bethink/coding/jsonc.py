"""Edit values in JSONC (JSON with comments and trailing commas) and keep every other byte as it was."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from bethink.errors import InvalidError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_SPACE: Final = re.compile(r"(?:[ \t\r\n\ufeff]+|//[^\r\n]*|/\*.*?\*/)*", re.DOTALL)
_SCALAR: Final = re.compile(r'"(?:[^"\\\x00-\x1f]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null')
_DEEPEST: Final = 64


class Node(NamedTuple):
    """A value, and where it stands."""

    start: int
    end: int
    value: Any  #: of a scalar
    members: tuple[Member, ...] | None = None  #: of an object
    elements: tuple[Node, ...] | None = None  #: of an array

    def plain(self) -> Any:
        """Return the value without where it stands."""
        if self.members is not None:
            return {each.name: each.node.plain() for each in self.members}
        if self.elements is not None:
            return [each.plain() for each in self.elements]
        return self.value

    def member(self, name: str) -> Member | None:
        """Return a member of an object; of two with one name the last one counts."""
        found = [each for each in self.members or () if each.name == name]
        return found[-1] if found else None


class Member(NamedTuple):
    """A name of an object, and its value."""

    name: str
    start: int
    node: Node


def parse(text: str) -> Node:
    """Read a file of settings.

    Raises:
        InvalidError: it is not JSON, even with comments; `line` says where.
    """
    reader = _Reader(text)
    node = reader.value(reader.skip(0), 0)
    end = reader.skip(node.end)
    if end != len(text):
        raise reader.wrong(end)
    return node


def put(text: str, path: Sequence[str], value: Any) -> str:
    """Return a file with a value at a path of names; objects on the way are made."""
    return _put(text, path, value) if text.strip().strip("\ufeff") else _put("{}\n", path, value)


def remove(text: str, path: Sequence[str], *, empty: bool = True) -> str:
    """Remove the value at a path; with `empty`, also remove objects that become empty."""
    chain = [parse(text)]
    for name in path:
        member = chain[-1].member(name)
        if member is None:
            return text
        chain.append(member.node)
    depth = len(path) - 1
    while empty and depth > 0 and len(chain[depth].members or ()) == 1:
        depth -= 1
    holder = chain[depth]
    spans = [(each.start, each.node.end) for each in holder.members or ()]
    at = next(place for place, each in enumerate(holder.members or ()) if each.name == path[depth])
    return _without(text, holder, spans, at)


def add(text: str, path: Sequence[str], value: Any) -> str:
    """Return a file with another element at the end of the array at a path; the array is made where it is not there."""
    node = _find(parse(text) if text.strip().strip("\ufeff") else parse("{}"), path)
    if node is None:
        return put(text, path, [value])
    if node.elements is None:
        raise InvalidError(f"{'.'.join(path)} must be a list", argument="settings", place=".".join(path))
    return _appended(text, node, [(each.start, each.end) for each in node.elements], _written(value))


def drop(text: str, path: Sequence[str], unwanted: Callable[[Any], bool]) -> str:
    """Return a file without the elements of an array that are not wanted."""
    while text.strip().strip("\ufeff"):
        node = _find(parse(text), path)
        elements = node.elements if node is not None else None
        at = next((place for place, each in enumerate(elements or ()) if unwanted(each.plain())), None)
        if node is None or elements is None or at is None:
            return text
        text = _without(text, node, [(each.start, each.end) for each in elements], at)
    return text


def _find(node: Node, path: Sequence[str]) -> Node | None:
    for name in path:
        member = node.member(name)
        if member is None:
            return None
        node = member.node
    return node


def _put(text: str, path: Sequence[str], value: Any) -> str:
    node = parse(text)
    for depth, name in enumerate(path):
        if node.members is None:
            place = ".".join(path[:depth]) or "the top"
            raise InvalidError(f"{place} must be an object", argument="settings", place=place)
        member = node.member(name)
        if member is None:
            made: Any = value
            for inner in reversed(path[depth + 1 :]):
                made = {inner: made}
            spans = [(each.start, each.node.end) for each in node.members]
            return _appended(text, node, spans, _written(made), name)
        node = member.node
    if node.plain() == value:
        return text
    return text[: node.start] + _indented(_written(value), _indent(text, node.start), text) + text[node.end :]


def _appended(
    text: str, holder: Node, spans: list[tuple[int, int]], written: str, name: str | None = None
) -> str:
    outer = _indent(text, holder.start)
    inner = (
        _indent(text, spans[-1][0])
        if spans and "\n" in text[holder.start : spans[-1][0]]
        else outer + _step(text)
    )
    end = _newline(text)
    member = (f"{json.dumps(name, ensure_ascii=False)}: " if name is not None else "") + _indented(
        written, inner, text
    )
    if not spans:
        return f"{text[: holder.start + 1]}{end}{inner}{member}{end}{outer}{text[holder.end - 1 :]}"
    # It goes behind what is said of the one before it; where that ends with a comma, so does this.
    last, close = spans[-1][1], holder.end - 1
    follows = _SPACE.match(text, last)
    comma = follows.end() if follows else last
    trailing = text[comma : comma + 1] == ","
    at = max(last, len(text[:close].rstrip()))
    head = text[:at] if trailing else f"{text[:last]},{text[last:at]}"
    return f"{head}{end}{inner}{member}{',' if trailing else ''}{text[at:]}"


def _without(text: str, holder: Node, spans: list[tuple[int, int]], at: int) -> str:
    start, end = spans[at]
    follows = _SPACE.match(text, end)
    after = follows.end() if follows else end
    if text[after : after + 1] == ",":
        end = after + 1
    elif at:  # the comma before it goes with it
        before = spans[at - 1][1]
        found = _SPACE.match(text, before)
        comma = found.end() if found else before
        if text[comma : comma + 1] == ",":
            text = text[:comma] + text[comma + 1 :]
            start, end = start - 1, end - 1
    while start > holder.start + 1 and text[start - 1] in " \t":
        start -= 1
    if text[start - 2 : start] == "\r\n":
        start -= 2
    elif text[start - 1 : start] == "\n":
        start -= 1
    left = text[:start] + text[end:]
    if len(spans) == 1 and not left[holder.start + 1 : holder.end - (end - start) - 1].strip():
        close = holder.end - (end - start) - 1
        return left[: holder.start + 1] + left[close:]
    return left


def _written(value: Any) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False)


def _indented(written: str, indent: str, text: str) -> str:
    step = _step(text)
    lines = written.split("\n")
    made = [lines[0]]
    for line in lines[1:]:
        plain = line.lstrip(" ")
        made.append(indent + step * ((len(line) - len(plain)) // 2) + plain)
    return _newline(text).join(made)


def _indent(text: str, at: int) -> str:
    start = max(text.rfind("\n", 0, at), text.rfind("\r", 0, at)) + 1
    found = re.match(r"[ \t]*", text[start:at])
    return found[0] if found else ""


def _step(text: str) -> str:
    """Return what one level is indented by, as the file has it."""
    found = re.search(r"[{\[]\s*?\n([ \t]+)\S", text)
    return found[1] if found else "  "


def _newline(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"


class _Reader:
    def __init__(self, text: str) -> None:
        self._text = text

    def skip(self, at: int) -> int:
        """Pass over blanks and comments."""
        found = _SPACE.match(self._text, at)
        return found.end() if found else at

    def wrong(self, at: int) -> InvalidError:
        """Return the error of a place that is not JSON."""
        line = self._text.count("\n", 0, at) + 1
        return InvalidError(f"not valid JSON; see line {line}", argument="settings", line=line)

    def value(self, at: int, depth: int) -> Node:
        """Read the value that begins at a place."""
        sign = self._text[at : at + 1]
        if depth > _DEEPEST:
            raise self.wrong(at)
        if sign == "{":
            return self._object(at, depth)
        if sign == "[":
            return self._array(at, depth)
        found = _SCALAR.match(self._text, at)
        if found is None:
            raise self.wrong(at)
        try:
            return Node(at, found.end(), json.loads(found[0]))
        except ValueError:
            raise self.wrong(at) from None

    def _object(self, start: int, depth: int) -> Node:
        members: list[Member] = []
        at = self.skip(start + 1)
        while self._text[at : at + 1] != "}":
            name = self.value(at, depth + 1)
            colon = self.skip(name.end)
            if not isinstance(name.value, str) or self._text[colon : colon + 1] != ":":
                raise self.wrong(at)
            node = self.value(self.skip(colon + 1), depth + 1)
            members.append(Member(name.value, at, node))
            at = self._next(node.end, "}")
        return Node(start, at + 1, None, tuple(members))

    def _array(self, start: int, depth: int) -> Node:
        elements: list[Node] = []
        at = self.skip(start + 1)
        while self._text[at : at + 1] != "]":
            node = self.value(at, depth + 1)
            elements.append(node)
            at = self._next(node.end, "]")
        return Node(start, at + 1, None, None, tuple(elements))

    def _next(self, at: int, close: str) -> int:
        """Return where the next one begins, or where the whole ends; a comma before the end is borne."""
        at = self.skip(at)
        if self._text[at : at + 1] == ",":
            return self.skip(at + 1)
        if self._text[at : at + 1] != close:
            raise self.wrong(at)
        return at
