"""Detect passphrases: "the wifi password is purple monkey dishwasher"."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from bethink.lifecycle.guard.folding import NOTHING
from bethink.lifecycle.guard.patterns import Finder, FoundSpan, Pattern, word_set
from bethink.lifecycle.guard.secrets.passwords import FULL, PROSE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bethink.lifecycle.guard.folding import Folded

_WORD: Final = r"[^\s.,;:!?\"'`()<>\[\]]"
_SEVERAL: Final = Pattern(
    rf"(?<![a-z])(?:{'|'.join(FULL)})(?![a-z])(?:[^\n.;!?:=0-9]{{1,40}}?)??"
    r"(?:[ \t]{0,3}[:=]"
    r"|[ \t]{1,2}(?:is|was|ist|lautet|est|es|e|sera|are)(?: (?:still|now|noch|immer noch))?(?![a-z]))[ \t]{1,3}"
    rf"(?P<value>[\"'`][^\"'`\n]{{6,80}}[\"'`]|{_WORD}{{2,24}}(?:[ _.\-]{_WORD}{{1,24}}){{2,7}})",
    *FULL,
    reach=400,
    starts=True,
    ends=True,
)
#: words of prose that are found in chosen phrases, too: "correct horse battery staple"
_CHOSEN: Final = word_set(
    "correct old new good bad true false secret private lost stolen long short safe gut"
)
#: words that a phrase chosen at random hardly holds
_LINKING: Final = word_set(
    "him her them us me mine yours ours theirs myself something anything nothing everything someone somebody way quite "
    "really actually probably maybe perhaps last next week weeks month months year years day days today yesterday "
    "tomorrow monday tuesday wednesday thursday friday saturday sunday time times again ago getting driving making "
    "giving taking going causing asking needs need has have had do does did be am let lets got get gets made make "
    "makes know knows think thinks say says said tell told leave left keep kept write written wrote read reads "
    "remember remembered remembers forget forgot try tried trying work works worked like likes want wants through "
    "between within during against into onto off down out up around along across kind sort bit lot extremely totally "
    "completely pretty rather almost exactly probably definitely usually normally currently recently ca can't cannot "
    "don't doesn't isn't won't it's i'm that's wird wurde worden habe hat haben sind war waren leider viel kurz lang "
    "wieder schon mal ich du er es wir ihr mich mir uns auf bei mit von zum zur und oder aber fur einem einer eines "
    "complique court long pour moi toi lui nous vous avec sans je tu elle ils qui que quoi ou et mais tout toujours "
    "jamais encore deja plus moins muy demasiado para mi ti yo tu ella nosotros con sin que y o pero siempre nunca "
    "todavia mas menos largo corto dificil facil"
)
_SEVERAL_WORDS: Final = 3


def find_passphrases(folded: Folded) -> Iterator[FoundSpan]:
    """Find passwords of several words."""
    for match in _SEVERAL.finditer(folded):
        start, end = match.span("value")
        if NOTHING not in match["value"] and _chosen(match["value"]):
            yield FoundSpan("password", start, end)


def _chosen(value: str) -> bool:
    """Say whether several words stand together as nobody speaks: without any of the words that link others."""
    if value[0] in "\"'`":
        return True
    words = re.split(r"[ _.\-]", value.lower())
    plain = _LINKING.union(PROSE - _CHOSEN)
    return all(word and word not in plain for word in words) and len(words) >= _SEVERAL_WORDS


PASSPHRASES: Final = Finder(find_passphrases, (_SEVERAL,))
