"""Read off a question whose words it is after: what the user said, what the assistant answered, or all of a matter."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from typing import Final


@dataclass(frozen=True, slots=True)
class Aim:
    """How much of what the ranking takes from some items holds for a question."""

    luck: float = 1.0  #: of what a text of many passages gives back
    told: float = 1.0  #: of what an item loses for not being the user's
    wishes: float = 1.0  #: of what a standing wish gains


USER: Final = Aim()
#: what to do is answered by the assistant as often as by the user
ADVICE: Final = Aim(luck=0.55, told=0.0)
ASSISTANT: Final = Aim(luck=0.0, told=0.0, wishes=0.0)
WHOLE: Final = Aim(luck=0.0, told=0.0, wishes=0.0)

# All of these are closed classes: pronouns, modals, and verbs of saying. None knows a subject.
_OF_ASSISTANT: Final = r"""
    \b(?:did|have|had|were)\ you\b | \byou(?:'d|'ve|\ had|\ have|\ also|\ just|\ once|\ first)?\ (?:
        said|told|gave|given|recommend(?:ed)?|suggest(?:ed)?|advised?|mention(?:ed)?|propos(?:ed?)|explain(?:ed)?
        |list(?:ed)?|wrote|written|provid(?:ed?)|describ(?:ed?)|warn(?:ed)?|offer(?:ed)?|point(?:ed)?\ out
        |want(?:ed)?\ me)\b
    | \byour\ (?:advice|recommendations?|suggestions?|answers?|repl(?:y|ies)|explanations?|instructions?|tips?
        |list|example|previous|earlier|last)\b
    | \b(?:hast|hattest)\ du\b | \bhaben\ sie\ (?:mir|uns)\b
    | \bdein(?:e[mnrs]?)?\ (?:rat|empfehlung|vorschlag|antwort)
    | \bdu\ (?:mir|uns)\ (?:gesagt|empfohlen|geraten|vorgeschlagen)
    | \b(?:as-tu|avez-vous)\b | \b(?:tu|vous)\ m'a(?:s|vez)\b
    | \b(?:ton|votre)\ (?:conseil|avis|recommandation|réponse)
    | \bme\ (?:dijiste|recomendaste|aconsejaste|sugeriste|dijo|recomendó)\b
    | \b(?:tu|su)\ (?:consejo|recomendación|respuesta)
    | 你(?:说过|告诉|推荐|建议|之前说|给我) | (?:あなた|君)が(?:言|勧|教)
    """
#: one of which is in every question about what the assistant said
_SECOND_PERSON: Final = (
    *(
        "you",
        "hast",
        "haben sie",
        "dein",
        "du ",
        "as-tu",
        "avez-vous",
        "m'a",
        "ton ",
        "votre",
        "me ",
        "tu ",
        "su ",
    ),
    *("你", "あなた", "君"),
)
_ADVICE: Final = r"""
    \bhow\ (?:do|would)\ (?:i|we|you)\b
    | \b(?:should|ought|must|shall|may|can|could|would|might)\ (?:i|we|it|they|he|she|this|that|one|the|my|our)\b
    | \b(?:i|we|it|they|to)\ (?:should|ought|must|be)\b | \b(?:needs?|has|have|are|is)\ to\b
    | \b(?:soll|sollte|muss|kann|darf)\ (?:ich|man|wir|es)\b | \b(?:dois-je|puis-je|faut-il|devrais-je)\b
    | \b(?:debo|debería|puedo|tengo\ que)\b | 应该|要不要|怎么办 | べき|たらいい
    """
_WHOLE: Final = r"""
    \b(?:summar(?:y|i[sz]e|ies)|recap|overview|walk\ me\ through|zusammenfass\w*|überblick)\b
    | \b(?:resumen|resumir|resúme(?:me|nos)|résume[rz]?|un\ résumé)\b | 总结|概括|まとめ
    """
#: who a sentence begins with that tells something: one without them tells the assistant what to do
_TELLER: Final = r"""(?:i|we|he|she|it|they|you|my|our|his|her|its|their|your|the|an?|this|that|these|those|there)
    (?:'\w+)?\b"""
_BEGINS: Final = rf"(?:^|[.!?\n]\ *+)(?!{_TELLER})"
_WISH: Final = rf"""
    \bfrom\ (?:now|here|today)\ on\b | \bgoing\ forward\b
    | {_BEGINS}[^.!?\n,]{{0,80}}\bin\ (?:the\ )?future\b
    | {_BEGINS}[^.!?\n,]{{0,80}}\b(?:whenever|(?:every|each)\ time)\ (?:i|you|we)\b(?![^.!?\n]{{0,80}},)
    | \b(?:whenever|(?:every|each)\ time)\ (?:i|you|we)\b[^.!?\n,]{{0,80}},\ (?!{_TELLER})
    | (?:^|[.!?:;,\n(]\ *|\b(?:to|do)\ )(?:always|never)\b
      [^.!?\n]{{0,60}}\b(?:when(?:ever)?|if|unless|i|me|you)\b
    | \band\ (?:always|never)\b[^.!?\n]{{0,60}}\b(?:when(?:ever)?|if|unless)\b
    | \b(?:when|if)\ (?:i|you|we)\b[^.!?\n]{{0,80}},\ (?:always|never)\b
    | \b(?:please|you\ (?:should|must)|(?:can|could|would|will)\ you)\ (?:always|never)\b
    | \bi\ always\ (?:want|need|like)\b
    | \bi(?:'d|\ would|\ do|\ really|\ generally|\ usually)?\ prefer\b
    | \bi(?:'d|\ would)\ rather\b | \bi\ like\ (?:it\ when|my|to\ have)\b
    | (?<!'ll\ )(?<!will\ )(?<!to\ )\bmake\ sure\ (?:to|you|that\ you)\b
    | \b(?:ab|von)\ (?:jetzt|sofort|nun|heute)(?:\ an)?\b | \b(?:immer|jedes\ mal)[,]?\ wenn\b
    | \bbitte\ (?:immer|nie)\b
    | \bich\ (?:bevorzuge|möchte\ immer|hätte\ lieber)\b
    | \b(?:désormais|dorénavant|à\ partir\ de\ maintenant|à\ chaque\ fois|je\ préfère|préférerais)\b
    | \b(?:a\ partir\ de\ ahora|de\ ahora\ en\ adelante|siempre\ que|cada\ vez\ que|prefiero|preferiría)\b
    | 从现在(?:开始|起)|以后(?:都|请)|每次|我(?:更喜欢|宁愿|比较喜欢)
    | これから(?:は|も)|今後|いつも|毎回|の(?:ほう|方)が(?:好き|いい)
    """
_CUES: Final = (
    *("from ", "going forward", "future", "whenever", "always", "never", "every time", "each time", "prefer"),
    *("rather", "i like", "make sure", "jetzt", "sofort", "von nun", "ab nun", "heute an", "wenn", "bitte"),
    *("bevorzuge", "möchte immer", "lieber", "désormais", "dorénavant", "partir d", "chaque fois", "préf"),
    *(
        "en adelante",
        "siempre",
        "cada vez",
        "prefi",
        "现在",
        "以后",
        "每次",
        "我",
        "これから",
        "今後",
        "いつも",
    ),
    *("毎回", "ほう", "方が", "von heute", "ab heute"),
)
_ASCII_CUES: Final = tuple(cue for cue in _CUES if cue.isascii())
_QUESTION_MARKS: Final = "?？؟\u037e՞⸮"
_ASKING: Final = r"""\W*(?:
    (?:what|which|who(?:m|se)?|where|when|why|how)(?:'s|'re)?\b(?!\ +(?:i|you|he|she|it|we|they|my|your|the)\b)
    | (?:do|does|did|is|are|was|were|am|can|could|will|would|should|shall|have|has|had|may|must)
      \ (?:i|you|he|she|it|we|they|there|this|that|my|your|our)\b
    | (?:was|welche[nmrs]?|wer|wem|wen|wessen|wo(?:hin|her|mit|für)?|wann|warum|wieso|weshalb|wie\ ?viele?|wie)
      \ (?:\w+\ )?(?:ist|sind|war|hat|habe|haben|kann|soll|muss|mag|esse|heißt|heiße)\b
    | est-ce\b | qu'est-ce\b | (?:quels?|quelles?|combien|pourquoi|comment)\b
    | (?:¿|qué|cuáles?|cuál|quiénes|quién|dónde|cuándo|cómo|cuánt[oa]s?)\b
    | (?:qual[ei]?|quando|dove|perché)\ (?:è|sono|é)\b
    )"""
_ASKING_SIGNS: Final = (
    "什么",
    "怎么",
    "哪",
    "谁",
    "吗",
    "多少",
    "ですか",
    "ますか",
    "何",
    "どこ",
    "誰",
    "なぜ",
)
_ALPHANUMERIC: Final = re.compile(r"[^\W_]+")
_CURLY: Final = str.maketrans("’", "'")


@cache
def _read(expression: str) -> re.Pattern[str]:
    """Read an expression when it is first needed: a process that asks one thing needs few of them."""
    return re.compile(expression, re.IGNORECASE | re.VERBOSE)


def aim_of(query: str) -> Aim:
    """Return what a question is after."""
    query = query.translate(_CURLY)
    lowered = query.lower()
    if _read(_WHOLE).search(query):
        return WHOLE
    if any(cue in lowered for cue in _SECOND_PERSON) and _read(_OF_ASSISTANT).search(query):
        return ASSISTANT
    return ADVICE if _read(_ADVICE).search(query) else USER


def asks(text: str) -> bool:
    """Tell whether a message asks something, with or without a question mark."""
    if has_question_mark(text):
        return True
    if _read(_ASKING).match(text.translate(_CURLY)) is not None:
        return True
    return not text.isascii() and any(sign in text for sign in _ASKING_SIGNS)


def has_question_mark(text: str) -> bool:
    """Tell whether a mark of a question stands in a text, of any script."""
    return "?" in text or (not text.isascii() and any(mark in text for mark in _QUESTION_MARKS))


def wording(text: str) -> int:
    """Return a number for the words of a text, whatever its case, spaces and punctuation; 0 where it has none."""
    plain = unicodedata.normalize("NFKC", text.translate(_CURLY)).casefold()
    words = _ALPHANUMERIC.findall(plain)
    if not words:
        return 0
    digest = blake2b(" ".join(words).encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "little")


def wishes(text: str) -> bool:
    """Tell whether a message of the user says how things should be from then on."""
    lowered = text.lower()
    for cue in (
        _ASCII_CUES if lowered.isascii() else _CUES
    ):  # every wish has one of them, and few other messages do
        if cue in lowered:
            return _read(_WISH).search(text.translate(_CURLY)) is not None
    return False
