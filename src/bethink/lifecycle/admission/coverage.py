"""Tell whether a user's own words cover a note: its keywords, numbers, names and negations.

A note of an agent words anew what was said, in the third person, and names the area that it is about: "Vegetarian
(prefers vegetarian meal options when traveling)." for "Remember that I am vegetarian." So words that build a statement
are free, and so are words that name an area of life, where something that is claimed stands beside them. What is
claimed has to be found in what the user said within a few messages: the same word, a form of it, or one that means the
same; numbers and names as they are. A wording may be milder than what was said, never stronger, and denies what was
denied.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from bethink.languages.detection import detect, function_words
from bethink.languages.loading import CODES, language
from bethink.languages.phrases import phrase_list
from bethink.languages.tokenizer import fold, tokens
from bethink.lifecycle.consolidate.words import stem
from bethink.lifecycle.text_caches import remembers

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from bethink.lifecycle.admission.own_words import OwnMessage

NEAR: Final = 0.5  #: cosine of two words that mean the same
WITHIN: Final = 3  #: messages in a row that a statement may be made of
MIN_ROOT: Final = 4  #: letters that forms of one word share
SHARED_ROOT: Final = 0.55  #: of the longer one
SLACK: Final = 3  #: key words that have to be found where one is not
STRANGE: Final = 3  #: words of a rewording that nobody said, for each that somebody did
SHORT: Final = 6  #: words of an answer that says nothing without its question
AREAS: Final = 3  #: words of an area that one key word may bring along

_PARTS: Final = re.compile(
    r"[.;!?。！？；()\n]+(?:\s|$)|[;()。！？；\n]|,\s+|\s(?=(?:and|but|so|because|since|though|und|aber|weil|et|mais|car|y|pero|e|ma|mas)\s)"
)
_USER: Final = re.compile(
    "用户|用戶|使用者|ユーザー|利用者"
)  #: whom a note is about, where no space parts words
_NUMBER: Final = re.compile(r"(\d+(?:[.,:]\d+)*)(?:st|nd|rd|th)?\b")
_ADDRESS: Final = re.compile(r"\S*(?:@|://|www\.|\w\.\w{2,}/?)\S*|[#@]\w+")
_YES: Final = re.compile(
    r"(?:yes|yeah|yep|yup|sure|please do|correct|exactly|right|that's right|ja|genau|oui|sí|si|sì|sim|of course|"
    r"absolutely)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Coverage:
    """How far a note is the user's word."""

    items: tuple[str, ...] = ()  #: ids of the messages that carry it
    missing: tuple[str, ...] = ()  #: key words that no message carries

    @property
    def whole(self) -> bool:
        """Whether all of it is."""
        return bool(self.items) and not self.missing


@dataclass(slots=True)
class _Words:
    """What a piece of text says, as it is compared."""

    keys: dict[str, str] = field(
        default_factory=dict[str, str]
    )  #: words that claim something, as they are written
    areas: dict[str, str] = field(default_factory=dict[str, str])
    strict: set[str] = field(default_factory=set[str])  #: numbers, names, addresses
    strong: bool = False
    negative: bool = False
    mixed: bool = False
    refusing: bool = False
    asking: bool = False  #: it asks for information, and states nothing


def coverage(text: str, messages: Sequence[OwnMessage]) -> Coverage:
    """Return which messages carry a note, or what of it none does."""
    fallback = messages[-1].code if messages else "en"
    parts = [part for part in _pieces(text, detect(text, fallback)) if part.keys or part.areas or part.strong]
    if not parts or not messages:
        return Coverage()
    statements = [_statements(each) for each in messages]
    windows = [
        [piece for each in statements[start : start + WITHIN] for piece in each]
        for start in range(max(1, len(messages) - WITHIN + 1))
    ]
    around = {word for each in statements for _, piece in each for word in (*piece.keys, *piece.areas)}
    carried = [_best(part, windows, around) for part in parts]
    items = tuple(dict.fromkeys(item for each in carried for item in each.items if item))
    refused = tuple(dict.fromkeys(word for each in carried if each.refused for word in each.lacking))
    lacking = tuple(dict.fromkeys(word for each in carried for word in each.lacking))
    found = sum(each.found for each in carried)
    if refused or len(lacking) * SLACK > found or len(lacking) > 1:
        return Coverage(items=items, missing=refused or lacking)
    return Coverage(items=items or tuple(each.item for each in messages[-1:]))


