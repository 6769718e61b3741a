"""Tell the language of a text by its script and its function words."""

from __future__ import annotations

import re
from functools import cache

from bethink.lifecycle.distill.languages import MODULES, common

UNKNOWN = "und"
MARKS = {"de": "äöüß", "fr": "çèêëîïôùûœà", "es": "ñ¿¡áíóú"}  #: letters that point to a language
SAMPLE = 2000  #: characters that are looked at


@cache
def _scripts() -> dict[str, re.Pattern[str]]:
    return {
        "kana": re.compile(r"[\u3041-\u309f\u30a1-\u30fa]"),
        "han": re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff]"),
        "chinese": re.compile(r"[我你您她们这吗呢的了]"),
        "latin": re.compile(r"[A-Za-z\u00c0-\u024f]"),
        "other": re.compile(r"[\u0370-\u1fff\uac00-\ud7af]"),
        "word": re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?"),
    }


def language(text: str, fallback: str = "en") -> str:
    """Return the code of a text's language, the fallback where it is too short to say, or `und`."""
    scripts = _scripts()
    sample = text[:SAMPLE].replace("’", "'")
    if scripts["kana"].search(sample):
        return "ja"
    han = len(scripts["han"].findall(sample))
    latin = len(scripts["latin"].findall(sample))
    if han and han * 4 >= latin:
        return "ja" if fallback == "ja" and not scripts["chinese"].search(sample) else "zh"
    if len(scripts["other"].findall(sample)) > latin:
        return UNKNOWN
    tally = dict.fromkeys(MODULES, 0.0)
    for word in scripts["word"].findall(sample.casefold()):
        shared = [code for code in MODULES if word in common(code)]
        for code in shared:
            tally[code] += 1 / len(shared)
    for code, marks in MARKS.items():
        tally[code] += sum(sign in marks for sign in sample.casefold())
    best = max(tally, key=lambda code: (tally[code], code == fallback))
    spoken_latin = fallback if fallback not in ("ja", "zh", UNKNOWN) else "en"
    return best if tally[best] > 0 else spoken_latin
