"""Train the score by which consolidation knows somebody's name from other words; numpy only.

python tools/train_names.py [--keep] [--out src/bethink/models/data]

Names are those of `training/names`; other words are those of labelled clauses, lists and diaries, where they stand as
names do not. Parts of words are fitted first, so that a name that was never seen is known by them; then each whole
word is given what is lacking. `--keep` leaves out every seventh word, and says what is found of them.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter, defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from train_endings import TRAINING, Adam, labelled, lines, listed_words

from bethink.languages.loading import CODES, language
from bethink.lifecycle.consolidate.subjects import BUCKETS, WORDS, Model, places, score

if TYPE_CHECKING:
    from collections.abc import Container

Counted = dict[str, Counter[str]]
OFTEN = 2  #: times that a name may stand where a word does, and still be one
SURE = 3.0  #: the score that a word in the lists has at least, or at most
FEW = 3  #: tokens of a listed phrase, of which any may be a name
SIGNS = (2, 3, 4, 5)
PARTED = re.compile(r"[，。、！？,.!?\s「」]")
WIDE = re.compile("[\u3040-\u30ff\u3400-\u9fff]")


def names() -> dict[str, set[str]]:
    """Return the names that were listed, folded, with the languages that list them."""
    found = defaultdict[str, set[str]](set)
    for path in sorted((TRAINING / "names").glob("*.txt")):
        code = path.stem[:2]
        for line in path.read_text("utf-8").split():
            found["".join(language(code).words(line))].add(code)
    return {name: codes for name, codes in found.items() if name}


def others(known: Container[str]) -> tuple[Counted, Counted]:
    """Return words by language with how often they are not written as names are, and how often they are.

    Of a script without spaces it is how clauses begin, but for those that begin with a known name.
    """
    told = [(said.lang, said.text) for said, _ in [*labelled(), *listed_words()]]
    for path in sorted((TRAINING / "diaries").glob("*.jsonl")):
        told += [(each["lang"], each["text"]) for each in lines(path)]
    plain, written = defaultdict[str, Counter[str]](Counter), defaultdict[str, Counter[str]](Counter)
    for code, text in told:
        book = language(code)
        if not book.spaced:
            for part in PARTED.split(text):
                signs = "".join(book.words(part))
                if not any(signs[:size] in known for size in SIGNS):
                    plain[code].update(signs[:size] for size in SIGNS if len(signs) > size)
            continue
        tokens = book.tokens(text)
        for place, token in enumerate(tokens):
            if not token.word.isalpha():
                continue
            if not text[token.start].isupper():
                plain[code][token.word] += 1
            elif place or len(tokens) < FEW:
                written[code][token.word] += 1
    return plain, written


def kinds() -> tuple[dict[str, float], dict[str, int]]:
    """Return words with what they are, and how often they occur: names (1), other words (-1), either of them (0).

    Who types without capitals writes names so, too: a name is an ordinary word where a language writes it so more often
    than not. What is one in another language alone ("Mia") may be either.
    """
    listed = names()
    plain, written = others(listed)

    def ordinary(word: str, code: str) -> bool:
        return plain[code][word] > max(OFTEN, written[code][word])

    counts = sum((*plain.values(), *written.values()), Counter[str]())
    found = dict.fromkeys(counts, -1.0)
    for name, codes in listed.items():
        if not all(ordinary(name, code) for code in codes):
            found[name] = 0.0 if any(ordinary(name, code) for code in CODES) else 1.0
    return dict(sorted(found.items())), counts


def fit(words: list[str], gold: Any, weights: Any, *, rounds: int = 120, decay: float = 3e-6) -> Any:
    """Fit what parts of words say; return it with what is added."""
    at = [places(word)[:-1] for word in words]
    lengths = np.array(list(map(len, at)))
    row, at = np.repeat(np.arange(len(words)), lengths), np.concatenate(at)
    values = (2 / np.sqrt(lengths)).astype(np.float32)[row]
    table, bias = np.zeros(BUCKETS, np.float32), np.zeros(1, np.float32)
    share = (weights / weights.sum()).astype(np.float32)
    steps = Adam((table, bias), 0.3, rounds)
    everywhere = slice(None)
    for _ in range(rounds):
        told = np.bincount(row, table[at] * values, len(words)) + bias[0]
        slope = (1 / (1 + np.exp(-told)) - gold) * share
        down = np.bincount(at, slope[row] * values, BUCKETS) + decay * table
        steps.step((down.astype(np.float32), slope.sum(keepdims=True)), (everywhere, everywhere))
    told = np.bincount(row, table[at] * values, len(words)) + bias[0]
    return 2 * table, float(bias[0]), told


def packed(words: list[str], gold: Any, weights: Any) -> Model:
    """Return the model, fitted to words of which `gold` says what they are."""
    parts, bias, told = fit(words, gold > 0, weights * (gold != 0))
    wanted = np.where(gold > 0, np.maximum(told, SURE), np.where(gold < 0, np.minimum(told, -SURE), 0))
    lacking = wanted - told
    whole = np.zeros(WORDS)
    for word, each in zip(words, lacking, strict=True):
        place = places(word)[-1]
        if abs(each) > abs(whole[place]):
            whole[place] = each
    scales = [np.abs(parts).max() / 127, np.abs(whole).max() / 127]
    tables = [
        np.round(each / scale).astype(np.int8) for each, scale in zip((parts, whole), scales, strict=True)
    ]
    return Model(*tables, np.array([*scales, bias], np.float32))


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--keep", action="store_true")
    parser.add_argument("--out", type=Path)
    given = parser.parse_args()
    told, counts = kinds()
    words, gold = list(told), np.array(list(told.values()))
    weights = np.array(
        [1.0 if told[word] > 0 else min(3.0, 0.4 + 0.4 * np.log(counts[word] or 1)) for word in words]
    )
    kept = np.array([given.keep and place % 7 == 0 for place in range(len(words))])
    trained = np.flatnonzero(~kept)
    model = packed([words[place] for place in trained], gold[trained], weights[trained])
    print(f"{(gold >= 0).sum()} names in {len(CODES)} languages, {(gold < 0).sum()} other words")
    if given.keep:
        found = np.array([score(word, model) for word in words])
        wide = np.array([bool(WIDE.search(word)) for word in words])
        for kind, which in (("spaced", ~wide), ("wide", wide)):
            for least in (-2, -1, 0, 1):
                of_names, of_others = (found[kept & which & (gold == side)] > least for side in (1, -1))
                seen = found[~kept & which & (gold < 0)] > least
                print(
                    f"  {kind} over {least}: names {of_names.mean():.3f}, other words {of_others.mean():.3f}, "
                    f"of those that were seen {seen.mean():.3f}"
                )
    if given.out:
        np.savez_compressed(given.out / "names.npz", **model._asdict())


if __name__ == "__main__":
    main()