def wording_coverage(text: str, messages: Sequence[OwnMessage]) -> Coverage:
    """Return which messages a note may be a wording of, where nobody but the user can have led to it.

    Its numbers and names were said within a few messages, it is no stronger than what was said, denies nothing that
    was affirmed, states no other value, and one of a few key words was said. What else it is worded with is free.
    """
    parts = _pieces(text, detect(text, messages[-1].code if messages else "en"))
    parts = [part for part in parts if part.keys or part.areas or part.strong]
    statements = [_statements(each) for each in messages]
    best = Coverage(missing=tuple(key for part in parts for key in part.keys) or ("always",))
    for start in reversed(range(max(1, len(messages) - WITHIN + 1))):
        window = [
            piece for each in statements[start : start + WITHIN] for piece in each if not piece[1].asking
        ]
        around = [piece for each in statements for piece in each if piece not in window]
        found = _wording(parts, window, around)
        if found.whole:
            return found
        best = min(best, found, key=lambda each: len(each.missing))
    return best


def _wording(
    parts: Sequence[_Words], stating: Sequence[tuple[str, _Words]], around: Sequence[tuple[str, _Words]]
) -> Coverage:
    """Return which messages of a window a note may be a wording of."""
    items: dict[str, None] = {}
    strange: list[str] = []
    found = 0
    for part in parts:
        held: list[list[_Words]] = []
        for key in (*part.keys, *part.areas):
            holders = _holders(part, key, stating) if key in part.keys else _plainly(key, stating)
            items |= {item: None for item, _ in holders}
            held += [[each for _, each in holders]] if holders else []
            if not holders and (key in part.strict or _otherwise(key, stating) or _plainly(key, around)):
                return Coverage(missing=(key,))
            strange += [key] if key in part.keys and not holders else []
        found += len(held)
        overdone = part.strong and not _is_as_strong(part, stating)
        if overdone or _denies(part, held, [each for _, each in stating]):
            return Coverage(missing=tuple(part.keys) or ("always",))
    if not found or len(strange) > STRANGE * found:
        return Coverage(missing=tuple(strange) or ("always",))
    return Coverage(items=tuple(items))


def _plainly(key: str, stating: Sequence[tuple[str, _Words]]) -> list[tuple[str, _Words]]:
    return [(item, each) for item, each in stating if _holds(each, key, exact=False)]


def _otherwise(key: str, stating: Sequence[tuple[str, _Words]]) -> bool:
    """Tell whether another value of what a word is a value of was said: window for aisle."""
    return any(_rivals(key, word) for _, each in stating for word in (*each.keys, *each.areas))


def is_about(text: str, statement: str) -> bool:
    """Tell whether a note is about what somebody states: it holds half of what that claims."""
    statements = _merged(_pieces(text, detect(text)))
    code = detect(statement)
    claimed = _merged(_pieces(statement, code))
    wanted = claimed.keys or claimed.areas
    found = [
        key for key in wanted if _holds(statements, key, exact=False) or _near(key, wanted[key], statements)
    ]
    return bool(found) and 2 * len(found) >= len(wanted)


def _merged(pieces: Sequence[_Words]) -> _Words:
    made = _Words()
    for each in pieces:
        made.keys |= each.keys
        made.areas |= each.areas
        made.strict |= each.strict
    return made


class _Support(NamedTuple):
    """What the messages of one window say of a piece of a note."""

    items: tuple[str, ...]
    found: int  #: key words
    lacking: tuple[str, ...] = ()
    refused: bool = (
        False  #: whatever else is found: it is denied, stronger, a number or a name, or nothing is
    )


