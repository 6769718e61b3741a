"""Turn names of documents into links: `docs/recall.md` in a sentence becomes a link to that page, by its title in the menu."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
NAMED = re.compile(
    r"(?<![\w/\[\"`])(?<!\]\()(`?)(?:docs/)?((?:decisions/|how-to/|reference/)?[a-z0-9][\w-]*\.md)\1(?![\w/\]\"])"
)
FENCED = re.compile(r"^(```|~~~).*?^\1[ ]*$", re.MULTILINE | re.DOTALL)
INCLUDED = re.compile(r'^--8<-- "(\w+\.md)"$', re.MULTILINE)
BESIDE = {"CONTRIBUTING.md": "contributing.md", "CHANGELOG.md": "changelog.md", "SECURITY.md": "security.md"}


def titles(nav: Any) -> dict[str, str]:
    """Return the title of each page that the menu names."""
    return {path: title for title, path in _entries(nav)}


def _entries(nav: Any, title: str = "") -> Iterator[tuple[str, str]]:
    if isinstance(nav, str):
        yield title or "Bethink", nav
    elif isinstance(nav, Mapping):
        for name, inside in nav.items():
            yield from _entries(inside, name)
    else:
        for inside in nav:
            yield from _entries(inside)


def linked(markdown: str, page: str, menu: Mapping[str, str]) -> str:
    """Return a page's text with links where it names other pages; what stands in blocks of code stays."""
    markdown = INCLUDED.sub(lambda found: (ROOT / found[1]).read_text(encoding="utf-8"), markdown)
    parts: list[str] = []
    at = 0
    for block in FENCED.finditer(markdown):
        parts += [_with_links(markdown[at : block.start()], page, menu), block[0]]
        at = block.end()
    return "".join([*parts, _with_links(markdown[at:], page, menu)])


def _with_links(text: str, page: str, menu: Mapping[str, str]) -> str:
    def link(found: re.Match[str]) -> str:
        target = found[2]
        if target not in menu or target == page:
            return found[0]
        return f"[{menu[target]}]({posixpath.relpath(target, posixpath.dirname(page) or '.')})"

    text = re.sub(
        r"`(CONTRIBUTING|CHANGELOG|SECURITY)\.md`",
        lambda found: f"`docs/{BESIDE[found[1] + '.md']}`" if BESIDE[found[1] + ".md"] != page else found[0],
        text,
    )
    lines = text.split("\n")
    return "\n".join(line if line.startswith("    ") else NAMED.sub(link, line) for line in lines)
