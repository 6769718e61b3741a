"""The default embedder, bundled and offline: the weighted sum of static token vectors (int8).

The vectors lie in the package. There is no model to run: words are cut into pieces of a fixed vocabulary, the
pieces' vectors are added, and the sum is brought to length 1. That is fast and the same everywhere; the order
of words makes no difference to it.

A folder of weights holds three files:

- `vocabulary.txt`, one piece a line; a piece that continues a word begins with `##`;
- `vectors.npy`, int8, one row a piece;
- `scales.npy`, float32, what each row is multiplied by: the step of its numbers and the weight of the piece.
"""

from __future__ import annotations

import os
import re
import unicodedata
from functools import cache
from itertools import chain, zip_longest
from threading import Lock
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from bethink.errors import ModelError
from bethink.models.vocabulary import Vocabulary

if TYPE_CHECKING:
    import mmap
    from collections.abc import Iterable, Sequence
    from importlib.resources.abc import Traversable

    import numpy as np
    from numpy.typing import NDArray

    from bethink.models.vocabulary import Pieces

    Folder: TypeAlias = (
        str | os.PathLike[str] | Traversable
    )  #: `pathlib` takes as long to load as the weights do

VERSION: Final = "bethink-static-1"
VOCABULARY: Final = "vocabulary.txt"
VECTORS: Final = "vectors.npy"
SCALES: Final = "scales.npy"
ORDER: Final = "order.npy"  #: the rows of our own vocabulary by their pieces
DIGEST: Final = "digest.txt"  #: of our own three files, so that they need not be read to know it

_CACHED_WORDS: Final = 4_096  #: about 4 MB of vectors of 256 numbers, taken as they are needed
_STEP: Final = 4_096  #: words of a text whose vectors are taken at once
_SHORT: Final = 48  #: words of a text that is added up beside others
_BESIDE: Final = 128  #: such texts at a time: what they add up to stays near the processor
_PIECES: Final = 256  #: pieces that are taken out of the table at a time, from one part of it
_TOGETHER: Final = 1 << 16  #: words of texts whose slots are looked up together
_LONGEST_WORD: Final = 64  #: characters; a blob is read this far
_UNKNOWN: Final = 0  #: the slot of every word without a piece; its vector is zero

#: letters in lower case, digits, and a space for everything else
_ASCII_LETTERS: Final = bytes(
    ord(chr(code).lower()) if code < 128 and chr(code).isalnum() else ord(" ")  # noqa: PLR2004
    for code in range(256)
)
_BEYOND_ASCII: Final = re.compile(r"[^\0-\x7f]+")
_HAN: Final = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003134f"
_LETTER: Final = rf"[^\W_{_HAN}]"
_WORD: Final = (  # a script without spaces is cut where a word would be too long; a picture is a word
    rf"({_LETTER}{{1,{_LONGEST_WORD}}}|[{_HAN}]|[^\w\s\0-\x7f])(?:(?<={_LETTER}{{{_LONGEST_WORD}}})[a-z0-9]+)?"
)


def split_words(text: str) -> list[str]:
    """Cut a text into lower-case words without accents; each Han character, and each picture, is a word."""
    if text.isascii():
        found = text.encode("ascii").translate(_ASCII_LETTERS).decode("ascii").split()
        if len(text) <= _LONGEST_WORD or max(map(len, found), default=0) <= _LONGEST_WORD:
            return found
        return [word[:_LONGEST_WORD] for word in found]
    lowered = text.lower()
    if lowered.isascii():
        return split_words(lowered)
    return _word().findall(_BEYOND_ASCII.sub(_without_marks, unicodedata.normalize("NFD", lowered)))


@cache
def _word() -> re.Pattern[str]:
    return re.compile(_WORD)


def _without_marks(beyond: re.Match[str]) -> str:
    return "".join(character for character in beyond[0] if unicodedata.category(character) != "Mn")


def wordpieces(word: str, vocabulary: Pieces) -> list[int]:
    """Cut a word into the longest known pieces, from its start; a character without a piece is skipped."""
    known = vocabulary.get(word)
    if known is not None:
        return [known]
    cut: list[int] = []
    start, size = 0, len(word)
    end = size - 1  # the whole is none
    while start < size:
        prefix = "##" if start else ""
        while end > start:
            found = vocabulary.get(prefix + word[start:end])
            if found is not None:
                cut.append(found)
                break
            end -= 1
        start, end = max(end, start + 1), size
    return cut