def _best(part: _Words, windows: Sequence[Sequence[tuple[str, _Words]]], around: Collection[str]) -> _Support:
    best: _Support | None = None
    for window in reversed(windows):
        carried = _support(part, window, around)
        if best is None or (carried.refused, len(carried.lacking)) < (best.refused, len(best.lacking)):
            best = carried
        if not best.refused and not best.lacking:
            break
    return best or _Support((), 0, tuple(part.keys), refused=True)


def _statements(message: OwnMessage) -> list[tuple[str, _Words]]:
    """Return what a message says, statement by statement, with the question that a short answer answers."""
    pieces = [piece for sentence in message.sentences for piece in _pieces(sentence, message.code)]
    short = len(" ".join(message.sentences).split()) <= SHORT
    if message.asked and (short or _YES.match(message.sentences[0].strip())):
        for piece in _pieces(message.asked, message.code):
            piece.asking = False  # who answers states it
            pieces.append(piece)
    return [(message.item, piece) for piece in pieces]


def _support(part: _Words, statements: Sequence[tuple[str, _Words]], around: Collection[str]) -> _Support:
    """Return which messages carry a piece of a note, and what of it they do not say."""
    stating = [(item, each) for item, each in statements if not each.asking]
    items: dict[str, None] = {}
    lacking: list[str] = []
    held: list[list[_Words]] = []
    for key in part.keys:
        holders = _holders(part, key, stating)
        if holders:
            items |= {item: None for item, _ in holders}
            held.append([each for _, each in holders])
        else:
            lacking.append(key)
    areas = [word for word in part.areas if not any(_holds(each, word, exact=False) for _, each in stating)]
    if not held:
        carrying = [
            (item, each)
            for item, each in stating
            if any(_holds(each, word, exact=False) for word in part.areas)
        ]
        if part.keys or areas or not carrying:
            return _Support((), 0, tuple(lacking or areas or part.areas) or ("always",), refused=True)
        items |= {item: None for item, _ in carrying}
        held = [[each] for _, each in carrying]
    strange = [word for word in areas if word not in around]
    if len(strange) > AREAS * len(held):
        return _Support(tuple(items), len(held), tuple(strange), refused=True)
    if part.strong and not _is_as_strong(part, stating):
        return _Support(tuple(items), len(held), (*lacking, "always"), refused=True)
    if _denies(part, held, [each for _, each in stating]):
        return _Support(tuple(items), len(held), tuple(part.keys) or ("not",), refused=True)
    grave = bool(lacking) and (part.negative or part.strong or not part.strict.isdisjoint(lacking))
    return _Support(tuple(items), len(held), tuple(lacking), refused=grave)


def _is_as_strong(part: _Words, stating: Sequence[tuple[str, _Words]]) -> bool:
    """Tell whether "always" was said of what a piece claims: in a message that says half of it."""
    wanted = part.keys or part.areas
    for item in {item for item, each in stating if each.strong}:
        of_item = [each for other, each in stating if other == item]
        found = [key for key in wanted if any(_holds(each, key, exact=False) for each in of_item)]
        if 2 * len(found) >= len(wanted):
            return True
    return False


def _holders(part: _Words, key: str, stating: Sequence[tuple[str, _Words]]) -> list[tuple[str, _Words]]:
    exact = key in part.strict
    holders = [(item, each) for item, each in stating if _holds(each, key, exact=exact)]
    if holders or exact:
        return holders
    return [(item, each) for item, each in stating if _near(key, part.keys[key], each)]


def _denies(part: _Words, held: Sequence[Sequence[_Words]], stating: Sequence[_Words]) -> bool:
    """Tell whether a piece affirms what was denied, or denies what nobody did."""
    if part.mixed:
        return False
    if part.negative:
        return not any(each.negative or each.refusing or each.mixed for each in stating)
    return any(all(each.negative and not each.mixed for each in holders) for holders in held)


