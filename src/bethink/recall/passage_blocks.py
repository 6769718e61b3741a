"""Blocks: analysed passages packed into bytes (columns, postings, int8 vectors) that are stored beside the log."""

from __future__ import annotations

import struct
import zlib
from collections import defaultdict
from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from bethink.errors import StorageError
from bethink.recall.int8_quantization import quantise
from bethink.recall.numpy_unique import with_counts, with_places
from bethink.recall.tokenizer import is_stop_term, runs, terms, terms_of_runs

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence

    from numpy.typing import NDArray

    from bethink.recall.passages import Passage, PassageKind

MAGIC: Final = b"BTKP"
VERSION: Final = 4  #: of the format and of the analysis; blocks of another version are rebuilt
UNDATED: Final = -(2**63)  #: stands for a passage without a time
KINDS: Final[tuple[PassageKind, ...]] = ("note", "item")
ROLES: Final = ("user", "assistant", "tool")
MAX_REPEATS: Final = 15  #: a term's count in one passage is kept up to here
LONGEST: Final = 4095  #: a passage's length in terms is kept up to here

# magic, version, checksum of the rest, rows, distinct terms, postings, dimensions
_HEADER: Final = struct.Struct("<4sHxxIIIII")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Block:
    """Passages as columns: one row a passage, and for every term the rows that have it."""

    kinds: NDArray[np.uint8]
    owners: NDArray[np.int64]
    seqs: NDArray[np.int64]
    chunks: NDArray[np.uint16]
    ats: NDArray[np.int64]
    roles: NDArray[np.uint8]
    speakers: NDArray[np.uint64]  #: the term of the speaker's first name, 0 for none
    questions: NDArray[np.uint64]  #: the wording of a user's question, 0 for none
    words: NDArray[np.uint16]  #: word count
    lengths: NDArray[np.uint16]  #: length in content terms
    asks: NDArray[np.uint8]  #: 1 where there is a question in it
    wishes: NDArray[np.uint8]  #: 1 where the user says how things should be from then on
    vocabulary: NDArray[np.uint64]  #: hashes of terms, ascending
    counts: NDArray[np.uint32]  #: by term: number of rows that have it
    rows: NDArray[np.uint32]  #: by term: those rows, ascending
    repeats: NDArray[np.uint8]  #: term frequency in each of them
    vectors: NDArray[np.int8]  #: one row per passage, or empty
    scales: NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.kinds)

    @property
    def dimensions(self) -> int:
        """Return the length of a vector, 0 where there are none."""
        return int(self.vectors.shape[1])


def block_of(passages: Sequence[Passage], vectors: NDArray[np.float32] | None = None) -> Block:
    """Analyse passages; `vectors` has one row for each, of length 1 or 0."""
    n = len(passages)
    quantised, scales = quantise(vectors) if vectors is not None else (np.zeros((n, 0), np.int8), np.zeros(n))
    speakers = {name: speaker_term(name) for name in {p.speaker for p in passages}}
    return Block(
        kinds=np.array([KINDS.index(p.kind) for p in passages], np.uint8),
        owners=np.array([p.owner for p in passages], np.int64),
        seqs=np.array([p.seq for p in passages], np.int64),
        chunks=np.array([p.chunk for p in passages], np.uint16),
        ats=np.array([UNDATED if p.at is None else p.at for p in passages], np.int64),
        roles=np.array([ROLES.index(p.role) for p in passages], np.uint8),
        speakers=np.array([speakers[p.speaker] for p in passages], np.uint64),
        questions=np.array([p.question for p in passages], np.uint64),
        words=np.array([min(p.words, 65535) for p in passages], np.uint16),
        asks=np.array([p.asks for p in passages], np.uint8),
        wishes=np.array([p.wishes for p in passages], np.uint8),
        vectors=quantised,
        scales=scales.astype(np.float32),
        **_postings([p.text for p in passages])._asdict(),
    )


class _Postings(NamedTuple):
    """The columns of a block that say which terms its texts have."""

    lengths: NDArray[np.uint16]
    vocabulary: NDArray[np.uint64]
    counts: NDArray[np.uint32]
    rows: NDArray[np.uint32]
    repeats: NDArray[np.uint8]


