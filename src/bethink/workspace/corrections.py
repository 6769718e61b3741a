"""Recognise corrections: a user's message that tells an agent what it did wrong."""

from __future__ import annotations

import re
from typing import Final

_LONGEST: Final = 300
_SHORTEST: Final = 4
#: how people begin when what was just done is not what they want, and what carries nothing by itself
_OPENERS: Final = re.compile(
    r"""\A(?:(?:no|nope|wrong|not\ like\ that|not\ that
    |that(?:'|’)?s\ (?:wrong|not\ (?:it|right|what\ i\ (?:want|meant|asked\ for)))
    |that\ is\ wrong|actually|instead|rather|also|and\ also
    |in\ (?:the\ )?future|next\ time|from\ now\ on|please|hm+|stop
    |nein|nee|falsch|nicht\ so|das\ ist\ falsch|stattdessen|sondern|lieber|außerdem|eigentlich|künftig|ab\ jetzt|bitte
    |non|faux|pas\ comme\ ça|c(?:'|’)est\ faux|plutôt|en\ fait|aussi|à\ l(?:'|’)avenir|désormais
    |incorrecto|así\ no|está\ mal|en\ realidad|más\ bien|también|además|de\ ahora\ en\ adelante|por\ favor
    |いや|いいえ|違う|違います|ちがう|そうじゃなくて|そうではなく|じゃなくて|これからは|今後は|あと|それと
    |不对|不是(?:这样|那样)?|错了|不行|其实|而是|以后|还有|另外|请)
    (?:[\s,.!:;、。，！：；–—-]+|(?<=[\u3040-\u9fff])))+""",
    re.IGNORECASE | re.VERBOSE,
)
#: how a wish that holds from now on begins or ends, in the languages that we claim
_STANDING: Final = re.compile(
    r"""\A(?:always|never|do\ not|don(?:'|’)t|avoid|make\ sure|be\ sure
    |keep|prefer|stick\ to|only\ use|use\ only|no\ more
    |immer|nie|niemals|vermeide|achte\ darauf|halte|verwende\ (?:nie|immer|nur)|benutze?\ (?:nie|immer|nur)|keine?\b
    |toujours|jamais|évite|garde|n(?:e\ |(?:'|’))\w+\ (?:pas|jamais)
    |siempre|nunca|jamás|evita|mantén|no\ \w+(?:es|as)\b)\b.{3,}
    |(?:必ず|いつも|絶対に?|常に|決して).{2,}|.{2,}(?:しないで(?:ください)?|[にく]して(?:ください)?|を使って(?:ください)?|で書いて(?:ください)?)。?\Z
    |(?:总是|永远|一定要|务必|不要|别|切勿).{2,}""",
    re.IGNORECASE | re.VERBOSE,
)
_QUESTION: Final = re.compile(r"[?？]\s*\Z|か。?\Z|吗。?\Z")
#: what is said right after an action is a correction where it says what is wanted in its place
_WANTED: Final = re.compile(
    r"""\b(?:instead|rather\ than|not|use|run|put|call|name|write|keep|make
    |should|must|need|want|statt|sondern|nicht|nimm
    |soll|muss|plutôt|pas|utilise|mets|faut|doit|usa|pon|no|debe|en\ vez|en\ lugar)\b
    |じゃなく|ではなく|使って|して|ないで|不要|用|改|应该|要""",
    re.IGNORECASE | re.VERBOSE,
)


def opens_so(sentence: str) -> bool:
    """Tell whether a sentence begins as people do who put somebody right."""
    return _OPENERS.match(sentence.strip()) is not None


def find_correction(sentence: str, *, after_action: bool) -> str | None:
    """Return what a sentence wants done another time; None where it wants nothing of the kind.

    `after_action` says that the agent had done something just before: then a sentence that opens as a correction is
    one, in whatever words it goes on.
    """
    plain = sentence.strip()
    if len(plain) > _LONGEST or _QUESTION.search(plain):
        return None
    opener = _OPENERS.match(plain)
    rest = plain[opener.end() :].strip() if opener else plain
    if len(rest) < _SHORTEST:
        return None
    if not _STANDING.match(rest) and not (opener and after_action and _WANTED.search(rest)):
        return None
    return rest[:1].upper() + rest[1:]
