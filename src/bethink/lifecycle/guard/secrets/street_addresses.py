"""Detect street addresses with a house number; a city alone does not count."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bethink.lifecycle.guard.patterns import Finder, FoundSpan, Pattern, split_words, word_set

if TYPE_CHECKING:
    import re
    from collections.abc import Iterator

    from bethink.lifecycle.guard.folding import Folded

_CUE: Final = Pattern(
    r"(?<![a-z])(?:(?:live|lives|lived|living|reside|resides|residing|house is|flat is|home is|moved|moving|move)"
    r" (?:at|in|on|to|over at)"
    r"|(?:send|ship|deliver|mail|post|bring|pick \w{1,8} up)\b[^\n.!?]{0,40}? (?:to|at|from)"
    r"|(?<!mail )(?<!ip )(?<!mac )(?<!web )address(?: is|es are)?"
    r"|(?:ich wohne|wir wohnen|wohnt|wohnen|wohnhaft|ziehe|gezogen|umgezogen)(?: jetzt)?(?: in| an| am| im| auf| nach)?"
    r"|adresse|anschrift|lieferadresse"
    r"|(?:j'habite|habite|habitons|habitent|demeurant)(?: au| a| dans)?"
    r"|(?:vivo|vive|vivimos|resido) en|direccion|domicilio"
    r"|(?:abito|abita|abitiamo|vivo|vive) in|indirizzo|moro n[ao]|mora n[ao]|endereco"
    r"|住在|住址|地址|家在|住所)(?![a-z])",
    *("live", "living", "resid", " is", "move", "moving", "send", "ship", "deliver", "mail", "post", "bring", "pick "),
    *("address", "wohn", "zieh", "zogen", "adresse", "anschrift", "habit", "demeurant", "viv", "direccion"),
    *("domicilio", "abit", "indirizzo", "moro n", "mora n", "endereco", "住", "地址", "家在"),
)  # fmt: skip
_NEAR: Final = 56  #: characters between a cue and the address
_POSTCODE: Final = (
    r"(?:[a-z]{1,2}[0-9][0-9a-z]?[ ]?[0-9][a-z]{2}|[a-z]{2},?[ ][0-9]{5}(?:-[0-9]{4})?|[0-9]{4,5}(?:[ ][a-z\-]{2,24})?)"
    r"(?![a-z0-9])"
)
_UNIT: Final = r"(?:,?[ ](?:apt|apartment|flat|suite|unit|floor|#)\.?[ ]?[0-9a-z]{1,5}(?![a-z0-9]))?"
_TAIL: Final = rf"{_UNIT}(?P<tail>(?:,?[ ][a-z][a-z'\-]{{1,20}}\.?){{0,4}}?,?[ ]{_POSTCODE})?"
_SURE: Final = r"street|road|avenue|ave|lane|boulevard|blvd|terrace|crescent|rd|ln|mews|parkway|pkwy|st"
_DOUBTFUL: Final = (
    r"drive|dr|close|court|ct|place|pl|way|square|sq|gardens|grove|hill|row|circle|cir|trail|park|walk|view"
    r"|rise|wharf|quay|highway|hwy"
)
_HOUSE: Final = (
    r"(?<![0-9a-z.,:/$€£])(?:(?:flat|apt|unit)\.?[ ][0-9a-z]{1,4},?[ ])?[0-9]{1,5}[a-z]?(?:-[0-9]{1,4})?"
)
_WORDS: Final = r"(?:(?:[a-z'\-]{1,18}|[a-z]{1,3}\.)[ ]){0,3}?[a-z'\-]{2,18}"
_SORT_BEFORE: Final = "rue|avenue|av|boulevard|bd|place|chemin|allee|impasse|quai|route|cours|passage"
_SORT_BEHIND: Final = (
    r"calle|c/|avenida|av\.|avda\.|avda|paseo|plaza|via|viale|corso|piazza|vicolo|rua|travessa|largo|praca"
    r"|am|an der|an den|im|auf der|auf dem|zum|zur|unter den"
)
_COMPOUND: Final = (
    r"strasse|str\.|str|weg|gasse|allee|platz|ring|damm|ufer|steig|chaussee|straat|laan|gracht|kade"
)
_STREET: Final = Pattern(
    rf"{_HOUSE}[ ](?P<name>(?:(?:[a-z][a-z'\-]{{0,18}}|[a-z]{{1,3}}\.)[ ]){{1,4}}?)"
    rf"(?:(?P<sure>{_SURE})|(?P<doubtful>{_DOUBTFUL}))"
    rf"(?![a-z])\.?{_TAIL}",
    *(f" {sort}" for sort in split_words(f"{_SURE}|{_DOUBTFUL}")),
    number=True,
    ends=True,
    reach=320,
)
_BEFORE: Final = Pattern(
    rf"(?<![0-9a-z])[0-9]{{1,4}}(?:[ ]?(?:bis|ter))?,?[ ](?P<name>(?:{_SORT_BEFORE})[ ]{_WORDS})"
    rf"(?![a-z]){_TAIL}",
    *(f" {sort} " for sort in split_words(_SORT_BEFORE)),
    number=True,
    reach=320,
)
_BEHIND: Final = Pattern(
    rf"(?<![a-z])(?P<name>(?:{_SORT_BEHIND})[ ]{_WORDS}),?[ ]"
    rf"(?:n[°o]?\.?[ ])?[0-9]{{1,4}}[a-z]?(?![a-z0-9.:]){_TAIL}"
    rf"|(?<![a-z])(?P<compound>[a-z\-]{{2,30}}(?:{_COMPOUND}))[ ][0-9]{{1,4}}[ ]?[a-z]?(?![a-z0-9.:])"
    rf"{_TAIL.replace('tail', 'rest')}",
    *(f"{sort.replace(chr(92), '')} " for sort in split_words(f"{_SORT_BEHIND}|{_COMPOUND}")),
    number=True,
    reach=320,
)
_POSTCODE_FIRST: Final = Pattern(
    r"〒?[0-9]{3}-[0-9]{4}[ ]?[^\s,、。0-9]{2,20}[0-9\-]{1,9}", "-", number=True, digits=7
)
_EASTERN: Final = Pattern(
    r"[\u4e00-\u9fff]{2,16}(?:路|街|大道|巷|弄)[0-9]{1,5}(?:号|號)[^\s,，。]{0,12}"
    r"|[\u4e00-\u9fff]{2,12}(?:町|丁目|区|市)[^\s,、。0-9]{0,8}[0-9]{1,3}-[0-9]{1,3}(?:-[0-9]{1,4})?",
    *("路", "街", "大道", "巷", "弄", "町", "丁目", "区", "市"),
    number=True,
)
_STREETS: Final = (_STREET, _BEFORE, _BEHIND, _POSTCODE_FIRST, _EASTERN)
_NO_NAME: Final = word_set(
    "from off to of the on in at away and or with for minutes minute min mins miles mile km kilometres kilometers m "
    "metres meters feet blocks block hours hour houses doors different year years days weeks months bedroom bedrooms "
    "people kids cats dogs other more times percent euros dollars stops floors rooms by per near a an my our is are"
)


def find_addresses(folded: Folded) -> Iterator[FoundSpan]:
    """Find postal addresses: with a postcode, or behind words that say whose they are."""
    if not folded.numbers:
        return
    cues: list[int] | None = None
    for pattern in _STREETS:
        if pattern.digits > 1 and pattern.digits > folded.digits:
            continue
        for match in pattern.finditer(folded):
            if not _is_street(match, folded.plain):
                continue
            if cues is None:
                cues = [cue.end() for cue in _CUE.finditer(folded)]
            if _complete(match) or _has_cue(folded.lower, cues, match.start()):
                yield FoundSpan("postal_address", *match.span())


def _is_street(match: re.Match[str], plain: str) -> bool:
    """Say whether the words between a number and its sort of street are a name."""
    groups = match.groupdict()
    name = groups.get("name") or ""
    words = name.split()
    if not _NO_NAME.isdisjoint(words[1:] if match.re is _BEHIND.compiled else words):
        return False
    if groups.get("doubtful"):
        return plain[match.start("doubtful")].isupper()
    if match.re is _BEHIND.compiled and name:
        return plain[match.end("name") - len(words[-1])].isupper()
    return True


def _complete(match: re.Match[str]) -> bool:
    groups = match.groupdict()
    return bool(groups.get("tail") or groups.get("rest"))


def _has_cue(text: str, cues: list[int], start: int) -> bool:
    """Say whether one of some words stands before a place, in the same sentence."""
    return any(
        0 <= start - cue <= _NEAR and not any(sign in text[cue:start] for sign in "!?;\n") for cue in cues
    )


ADDRESSES: Final = Finder(find_addresses, _STREETS)
