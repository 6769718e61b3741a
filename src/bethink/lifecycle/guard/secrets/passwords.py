"""Detect passwords in prose, settings and URLs."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from bethink.expressions import Expression
from bethink.lifecycle.guard.folding import NOTHING
from bethink.lifecycle.guard.patterns import Finder, FoundSpan, Pattern, word_set

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bethink.lifecycle.guard.folding import Folded

_LONE: Final = (
    "pw",
    "pwd",
    "pass",
    "mdp",
    "psw",
    "clave",
    "creds",
)  # believed only with a sign or a link behind
FULL: Final = (
    "password", "passwd", "passwort", "kennwort", "passcode", "mot de passe", "contrasena", "senha", "palavra-passe",
    "wachtwoord", "losenord", "haslo", "пароль", "パスワード", "暗証", "密码", "密碼", "비밀번호", "parola d'ordine",
    "passphrase",
)  # fmt: skip
_WORD: Final = "|".join(sorted((*_LONE, *FULL), key=len, reverse=True))
_TOKEN: Final = rf"[\"'`(]?(?P<value>[^\s\"'`{NOTHING}<>]{{3,128}})"
_BE: Final = r"(?:is|was|ist|lautet|est|es|e|sera|=|:|are)"
#: password: X; password = X; "db_password": "X"
_SIGNED: Final = Pattern(
    rf"(?<![a-z])(?:{_WORD})[\"'\]]?[ \t]{{0,3}}(?::=|=>|[:=]){{1}}[ \t]{{0,3}}{_TOKEN}",
    *_LONE,
    *FULL,
    reach=320,
    starts=True,
    ends=True,
)
#: password is X; password's X; パスワードは X
_LINKED: Final = Pattern(
    rf"(?<![a-z])(?:{_WORD})(?:'s|[ \t]{{1,2}}{_BE}(?![a-z])|[ \t]?[はが是为為는은])[ \t:]{{0,3}}{_TOKEN}",
    *_LONE,
    *FULL,
    reach=320,
    starts=True,
    ends=True,
)
#: password for the cabin is X
_IN_A_SENTENCE: Final = Pattern(
    rf"(?<![a-z])(?:{_WORD})(?![a-z])[^\n.;!?:=0-9]{{1,40}}?"
    rf"(?:(?<![a-z]){_BE}(?![a-z])|[はが是为為는은]|[ \t]--?[ \t])[ \t:]{{0,3}}{_TOKEN}",
    *_LONE,
    *FULL,
    reach=320,
    starts=True,
    ends=True,
)
#: password X
_BESIDE: Final = Pattern(
    rf"(?<![a-z])(?:{'|'.join(FULL)})[ \t]{{1,2}}{_TOKEN}", *FULL, reach=320, starts=True, ends=True
)
#: X as my password
_BEHIND: Final = Pattern(
    r"[ \t]{1,2}(?:as|is|=|ist|als|est|comme|es|como)[ \t]{1,2}(?:my|the|your|his|her|our"
    r"|their|a|mein|das|unser|mon|le|mi|la)"
    rf"[ \t](?:[a-z\-]{{1,16}}[ \t]){{0,3}}(?:{'|'.join(FULL)})(?![a-z])",
    *FULL,
    starts=True,
    ends=True,
)
#: user alice pass X; login alice / X
_PAIR: Final = Pattern(
    r"(?<![a-z])(?:user(?:name)?|log-?in|account|credentials?|creds|zugangsdaten|identifiants?)(?![a-z])"
    r"[ \t:=]{1,3}[^\s/:|]{2,64}(?:[ \t,;]{1,3}(?:and[ \t])?(?:pass|pw|pwd)[ \t:=]{1,3}|[ \t]?[/:|][ \t]?)"
    + _TOKEN,
    *("user", "login", "log-in", "account", "cred", "zugang", "identifiant"),
    reach=320,
    starts=True,
)
#: use X to log in
_OPENING: Final = Pattern(r"[ \t]to (?:log|sign)[ \-]?in(?![a-z])", " to log", " to sign")
#: the passphrase is several words
_PHRASE: Final = Pattern(
    rf"(?<![a-z])(?:passphrase|pass phrase|phrase secrete)(?![a-z])[^\n.;!?:=0-9]{{0,40}}?(?:(?<![a-z]){_BE}(?![a-z])"
    r"|[:=])"
    rf"[ \t\"']{{0,3}}(?P<value>[a-z0-9\-]{{2,20}}(?:[ \-][a-z0-9\-]{{1,20}}){{2,11}})",
    *("passphrase", "pass phrase", "phrase secrete"),
    reach=320,
    starts=True,
    ends=True,
)
_ADDRESS: Final = Pattern(
    rf"://[^\s/@:{NOTHING}]{{0,64}}:(?P<value>[^\s/@{NOTHING}]{{1,128}})@[a-z0-9\[]", "@", reach=320
)
PROSE: Final = word_set(
    "a an the my your his her our their its this that these those it he she they we you i in on at "
    "to for from of and or but not no never always still too so very as by with without see ask use "
    "using used please same different required optional needed missing wrong weak strong incorrect "
    "invalid valid correct expired expiring set changed reset forgotten lost unknown known stored "
    "saved kept safe secure unsafe insecure hidden private secret shared long short longer shorter "
    "old new good bad better easy easier hard harder simple complex empty blank none null true "
    "false compromised leaked stolen hashed encrypted protected case-sensitive there here now ok "
    "okay fine done sent below above under over also only just already yet often rarely sometimes "
    "being been going gone due must should can may will would could about after before when where "
    "what who why how which if than then because since until while both every each all any some "
    "more most less least many much few another other available working broken stupid ridiculous "
    "annoying terrible awful boring obvious important necessary policy manager managers recovery "
    "generator protection hint reuse vault keychain bitwarden 1password prompt field form page "
    "screen hygiene abgelaufen vergessen falsch richtig sicher unsicher schwach stark nicht kein "
    "keine zu sehr geandert gleich gespeichert notig erforderlich ungultig neu alt im in der die "
    "das ein eine dasselbe derselbe noch immer expire oublie faux incorrecte obligatoire requis "
    "trop tres pas le la les un une dans change meme perdu faible fort obligatoria obligatorio "
    "incorrecta incorrecto olvidada olvidado debil fuerte muy demasiado el en no mismo misma "
    "caducada expirada para segura"
)
_CODE: Final = Expression(
    r"^(?:os\.|process\.|env|getenv|settings\.|config\.|self\.|\$|\{|\[|%|\*{2,}|x{3,}$|•|\.\.\.|_+$)"
)
#: 24h, v2.3, 10k, 2nd, mp3, a4, wi-fi6, and/or, word-word, an address
_PLAIN: Final = Expression(
    r"v?[0-9.]+[a-z]{0,3}|[a-z]{1,4}[0-9]{1,2}|(?:[a-z']+[/\-+&])*[a-z']+|\S+@\S+|(?:\w+\.)+[a-z]{2,6}(?:/\S*)?|[0-9]+-[a-z]+",
    re.IGNORECASE,
)
_SYMBOLS: Final = frozenset("!@#$%^&*_+~?|\\/=-")
_ENDS: Final = ".,;:!?)]}"


def find_passwords(folded: Folded) -> Iterator[FoundSpan]:
    """Find passwords."""
    text = folded.lower
    for match in _PHRASE.finditer(folded):
        yield FoundSpan("password", *match.span("value"))
    for pattern, bare in (
        (_SIGNED, True),
        (_LINKED, True),
        (_IN_A_SENTENCE, False),
        (_BESIDE, False),
        (_PAIR, False),
    ):
        for match in pattern.finditer(folded):
            start = match.start("value")
            value = folded.plain[start : match.end("value")].rstrip(_ENDS if len(match["value"]) > 3 else "")  # noqa: PLR2004
            if _secret(value) or (bare and _bare(value, folded.lower, start)):
                yield FoundSpan("password", start, _end(folded.plain, start, value))
    for match in (*_BEHIND.finditer(folded), *_OPENING.finditer(folded)):
        start = max(text.rfind(space, max(0, match.start() - 64), match.start()) for space in " \n\t") + 1
        start = max(start, match.start() - 64)
        if start < match.start() and _secret(folded.plain[start : match.start()]):
            yield FoundSpan("password", start, match.start())
    for match in _ADDRESS.finditer(folded):
        if not _CODE.compiled.match(match["value"]) and not match["value"].startswith("<"):
            yield FoundSpan("password", *match.span("value"))


def _end(text: str, start: int, value: str) -> int:
    """Return where a password ends; an exclamation mark may belong to it."""
    end = start + len(value)
    return end + 1 if text[end : end + 1] in {"!", "?"} else end


def _secret(value: str) -> bool:
    """Say whether a word looks chosen as a secret: signs of several kinds in it."""
    if len(value) < 4 or _CODE.compiled.match(value.lower()) or NOTHING in value or "://" in value:  # noqa: PLR2004
        return False
    digits = any(letter.isdecimal() for letter in value)
    letters = any(letter.isalpha() for letter in value)
    symbols = any(letter in _SYMBOLS and letter != "-" for letter in value)
    mixed = value[1:].lower() != value[1:] and not value.isupper()
    if digits and letters:
        return True
    return (letters and ((symbols and len(value) >= 6) or mixed)) or (digits and len(value) >= 6)  # noqa: PLR2004


def looks_chosen(value: str) -> bool:
    """Say whether a word looks chosen as a secret, and is no name, address, version or count of something."""
    letters = sum(map(str.isalpha, value))
    if (
        not value.isascii()
        or not _secret(value)
        or letters < 2  # noqa: PLR2004
        or _PLAIN.compiled.fullmatch(value.lstrip("=:"))
    ):
        return False
    digits = sum(map(str.isdecimal, value))
    symbols = sum(letter in _SYMBOLS and letter not in "-/" for letter in value)
    return bool(digits or symbols) and len(value) >= 6  # noqa: PLR2004


def _bare(value: str, lower: str, start: int) -> bool:
    """Say whether one plain word stands where only a secret would: at the end, and no common word."""
    word = value.lower()
    if len(word) < 4 or not word.isalpha() or word in PROSE or not word.isascii():  # noqa: PLR2004
        return False
    rest = lower[start + len(value) : start + len(value) + 3].lstrip("\"'`)")
    return not rest or rest[0] in ".,;!?\n" or rest.startswith(" (")


PASSWORDS: Final = Finder(
    find_passwords, (_SIGNED, _LINKED, _IN_A_SENTENCE, _BESIDE, _BEHIND, _PAIR, _OPENING, _PHRASE, _ADDRESS)
)
