"""List the Markdown files of a directory that git does not ignore, within bounds."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from bethink.errors import BethinkError, LimitError
from bethink.workspace.ignoring import ignored, is_lifeless, rules
from bethink.workspace.markdown import decoded

if TYPE_CHECKING:
    from pathlib import Path

    from bethink.workspace.directory import Directory
    from bethink.workspace.ignoring import Rule

MAX_PAGES: Final = 2_000
MAX_PAGE: Final = 1024 * 1024  #: bytes of one page
MAX_BYTES: Final = 32 * 1024 * 1024  #: bytes of all
MAX_ENTRIES: Final = 100_000  #: names that are looked at
_DEPTH: Final = 32


@dataclass(slots=True)
class FolderListing:
    """What lies in a folder."""

    pages: dict[str, bytes] = field(default_factory=dict[str, bytes])
    left: dict[str, str] = field(default_factory=dict[str, str])  #: skipped pages, and why
    others: bool = False  #: there is something beside pages
    entries: int = 0
    size: int = 0


def is_page(name: str) -> bool:
    """Tell whether a file is one that notes are read from."""
    return name.lower().endswith(".md") and not name.startswith(".")


def list_folder(tree: Directory) -> FolderListing:
    """Read the pages of a folder.

    Raises:
        LimitError: there are too many, or they are too large together.
    """
    listing = FolderListing()
    known = _above(tree.root)
    _enter(tree, "", known, listing, 0)
    return listing


def _enter(tree: Directory, folder: str, known: list[Rule], listing: FolderListing, depth: int) -> None:
    try:
        entries = tree.entries(folder)
    except BethinkError as error:
        listing.left[folder or "."] = str(error)
        return
    here = f"{folder}/" if folder else ""
    listing.entries += len(entries)
    if listing.entries > MAX_ENTRIES:
        _too_much(tree, f"more than {MAX_ENTRIES} names", MAX_ENTRIES, listing.entries)
    if (".gitignore", "file") in entries:
        known = [*known, *_read_rules(tree, f"{here}.gitignore", here)]
    for name, kind in entries:
        path = here + name
        if not name.isprintable() and any("\udc80" <= letter <= "\udcff" for letter in name):
            listing.left[path.encode("utf-8", "surrogateescape").decode("utf-8", "replace")] = (
                "its name is no UTF-8"
            )
        elif kind == "folder":
            listing.others |= not name.startswith(".bethink")
            if depth < _DEPTH and not is_lifeless(name) and not ignored(path, folder=True, known=known):
                _enter(tree, path, known, listing, depth + 1)
        elif not is_page(name):
            listing.others |= not name.startswith(".bethink")
        elif not ignored(path, folder=False, known=known):
            _take(tree, path, kind, listing)


def _take(tree: Directory, path: str, kind: str, listing: FolderListing) -> None:
    if kind != "file":
        listing.left[path] = (
            "symbolic links are not followed" if kind == "link" else "it is not a regular file"
        )
        return
    try:
        size = tree.kind(path)[1]
        if size > MAX_PAGE:
            listing.left[path] = f"the page has {size} bytes, but at most {MAX_PAGE} are read; split it"
            return
        data = tree.read(path)
    except BethinkError as error:
        listing.left[path] = str(error)
        return
    if data is None:
        return
    if decoded(data) is None:
        listing.left[path] = "the page is not valid UTF-8; save it as UTF-8"
        return
    listing.pages[path] = data
    listing.size += len(data)
    if len(listing.pages) > MAX_PAGES:
        _too_much(tree, f"more than {MAX_PAGES} Markdown files", MAX_PAGES, len(listing.pages))
    if listing.size > MAX_BYTES:
        _too_much(tree, f"more than {MAX_BYTES} bytes of Markdown", MAX_BYTES, listing.size)


def _too_much(tree: Directory, what: str, limit: int, actual: int) -> None:
    raise LimitError(
        f"{tree.root} has {what}; name a subfolder that contains memory, or list the rest in "
        ".gitignore. Nothing was changed",
        limit=limit,
        actual=actual,
    )


def _read_rules(tree: Directory, path: str, base: str) -> list[Rule]:
    try:
        return rules((tree.read(path) or b"").decode("utf-8", "replace"), base)
    except BethinkError:
        return []


def _above(root: Path) -> list[Rule]:
    """Return the rules of the repository that a folder lies in, as they speak of what is below it."""
    repository = next((each for each in (root, *root.parents) if (each / ".git").exists()), None)
    if repository is None:
        return []
    found: list[Rule] = []
    sources = [repository / ".git" / "info" / "exclude"]
    way = root.relative_to(repository).parts
    sources += [repository.joinpath(*way[:depth], ".gitignore") for depth in range(len(way))]
    for at, source in enumerate(sources):
        below = "/".join(way[max(0, at - 1) :])
        try:
            text = source.read_text(encoding="utf-8", errors="replace")
        except OSError:
            continue
        found += rules(text, above=f"{below}/" if below else "")
    return found
