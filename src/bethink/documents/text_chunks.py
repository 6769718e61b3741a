"""Read the text out of Markdown, HTML and PDF, in pieces with the place where each stands."""

from __future__ import annotations

import importlib
import io
import re
from html.parser import HTMLParser
from typing import TYPE_CHECKING, Any, Final

from bethink.errors import InvalidError

if TYPE_CHECKING:
    from collections.abc import Iterator

MARKDOWN, HTML, PDF, PLAIN = "text/markdown", "text/html", "application/pdf", "text/plain"
_HEADING: Final = re.compile(r"(#{1,6})\s+(.*?)\s*#*\s*$")
_FENCE: Final = re.compile(r"\s*(```|~~~)")
_UNSEEN: Final = frozenset({"script", "style", "head", "template", "noscript", "svg"})
_BREAKS: Final = frozenset(
    {
        "p",
        "br",
        "li",
        "div",
        "section",
        "article",
        "tr",
        "td",
        "th",
        "blockquote",
        "pre",
        "ul",
        "ol",
        "table",
        "dt",
        "dd",
    }
)
_LEVELS: Final = {f"h{level}": level for level in range(1, 7)}


def guess_media_type(content: str | bytes, name: str) -> str:
    """Return the media type of a text, by its first bytes and by its name."""
    if isinstance(content, bytes) and content.startswith(b"%PDF-"):
        return PDF
    start = (
        (content[:200] if isinstance(content, str) else content[:200].decode("utf-8", "replace"))
        .lstrip()
        .lower()
    )
    if start.startswith(("<!doctype html", "<html")) or name.lower().endswith((".html", ".htm")):
        return HTML
    return MARKDOWN if name.lower().endswith((".md", ".markdown")) or re.search(r"^#{1,6} ", start) else PLAIN


def text_chunks(content: str | bytes, media_type: str) -> Iterator[tuple[str, str]]:
    """Yield the texts of a document, each with its place: the headings above it, a page, or a paragraph.

    Raises:
        InvalidError: it is of another kind, in another encoding, or damaged.
        ImportError: for PDF the extra is not installed.
    """
    kind = media_type.partition(";")[0].strip().lower()
    if kind == PDF:
        yield from _pdf(content)
        return
    try:
        text = content if isinstance(content, str) else content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InvalidError("content is not valid UTF-8; decode it first", argument="content") from None
    if kind == HTML:
        yield from _html(text)
    elif kind == MARKDOWN:
        yield from _markdown(text)
    elif kind.startswith("text/"):
        for number, paragraph in enumerate(re.split(r"\n\s*\n", text), 1):
            if paragraph.strip():
                yield f"paragraph {number}", paragraph.strip()
    else:
        raise InvalidError(
            f"cannot extract text from {media_type}; supported types are text/plain, {MARKDOWN}, "
            f"{HTML} and {PDF}",
            argument="media_type",
        )


class _HeadingPath:
    """The headings that stand above a place."""

    def __init__(self) -> None:
        self._titles: list[tuple[int, str]] = []

    def enter(self, level: int, title: str) -> None:
        self._titles = [each for each in self._titles if each[0] < level]
        if title:
            self._titles.append((level, title))

    def __str__(self) -> str:
        return " > ".join(title for _, title in self._titles)


def _markdown(text: str) -> Iterator[tuple[str, str]]:
    trail, held, fenced = _HeadingPath(), list[str](), False
    for line in text.splitlines():
        fenced ^= bool(_FENCE.match(line))
        found = None if fenced else _HEADING.fullmatch(line)
        if found or (not line.strip() and not fenced):
            if held:
                yield str(trail), "\n".join(held).strip()
                held = []
            if found:
                trail.enter(len(found[1]), found[2])
        else:
            held.append(line)
    if held:
        yield str(trail), "\n".join(held).strip()


class _Page(HTMLParser):
    """Collects what a reader of a page sees."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[tuple[str, str]] = []
        self._trail = _HeadingPath()
        self._held: list[str] = []
        self._title: list[str] | None = None
        self._hidden = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:  # noqa: ARG002
        if tag in _UNSEEN:
            self._hidden += 1
        elif tag in _LEVELS:
            self.end()
            self._title = []
        elif tag in _BREAKS:
            self.end()

    def handle_endtag(self, tag: str) -> None:
        if tag in _UNSEEN:
            self._hidden = max(0, self._hidden - 1)
        elif tag in _LEVELS and self._title is not None:
            self._trail.enter(_LEVELS[tag], " ".join("".join(self._title).split()))
            self._title = None
        elif tag in _BREAKS:
            self.end()

    def handle_data(self, data: str) -> None:
        if not self._hidden:
            (self._held if self._title is None else self._title).append(data)

    def end(self) -> None:
        """Close the text that is under way."""
        text = " ".join("".join(self._held).split())
        if text:
            self.found.append((str(self._trail), text))
        self._held = []


def _html(text: str) -> Iterator[tuple[str, str]]:
    page = _Page()
    page.feed(text)
    page.close()
    page.end()
    yield from page.found


def _pdf(content: str | bytes) -> Iterator[tuple[str, str]]:
    if isinstance(content, str):
        raise InvalidError("a PDF must be passed as bytes", argument="content")
    try:
        library: Any = importlib.import_module("pypdf")
    except ImportError as error:
        raise ImportError("reading PDFs requires pypdf: pip install 'bethink[pdf]'", name="pypdf") from error
    try:
        texts = [page.extract_text() for page in library.PdfReader(io.BytesIO(content)).pages]
    except Exception as error:  # noqa: BLE001 - the library raises errors of every kind for damaged files
        raise InvalidError(f"cannot read the PDF: {type(error).__name__}", argument="content") from None
    for number, text in enumerate(texts, 1):
        if text.strip():
            yield f"page {number}", text.strip()
