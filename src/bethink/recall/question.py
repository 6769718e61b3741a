"""Classify a question by whose words answer it: the user's, the assistant's, or everything on a subject."""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from hashlib import blake2b
from typing import Final, NamedTuple


class QuestionKind(NamedTuple):
    """How much of what the ranking takes from some items holds for a question."""

    luck: float = 1.0  #: factor on `Weights.luck`
    told: float = 1.0  #: factor on `Weights.told`
    wishes: float = 1.0  #: factor on `Weights.wish`


USER: Final = QuestionKind()
#: what to do is answered by the assistant as often as by the user
ADVICE: Final = QuestionKind(luck=0.55, told=0.0)
ASSISTANT: Final = QuestionKind(luck=0.0, told=0.0, wishes=0.0)
WHOLE: Final = QuestionKind(luck=0.0, told=0.0, wishes=0.0)

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
#: one of which every match has
_WHOLE_CUES: Final = (
    *("summar", "recap", "overview", "walk me through", "zusammenfass", "überblick", "resum", "résum"),
    *("总结", "概括", "まとめ"),
)
#: who a sentence begins with that tells something: one without them tells the assistant what to do
_TELLER: Final = r"""(?:i|we|he|she|it|they|you|my|our|his|her|its|their|your|the|an?|this|that|these|those|there)
    (?:'\w+)?\b"""
_BEGINS: Final = rf"(?:^|[.!?\n]\ *+)(?!{_TELLER})"
#: how a standing wish may be put, with texts of which one is in every such wish
_WISHES: Final = (
    (("from now on", "from here on", "from today on"), r"\bfrom\ (?:now|here|today)\ on\b"),
    (("going forward",), r"\bgoing\ forward\b"),
    (("in future", "in the future"), rf"{_BEGINS}[^.!?\n,]{{0,80}}\bin\ (?:the\ )?future\b"),
    (
        ("whenever ", "every time ", "each time "),
        rf"""{_BEGINS}[^.!?\n,]{{0,80}}\b(?:whenever|(?:every|each)\ time)\ (?:i|you|we)\b(?![^.!?\n]{{0,80}},)
        | \b(?:whenever|(?:every|each)\ time)\ (?:i|you|we)\b[^.!?\n,]{{0,80}},\ (?!{_TELLER})""",
    ),
    (
        ("always", "never"),
        r"""(?:^|[.!?:;,\n(]\ *|\b(?:to|do)\ )(?:always|never)\b
          [^.!?\n]{0,60}\b(?:when(?:ever)?|if|unless|i|me|you)\b
        | \band\ (?:always|never)\b[^.!?\n]{0,60}\b(?:when(?:ever)?|if|unless)\b
        | \b(?:when|if)\ (?:i|you|we)\b[^.!?\n]{0,80},\ (?:always|never)\b
        | \b(?:please|you\ (?:should|must)|(?:can|could|would|will)\ you)\ (?:always|never)\b
        | \bi\ always\ (?:want|need|like)\b""",
    ),
    ((" prefer",), r"\bi(?:'d|\ would|\ do|\ really|\ generally|\ usually)?\ prefer\b"),
    (("d rather",), r"\bi(?:'d|\ would)\ rather\b"),
    (("i like it when", "i like my", "i like to have"), r"\bi\ like\ (?:it\ when|my|to\ have)\b"),
    (
        ("make sure to", "make sure you", "make sure that you"),
        r"(?<!'ll\ )(?<!will\ )(?<!to\ )\bmake\ sure\ (?:to|you|that\ you)\b",
    ),
    (
        ("b jetzt", "b sofort", "b nun", "b heute", "on jetzt", "on sofort", "on nun", "on heute"),
        r"\b(?:ab|von)\ (?:jetzt|sofort|nun|heute)(?:\ an)?\b",
    ),
    ((" wenn", ",wenn"), r"\b(?:immer|jedes\ mal)[,]?\ wenn\b"),
    (("bitte immer", "bitte nie"), r"\bbitte\ (?:immer|nie)\b"),
    (
        ("ich bevorzuge", "ich möchte immer", "ich hätte lieber"),
        r"\bich\ (?:bevorzuge|möchte\ immer|hätte\ lieber)\b",
    ),
    (
        ("désormais", "dorénavant", "partir de maintenant", "chaque fois", "je préfère", "préférerais"),
        r"\b(?:désormais|dorénavant|à\ partir\ de\ maintenant|à\ chaque\ fois|je\ préfère|préférerais)\b",
    ),
    (
        ("partir de ahora", "de ahora en adelante", "siempre que", "cada vez que", "prefiero", "preferiría"),
        r"\b(?:a\ partir\ de\ ahora|de\ ahora\ en\ adelante|siempre\ que|cada\ vez\ que|prefiero|preferiría)\b",
    ),
    (
        ("从现在", "以后", "每次", "我更喜欢", "我宁愿", "我比较喜欢"),
        r"从现在(?:开始|起)|以后(?:都|请)|每次|我(?:更喜欢|宁愿|比较喜欢)",
    ),
    (
        ("これから", "今後", "いつも", "毎回", "のほうが", "の方が"),
        r"これから(?:は|も)|今後|いつも|毎回|の(?:ほう|方)が(?:好き|いい)",
    ),
)
_LONGEST: Final = 32  #: characters of a word that is remembered
_MOST: Final = 1 << 15  #: words
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