def _holds(words: _Words, key: str, *, exact: bool) -> bool:
    if key in words.keys or key in words.areas or key in words.strict:
        return True
    if exact:
        return False
    if any(_form(key, other) for other in words.keys):
        return True
    meanings = _same().get(key, frozenset())
    return bool(meanings) and not meanings.isdisjoint({*words.keys, *words.areas})


def _form(one: str, other: str) -> bool:
    """Tell whether two words are forms of one: allergy and allergic."""
    if len(one) < MIN_ROOT or len(other) < MIN_ROOT or one[:MIN_ROOT] != other[:MIN_ROOT]:
        return False
    shared = next(
        (at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other))
    )
    return shared >= SHARED_ROOT * max(len(one), len(other))


def _near(key: str, written: str, words: _Words) -> bool:
    """Tell whether something that was said means the same as a word."""
    known = {**words.keys, **words.areas}
    others = [known[word] for word in known if word not in words.strict and not _rivals(key, word)]
    if not others or not key.isalpha():
        return False
    vectors = _vectors((written, *others))
    return bool((vectors[1:] @ vectors[0]).max() >= NEAR)


def _rivals(one: str, other: str) -> bool:
    """Tell whether two words are different values of one thing: a cat is no dog, Monday no Friday."""
    groups = _values()
    return one != other and not groups.get(one, frozenset()).isdisjoint(groups.get(other, frozenset()))


@remembers(512)
def _vectors(words: tuple[str, ...]) -> Any:
    from bethink.models.static import built_in

    return built_in().embed(words)


# ---- what a text says -----------------------------------------------------------------------------------------


def _pieces(text: str, code: str = "en") -> list[_Words]:
    """Return what a text says, statement by statement."""
    found: list[_Words] = []
    place = 0
    plain = _USER.sub(" ", text.replace("’", "'"))
    for end in [*_PARTS.finditer(plain), None]:
        piece = plain[place : end.start() if end else len(plain)]
        asks = (end is not None and "?" in end.group()) or (end is None and piece.rstrip().endswith("?"))
        place = end.end() if end else len(plain)
        if piece.strip():
            found.append(_read(piece, asks=asks, code=code))
    return found


def _read(piece: str, *, asks: bool, code: str) -> _Words:
    made = _Words()
    plain = _exact(piece, made)
    names = _names(plain, code)
    for token in tokens(plain, language("en").contractions):
        word = token.word.strip("'_")
        if word and word[0].isalpha() and (len(word) > 1 or not word.isascii()):
            _add(made, word, code, name=token.start in names)
    made.asking = asks and not _requests(piece, code)
    return made


def _exact(piece: str, made: _Words) -> str:
    """Take addresses and numbers out of a piece: they are compared as they are."""
    for address in _ADDRESS.findall(piece):
        word = address.casefold().strip(".,;:!?()\"'")
        if not _NUMBER.fullmatch(word):
            made.keys[word] = word
            made.strict.add(word)
            piece = piece.replace(address, " ")
    for number in _NUMBER.findall(piece):
        word = _number(number)
        made.keys[word] = word
        made.strict.add(word)
    return _NUMBER.sub(" ", piece)


def _add(made: _Words, word: str, code: str, *, name: bool) -> None:
    tables = _tables()
    made.negative |= word in tables["negative"]
    made.mixed |= word in tables["mixed"]
    made.refusing |= word in tables["refusing"]
    if word in tables["strength"]:
        made.strong |= word not in tables["negative"]
    elif word in _numbers():
        made.keys[str(_numbers()[word])] = word
    elif not _is_hollow(word, code):
        root = stem(word)
        if word in tables["area"] or root in tables["area"]:
            made.areas[root] = word
        else:
            made.keys[root] = word
            if name:
                made.strict.add(root)


def _requests(piece: str, code: str) -> bool:
    """Tell whether a question asks the assistant to do something."""
    language_data = language(code if code in CODES else "en")
    words = language_data.words(piece)
    return bool(language_data.phrases("openings", "polite").find(words)) or bool(
        {"i", "my", "we", "our", "ich", "je", "yo", "eu", "io"}.intersection(words)
        and not language_data.phrases("vetoes", "question").at(words, 0)
    )


