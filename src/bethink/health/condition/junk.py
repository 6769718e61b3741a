"""Detect junk notes by their form alone."""

from __future__ import annotations

import re
from typing import Final

FEWEST: Final = 2  #: words of a note
FEWEST_SIGNS: Final = 4  #: of a script that puts no space between words
LETTERS: Final = 0.5  #: the part of a note that is letters, at the least

_WORD: Final = re.compile(r"[^\W\d_]{2,}|\d+")
_UNSPACED: Final = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")
#: how a note reads that is nothing but this, from its first sign to its last
_COURTESY: Final = (
    r"\W*(?:(?:hi|hello|hey|thanks|thank you|ok|okay|great|sure|bye|good (?:morning|night)|you're welcome"
    r"|hallo|danke|bonjour|merci|hola|gracias|こんにちは|ありがとう(?:ございます)?|你好|谢谢)"
    r"(?: there| so much| very much| again| a lot)?\W*)+"
)
_TALK: Final = (
    r"(?:the )?(?:user|assistant|human|ai|bot|client|customer)(?: has| have|'s)?(?: just| again)? "
    r"(?:asked|asks|is asking|inquired|greeted|greets|thanked|thanks|requested|acknowledged|confirmed that"
    r"|wants to know|wanted to know|said (?:hi|hello|thanks|ok)|responded|replied|sent|provided|is waiting)\b.*"
)
_UPKEEP: Final = (
    r".*\b(?:heartbeat|cron(?: ?job)?|health ?check|no new (?:information|messages|facts)"
    r"|nothing (?:new )?to (?:remember|store|report)|memory (?:was |has been )?updated|context window|as an ai\b"
    r"|tool call (?:succeeded|failed)|token limit)\b.*"
)
_MACHINE: Final = r"\s*(?:[\[{].*[\]}]|<\w+[ >].*</\w+>|```.*|traceback \(most recent.*)\s*"
_LOG: Final = r"\s*(?:\[?\d{4}-\d\d-\d\d[t ]\d\d:\d\d.*|(?:debug|info|warn(?:ing)?|error)[: ].*)"
_ADDRESS: Final = r"\s*(?:https?://\S+|(?:/[\w.-]+){2,}/?|[a-z]:\\\S+)\s*"
_FORMS: Final[tuple[tuple[str, re.Pattern[str]], ...]] = tuple(
    (reason, re.compile(pattern, re.IGNORECASE | re.DOTALL))
    for reason, pattern in (
        ("a courtesy", _COURTESY),
        ("a question", r".*[?？]\s*"),
        ("about the conversation, not about the user", _TALK),
        ("upkeep of the system", _UPKEEP),
        ("the output of a machine", _MACHINE),
        ("a line of a log", _LOG),
        ("an address and nothing else", _ADDRESS),
    )
)


def junk_reason(text: str) -> str | None:
    """Return why a note is not worth keeping, or None."""
    for reason, pattern in _FORMS:
        if pattern.fullmatch(text):
            return reason
    if _UNSPACED.search(text):
        return "too short to say anything" if len(text.strip()) < FEWEST_SIGNS else None
    if len(_WORD.findall(text)) < FEWEST:
        return "too short to say anything"
    solid = "".join(text.split())
    if sum(char.isalpha() for char in solid) < LETTERS * len(solid):
        return "more symbols than words"
    return None
