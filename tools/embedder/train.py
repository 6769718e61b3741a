"""Train the table of the default embedder, and write it.

python tools/embedder/train.py --teacher MODEL_FOLDER --sources FOLDER --work FOLDER --out FOLDER
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from random import Random

import corpus
import torch
from dialogues import Dialogues, Exchange
from pairs import as_said, chatter, held_out, loose_questions, of_meanings, of_neighbours
from student import Student, agreement, contrast
from table import FirstTable, write
from teacher import Teacher

from bethink.models.static import split_words

SEED = 7
BATCH = 512
BLOCK = 256  # exchanges that are told apart from one another
ROW_RATE, GAIN_RATE = 1e-3, 5e-3
WARM_UP = 50
SHARES = {
    "likeness: natural": 3.0,
    "likeness: said": 2.0,
    "likeness: made up": 0.5,
    "pairs: gloss": 0.5,
    "pairs: example": 0.5,
    "pairs: synonym": 0.3,
    "pairs: speeches": 0.5,
    "pairs: manuals": 0.5,
    "pairs: chats": 0.2,
    "pairs: said": 0.7,
    "blocks": 0.5,
}

Bags = list[torch.Tensor]


@dataclass
class Texts:
    """All that is trained on, as text."""

    taught: dict[str, list[str]]  #: for the teacher to say what is like what
    pairs: dict[str, list[tuple[str, str]]]
    blocks: list[list[Exchange]]
    written: dict[int, str]  #: how the line of an exchange was written, by the exchange's id


def gather(sources: Path, random: Random) -> Texts:
    """Read and make all texts."""
    meanings = corpus.wordnet(sources / "wordnet")
    seen = {key: meaning for key, meaning in meanings.items() if not held_out(key)}
    speeches = list(corpus.speeches(sources / "stdlib"))
    manuals = list(corpus.manuals(sources / "manuals"))
    chats = corpus.chats(sources / "chatterbot")
    dialogues = Dialogues(random, corpus.first_names(sources / "stdlib"))
    examples = [example for meaning in seen.values() for example in meaning.examples]
    glosses = [f"{meaning.lemmas[0]}: {meaning.gloss}" for meaning in seen.values()]
    spoken = [sentence for speech in speeches for sentence in speech]
    paragraphs = [paragraph for page in manuals for paragraph in page]

    exchanges = [dialogues.exchange() for _ in range(13_000)]
    taught = {
        "natural": [
            *examples,
            *random.sample(glosses, 35_000),
            *random.sample(spoken, 12_000),
            *random.sample(paragraphs, 10_000),
            *[line for pair in chats for line in pair],
        ],
        "said": [
            *(_said(sentence, examples, dialogues, random) for sentence in random.sample(examples, 14_000)),
            *[
                " ".join(speech[at : at + 3])[:600]
                for speech in speeches
                for at in range(0, len(speech) - 3, 12)
            ],
            *loose_questions(meanings, dialogues.names, 7_000, random),
        ],
        "made up": [
            *(exchange.texts(random) for exchange in exchanges),
            *(exchange.question for exchange in exchanges[:6_000]),
        ],
    }
    short = [sentence for sentence in spoken if len(sentence) < 160]
    pairs = {
        **of_meanings(meanings, random),
        "speeches": of_neighbours(speeches, 30_000, random),
        "manuals": of_neighbours(manuals, 20_000, random),
        "chats": chats,
        "said": as_said(meanings, random.sample(short, 8_000), dialogues, random),
    }
    blocks: list[list[Exchange]] = []
    for _ in range(400):
        names = random.sample(dialogues.names, random.choice((2, 3, 4, 20)))
        blocks.append([dialogues.exchange(names) for _ in range(BLOCK)])
    written = {id(exchange): exchange.texts(random) for block in blocks for exchange in block}
    return Texts(taught, pairs, blocks, written)


def _said(sentence: str, examples: list[str], dialogues: Dialogues, random: Random) -> str:
    name, other = random.sample(dialogues.names, 2)
    return chatter(
        sentence, random.choice(examples) if random.random() < 0.3 else "", name, other, dialogues, random
    )


def answers_of(teacher: Teacher, texts: list[str], store: Path) -> torch.Tensor:
    """Return the teacher's vectors; what it said once is kept in a file, for the next time."""
    known: dict[str, torch.Tensor] = {}
    if store.exists():
        old, vectors = torch.load(store)
        known = dict(zip(old, vectors, strict=True))
    asked = [text for text in dict.fromkeys(texts) if text not in known]
    start = time.perf_counter()
    for at in range(0, len(asked), 4096):
        some = asked[at : at + 4096]
        known.update(zip(some, teacher.embed(some).half(), strict=True))
        print(
            f"  taught {at + len(some):,} of {len(asked):,} in {time.perf_counter() - start:.0f} s",
            flush=True,
        )
    if asked:
        torch.save((list(known), torch.stack(list(known.values()))), store)
    return torch.stack([known[text] for text in texts]).float()


