"""Word a note as notes are worded: short, about the user without naming the user.

    User usually prefers aisle seats.                               → Prefers aisle seats.
    User generally likes to compare options                         → Prefers to compare options.
    Vegetarian (prefers vegetarian meal options when traveling).    → Prefers vegetarian meal options when traveling.

Words are only taken away, but for "likes to", which becomes "prefers to". What is not English, or not of these
forms, stays as it is.
"""

from __future__ import annotations

import re
from typing import Final

_VERBS: Final = (
    r"(?:prefers|likes|loves|enjoys|avoids|dislikes|hates|needs|wants|has|owns|lives|works|speaks|uses|plays|eats|drinks|"
    r"travels|flies|drives|follows|collects|studies|does not|doesn['’]t|never|cannot|can['’]t|is)"
)
_SOFTENED: Final = r"(?:(?:usually|generally|normally|typically|mostly) )?"
_SUBJECT: Final = re.compile(rf"(?:the )?user (?={_SOFTENED}{_VERBS}\b)", re.IGNORECASE)
_PREFERS: Final = re.compile(r"(?:usually|generally|normally|typically|mostly) (?=prefers\b)", re.IGNORECASE)
_LIKES_TO: Final = re.compile(rf"{_SOFTENED}likes to (?=[a-z])", re.IGNORECASE)
_TOPIC: Final = re.compile(
    r"([^\W\d_][\w -]{1,40}) \(((?:prefers|likes|avoids|needs) [^()]+)\)\.?", re.IGNORECASE
)


def canonical(text: str) -> str:
    """Return a note in canonical wording; worded so already, it is returned unchanged."""
    plain = " ".join(text.split())
    worded = _SUBJECT.sub("", plain, count=1) if _SUBJECT.match(plain) else plain
    topic = _TOPIC.fullmatch(worded) if "(" in worded else None
    if topic and topic.group(1).casefold() in topic.group(2).casefold():
        worded = topic.group(2)
    worded = _PREFERS.sub("", worded, count=1) if _PREFERS.match(worded) else worded
    worded = _LIKES_TO.sub("Prefers to ", worded, count=1) if _LIKES_TO.match(worded) else worded
    if worded == plain:
        return plain
    worded = worded[:1].upper() + worded[1:]
    return worded if worded[-1] in ".!?…" else f"{worded}."
