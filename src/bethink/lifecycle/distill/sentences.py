"""Cut a message into the sentences that its author says in their own voice."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from bethink.lifecycle.distill.languages import pattern

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bethink.lifecycle.distill.languages.furniture import Phrasebook

LONGEST = 280  #: characters of a sentence that can be a statement


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence in its author's voice, or the reason why a piece of a message is not one."""

    text: str
    reason: str | None = None


@cache
def _patterns() -> dict[str, re.Pattern[str]]:
    flags = re.IGNORECASE
    names = r"user_profile|memories|memory|memory_policy|memory_context"
    return {
        "fence": re.compile(rf"<({names})\b[^>]*>.*?(?:</\1\s*>|\Z)", flags | re.DOTALL),
        "front": re.compile(r"\A\s*---\s*\nprofile:.*?(?:\n---|\Z)", flags | re.DOTALL),
        "code": re.compile(r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)", re.DOTALL),
        "quote": re.compile(r"^[ \t]*>.*$", re.MULTILINE),
        "mail": re.compile(
            r"^[ \t]*(?:(?:from|to|subject|sent|von|an|betreff|gesendet|de|à|objet|para|asunto"
            r"|差出人|宛先|件名|发件人|收件人|主题)"
            r" ?[:：].*\n){2,}|^.{0,80}(?:wrote|schrieb.{0,40}|a écrit|escribió) ?: *$"
            r"|^-{2,} ?(?:original|forwarded|ursprüngliche|message|weitergeleitete).*$",
            flags | re.MULTILINE,
        ),
        "letter": re.compile(
            r"\A\s*(?:dear|sehr geehrte\w*|liebe[rs]?|cher|chère|estimad[oa]|querid[oa]|拝啓|尊敬的)\b"
            r"[^\n]{0,60}[,:：，]?\s*\n",
            flags,
        ),
        "end": re.compile(r"(?<=[.!?…])[\"')\]]*\s+|(?<=[。！？!?])(?=[^\s。！？!?」』”])|\n+"),
        "abbreviation": re.compile(
            r"(?:\b(?:dr|mr|mrs|ms|prof|st|vs|etc|e\.g|i\.e|approx|no|nr|z\.\s?b|d\.\s?h|u\.\s?a|bzw|ca|inkl|max|min|sra?|ud|"
            r"mme|m|ex|p\.\s?ej|u\.s|a\.m|p\.m)|(?:^|\s)\w|\b(?:am|der|den|dem|des|vom|zum|bis) \d{1,2})\.$",
            flags,
        ),
        "bullet": re.compile(r"^[ \t]*(?:[-*•·–—]|\d{1,2}[.)]|#{1,6})\s+"),
        "spoken": re.compile(
            r"\"[^\"\n]*\"|“[^”\n]*”|„[^“”\n]*[“”]|«[^»\n]*»|「[^」\n]*」|『[^』\n]*』|`[^`\n]*`"
        ),
        "letters": re.compile(r"[^\W_]"),
    }


def _tidy(text: str) -> str:
    return (
        text.replace("’", "'")
        .replace("‘", "'")
        .replace("\r", "\n")
        .replace("\u00a0", " ")
        .replace("\u3000", " ")
    )


def _spared(text: str) -> Iterator[tuple[str, str | None]]:
    """Yield the message without what is not its author's voice, each such piece with its reason."""
    rules = _patterns()
    for name, reason in (("fence", "injected"), ("front", "injected"), ("code", "code"), ("quote", "quoted")):
        text, count = rules[name].subn("\n", text)
        if count:
            yield "", reason
    for name in ("mail", "letter"):
        found = rules[name].search(text)
        if found:
            yield "", "quoted"
            text = text[: found.start()]
    yield text, None


def _pieces(text: str) -> Iterator[str]:
    """Yield the sentences of a text; an abbreviation's point ends none."""
    rules = _patterns()
    start = 0
    for end in rules["end"].finditer(text):
        piece = text[start : end.start()]
        if "\n" not in end.group() and rules["abbreviation"].search(piece[-12:]):
            continue
        yield piece
        start = end.end()
    yield text[start:]


def _cut(sentence: str, book: Phrasebook) -> list[str]:
    """Return the statements that a sentence strings together."""
    if len(sentence) > LONGEST:
        return [sentence]
    spans: list[tuple[int, int]] = []
    for expression in book.cuts:
        rule = pattern(expression)
        name = "cut" if "cut" in rule.groupindex else 0
        spans += [found.span(name) for found in rule.finditer(sentence)]
    parts: list[str] = []
    start = 0
    for left, right in sorted(spans):
        if left >= start and sentence[start:left].strip():
            parts.append(sentence[start:left])
            start = right
    parts.append(sentence[start:])
    return parts


def quotes_at_length(sentence: str) -> bool:
    """Return whether a sentence quotes words that its author may not mean."""
    for quote in _patterns()["spoken"].finditer(sentence):
        inner = quote.group()[1:-1]
        if len(inner.split()) >= 3 or (not inner.isascii() and len(inner) >= 6 and " " not in inner):  # noqa: PLR2004
            return True
    return False


def sentences(text: str, book: Phrasebook) -> Iterator[Sentence]:
    """Yield what a message states, sentence by sentence, with a reason where it is not its author's voice."""
    rules = _patterns()
    for part, reason in _spared(_tidy(text)):
        if reason is not None:
            yield Sentence("", reason)
            continue
        for piece in _pieces(part):
            whole = rules["bullet"].sub("", piece).strip()
            if not rules["letters"].search(whole):
                continue
            if pattern(book.handing_over).search(whole[:LONGEST]):
                yield Sentence(whole, "request")
                return
            for cut in _cut(whole, book):
                if rules["letters"].search(cut):
                    yield Sentence(" ".join(cut.split()))