def aim_of(query: str) -> QuestionKind:
    """Return what a question is after."""
    query = query.translate(_CURLY)
    lowered = query.lower()
    if any(cue in lowered for cue in _WHOLE_CUES) and _read(_WHOLE).search(query):
        return WHOLE
    if any(cue in lowered for cue in _SECOND_PERSON) and _read(_OF_ASSISTANT).search(query):
        return ASSISTANT
    return ADVICE if _read(_ADVICE).search(query) else USER


def is_question(text: str) -> bool:
    """Tell whether a message asks something, with or without a question mark."""
    if has_question_mark(text):
        return True
    if _read(_ASKING).match(text if text.isascii() else text.translate(_CURLY)) is not None:
        return True
    return not text.isascii() and any(sign in text for sign in _ASKING_SIGNS)


def has_question_mark(text: str) -> bool:
    """Tell whether a mark of a question stands in a text, of any script."""
    return "?" in text or (not text.isascii() and any(mark in text for mark in _QUESTION_MARKS))


def wording_hash(text: str) -> int:
    """Return a number for the words of a text, whatever its case, spaces and punctuation; 0 where it has none."""
    plain = text.lower() if text.isascii() else _folded(text)
    words = _ALPHANUMERIC.findall(plain)
    if not words:
        return 0
    digest = blake2b(" ".join(words).encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "little")


def _folded(text: str) -> str:
    return unicodedata.normalize("NFKC", text.translate(_CURLY)).casefold()


def is_standing_wish(text: str) -> bool:
    """Tell whether a message of the user says how things should be from then on."""
    lowered = text.lower()
    if lowered.isascii():
        words = set(lowered.split()) - _unhinting
        wanted = _NONE.union(*map(_hinting.__getitem__, words)) if words else _NONE
    else:
        wanted = range(len(_WISHES))
    for place in wanted:
        cues, expression = _WISHES[place]
        if any(map(lowered.__contains__, cues)) and _read(expression).search(text.translate(_CURLY)):
            return True
    return False


class _Hinting(dict[str, frozenset[int]]):
    """Of which wishes a word has the longest word of a cue. Most words have none: those are left out at one blow."""

    def __missing__(self, word: str) -> frozenset[int]:
        if not word.islower():
            return _NONE  # a number, or signs: hardly met again
        found = frozenset(place for hint, place in _hints() if hint in word) or _NONE
        if len(word) <= _LONGEST:
            if len(self) + len(_unhinting) >= _MOST:
                self.clear()
                _unhinting.clear()
            if found:
                self[word] = found
            else:
                _unhinting.add(word)
        return found


@cache
def _hints() -> frozenset[tuple[str, int]]:
    """Return the longest word of each cue, with the place of the wish that it is one of."""
    return frozenset(
        (max(cue.replace(",", " ").split(), key=len), place)
        for place, (cues, _) in enumerate(_WISHES)
        for cue in cues
        if cue.isascii()
    )


_NONE: Final[frozenset[int]] = frozenset()
_hinting = _Hinting()
_unhinting: set[str] = set()
