"""Turn a German subordinate clause into a main clause: "dass ich Tee mag" becomes "Ich mag Tee"."""

from __future__ import annotations

import re
from functools import cache

SUBJECT = r"(?:ich|wir|mein[e]?(?: [A-ZÄÖÜ]\w+)|unser[e]?(?: [A-ZÄÖÜ]\w+)|es|man)"
VERB = (
    r"(?:bin|sind|ist|habe|haben|hat|kann|können|mag|mögen|will|wollen|muss|müssen|darf|dürfen|soll|heiße|heißt|werde|wird"
    r"|[a-zäöüß]{2,}(?:e|en|t))"
)


@cache
def _clause() -> re.Pattern[str]:
    return re.compile(rf"^({SUBJECT}) ([^,]+) ({VERB})([.!]*)$", re.IGNORECASE)


def main_clause(text: str) -> str:
    """Return the clause with its verb in second place, or unchanged where its shape is not known."""
    found = _clause().match(text)
    if found is None:
        return text
    subject, middle, verb, end = found.groups()
    return f"{subject} {verb} {middle}{end}"
