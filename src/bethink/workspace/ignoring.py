"""Ignore rules: .gitignore, and directories that never contain memory."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

#: folders of tools and of what is built, whether or not there is a .gitignore
LIFELESS: Final = frozenset(
    """node_modules bower_components jspm_packages vendor third_party site-packages __pycache__ venv env virtualenv
    target build dist out _build _site htmlcov coverage cmake-build-debug cmake-build-release pods deriveddata
    .git .hg .svn .venv .tox .nox .cache .next .nuxt .gradle .idea .vscode .terraform""".split()  # noqa: SIM905
)


@dataclass(frozen=True, slots=True)
class Rule:
    """One row of a .gitignore."""

    found: re.Pattern[str]
    keeps: bool  #: it takes something back that was ignored
    folders: bool  #: it speaks of folders alone
    base: str = ""  #: the folder of its file, with a slash after it; empty for the root
    above: str = ""  #: the way from the folder of its file to the root, where that lies below

    def matches(self, path: str, *, folder: bool) -> bool:
        """Tell whether it is about a path."""
        if (self.folders and not folder) or not path.startswith(self.base):
            return False
        return self.found.fullmatch(self.above + path[len(self.base) :]) is not None


def is_lifeless(name: str) -> bool:
    """Tell whether a folder is one that no memory lives in."""
    return name.startswith(".") or name.casefold() in LIFELESS or name.endswith((".egg-info", ".app"))


def rules(text: str, base: str = "", above: str = "") -> list[Rule]:
    """Read a .gitignore that lies in a folder."""
    return [rule for row in text.splitlines() if (rule := _rule(row, base, above))]


def ignored(path: str, *, folder: bool, known: Iterable[Rule]) -> bool:
    """Tell whether git ignores a path; the last rule that speaks of it decides."""
    answer = False
    for rule in known:
        if rule.matches(path, folder=folder):
            answer = not rule.keeps
    return answer


def _rule(row: str, base: str, above: str) -> Rule | None:
    plain = re.sub(r"(?<!\\) +$", "", row.rstrip("\r"))
    if not plain or plain.startswith("#"):
        return None
    keeps = plain.startswith("!")
    plain = plain[1:] if keeps else plain.removeprefix("\\") if plain[:2] in {"\\#", "\\!"} else plain
    folders = plain.endswith("/")
    plain = plain.removesuffix("/")
    anchored = "/" in plain
    try:
        found = re.compile(
            ("" if anchored else r"(?:.*/)?") + _translated(plain.removeprefix("/")), re.DOTALL
        )
    except re.error:
        return None
    return Rule(found, keeps, folders, base, above)


def _translated(pattern: str) -> str:
    made: list[str] = []
    at = 0
    while at < len(pattern):
        if pattern.startswith("**/", at):
            made.append(r"(?:.*/)?")
            at += 3
        elif pattern.startswith("**", at):
            made.append(".*")
            at += 2
        elif pattern[at] == "*":
            made.append("[^/]*")
            at += 1
        elif pattern[at] == "?":
            made.append("[^/]")
            at += 1
        elif pattern[at] == "[" and (end := pattern.find("]", at + 2)) != -1:
            made.append(_any_case(pattern[at + 1 : end]))
            at = end + 1
        else:
            at += pattern[at] == "\\" and at + 1 < len(pattern)
            made.append(re.escape(pattern[at]))
            at += 1
    return "".join(made)


def _any_case(inside: str) -> str:
    without = inside[:1] in {"!", "^"}
    plain = (inside[1:] if without else inside).replace("\\", "\\\\").replace("[", "\\[").replace("^", "\\^")
    return f"[{'^' if without else ''}{plain}]"
