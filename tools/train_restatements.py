"""Train the score by which consolidation sees that two notes say the same in other words; numpy only.

python tools/train_restatements.py [--keep] [--out src/bethink/models/data]

Pairs are those of `training/short_notes`, and each message of `training/diaries` with the clauses that stood before it
and lie nearest in meaning. `--keep` takes five turns, each leaving a fifth of the authors out, and says what is found
of these.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from zlib import crc32

import numpy as np
from train_endings import Adam, Said, diaries, gist_of, pairs_of_notes, softmax

from bethink.lifecycle.consolidate.nearest_notes import CLOSE, MIN_CLOSE
from bethink.lifecycle.consolidate.restatements import (
    BESIDE,
    ENDS,
    SAME,
    SURE,
    Model,
    Pair,
    comparable,
    same,
    shares,
    signs,
)
from bethink.models.static import built_in

if TYPE_CHECKING:
    from collections.abc import Iterator

HIDDEN = 32
NETS = 3  #: whose mean is taken
SHARES = {"short": 1.0, "diaries": 0.25}
KINDS = {"beside": BESIDE, "ends": ENDS, "same": SAME}
PORTION = 2000


class Case(NamedTuple):
    """What is said, what stood before, and what the one is to the other."""

    new: Said
    old: Said
    kind: int
    source: str
    author: str


def short_notes() -> Iterator[Case]:
    for author, _, kind, new, old in pairs_of_notes():
        yield Case(new, old, KINDS[kind], "short", author)


def messages() -> Iterator[Case]:
    """Yield messages of diaries with what stood before them and lies nearest: it is ended, or stands."""
    for kept in (False, True):
        found = defaultdict[Any, list[Any]](list)
        for pair in diaries(kept=kept):
            found[pair.case, pair.new].append(pair)
        for (case, new), pairs in found.items():
            vectors = built_in().embed([new.text, *(pair.old.text for pair in pairs)])
            cosines = vectors[1:] @ vectors[0]
            for place in np.argsort(-cosines)[:CLOSE]:
                if cosines[place] > MIN_CLOSE:
                    kind = ENDS if pairs[place].ends else BESIDE
                    yield Case(new, pairs[place].old, kind, "diaries", case.rsplit("-", 1)[0])


def fit(inputs: Any, kinds: Any, weights: Any, *, rounds: int = 300, decay: float = 3e-3) -> Model:
    """Fit some small networks, and join them to one that gives the mean of their scores."""
    middle, scale = inputs.mean(axis=0), 1 / (inputs.std(axis=0) + 1e-3)
    told = np.hstack([(inputs - middle) * scale, np.ones((len(inputs), 1), np.float32)]).astype(np.float32)
    gold, share = np.eye(3, dtype=np.float32)[kinds], (weights / weights.sum()).astype(np.float32)[:, None]
    hiddens, outs = [], []
    for seed in range(NETS):
        draw = np.random.default_rng(seed)
        hidden = draw.normal(0, 0.1, (told.shape[1], HIDDEN)).astype(np.float32)
        out = draw.normal(0, 0.2, (HIDDEN + 1, 3)).astype(np.float32)
        steps = Adam((hidden, out), 0.02, rounds)
        for _ in range(rounds):
            inner = np.tanh(told @ hidden)
            slope = (softmax(inner @ out[:-1] + out[-1]) - gold) * share
            back = (slope @ out[:-1].T) * (1 - inner**2)
            up = np.vstack([inner.T @ slope + decay * out[:-1], slope.sum(axis=0)])
            steps.step((told.T @ back + decay * hidden, up), (slice(None), slice(None)))
        hiddens.append(hidden)
        outs.append(out)
    joined = np.hstack(hiddens)
    whole = joined[:-1] * scale[:, None]
    out = np.vstack([*(each[:-1] / NETS for each in outs), sum(each[-1] for each in outs) / NETS])
    return Model(np.vstack([whole, joined[-1] - middle @ whole]).astype(np.float32), out.astype(np.float32))


def kept_apart(cases: list[Case], inputs: Any, kinds: Any, weights: Any, able: Any) -> None:
    """Print what is found of authors that were left out."""
    fold = np.array([crc32(case.author.encode()) % 5 for case in cases])
    found = np.zeros((len(cases), 3))
    for part in range(5):
        at = fold != part
        found[~at] = shares(inputs[~at], fit(inputs[at], kinds[at], weights[at]))
    sources = np.array([case.source for case in cases])
    for least in (0.85, 0.9, SURE, 0.95):
        again = same(found, least) & able
        told = "; ".join(
            f"{source} {name} {int((again & (kinds == kind) & (sources == source)).sum())} of "
            f"{int(((kinds == kind) & (sources == source)).sum())}"
            for source in SHARES
            for name, kind in KINDS.items()
        )
        print(f"  over {least}: {told}")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--keep", action="store_true")
    parser.add_argument("--out", type=Path)
    given = parser.parse_args()
    cases = [*short_notes(), *messages()]
    pairs = [Pair(gist_of(case.new), gist_of(case.old)) for case in cases]
    inputs = np.vstack([signs(pairs[at : at + PORTION]) for at in range(0, len(pairs), PORTION)])
    kinds = np.array([case.kind for case in cases])
    weights = np.array([SHARES[case.source] for case in cases])
    print(f"{len(cases)} pairs, {int((kinds == SAME).sum())} of them say the same")
    if given.keep:
        kept_apart(cases, inputs, kinds, weights, np.array([comparable(*pair) for pair in pairs]))
    if given.out:
        model = fit(inputs, kinds, weights)
        np.savez_compressed(given.out / "restatements.npz", **model._asdict())


if __name__ == "__main__":
    main()