def _names(piece: str, code: str) -> set[int]:
    """Return where words stand that are written like names: with a capital letter, not at the beginning.

    German writes every noun so: there only what has a capital within is known for a name.
    """
    found = {match.start() for match in re.finditer(r"(?<=\s)[^\W\d_a-zà-öø-ÿ][\w'’-]*", piece)}
    first = re.search(r"\S", piece)
    inner = {match.start() for match in re.finditer(r"\b\w*[a-z][A-Z]\w*", piece)}
    return inner if code == "de" else (found - ({first.start()} if first else set())) | inner


def _number(text: str) -> str:
    plain = re.sub(r"(?<=\d),(?=\d{3}\b)", "", text)
    return re.sub(r"[.:]00$", "", plain)


@cache
def _tables() -> dict[str, frozenset[str]]:
    read = _file()
    tables = {
        name: frozenset(fold(word) for word in read[name].split())
        for name in ("light", "area", "strength", "negative", "mixed", "refusing")
    }
    tables["area"] |= frozenset(stem(word) for word in tables["area"])
    return tables


@cache
def _file() -> dict[str, Any]:
    return tomllib.loads((files("bethink.lifecycle.admission") / "words.toml").read_text("utf-8"))


@cache
def _numbers() -> dict[str, int]:
    return dict(_file()["numbers"])


@cache
def _same() -> dict[str, frozenset[str]]:
    groups = [frozenset(stem(fold(word)) for word in group.split()) for group in _file()["same"].split(";")]
    found: dict[str, frozenset[str]] = {}
    for group in groups:
        for word in group:
            found[word] = found.get(word, frozenset()) | group
    return found


@cache
def _values() -> dict[str, frozenset[str]]:
    """Return the lists in which a word is one value of several."""
    found: dict[str, set[str]] = {}
    language_data = language("en")
    for name, table in language_data.section("kinds").items():
        if name in {
            "pet",
            "language",
            "food",
            "make",
            "handset",
            "way",
            "ride",
            "faith",
            "eater",
            "weekday",
            "period",
        }:
            for word in phrase_list(table):
                found.setdefault(stem(fold(word)), set()).add(name)
    for name, table in language_data.section("values").items():
        for value, words in table.items():
            if value != "cues":
                for word in phrase_list(words):
                    found.setdefault(stem(fold(word)), set()).add(f"value {name}")
    for name in ("weekdays", "months"):
        for word in language_data.numbers(name):
            found.setdefault(stem(fold(word)), set()).add(name)
    return {word: frozenset(names) for word, names in found.items()}


def _is_hollow(word: str, code: str) -> bool:
    """Tell whether a word claims nothing: it builds a sentence, wishes, or denies."""
    tables = _tables()
    if word in _hollow(code) or any(word in tables[name] for name in ("light", "negative", "mixed")):
        return True
    return code != "en" and any(_form(word, other) for other in _wishing(code))


@cache
def _wishing(code: str) -> frozenset[str]:
    """Return the words for liking and preferring of a language, which has many forms of each."""
    if code not in CODES:
        return frozenset()
    language_data = language(code)
    return frozenset(
        word
        for name in ("liking", "preferring")
        for phrase in language_data.phrases("compare", name)
        for word in phrase[:1]
    )


@cache
def _hollow(code: str) -> frozenset[str]:
    words: set[str] = set(function_words("en"))
    for each in {code, "en"} & set(CODES):
        words |= set(function_words(each))
        language_data = language(each)
        for section, name in (
            ("people", "self"),
            ("people", "subjects"),
            ("people", "owning"),
            ("people", "others"),
            ("clauses", "joints"),
            ("compare", "liking"),
            ("compare", "preferring"),
        ):
            words |= {phrase[0] for phrase in language_data.phrases(section, name) if len(phrase) == 1}
    return frozenset(words) - _tables()["strength"] - _tables()["negative"] - _tables()["mixed"]
