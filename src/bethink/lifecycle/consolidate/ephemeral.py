"""Recognise wording that holds for one session only: this time, this trip, today."""

from __future__ import annotations

import re
from functools import cache
from typing import Final

_THING: Final = (
    r"(?:time|trip|visit|stay|booking|reservation|flight|journey|holiday|vacation|session|chat|conversation|order|"
    r"occasion|week(?:end)?|month|morning|afternoon|evening|purchase|event|project|task|request|one)"
)

#: words for once, language by language
_ONCE: Final = (
    rf"\bthis (?:particular |specific |one )?{_THING}\b(?! of (?:the )?(?:year|day|month)\b)(?! every\b)",
    rf"\b(?:the|my) (?:current|upcoming|next) {_THING}\b|\bnext (?:time|trip|flight|week(?:end)?|month|visit|stay)\b",
    r"\bjust (?:this )?once\b|\bfor (?:now|the moment|the time being)\b|\bright now\b|\bat the moment\b",
    r"\btemporar\w+\b|\bexceptionally\b",
    r"\b(?:today|tonight|tomorrow)\b|\bone[- ]off\b|\bas an exception\b",
    r"\bdies(?:es|mal|e) ?mal\b|\bdiesmal\b|\bdiese[rsnm]? (?:Reise|Buchung|Flug|Aufenthalt|Woche|Monat|Fahrt|Abend)\b",
    r"\b(?:heute|vorerst|momentan|zurzeit|ausnahmsweise|vorübergehend)\b|\bim Moment\b|\bzur Zeit\b|\bgerade eben\b",
    r"(?<!am )(?<!jeden )(?<!guten )(?<!der )\bmorgen\b(?= |[.!,]|$)(?! (?:immer|lieber))",
    r"\bcette fois\b|\bce (?:voyage|vol|séjour|soir|mois|week-end|matin)\b|\bcette (?:réservation|semaine|nuit)\b",
    r"\baujourd['’]hui\b|\bdemain\b|\ben ce moment\b|\bpour (?:l['’]instant|le moment)\b",
    r"\btout de suite\b|\bexceptionnellement\b",
    r"\besta vez\b|\beste (?:viaje|vuelo|mes|fin de semana)\b|\besta (?:reserva|noche|semana|estancia|tarde)\b|\bhoy\b",
    r"(?<!la )(?<!cada )(?<!las )(?<!por )\bmañana\b|\bahora mismo\b|\b(?:por ahora|de momento|por el momento)\b",
    r"今回|今日|今夜|今晩|明日|この旅行|この予約|今だけ|今のところ|今週|とりあえず|この便",
    r"这次|這次|这一次|這一次|本次|这趟|這趟|今天|今晚|明天|暂时|暫時|这周|這週|此次|目前",
)
#: who says one of these makes it a rule, whatever day it begins
_LASTING: Final = (
    r"\bfrom (?:now|today|tomorrow|this (?:week|month)) on(?:wards?)?\b|\bgoing forward\b|\bin general\b|\bas a rule\b",
    r"\b(?:every|each) (?:time|trip|flight|week|month|day|morning)\b|\bstarting (?:today|now|tomorrow)\b",
    r"\bab (?:heute|jetzt|sofort|morgen)\b|\bvon (?:jetzt|nun) an\b|\bdésormais\b|\bdorénavant\b|\bà partir d",
    r"\ba partir de\b|\bde ahora en adelante\b|今後|これから|从今以后|從今以後|从现在起|以后都|今天起",
)


@cache
def _pattern(table: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile("|".join(table), re.IGNORECASE)


def ephemeral(text: str) -> str | None:
    """Return the words that make a note hold for once, or None where it may last."""
    found = _pattern(_ONCE).search(text)
    if found is None or _pattern(_LASTING).search(text):
        return None
    return found.group().strip()