def _postings(texts: Sequence[str]) -> _Postings:
    """Count the terms of texts. Each run of letters is looked at once, and numbered; the rest is done with numbers."""
    n = max(len(texts), 1)
    numbers: defaultdict[str, int] = defaultdict(count().__next__)
    flat: list[int] = []
    ends: list[int] = []
    for text in texts:
        flat += map(numbers.__getitem__, runs(text))
        ends.append(len(flat))
    terms = terms_of_runs(numbers)
    of_runs = np.array([term for each in terms for term in each], np.uint64)
    vocabulary, places = with_places(of_runs)
    stop = np.array([is_stop_term(term) for term in vocabulary.tolist()], np.bool_)
    which: NDArray[np.int64] = np.array(flat, np.int64)
    rows = np.repeat(np.arange(len(texts)), np.diff(np.array(ends, np.int64), prepend=0))
    sizes = np.array([len(each) for each in terms], np.int64)
    if (sizes != 1).any():  # some run says several words, or none
        firsts: NDArray[np.int64] = np.cumsum(sizes) - sizes
        each: NDArray[np.int64] = sizes[which]
        within: NDArray[np.int64] = np.arange(int(each.sum())) - np.repeat(np.cumsum(each) - each, each)
        which, rows = np.repeat(firsts[which], each) + within, np.repeat(rows, each)
    terms_ = places[which]
    keys, repeats = with_counts(terms_ * n + rows)
    return _Postings(
        lengths=np.minimum(np.bincount(rows[~stop[terms_]], minlength=len(texts)), LONGEST).astype(np.uint16),
        vocabulary=vocabulary,
        counts=np.bincount(keys // n, minlength=len(vocabulary)).astype(np.uint32),
        rows=(keys % n).astype(np.uint32),
        repeats=np.minimum(repeats, MAX_REPEATS).astype(np.uint8),
    )


def speaker_term(speaker: str | None) -> int:
    """Return the term by which a question names a speaker, 0 where there is no name."""
    found = terms(speaker) if speaker else []
    return found[0] if found else 0


def pack(block: Block) -> bytes:
    """Write a block as bytes: a header with version and checksum, then its columns, narrow where they can be."""
    n = len(block)
    parts = [
        block.owners,
        block.seqs,
        block.ats,
        block.speakers,
        block.questions,
        block.vocabulary,
        block.scales,
        block.counts.astype(_width(n)),
        block.rows.astype(_width(n)),
        block.chunks,
        block.words,
        block.lengths,
        block.kinds,
        block.roles,
        block.asks,
        block.wishes,
        block.repeats,
        block.vectors,
    ]
    body = b"".join(
        np.ascontiguousarray(part).astype(part.dtype.newbyteorder("<")).tobytes() for part in parts
    )
    sizes = (n, len(block.vocabulary), len(block.rows), block.dimensions)
    return _HEADER.pack(MAGIC, VERSION, zlib.crc32(body), *sizes) + body


def version_of(payload: bytes) -> int:
    """Return the version of a packed block, of which nothing else is looked at; this one's where it is none."""
    if len(payload) < _HEADER.size or payload[:4] != MAGIC:
        return VERSION
    return int(_HEADER.unpack_from(payload)[1])


def unpack(payload: bytes) -> Block:
    """Read a block back; its columns are views of the bytes."""
    if len(payload) < _HEADER.size or payload[:4] != MAGIC:
        raise StorageError("not a block of passages; rebuild the index of this namespace", outcome="none")
    _, version, checksum, n, terms_, postings, dimensions = _HEADER.unpack_from(payload)
    if version != VERSION:
        raise StorageError(
            f"a block of passages has version {version}, expected {VERSION}; rebuild the index of "
            "this namespace",
            outcome="none",
            expected=VERSION,
            actual=version,
        )
    if zlib.crc32(memoryview(payload)[_HEADER.size :]) != checksum:
        raise StorageError(
            "a block of passages is damaged; rebuild the index of this namespace", outcome="none"
        )
    narrow = _width(n)
    at = _HEADER.size

    def column(dtype: str, count: int) -> NDArray[np.generic]:
        nonlocal at
        found = np.frombuffer(payload, np.dtype(dtype).newbyteorder("<"), count, at)
        at += found.nbytes
        return found

    owners, seqs, ats = column("i8", n), column("i8", n), column("i8", n)
    speakers, questions = column("u8", n), column("u8", n)
    vocabulary, scales = column("u8", terms_), column("f4", n)
    counts, rows = column(narrow, terms_), column(narrow, postings)
    chunks, words, lengths = column("u2", n), column("u2", n), column("u2", n)
    kinds, roles, asks, wishes = column("u1", n), column("u1", n), column("u1", n), column("u1", n)
    repeats = column("u1", postings)
    return Block(
        kinds=kinds.astype(np.uint8, copy=False),
        owners=owners.astype(np.int64, copy=False),
        seqs=seqs.astype(np.int64, copy=False),
        chunks=chunks.astype(np.uint16, copy=False),
        ats=ats.astype(np.int64, copy=False),
        roles=roles.astype(np.uint8, copy=False),
        speakers=speakers.astype(np.uint64, copy=False),
        questions=questions.astype(np.uint64, copy=False),
        words=words.astype(np.uint16, copy=False),
        lengths=lengths.astype(np.uint16, copy=False),
        asks=asks.astype(np.uint8, copy=False),
        wishes=wishes.astype(np.uint8, copy=False),
        vocabulary=vocabulary.astype(np.uint64, copy=False),
        counts=counts.astype(np.uint32, copy=False),
        rows=rows.astype(np.uint32, copy=False),
        repeats=repeats.astype(np.uint8, copy=False),
        vectors=column("i1", n * dimensions).astype(np.int8, copy=False).reshape(n, dimensions),
        scales=scales.astype(np.float32, copy=False),
    )


def keep_rows(block: Block, rows: NDArray[np.bool_]) -> Block:
    """Return the block without the rows that are False, as if they had never been in it."""
    renumbered = np.cumsum(rows) - 1
    kept = rows[block.rows]
    owner_term = np.repeat(np.arange(len(block.vocabulary)), block.counts)
    counts = np.bincount(owner_term[kept], minlength=len(block.vocabulary))
    return Block(
        kinds=block.kinds[rows],
        owners=block.owners[rows],
        seqs=block.seqs[rows],
        chunks=block.chunks[rows],
        ats=block.ats[rows],
        roles=block.roles[rows],
        speakers=block.speakers[rows],
        questions=block.questions[rows],
        words=block.words[rows],
        lengths=block.lengths[rows],
        asks=block.asks[rows],
        wishes=block.wishes[rows],
        vocabulary=block.vocabulary[counts > 0],
        counts=counts[counts > 0].astype(np.uint32),
        rows=renumbered[block.rows[kept]].astype(np.uint32),
        repeats=block.repeats[kept],
        vectors=block.vectors[rows],
        scales=block.scales[rows],
    )


def join(blocks: Sequence[Block]) -> Block:
    """Return one block of the passages of several, in their order; where some have no vectors, theirs are empty."""
    if len(blocks) == 1:
        return blocks[0]
    sizes = [len(block) for block in blocks]
    dimensions = max(block.dimensions for block in blocks)
    vocabulary, which = with_places(np.concatenate([block.vocabulary for block in blocks]))
    terms_ = np.repeat(which, np.concatenate([block.counts for block in blocks]))
    starts = np.cumsum([0, *sizes[:-1]])
    rows = np.concatenate(
        [block.rows + np.uint32(start) for block, start in zip(blocks, starts, strict=True)]
    )
    order = np.lexsort((rows, terms_))
    vectors = [
        block.vectors if block.dimensions else np.zeros((len(block), dimensions), np.int8) for block in blocks
    ]
    plain = (
        "kinds",
        "owners",
        "seqs",
        "chunks",
        "ats",
        "roles",
        "speakers",
        "questions",
        "words",
        "lengths",
        "asks",
        "wishes",
    )
    joined = {name: np.concatenate([getattr(block, name) for block in blocks]) for name in (*plain, "scales")}
    return Block(
        **joined,
        vocabulary=vocabulary,
        counts=np.bincount(terms_, minlength=len(vocabulary)).astype(np.uint32),
        rows=rows[order].astype(np.uint32),
        repeats=np.concatenate([block.repeats for block in blocks])[order],
        vectors=np.concatenate(vectors),
    )


def without_entries(block: Block, gone: Collection[tuple[str, int, int]]) -> Block | None:
    """Return the block without some notes and items, by kind, owner and seq; None if nothing is left."""
    keys: Iterable[tuple[int, int, int]] = zip(
        block.kinds.tolist(), block.owners.tolist(), block.seqs.tolist(), strict=True
    )
    kept = np.fromiter(
        ((KINDS[kind], owner, seq) not in gone for kind, owner, seq in keys), np.bool_, len(block)
    )
    return block if kept.all() else keep_rows(block, kept) if kept.any() else None


def drop(payload: bytes, unwanted: Callable[[str, int, int], bool]) -> bytes | None:
    """Rewrite a packed block without the passages of which `unwanted(kind, owner, seq)`; None if nothing is left.

    Where nothing was unwanted, the payload itself is returned. Nothing is left of a block of another version: no
    index reads it, and all of its scope are made anew together.
    """
    if version_of(payload) != VERSION:
        return None
    block = unpack(payload)
    keys: Iterable[tuple[int, int, int]] = zip(
        block.kinds.tolist(), block.owners.tolist(), block.seqs.tolist(), strict=True
    )
    wanted = np.fromiter(
        (not unwanted(KINDS[kind], owner, seq) for kind, owner, seq in keys), np.bool_, len(block)
    )
    if not wanted.any():
        return None
    return payload if wanted.all() else pack(keep_rows(block, wanted))


def _width(rows: int) -> str:
    return "u2" if rows < 1 << 16 else "u4"