class StaticEmbedder:
    """An `Embedder` without a model to run, whose weights come with the package.

    It is safe to share between threads. `weights` is a folder of the three files named above, if not our own.
    """

    def __init__(self, weights: Folder | None = None) -> None:
        self._folder = weights if weights is not None else _own()
        self._lock = Lock()
        self._table: _Table | None = None

    @property
    def identity(self) -> str:
        """Name the format and the digest of the weights."""
        return self._loaded().identity

    @property
    def dimensions(self) -> int:
        """Return the length of a vector."""
        return self._loaded().dimensions

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one row a text, of length 1; a text without a known word gives a row of zeros."""
        return self._loaded().embed(texts)

    def forget_words(self) -> None:
        """Let go of the words that were met so far: some of them were erased."""
        if self._table is not None:
            self._table.forget_words()

    def _loaded(self) -> _Table:
        table = self._table
        if table is None:
            with self._lock:
                table = self._table = self._table or _Table(self._folder)
        return table


@cache
def built_in() -> StaticEmbedder:
    """Return the one with the weights of the package that all of a process share: they are read once."""
    return StaticEmbedder()


class _Table:
    """The weights in memory."""

    def __init__(self, folder: Folder) -> None:
        self.identity = f"{VERSION}-{_digest(folder)[:16]}"
        #: other weights than our own need no fourth file
        order = _array(folder, ORDER) if folder == _own() else None
        self.vocabulary = Vocabulary(_read(folder, VOCABULARY), order)
        self.vectors: NDArray[np.int8] = _array(folder, VECTORS)
        self._mapping = _mapping_of(self.vectors)
        self.scales: NDArray[np.float32] = _array(folder, SCALES)
        if not len(self.vocabulary) == len(self.vectors) == len(self.scales):
            raise ModelError(
                "the embedder's weights do not match; reinstall the package",
                provider=VERSION,
                reason="vocabulary, vectors and scales differ in length",
            )
        self.dimensions = int(self.vectors.shape[1])
        self._words = _Words(self)

    def let_go(self) -> None:
        """Let the system take the memory back into which the table was read, where it is mapped."""
        import mmap

        if self._mapping is not None and hasattr(mmap, "MADV_DONTNEED"):  # Windows lacks it
            self._mapping.madvise(mmap.MADV_DONTNEED)

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Add up the words of each text, in their order, and bring the sums to length 1."""
        import numpy as np

        out = np.zeros((len(texts), self.dimensions), np.float32)
        spoken: list[list[str]] = []
        first = count = 0
        for place, text in enumerate(texts, 1):
            spoken.append(split_words(text))
            count += len(spoken[-1])
            if count >= _TOGETHER or place == len(texts):
                self._add_up(spoken, out[first:place])
                spoken, first, count = [], place, 0
        lengths = np.sqrt(np.vecdot(out, out))
        lengths[lengths == 0] = 1
        out /= lengths[:, None]
        return out

    def _add_up(self, spoken: Sequence[list[str]], out: NDArray[np.float32]) -> None:
        """Add up the words of some texts, in their order."""
        import numpy as np

        known = self._known()
        known.learn(chain.from_iterable(spoken))
        slots = [list(map(known.__getitem__, each)) for each in spoken]
        vectors = known.vectors
        short: list[int] = []
        for place, each in enumerate(slots):
            if len(each) <= _SHORT and len(slots) > 1:
                short.append(place)
                continue
            for at in range(0, len(each), _STEP):
                out[place] += np.add.reduce(vectors.take(each[at : at + _STEP], 0))
        short.sort(key=lambda place: len(slots[place]), reverse=True)
        for at in range(0, len(short), _BESIDE):
            places = short[at : at + _BESIDE]
            out[places] = _side_by_side([slots[place] for place in places], vectors)

    def forget_words(self) -> None:
        """Start again with the words that were met."""
        self._words = _Words(self)

    def _known(self) -> _Words:
        """Return the words met so far, or start again where they have become too many."""
        known = self._words
        if len(known) > _CACHED_WORDS:
            known = self._words = _Words(self)
        return known


