"""Normalise spellings before tokenizing: contractions, elisions, hyphens and compounds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bethink.expressions import Expression

if TYPE_CHECKING:
    from collections.abc import Iterator

# What no rule below reads right: the form, then the words it stands for, with + between them.
_SHORT_FORMS: Final = """
can't can+not cannot can+not won't will+not shan't shall+not ain't is+not y'all you+all let's let c'mon come+on
ma'am maam rock'n'roll rock+roll gonna going+to wanna want+to gotta got+to gimme give+me lemme let+me
cant can+not wont will+not dont do+not doesnt does+not didnt did+not isnt is+not arent are+not wasnt was+not
werent were+not hasnt has+not havent have+not hadnt had+not wouldnt would+not couldnt could+not
shouldnt should+not im i+am ive i+have youre you+are youve you+have theyre they+are thats that whats what
aujourd'hui aujourdhui quelqu'un quelque+un quelqu'une quelque+une presqu'ile presquile
"""
_SHORT: Final[dict[str, tuple[str, ...]]] = {
    form: tuple(words.split("+"))
    for form, words in zip(_SHORT_FORMS.split()[::2], _SHORT_FORMS.split()[1::2], strict=True)
}
# What stands after an apostrophe for a word that builds sentences: English, German (geht's, auf'm, so'n).
_ENDINGS: Final[dict[str, tuple[str, ...]]] = {
    "s": (),
    "re": ("are",),
    "ve": ("have",),
    "ll": ("will",),
    "d": (),
    "m": (),
    "n": (),
    "ne": (),
    "nen": (),
    "ner": (),
}
# What stands before one: French, Italian, Catalan articles and pronouns; O'Neill.
_ARTICLES: Final = (
    "l d j m n s t c qu o jusqu lorsqu puisqu quoiqu quelqu dell nell sull dall all coll un quell bell"
)
_ELIDED: Final = frozenset(_ARTICLES.split())
# Parts that some write apart with a hyphen and others together (e-mail, wi-fi, check-in).
_BEFORE: Final = "e x t u s co re wi hi lo sci pre non anti multi semi mini micro over"
_JOINED_BEFORE: Final = frozenset(_BEFORE.split())
_JOINED_AFTER: Final = frozenset(("in", "up", "on", "off", "out", "fi"))
_PART: Final = 3  #: letters; a shorter part of such a word is not looked for alone

# Ends of German compounds, none of which ends an English, French or Spanish word of that length: a Nussallergie is
# found as an Allergie, and by what kind it is.
_HEADS: Final = """
allergie allergien anlage anlagen anruf anrufe antrag antrage anzug anzuge arbeit arbeiten arzt arzte arztin auftrag
auftrage ausweis ausweise bahnhof bahnhofe behandlung beratung bericht berichte beschwerden bruder buch bucher
dienst dienste drucker fahrt fahrten fahrrad fahrer fehler feier feiern fenster ferien firma fluge garten geburtstag
gehalt geld gericht gerichte gerat gerate geschaft geschafte gesellschaft geschenk geschenke gesprach gesprache
gewohnheit gruppe gruppen haus hauser hochzeit kaffee karte karten katze katzen kleid kleider klinik konto konten
kollege kollegen kollegin kosten krankheit krankheiten kuchen kunde kunden kurs kurse lehrer lehrerin leitung
lieder listen losung messer mitglied mobel mutter nummer nummern passwort platz platze problem probleme projekt
projekte prufung prufungen rechnung rechnungen reise reisen schein scheine schlussel schmerz schmerzen schrank schuhe
schule schulen schwester sendung sitzung sitzungen spieler sprache sprachen strasse strassen stuhl suppe
tasche taschen termin termine tochter trainer training treffen unterricht urlaub vater verein vereine verband
versicherung versicherungen vertrag vertrage veranstaltung vorstellung wagen wasser werkstatt wohnung wohnungen
woche wochen wunsch wunsche zeit zeiten zeitung zeitungen zimmer zucker zugang unvertraglichkeit
"""
_BY_HEAD: Final = frozenset(_HEADS.split())
_SHORTEST_HEAD: Final = min(map(len, _BY_HEAD))
_LONGEST_HEAD: Final = max(map(len, _BY_HEAD))
_MODIFIER: Final = 3  #: letters at least before the head
_LINK: Final = Expression(r"(?<=...)(?:s|es|en|n)$")  #: Versicherung·s·nummer, Kunde·n·konto
_KEEPS_LINK: Final = 4  #: letters; so short a modifier has no linking letters
_HYPHENS: Final = Expression("-+")


def spelled_out(word: str) -> Iterator[str]:
    """Yield what a folded word with apostrophes or hyphens in it says."""
    known = _SHORT.get(word)
    if known is not None:
        yield from known
    elif "-" in word:
        yield from _hyphened(word)
    elif "'" in word:
        yield from _apostrophed(word)
    else:
        yield word


def short_form(word: str) -> tuple[str, ...] | None:
    """Return what a word without an apostrophe stands for, such as `dont`; None where it stands for itself."""
    return _SHORT.get(word)


def compound_parts(word: str) -> tuple[str, ...]:
    """Return the parts by which a compound is found beside itself; none where it is no compound."""
    size = len(word)
    if size < _SHORTEST_HEAD + _MODIFIER or word in _BY_HEAD:
        return ()
    for head in range(max(_MODIFIER, size - _LONGEST_HEAD), size - _SHORTEST_HEAD + 1):
        if word[head:] in _BY_HEAD:
            modifier = word[:head]
            if len(modifier) > _KEEPS_LINK:
                modifier = _LINK.compiled.sub("", modifier)
            return modifier, *compound_parts(modifier), word[head:]
    return ()


def _hyphened(word: str) -> Iterator[str]:
    parts = [part for part in _HYPHENS.compiled.split(word) if part]
    if len(parts) == 2 and "'" not in word and (parts[0] in _JOINED_BEFORE or parts[1] in _JOINED_AFTER):  # noqa: PLR2004
        yield "".join(parts)
        yield from (part for part in parts if len(part) >= _PART)
        return
    for part in parts:
        yield from spelled_out(part)


def _apostrophed(word: str) -> Iterator[str]:
    head, _, tail = word.rpartition("'")
    if tail == "t" and len(head) > 2 and head.endswith("n"):  # noqa: PLR2004
        yield head[:-1]
        yield "not"
    elif head == "i" and tail == "m":
        yield from ("i", "am")
    elif tail in _ENDINGS:
        yield from spelled_out(head)
        yield from _ENDINGS[tail]
    else:
        elided, _, rest = word.partition("'")
        if elided not in _ELIDED:
            yield from _SHORT.get(elided, (elided,))
        yield from spelled_out(rest)
