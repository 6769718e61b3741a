"""Detect API keys, access tokens and private keys."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bethink.expressions import Expression
from bethink.lifecycle.guard.patterns import Finder, FoundSpan, Pattern

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bethink.lifecycle.guard.folding import Folded

_HEAD: Final = r"(?<![A-Za-z0-9_])"
_LEAST: Final = 15  #: characters of the shortest of these keys, none of which is white space
_BODY: Final = r"[A-Za-z0-9_\-]"


def _vendor(expression: str, *anchors: str, reach: int | None = 640) -> Pattern:
    return Pattern(_HEAD + expression, *anchors, reach=reach, least=_LEAST)


#: Keys that carry the name of who gave them out; read with their case.
_VENDORS: Final = (
    _vendor(
        rf"sk-(?=[a-z\-]{{0,24}}[A-Z0-9]){_BODY}{{20,200}}", "sk-"
    ),  # OpenAI, Anthropic, OpenRouter, DeepSeek
    _vendor(
        r"(?:AKIA|ASIA|ABIA|ACCA|AROA|AIDA)[A-Z0-9]{16}(?![A-Za-z0-9])",
        "AKIA",
        "ASIA",
        "ABIA",
        "ACCA",
        "AROA",
        "AIDA",
    ),
    _vendor(r"gh[pousr]_[A-Za-z0-9]{20,255}", "ghp_", "gho_", "ghu_", "ghs_", "ghr_"),
    _vendor(r"github_pat_[A-Za-z0-9_]{20,255}", "github_pat_"),
    _vendor(rf"gl(?:pat|ptt|rt|dt|cbt|ft|soat|agent|imt)-{_BODY}{{16,128}}", "gl"),
    _vendor(rf"xox[abeoprs]-{_BODY}{{10,255}}", "xox"),
    _vendor(rf"xapp-{_BODY}{{10,255}}", "xapp-"),
    Pattern(r"hooks\.slack\.com/(?:services|workflows)/[A-Za-z0-9/]{16,128}", "hooks.slack.com/", reach=640),
    Pattern(
        rf"discord(?:app)?\.com/api/webhooks/[0-9]{{8,24}}/{_BODY}{{20,128}}", "/api/webhooks/", reach=640
    ),
    _vendor(rf"AIza{_BODY}{{24,64}}", "AIza"),
    _vendor(rf"ya29\.{_BODY}{{20,512}}", "ya29."),
    _vendor(rf"GOCSPX-{_BODY}{{20,64}}", "GOCSPX-"),
    _vendor(r"[sr]k_(?:live|test)_[A-Za-z0-9]{16,255}", "k_live_", "k_test_"),
    _vendor(r"whsec_[A-Za-z0-9+/=]{16,128}", "whsec_"),
    _vendor(r"hf_[A-Za-z0-9]{20,128}", "hf_"),
    _vendor(r"(?:AC|SK)[0-9a-f]{32}(?![A-Za-z0-9])", "AC", "SK"),
    _vendor(rf"SG\.{_BODY}{{16,64}}\.{_BODY}{{16,128}}", "SG."),
    _vendor(r"npm_[A-Za-z0-9]{30,128}", "npm_"),
    _vendor(rf"pypi-{_BODY}{{16,512}}", "pypi-"),
    _vendor(rf"dckr_pat_{_BODY}{{16,128}}", "dckr_pat_"),
    _vendor(r"do[opr]_v1_[0-9a-f]{40,128}", "_v1_"),
    _vendor(r"shp(?:at|ca|pa|ss)_[A-Za-z0-9]{20,64}", "shp"),
    _vendor(r"(?:secret|ntn)_[A-Za-z0-9]{40,64}", "secret_", "ntn_"),
    _vendor(r"lin_api_[A-Za-z0-9]{20,64}", "lin_api_"),
    _vendor(r"dapi[0-9a-f]{32}", "dapi"),
    _vendor(rf"[0-9]{{8,10}}:AA{_BODY}{{30,40}}", ":AA"),
    _vendor(r"key-[0-9a-f]{32}(?![A-Za-z0-9])", "key-"),
    _vendor(rf"(?:xai|pplx)-{_BODY}{{20,128}}", "xai-", "pplx-"),
    _vendor(r"(?:gsk|r8|sbp|pscale_tkn|pscale_pw)_[A-Za-z0-9_]{20,128}", "gsk_", "r8_", "sbp_", "pscale_"),
    _vendor(rf"hv[sbr]\.{_BODY}{{20,255}}", "hvs.", "hvb.", "hvr."),
    _vendor(r"AGE-SECRET-KEY-1[A-Z0-9]{20,80}", "AGE-SECRET-KEY-"),
    _vendor(rf"eyJ{_BODY}{{8,4096}}+\.eyJ{_BODY}{{4,8192}}+(?:\.{_BODY}{{0,2048}}+)?", "eyJ", reach=None),
    Pattern(
        r"(?:AccountKey|SharedAccessKey|SharedAccessSignature)=[A-Za-z0-9+/=%&]{20,256}",
        "AccountKey=",
        "SharedAcc",
        reach=640,
    ),
)
_MARKS: Final = frozenset[str]().union(*(each.pieces for each in _VENDORS))
#: Names under which keys are kept in code, headers and prose; read in lower case.
_NAME: Final = (
    r"(?:api|access|auth|secret|private|client|app|application|service|account|consumer|encryption"
    r"|signing|session"
    r"|bearer|refresh|id|personal access|deploy|webhook|storage|master|admin|bot|ssh|aws"
    r" secret access|anthropic|openai"
    r"|github|gitlab|slack|google|google maps|maps|stripe|azure|twilio|sendgrid|hugging ?face|cohere|mistral)"
    r"[ _\-]{0,2}(?:key|token|secret|schlussel|credential)s?"
)
_NAMES: Final = (
    rf"{_NAME}|apikey|[a-z0-9_]{{1,60}}_(?:key|token|secret)|secret|token|cle[ -](?:d'?)?api|cle secrete"
    r"|clave(?: de)? api|clave secreta|geheimer schlussel|zugriffsschlussel|apiキー|api 密钥|api密钥|密钥|令牌"
)
_LINKS: Final = (
    r"[\"'\]]?(?:[ \t]{0,3}(?::=|=>|[:=])"
    r"|[ \t]{1,2}(?:is|ist|lautet|est|es|of)[ \t:]|[ \t]{0,1}[是为はがを])[ \t]{0,3}"
)
_VALUE: Final = r"[\"'`]?(?P<value>[a-z0-9][a-z0-9_\-./+=~:]{7,511})"
_WORDS: Final = (
    *("key", "keys", "token", "tokens", "secret", "secrets"),
    *("schlussel", "schlussels", "credential", "credentials"),
)
_ASSIGNED: Final = Pattern(
    rf"(?<![a-z0-9_])(?:{_NAMES})(?![a-z]){_LINKS}{_VALUE}",
    *_WORDS,
    *("cle ", "clave", "キー", "密钥", "令牌"),
    reach=640,
    ends=True,
)
_BESIDE: Final = Pattern(
    rf"(?<![a-z0-9])(?:{_NAME})[ \t]{{1,2}}[\"'`]?(?P<value>[a-z0-9][a-z0-9_\-./+=]{{15,511}})",
    *_WORDS,
    reach=640,
    ends=True,
)
_IN_A_SENTENCE: Final = Pattern(
    r"(?<![a-z0-9_])(?:key|token|secret)(?![a-z])[^\n.;!?:=0-9]{1,40}?(?:[:=]|(?<![a-z])(?:is"
    r"|lautet|est|es)(?![a-z]))[ \t]{0,3}"
    r"[\"'`]?(?P<value>[a-z0-9][a-z0-9_\-./+=]{11,511})",
    *("key", "token", "secret"),
    reach=640,
    ends=True,
)
_BARE: Final = Pattern(
    r"(?<![a-z0-9_])(?:key|token|secret)[ \t]{1,2}[\"'`]?(?P<value>[a-z0-9][a-z0-9_\-./+=]{23,511})",
    "key",
    "token",
    "secret",
    reach=640,
    ends=True,
)
_HEADER: Final = Pattern(
    r"(?<![a-z0-9])(?:bearer|basic|authorization: token)[ \t]{1,3}(?P<value>[a-z0-9._~+/=\-]{16,4096})",
    *("bearer", "basic", "authorization"),
    reach=None,
    starts=True,
    ends=True,
)
_NAMED: Final = (_ASSIGNED, _BESIDE, _IN_A_SENTENCE, _BARE, _HEADER)
_SHORTEST: Final = 8
_LONG: Final = 20
_PLACEHOLDERS: Final = Expression(
    r"^(?:your|my|os\.|process\.|env\.|settings\.|config\.|self\.|none|null|true|false|xxx)"
)


def find_keys(folded: Folded) -> Iterator[FoundSpan]:
    """Find keys by their maker's mark, or by the name that they are given."""
    for pattern in () if _MARKS.isdisjoint(folded.anchors) else _VENDORS:
        for match in pattern.finditer(folded, cased=True):
            yield FoundSpan("api_key", *match.span())
    for pattern in _NAMED:
        for match in pattern.finditer(folded):
            start = match.start("value")
            value = folded.plain[start : match.end("value")].rstrip(".")
            if _random(value):
                yield FoundSpan("api_key", start, start + len(value))