def _side_by_side(slots: Sequence[list[int]], vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    """Add up the vectors of texts, the longest first: the first word of all, then the second, and so on."""
    import numpy as np

    total = np.zeros((len(slots), vectors.shape[1]), np.float32)
    taken = np.empty_like(total)
    left = len(slots)
    for nth, row in enumerate(zip_longest(*slots, fillvalue=_UNKNOWN)):
        while left and len(slots[left - 1]) <= nth:
            left -= 1
        here = taken[:left]
        vectors.take(row[:left], 0, here, "clip")  # no slot is out of bounds, and unchecked ones need no copy
        total[:left] += here
    return total


def _own() -> Folder:
    """Return the folder of our own weights."""
    folder = os.path.join(os.path.dirname(__file__), "data")
    if os.path.isdir(folder):
        return folder
    from importlib.resources import files  # in an archive; here, since it is slow to load

    return files("bethink.models") / "data"


def _read(folder: Folder, name: str) -> bytes:
    """Return a file of a folder."""
    if isinstance(folder, str | os.PathLike):
        with open(os.path.join(folder, name), "rb") as file:
            return file.read()
    return (folder / name).read_bytes()


def _array(folder: Folder, name: str) -> NDArray[Any]:
    """Return the numbers of a file. One on the disk is mapped: what is used of it is read, and processes share it."""
    import numpy as np

    if isinstance(folder, str | os.PathLike):
        return np.asarray(np.load(os.path.join(folder, name), mmap_mode="r", allow_pickle=False))
    from io import BytesIO

    return np.load(BytesIO(_read(folder, name)), allow_pickle=False)


def _mapping_of(array: NDArray[Any]) -> mmap.mmap | None:
    """Return the mapping that an array is a view of; None where it was read."""
    import mmap

    base: Any = array
    while base is not None and not isinstance(base, mmap.mmap):
        base = getattr(base, "base", None)
    return base


def _digest(folder: Folder) -> str:
    """Return the digest of a folder's weights: of our own as it was written down beside them, else by reading all."""
    if folder == _own():
        return _read(folder, DIGEST).decode("ascii").strip()
    return digest_of(folder)


def digest_of(folder: Folder) -> str:
    """Return the digest of the weights of a folder."""
    import hashlib  # here, since it is slow to load

    parts = (hashlib.sha256(_read(folder, name)).digest() for name in (VOCABULARY, VECTORS, SCALES))
    return hashlib.sha256(b"".join(parts)).hexdigest()


class _Words(dict[str, int]):
    """The slots of the words that were met; a word that was not is looked up when it is asked for.

    A slot is given out only after its vector is in `vectors`, and `vectors` only ever grows, so that a reader
    needs no lock. Many words are learnt together, with the same vectors as one by one.
    """

    def __init__(self, table: _Table) -> None:
        import numpy as np

        super().__init__()
        self._table = table
        self._lock = Lock()
        self._used = _UNKNOWN + 1
        # room for all: the system gives memory to what is written alone
        self.vectors: NDArray[np.float32] = np.zeros((_CACHED_WORDS + 1_024, table.dimensions), np.float32)

    def __missing__(self, word: str) -> int:
        self.learn((word,))
        return self[word]

    def learn(self, words_: Iterable[str]) -> None:
        """Give a slot to each word that has none."""
        new = [word for word in set(words_) if word not in self]
        if not new:
            return
        with self._lock:
            vocabulary = self._table.vocabulary.for_words(len(new))
            cut = {word: wordpieces(word, vocabulary) for word in new if word not in self}
            known = [word for word, found in cut.items() if found]
            first = self._used
            self._add([cut[word] for word in known])
            self.update(zip(known, range(first, self._used), strict=True))
            self.update(dict.fromkeys([word for word, found in cut.items() if not found], _UNKNOWN))

    def _add(self, cut: Sequence[list[int]]) -> None:
        """Take in the vectors of words, each given by its pieces."""
        import numpy as np

        end = self._used + len(cut)
        if end > len(self.vectors):
            grown = np.zeros((max(2 * len(self.vectors), end), self._table.dimensions), np.float32)
            grown[: self._used] = self.vectors[: self._used]
            self.vectors = grown
        scales, vectors = self._table.scales, self._table.vectors
        rows = self.vectors[self._used : end]
        for nth in range(max(map(len, cut), default=0)):
            longer = [place for place, each in enumerate(cut) if len(each) > nth]
            places, found = np.array(longer), np.array([cut[place][nth] for place in longer])
            if len(found) <= _PIECES:
                rows[places] += vectors[found] * scales[found][:, None]
                continue
            order = np.argsort(found)  # so that little of the table is in memory at a time
            for at in range(0, len(found), _PIECES):
                some = order[at : at + _PIECES]
                rows[places[some]] += vectors[found[some]] * scales[found[some]][:, None]
                self._table.let_go()
        self._used = end
