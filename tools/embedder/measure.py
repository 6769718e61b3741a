"""Measure a folder of weights: on texts that were kept out of training, and on LoCoMo where its file is given.

python tools/embedder/measure.py --sources FOLDER [--weights FOLDER] [--locomo FILE] [--wordllama | --teacher MODEL_FOLDER]
"""

from __future__ import annotations

import argparse
import html
import re
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import corpus
import numpy as np
from heldout import CHATS, CUES
from pairs import held_out

from bethink.models.static import StaticEmbedder

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    Embed = Callable[[Sequence[str]], NDArray[np.float32]]

FAQ = re.compile(
    r'(?s)<section id="[^"]+">\s*(?:<span[^>]*></span>)?<h3>(.*?)<a class="headerlink".*?</h3>(.*?)</section>'
)
CUTOFF = 10


def plain(markup: str) -> str:
    """Take the tags and the code out of HTML."""
    markup = re.sub(r"(?s)<pre.*?</pre>", " ", markup)
    return re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]+>", "", markup))).strip()


def sets(sources: Path) -> dict[str, list[tuple[str, str]]]:
    """Return questions with their answers, none of which was trained on."""
    pages = sorted((sources / "manuals" / "python" / "faq").glob("*.html"))
    found = [match for page in pages for match in FAQ.findall(page.read_text(encoding="utf-8"))]
    faq = [(plain(question), plain(answer)) for question, answer in found]
    kept = [meaning for key, meaning in corpus.wordnet(sources / "wordnet").items() if held_out(key)]
    random = Random(5)
    names = [(", ".join(meaning.lemmas), meaning.gloss) for meaning in random.sample(kept, 1500)]
    examples = [
        (meaning.examples[0], f"{meaning.lemmas[0]}: {meaning.gloss}") for meaning in kept if meaning.examples
    ]
    return {
        "questions of the Python FAQ": [(question, answer) for question, answer in faq if len(answer) > 80],
        "names and glosses": names,
        "examples and glosses": examples[:1500],
        "long chats": list(CHATS),
        "cues in other words": list(CUES),
    }


def ranks(embed: Embed, pairs: list[tuple[str, str]]) -> NDArray[np.int64]:
    """Return how many answers of other questions come before each question's own."""
    scores = embed([question for question, _ in pairs]) @ embed([answer for _, answer in pairs]).T
    return (scores > np.diag(scores)[:, None]).sum(1)


def locomo(embed: Embed, path: Path) -> dict[str, float]:
    """Return recall at ten of the turns that answer, by the vectors alone, with and without the turn before."""
    from bethink.evals.locomo import load

    got: dict[str, list[float]] = {"turn": [], "turn before and turn": []}
    for conversation in load(path):
        texts: dict[str, list[str]] = {kind: [] for kind in got}
        session, before = "", ""
        for turn in conversation.turns:
            before = before if turn.session == session else ""
            session = turn.session
            parts = [part.get("text") or f"[{part['caption']}]" for part in turn.item.body["content"]]
            said = f"{turn.item.speaker}: {' '.join(parts)}"
            day = f"{turn.item.at:%-I:%M %p on %-d %B, %Y}" if turn.item.at else ""
            texts["turn"].append(f"[{day}] {said}")
            texts["turn before and turn"].append(f"[{day}] {before} {said}")
            before = said
        ids = [turn.id for turn in conversation.turns]
        asked = embed([question.text for question in conversation.questions])
        for kind, among in texts.items():
            for row, question in zip(asked @ embed(among).T, conversation.questions, strict=True):
                top = {ids[at] for at in np.argsort(-row, kind="stable")[:CUTOFF]}
                got[kind].append(len(top & question.gold) / len(question.gold))
    return {kind: float(np.mean(values)) for kind, values in got.items()}


def wordllama() -> Embed:
    """Return the embedder of the wordllama package, to compare with."""
    import wordllama as package

    home = Path(package.__file__).parent
    model = package.WordLlama.load(cache_dir=home, disable_download=True)

    def embed(texts: Sequence[str]) -> NDArray[np.float32]:
        raw = np.nan_to_num(np.asarray(model.embed([text or " " for text in texts]), np.float32))
        return raw / np.maximum(np.linalg.norm(raw, axis=1, keepdims=True), 1e-9)

    return embed


def teacher(folder: Path) -> Embed:
    """Return the sentence model that was learned from, to compare with."""
    from teacher import Teacher

    model = Teacher(folder)
    return lambda texts: model.embed(texts).numpy()


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--sources", type=Path, required=True)
    arguments.add_argument("--weights", type=Path, help="the package's own, if not given")
    arguments.add_argument("--locomo", type=Path)
    arguments.add_argument("--wordllama", action="store_true")
    arguments.add_argument("--teacher", type=Path)
    chosen = arguments.parse_args()
    if chosen.wordllama:
        embed = wordllama()
    elif chosen.teacher:
        embed = teacher(chosen.teacher)
    else:
        embed = StaticEmbedder(chosen.weights).embed
    for name, pairs in sets(chosen.sources).items():
        before = ranks(embed, pairs)
        print(
            f"{name:28} {len(pairs):5} pairs   first {np.mean(before == 0):.3f}   "
            f"in ten {np.mean(before < CUTOFF):.3f}   MRR {np.mean(1 / (before + 1)):.3f}"
        )
    if chosen.locomo:
        for kind, value in locomo(embed, chosen.locomo).items():
            print(f"LoCoMo, {kind:20}   R@10 {value:.3f}")


if __name__ == "__main__":
    main()
