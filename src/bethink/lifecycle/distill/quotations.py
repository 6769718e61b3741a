"""Leave out of a message what is not its author's own voice: injected fences, code, quoted lines, pasted mail."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from bethink.languages.loading import CODES, language
from bethink.languages.phrases import phrase_list

if TYPE_CHECKING:
    from collections.abc import Iterator

LONG_QUOTE = 3  #: words within quotation marks that may be somebody else's statement
LONG_QUOTE_SIGNS = 6  #: the same in a script without spaces


@cache
def _patterns() -> dict[str, re.Pattern[str]]:
    names = r"user_profile|memories|memory|memory_policy|memory_context"
    return {
        "fence": re.compile(rf"<({names})\b[^>]*>.*?(?:</\1\s*>|\Z)", re.IGNORECASE | re.DOTALL),
        "front": re.compile(r"\A\s*---\s*\nprofile:.*?(?:\n---|\Z)", re.IGNORECASE | re.DOTALL),
        "code": re.compile(r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)", re.DOTALL),
        "quote": re.compile(r"^[ \t]*>.*$", re.MULTILINE),
        "mail": re.compile(
            rf"^[ \t]*(?:(?:{_words('mail_headers')}) ?[:：].*\n){{2,}}|\A\s*(?:{_words('mail_headers')}) ?[:：].*\n|"
            rf"^.{{0,80}}(?:{_words('mail_wrote')})[^\n]{{0,40}}: *$"
            r"|^-{2,} ?\w+(?: \w+){0,2} ?-*$",
            re.IGNORECASE | re.MULTILINE,
        ),
        "letter": re.compile(
            rf"\A\s*(?:{_words('letter_openings')})[^\n]{{0,60}}[,:：，]?\s*\n", re.IGNORECASE
        ),
        "signed": re.compile(
            rf"(?<![^\W\d_])(?:{_words('letter_closings')})[,.，。]*(?=\s|$)", re.IGNORECASE
        ),
        "speech": re.compile(r"\"[^\"]*\"|“[^”]*”|„[^“”]*[“”]|«[^»]*»|「[^」]*」|『[^』]*』"),
        "spoken": re.compile(
            r"\"[^\"\n]*\"|“[^”\n]*”|„[^“”\n]*[“”]|«[^»\n]*»|「[^」\n]*」|『[^』\n]*』|`[^`\n]*`|(?<!\w)'[^'\n]*'(?!\w)"
        ),
    }


def _words(name: str) -> str:
    """Return an alternative of the words of every language."""
    found = {word for code in CODES for word in phrase_list(language(code).word("quoting", name))}
    return "|".join(re.escape(word) for word in sorted(found, key=lambda word: (-len(word), word))) or "(?!)"


def own_voice(text: str) -> Iterator[tuple[str, str | None]]:
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
    signed = rules["signed"].search(text)
    if signed:
        yield "", "quoted"
        text = text[signed.end() :]
    for speech in reversed([each for each in rules["speech"].finditer(text) if _is_speech(each.group())]):
        yield "", "quoted"
        text = f"{text[: speech.start()]}…{text[speech.end() :]}"
    yield text, None


def _is_speech(quoted: str) -> bool:
    """Tell whether quotation marks hold several sentences: what somebody else says, or is made to say."""
    return len([part for part in re.split(r"[.!?…。！？]+", quoted[1:-1]) if any(map(str.isalnum, part))]) > 1


def quotations(sentence: str) -> list[tuple[int, int]]:
    """Return the spans of a sentence that stand within quotation marks."""
    return [found.span() for found in _patterns()["spoken"].finditer(sentence)]


def is_long(quoted: str) -> bool:
    """Tell whether words within quotation marks are so many that their author may not mean them."""
    wide = not quoted.isascii() and " " not in quoted and len(quoted) >= LONG_QUOTE_SIGNS
    return wide or len(quoted.split()) >= LONG_QUOTE
