"""Recognise standing instructions: notes that apply to every conversation."""

from __future__ import annotations

import re
from typing import Final

MAX_CHARACTERS: Final = 400  #: a longer note is no wish, but a text
#: A wish has one of these words, and few other notes do: only those are read clause by clause, in their language.
_CUES: Final = re.compile(
    r"""
    \b(?:always|never|whenever|henceforth|from\ (?:now|here)\ on|going\ forward|in\ (?:the\ )?future|any\ ?more
        |no\ more|(?:every|each)\ time|as\ a\ rule|by\ default|in\ general)\b
    | ^\W*(?:please|do\ not|don[’']t|stop|avoid|only)\b
    | \b(?:immer|niemals|nie|stets|fortan|künftig|zukünftig|grundsätzlich|standardmäßig|dauerhaft|jedes\ ?mal
        |ab\ (?:jetzt|nun|sofort|heute)|von\ (?:jetzt|nun|heute)\ an|nicht\ mehr|bitte|vermeide|keine?)\b
    | \b(?:toujours|jamais|désormais|dorénavant|systématiquement|chaque\ fois|à\ (?:partir|compter|l.avenir)
        |évite[zs]?|merci\ d|veuillez|s.il\ (?:te|vous)\ plaît|par\ défaut|en\ général)
    | \b(?:siempre|nunca|jamás|cada\ vez|en\ adelante|a\ partir\ de|de\ ahora|desde\ (?:ahora|hoy)
        |por\ (?:favor|defecto)|evit[ae]|ya\ no)\b
    | \b(?:sempre|mai|d.ora\ in|da\ (?:ora|adesso|oggi)|ogni\ volta|per\ (?:favore|cortesia|piacere)
        |di\ (?:norma|regola)|doravante|daqui|de\ (?:agora|hoje)|toda\ vez|por\ padrão|evite)\b
    | いつも|これから|今後|今から|今日から|常に|必ず|毎[回度]|決して|二度と|絶対|原則
    | 次(?:回)?から|ないで|やめて|ようにし
    | 以[后後]|今[后後]|[总總]是|每[次回当當]|永[远遠久]|[从從](?:现在|現在|今|此|不)|始[终終]|一[直律]
    | 不要|[别別]|[务務]必|[请請]|避免|默[认認]
    """,
    re.IGNORECASE | re.VERBOSE,
)


def is_standing_wish(text: str) -> bool:
    """Tell whether a note says how to be served from now on: "Always answer in German."."""
    if len(text) > MAX_CHARACTERS or _CUES.search(text) is None:
        return False
    from bethink.languages.detection import detect
    from bethink.languages.loading import CODES, language
    from bethink.lifecycle.distill.clauses import clauses
    from bethink.lifecycle.distill.wishes import wish

    code = detect(text, "en")
    language_data = language(code if code in CODES else "en")
    return any(
        not each.question and wish(each, language_data) in {"standing", "perhaps"}
        for each in clauses(text, language_data)
    )