def _random(value: str) -> bool:
    """Say whether a value looks made by a machine: letters and digits mixed, no placeholder, no address."""
    if len(value) < _SHORTEST or _PLACEHOLDERS.compiled.match(value.lower()) or "://" in value:
        return False
    digits = sum(letter.isdecimal() for letter in value)
    letters = sum(letter.isalpha() for letter in value)
    long = len(value) >= _LONG and value.lower() != value
    return letters > 0 and (digits > 1 or (digits == 1 and long))


_BEGIN: Final = Pattern(
    r"-----BEGIN (?:[A-Z0-9]{2,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----"
    r"(?:(?!-----END)[\s\S]){0,20000}+(?:-----END [A-Z0-9 ]{1,40}-----)?",
    "PRIVATE KEY",
    reach=None,
)
_PUTTY: Final = Pattern(r"PuTTY-User-Key-File-[0-9]:[\s\S]{0,20000}", "PuTTY-User-Key-File", reach=None)


def find_private_keys(folded: Folded) -> Iterator[FoundSpan]:
    """Find private keys in PEM, OpenSSH, PGP and PuTTY form, whole or cut off."""
    for pattern in (_BEGIN, _PUTTY):
        for match in pattern.finditer(folded, cased=True):
            yield FoundSpan("private_key", *match.span())


KEYS: Final = Finder(find_keys, (*_VENDORS, *_NAMED))
PRIVATE_KEYS: Final = Finder(find_private_keys, (_BEGIN, _PUTTY))