class Lessons:
    """The texts as bags of rows, and a loss for each kind of lesson."""

    def __init__(
        self, texts: Texts, first: FirstTable, teacher: Teacher, store: Path, random: Random
    ) -> None:
        def bag(text: str) -> torch.Tensor:
            return torch.tensor(first.cut(text), dtype=torch.long)

        self.random = random
        self.likeness: dict[str, tuple[Bags, torch.Tensor]] = {}
        every = [text for among in texts.taught.values() for text in among]
        vectors = answers_of(teacher, every, store)
        at = 0
        for kind, among in texts.taught.items():
            self.likeness[kind] = ([bag(text) for text in among], vectors[at : at + len(among)])
            at += len(among)
        cut = {kind: [(bag(one), bag(other)) for one, other in among] for kind, among in texts.pairs.items()}
        self.pairs = {kind: [pair for pair in among if all(map(len, pair))] for kind, among in cut.items()}
        self.blocks = [
            (
                [bag(exchange.question) for exchange in block],
                [bag(texts.written[id(exchange)]) for exchange in block],
                torch.tensor([[_fits_too(asked, said) for said in block] for asked in block]),
            )
            for block in texts.blocks
        ]
        self.counts = Counter(
            piece
            for kind in ("natural", "made up")
            for rows in self.likeness[kind][0]
            for piece in rows.tolist()
        )

    def loss(self, student: Student, lesson: str) -> torch.Tensor:
        """Take one batch of a lesson."""
        kind, _, of = lesson.partition(": ")
        if kind == "likeness":
            bags, vectors = self.likeness[of]
            chosen = [row for row in self.random.sample(range(len(bags)), BATCH) if len(bags[row])]
            return agreement(student([bags[row] for row in chosen]), vectors[chosen])
        if kind == "pairs":
            among = self.pairs[of]
            batch = self.random.sample(among, min(BATCH, len(among)))
            if of == "said":  # neighbours have few names between them
                at = self.random.randrange(len(among) - BATCH)
                batch = among[at : at + BATCH]
            return contrast(student([one for one, _ in batch]), student([other for _, other in batch]))
        questions, lines, also = self.random.choice(self.blocks)
        return contrast(student(questions), student(lines), also)


def _fits_too(asked: Exchange, said: Exchange) -> bool:
    return asked is not said and asked.topic == said.topic and said.letter in asked.answers


def train(student: Student, lessons: Lessons, steps: int, random: Random) -> None:
    """Take the lessons, each as often as its share says."""
    optimizers = {
        torch.optim.SparseAdam([student.rows.weight], lr=ROW_RATE): ROW_RATE,
        torch.optim.SparseAdam([student.gain.weight], lr=GAIN_RATE): GAIN_RATE,
    }
    seen: dict[str, list[float]] = {lesson: [] for lesson in SHARES}
    for step in range(steps):
        pace = min(1, (step + 1) / WARM_UP) * max(0.02, 1 - step / steps)
        lesson = random.choices(list(SHARES), list(SHARES.values()))[0]
        loss = lessons.loss(student, lesson)
        for optimizer, rate in optimizers.items():
            optimizer.param_groups[0]["lr"] = rate * pace
            optimizer.zero_grad()
        loss.backward()
        for optimizer in optimizers:
            optimizer.step()
        seen[lesson].append(loss.item())
        if (step + 1) % 200 == 0:
            means = (f"{lesson} {sum(last) / len(last):.3f}" for lesson, last in seen.items() if last)
            print(f"  step {step + 1}: {', '.join(means)}", flush=True)
            seen = {lesson: [] for lesson in SHARES}


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument(
        "--teacher", type=Path, required=True, help="folder with model.safetensors and vocab.txt"
    )
    arguments.add_argument("--sources", type=Path, required=True, help="folder of texts, see README.md")
    arguments.add_argument("--work", type=Path, required=True, help="folder for what the teacher said")
    arguments.add_argument("--out", type=Path, required=True)
    arguments.add_argument("--steps", type=int, default=1_400)
    arguments.add_argument(
        "--learned", type=float, default=0.7, help="how far from the first guess to the last step"
    )
    arguments.add_argument(
        "--rounds", type=int, default=3, help="students from the same start, whose mean is taken"
    )
    arguments.add_argument("--threads", type=int, default=1)
    chosen = arguments.parse_args()
    torch.set_num_threads(chosen.threads)
    torch.manual_seed(SEED)
    random = Random(SEED)
    chosen.work.mkdir(parents=True, exist_ok=True)

    teacher = Teacher(chosen.teacher)
    texts = gather(chosen.sources, random)
    for purpose, groups in {"taught": texts.taught, "pairs": texts.pairs}.items():
        print(purpose, {kind: len(among) for kind, among in groups.items()}, flush=True)
    met = Counter(word for text in texts.taught["natural"] for word in split_words(text))
    first = FirstTable(teacher, chosen.sources, met)
    print(f"{len(first.pieces):,} rows", flush=True)
    lessons = Lessons(texts, first, teacher, chosen.work / "taught.pt", random)
    start = first.rows(lessons.counts)
    learned = torch.zeros_like(start)
    for _ in range(chosen.rounds):
        student = Student(start)
        train(student, lessons, chosen.steps, random)
        learned += student.table() / chosen.rounds
    write(chosen.out, first.pieces, chosen.learned * learned + (1 - chosen.learned) * start)


if __name__ == "__main__":
    main()
