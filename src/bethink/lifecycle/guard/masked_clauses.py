"""Drop the clauses of a masked text that say nothing more: "My card is [card removed]"."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from bethink.expressions import Expression
from bethink.lifecycle.guard.folding import Folded
from bethink.lifecycle.guard.masking import PLACEHOLDERS
from bethink.lifecycle.guard.patterns import word_set

if TYPE_CHECKING:
    from collections.abc import Iterator

_AND: Final = "and|but|so|while|und|aber|et|mais|y|pero|e|ma|mas|en|maar"
#: words with which a clause of its own begins
_SUBJECT: Final = (
    "i|i'm|i've|i'd|my|our|we|he|she|they|his|her|their|it|the|this|please|also|there|ich|mein|meine|meinen|wir|unser"
    "|er|sie|das|der|die|bitte|je|j'|mon|ma|mes|nous|notre|il|elle|le|la|les|yo|mi|mis|nuestra|nuestro|el|los|las|io"
    "|mio|mia|il|lo|eu|meu|minha|o|a"
)
_ALONE: Final = "i|i'm|i've|my|our|we|ich|mein|meine|wir|je|mon|ma|mes|nous|notre|yo|mi|mis|io|eu|meu|minha"
_BETWEEN: Final = Expression(
    rf"(?<=[.!?;])\s+|\n+|(?<=[。！？；，])|,?\s+(?:{_AND})\s+(?=(?:{_SUBJECT})(?![\w]))|,\s+(?=(?:{_ALONE})(?![\w]))",
    re.IGNORECASE,
)
_MASK: Final = Expression("|".join(map(re.escape, sorted(PLACEHOLDERS))))
_FEW_WORDS: Final = 3
_FEW_SIGNS: Final = 4
_WORDS: Final = Expression(r"\w+")
_WORD: Final = Expression(r"[^\W\d_]++")  #: of letters alone
_GREETING: Final = word_set(
    "hi hello hey dear thanks thank you so much very lot again sorry okay yes no sure great perfect well fine good "
    "morning afternoon evening day night right now first then let me tell give send take save remember below following "
    "hallo danke vielen dank guten tag morgen abend ja nein gut bonjour merci beaucoup bonsoir oui non hola gracias "
    "muchas buenos dias si ciao grazie mille"
)
_FIRST_IDEOGRAPH: Final = "\u2e80"
_LAST_IDEOGRAPH: Final = "\U0003ffff"
_LETTERS: Final = Expression(r"[^\W\d_]++")
_SHORTEST_WORD: Final = 3
_IDEOGRAPHS: Final = "\u2e80"  #: from here on, scripts that put no space between words
_WITHOUT_CONTENT: Final = word_set(
    "the and that this these those for with from you your our his her its their mine yours are was "
    "were has have had will would can could please remember note save store keep know here there "
    "also just use using used number numbers card cards credit debit visa mastercard amex discover "
    "code codes pin cvv cvc exp expires expiry expiration valid until iban account acct bank "
    "routing sort ssn social security insurance tax national identity passport licence license "
    "driver drivers driving medicare member policy born birth date dob birthday email mail phone "
    "mobile cell key keys api secret token access bearer authorization password passwort passcode "
    "passphrase pass username user login log wifi seed phrase recovery words wallet mnemonic begin "
    "end private public rsa verification one time otp new old name called mein meine meinen meiner "
    "dein deine ihr ihre ist der die das und nicht von mit lautet nummer karte karten konto hier "
    "bitte merke merk gultig bis kennwort geheim ausweis pass reisepass geboren geburtsdatum "
    "kreditkarte mon mes ton est les des une que carte numero compte voici mot passe code cle mdp "
    "bancaire mis tus una por los las tarjeta clave contrasena cuenta codigo pasaporte con mio mia "
    "che conto carta"
)


def meaningful_remainder(text: str, *, least: int) -> str:
    """Return what of a masked text says something; an empty text where nothing does.

    A clause with a mask is kept where it has some words of its own, any other where all of them have one together.
    """
    parts: list[tuple[str, str]] = []  # what parted it from the clause before, and the clause
    has_content = False
    dropped = False
    for between, clause in _clauses(text):
        masked = _MASK.compiled.search(clause) is not None
        if masked and own_words(Folded(clause).lower) < least:
            dropped = True
            continue
        parts.append((between or " ", clause))
        has_content = has_content or masked or _has_content(clause)
    if not has_content:
        return ""
    if not dropped:
        return text
    return (parts[0][1] + "".join(between + clause for between, clause in parts[1:])).rstrip(" ,;，；\n")


def _clauses(text: str) -> Iterator[tuple[str, str]]:
    place, between = 0, ""
    for match in _BETWEEN.compiled.finditer(text):
        if match.start() > place:
            yield between, text[place : match.start()]
            between = ""
        between += match[0]
        place = match.end()
    if place < len(text):
        yield between, text[place:]


def _has_content(clause: str) -> bool:
    """Say whether a clause without a mask says something: a greeting does not."""
    words = _WORDS.compiled.findall(clause.lower())
    ideographs = sum(_FIRST_IDEOGRAPH <= sign <= _LAST_IDEOGRAPH for sign in clause)
    if ideographs:
        return ideographs >= _FEW_SIGNS
    content = [word for word in words if word not in _GREETING]
    return len(words) >= _FEW_WORDS and own_words(Folded(" ".join(content)).lower) > (words[0] in _GREETING)


def own_words(text: str) -> int:
    """Return how many words say more than that there was a secret."""
    count = 0
    for match in _WORD.compiled.finditer(text):
        word = match[0]
        if word[0] >= _IDEOGRAPHS:
            count += len(word) // 3
        elif len(word) >= _SHORTEST_WORD and word not in _WITHOUT_CONTENT:
            count += 1
    return count
