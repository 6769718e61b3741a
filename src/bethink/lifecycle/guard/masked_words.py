"""Count the words that still say something after secrets are masked."""

from __future__ import annotations

from typing import Final

from bethink.expressions import Expression


def listed(words: str) -> frozenset[str]:
    """Return the words of a list."""
    return frozenset(words.split())


_WORD: Final = Expression(r"[^\W\d_]++")
_SHORTEST: Final = 3
_IDEOGRAPHS: Final = "\u2e80"  #: from here on, scripts that put no space between words
_WITHOUT_CONTENT: Final = listed(
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


def own_words(text: str) -> int:
    """Return how many words say more than that there was a secret."""
    count = 0
    for match in _WORD.compiled.finditer(text):
        word = match[0]
        if word[0] >= _IDEOGRAPHS:
            count += len(word) // 3
        elif len(word) >= _SHORTEST and word not in _WITHOUT_CONTENT:
            count += 1
    return count
