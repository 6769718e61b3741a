"""Detect PINs and one-time codes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bethink.lifecycle.guard.patterns import FREE, Clue, Clues, Finder, FoundSpan, Pattern, clue, find_clues

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bethink.lifecycle.guard.folding import Folded

_CODE: Final = r"(?:[a-z]{1,2}-)?(?:[0-9]{3}[ \-][0-9]{3,4}|[0-9]{4,8})(?![0-9]|[.:,/\-][0-9])"
_KIND: Final = (
    r"(?:verification|security|login|log-in|sign-?in|confirmation|authentication|authenticator"
    r"|auth|access|one[- ]time"
    r"|2fa|mfa|otp|sms|two-factor|activation|unlock|single-use|passkey|bestatigungs|sicherheits"
    r"|freischalt|zugangs"
    r"|anmelde|einmal)"
)
_NAME: Final = (
    rf"(?:{_KIND}[ \-]?(?:code|pin|passcode|password|passwort|kennwort|tan)s?|otps?|totp|2fa"
    r"|mfa|passcode|tan|mtan|sms-?tan"
    r"|code d[e'] ?(?:verification|confirmation|securite|connexion|validation|acces|activation)"
    r"|codigo de (?:verificacion|confirmacion|seguridad|acceso)|codice di (?:verifica|sicurezza|conferma)"
    r"|验证码|驗證碼|認証コード|確認コード|ワンタイムパスワード|인증번호)"
)
_ANCHORS: Final = (
    *("2fa", "mfa", "code", "codes", "otp", "otps", "tan", "tans", "pin", "pins", "password", "passwords"),
    *("passwort", "passworts", "kennwort", "kennworts", "codigo", "codice"),
    *("码", "碼", "コード", "ワンタイム", "인증"),
)
_PIN_ANCHORS: Final = ("pin", "pincode", "pinnumber", "pinnummer")
_YOURS: Final = r"(?:your|my|the|his|her|dein|deine|ihr|ihre|mein|der|die|votre|ton|mon|le|su|tu|mi|el)"


def _is_no_year(value: str) -> bool:
    return not (len(value) == 4 and value[:2] in {"19", "20"})  # noqa: PLR2004


_CLUES: Final = Clues(
    Clue(
        category="one_time_code",
        pattern=Pattern(
            rf"(?<![a-z]){_NAME}(?![a-z]){FREE}(?P<value>{_CODE})", *_ANCHORS, digits=4, ends=True
        ),
        check=_is_no_year,
    ),
    Clue(
        category="one_time_code",
        pattern=Pattern(
            rf"(?<![a-z]){_NAME}(?![a-z])[ \t]{{0,2}}(?:[:=]|is|ist|lautet|est|es)[ \t]{{0,2}}(?P<value>{_CODE})",
            *_ANCHORS,
            digits=4,
            ends=True,
        ),
    ),
    Clue(
        category="one_time_code",
        pattern=Pattern(
            rf"(?<![a-z]){_YOURS} code(?:[ \t]{{1,2}}(?:is|ist|lautet|est|es)|[ \t]?:)[ \t:]{{1,3}}(?P<value>{_CODE})",
            "code",
            digits=4,
            ends=True,
        ),
    ),
    Clue(
        category="one_time_code",
        pattern=Pattern(
            rf"(?<![a-z0-9\-])(?P<value>{_CODE})[ \t]{{1,2}}(?:is|as|ist|als|est|es|for)[ \t](?:{_YOURS}[ \t])?"
            rf"(?:[a-z\-]{{2,20}}[ \t]){{0,2}}(?:{_NAME})(?![a-z])",
            *_ANCHORS,
            digits=4,
            ends=True,
        ),
    ),
)
_PIN: Final = r"[0-9]{4,8}(?![0-9]|[.:,/\-][0-9])"
_TO_WHAT: Final = r"(?:[ \t](?:for|of|to|on|at|fur|von|zu|de|del|para|pour|du)[ \t][^\n0-9.;!?]{1,30}?)?"
_IS: Final = r"(?:[ \t]{0,2}[:=#]|[ \t]{1,2}(?:is|ist|lautet|es|est))[ \t:#]{0,3}"
_PINS: Final = Clues(
    Clue(
        category="pin",
        pattern=Pattern(
            rf"(?<![a-z])(?:pin code|pin number|pin-code|geheimzahl|code pin|clave pin|暗証番号)(?![a-z])"
            rf"{_TO_WHAT}(?:{_IS}|[ \t]|[はが])(?P<value>{_PIN})",
            *("pin", "geheimzahl", "暗証番号"),
            digits=4,
            ends=True,
        ),
    ),
    Clue(
        category="pin",
        pattern=Pattern(
            rf"(?<![a-z0-9])(?:[a-z]{{2,16}}-)?pin(?:[ \-]?(?:code|number|nummer))?(?![a-z])"
            rf"{_TO_WHAT}{_IS}(?P<value>{_PIN})",
            *_PIN_ANCHORS,
            digits=4,
            ends=True,
        ),
    ),
    Clue(
        category="pin",
        pattern=Pattern(
            rf"(?<![a-z])(?:my|card|sim|atm|bank|debit|phone)[ \t]pin[ \t]{{1,2}}(?P<value>{_PIN})",
            "pin",
            digits=4,
            ends=True,
        ),
    ),
    Clue(
        category="pin",
        pattern=Pattern(
            r"(?<![a-z])(?:door|gate|alarm|lock|entry|garage|safe|keypad|lockbox|key ?safe|building"
            r"|turcode|tur|alarmanlagen)"
            rf"[ \-]?(?:code|combination|combo){_TO_WHAT}(?:[ \t](?:at|in|of)[ \t][a-z ]{{1,20}}?)?{_IS}"
            r"(?P<value>[0-9]{3,8}(?![0-9]|[.:,/\-][0-9]))",
            *("code", "combination", "combo"),
            digits=3,
            ends=True,
        ),
    ),
)
_SEED_WORDS: Final = (
    "seed phrase|recovery phrase|recovery words|recovery seed|mnemonic|mnemonic phrase|"
    "secret phrase|backup phrase|wallet words|wallet seed|wallet phrase|seed words|"
    "wiederherstellungsphrase|wiederherstellungsworter|phrase de recuperation|frase semilla|"
    "frase de recuperacion|助记词|助記詞|ニーモニック|リカバリーフレーズ"
)
_SEED: Final = r"(?:(?:[0-9]{1,2}[.):]?[ ]?)?[a-z]{3,8}(?:[\s,;]{1,3}|$|(?=[^a-z]))){12,24}+"
_FUNCTION: Final = frozenset(
    ["the", "and", "for", "was", "were", "are", "but", "has", "had", "his", "her", "with"]
)


def _is_seed(value: str) -> bool:
    return len(_FUNCTION.intersection(value.replace(",", " ").split())) <= 1


_SEEDS: Final = Clues(
    clue(
        "seed_phrase",
        _SEED_WORDS,
        _SEED,
        gap=r"[^a-z0-9]{0,6}(?:(?:is|are|ist|est|es|for|my|wallet)[\s:]{1,3}){0,4}",
        check=_is_seed,
        reach=640,
        digits=0,
    ),
)


def find_codes(folded: Folded) -> Iterator[FoundSpan]:
    """Find one-time codes, PINs, and the words that restore a wallet."""
    yield from find_clues(folded, _CLUES)
    yield from find_clues(folded, _PINS)
    yield from find_clues(folded, _SEEDS)


CODES: Final = Finder(find_codes, (*_CLUES.patterns, *_PINS.patterns, *_SEEDS.patterns))
