"""What the default embedder promises."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from concurrent.futures import ThreadPoolExecutor
from importlib.resources import files

import numpy as np
import pytest

from bethink.errors import ModelError
from bethink.models.embedding import Embedder
from bethink.models.static import (
    DIGEST,
    ORDER,
    SCALES,
    VECTORS,
    VOCABULARY,
    StaticEmbedder,
    digest_of,
    split_words,
    wordpieces,
)
from bethink.models.vocabulary import FEW, Vocabulary, order_of

MEBIBYTE = 1024 * 1024


@pytest.fixture(scope="module")
def embedder():
    return StaticEmbedder()


@pytest.fixture
def toy(tmp_path):
    """Four pieces on four axes; the scales tell them apart."""
    (tmp_path / VOCABULARY).write_text("sail\nboat\n##boat\n##s\n", encoding="utf-8")
    np.save(tmp_path / VECTORS, np.eye(4, dtype=np.int8))
    np.save(tmp_path / SCALES, np.array([1, 2, 2, 0.5], np.float32))
    return tmp_path


def closeness(embedder, one, other):
    first, second = embedder.embed([one, other])
    return float(first @ second)


def test_it_is_an_embedder(embedder):
    assert isinstance(embedder, Embedder)


def test_every_row_has_length_one(embedder):
    rows = embedder.embed(["She likes tea.", "x", "2023", "Où est la gare ?", "tea " * 5000])
    assert rows.dtype == np.float32
    assert rows.shape == (5, embedder.dimensions)
    assert np.allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-5)


@pytest.mark.parametrize("text", ["", "   \n", "?!…", "\N{MUSICAL SYMBOL G CLEF}", "\ud800", "\0"])
def test_a_text_without_a_known_word_is_a_row_of_zeros(embedder, text):
    assert not embedder.embed([text]).any()


def test_no_texts_give_no_rows(embedder):
    assert embedder.embed([]).shape == (0, embedder.dimensions)


def test_a_text_without_words_leaves_its_neighbours_alone(embedder):
    rows = embedder.embed(["", "tea", "", "", "coffee", ""])
    assert np.array_equal(rows[[1, 4]], embedder.embed(["tea", "coffee"]))
    assert not rows[[0, 2, 3, 5]].any()


def test_a_batch_gives_the_rows_that_its_texts_give_alone(embedder):
    texts = [f"The {number}th letter said she would come {'again ' * number}" for number in range(300)]
    alone = np.concatenate([embedder.embed([text]) for text in texts])
    assert np.array_equal(embedder.embed(texts), alone)


def test_two_embedders_agree_to_the_last_bit_whatever_they_read_before(embedder):
    other = StaticEmbedder()
    other.embed([f"word{number}" for number in range(500)])
    text = "We moved to Lisbon in March and adopted a greyhound."
    assert other.identity == embedder.identity
    assert np.array_equal(other.embed([text]), embedder.embed([text]))


def test_more_words_than_are_kept_change_no_vector():
    small = StaticEmbedder()
    before = small.embed(["an unforgettable lasagna"])
    small.embed(
        [" ".join(f"q{number}z" for number in range(start, start + 5000)) for start in range(0, 20000, 5000)]
    )
    assert np.array_equal(small.embed(["an unforgettable lasagna"]), before)


def test_threads_that_share_one_get_the_same_rows():
    shared = StaticEmbedder()
    texts = [f"Message {number} about topic{number % 97} and place{number % 89}" for number in range(2000)]
    expected = StaticEmbedder().embed(texts)
    with ThreadPoolExecutor(8) as pool:
        for rows in pool.map(lambda _: shared.embed(texts), range(16)):
            assert np.array_equal(rows, expected)


def test_letter_case_and_accents_make_no_difference(embedder):
    assert np.array_equal(embedder.embed(["CAFÉ au Zürichsee"]), embedder.embed(["cafe au zurichsee"]))
    assert np.array_equal(embedder.embed(["cafe\N{COMBINING ACUTE ACCENT}"]), embedder.embed(["café"]))


@pytest.mark.parametrize(
    "text",
    [
        "我喜欢喝茶",
        "お茶が好きです",
        "Я люблю чай",
        "أحب الشاي",
        "차를 좋아해요",
        "मुझे चाय पसंद है",
        "Rindfleischetikettierung",
    ],
)
def test_words_of_any_script_leave_a_trace(embedder, text):
    assert embedder.embed([text]).any()


def test_a_picture_means_what_it_shows(embedder):
    dog = "\N{DOG FACE}"
    assert closeness(embedder, dog, "our puppy") > closeness(embedder, dog, "the tax office") + 0.1


def test_words_are_cut_at_signs_and_at_each_han_character():
    assert split_words("Don't e-mail me, Bob!") == ["don", "t", "e", "mail", "me", "bob"]
    assert split_words("«Don’t» e-mail me, Zoë!")[-4:] == ["e", "mail", "me", "zoe"]
    assert split_words("snake_case é") == ["snake", "case", "e"]
    assert split_words("喝2杯tea茶") == ["喝", "2", "杯", "tea", "茶"]


def test_of_a_blob_only_the_start_is_read():
    assert split_words("key " + "ab" * 5000 + " end") == ["key", "ab" * 32, "end"]
    assert split_words("clé " + "ab" * 5000 + " 茶") == ["cle", "ab" * 32, "茶"]


def test_a_long_run_of_a_script_without_spaces_is_read_to_its_end():
    assert "".join(split_words("ฉันชอบดื่มชา" * 40)) == "".join(split_words("ฉันชอบดื่มชา")) * 40


def test_an_unknown_word_is_cut_into_the_longest_pieces():
    vocabulary = {"sail": 0, "sa": 1, "##boat": 2, "##b": 3, "##s": 4}
    assert list(wordpieces("sail", vocabulary)) == [0]
    assert list(wordpieces("sailboats", vocabulary)) == [0, 2, 4]
    assert list(wordpieces("sail\N{SNOWMAN}boat", vocabulary)) == [0, 2]
    assert list(wordpieces("zzz", vocabulary)) == []


def test_a_text_is_the_weighted_sum_of_its_pieces(toy):
    rows = StaticEmbedder(toy).embed(["Sailboats sail"])
    assert np.allclose(rows[0], np.array([2, 0, 2, 0.5]) / np.sqrt(8.25))


def test_identity_changes_with_any_of_the_weights(toy):
    seen = {StaticEmbedder(toy).identity}
    np.save(toy / VECTORS, 2 * np.eye(4, dtype=np.int8))
    seen.add(StaticEmbedder(toy).identity)
    np.save(toy / SCALES, np.ones(4, np.float32))
    seen.add(StaticEmbedder(toy).identity)
    (toy / VOCABULARY).write_text("sail\nship\n##boat\n##s\n", encoding="utf-8")
    seen.add(StaticEmbedder(toy).identity)
    assert len(seen) == 4


def test_weights_that_do_not_fit_together_are_refused(toy):
    np.save(toy / SCALES, np.ones(3, np.float32))
    with pytest.raises(ModelError, match="reinstall the package"):
        StaticEmbedder(toy).embed(["sail"])


@pytest.mark.parametrize(
    ("question", "answer", "other"),
    [
        ("What does she like to drink?", "Tea is her favourite beverage.", "Her flight leaves at nine."),
        ("Where does he work?", "He has a job at the hospital.", "He painted the fence green."),
        ("Which pets do they own?", "They adopted a puppy and two cats.", "They argued about the rent."),
        (
            "How can I fix the server error?",
            "Restart the service after the crash.",
            "The cake needs more sugar.",
        ),
    ],
)
def test_an_answer_is_closer_to_its_question_than_something_else_is(embedder, question, answer, other):
    assert closeness(embedder, question, answer) > closeness(embedder, question, other) + 0.1


def test_the_weights_are_small():
    data = files("bethink.models") / "data"
    assert sum(len((data / name).read_bytes()) for name in (VOCABULARY, VECTORS, SCALES)) <= 10 * MEBIBYTE


def test_the_digest_beside_our_weights_is_theirs():
    data = files("bethink.models") / "data"
    assert (data / DIGEST).read_text().strip() == digest_of(data)
    assert StaticEmbedder().identity == StaticEmbedder(data).identity


def test_a_digest_beside_weights_of_somebody_else_is_not_believed(toy):
    before = StaticEmbedder(toy).identity
    (toy / DIGEST).write_text("0" * 64)
    assert StaticEmbedder(toy).identity == before


def test_the_table_is_mapped_and_not_read():
    code = """
import mmap
from bethink.models.static import StaticEmbedder
embedder = StaticEmbedder()
embedder.embed(["She likes tea."])
vectors = embedder._loaded().vectors
while not isinstance(vectors, mmap.mmap):
    vectors = vectors.base
touched = pages = 0
mapped = False
for line in open("/proc/self/smaps"):
    if "-" in line.split(" ")[0] and not line.split(" ")[0].endswith(":"):
        mapped = "vectors.npy" in line
    elif mapped and line.startswith("Private_Dirty:"):
        touched += int(line.split()[1])
assert touched == 0
"""
    if not sys.platform.startswith("linux"):
        code = code[: code.index("touched")]
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_weights_in_an_archive_are_read(toy, tmp_path):
    archive = tmp_path / "weights.zip"
    with zipfile.ZipFile(archive, "w") as written:
        for name in (VOCABULARY, VECTORS, SCALES):
            written.write(toy / name, f"data/{name}")
    inside = StaticEmbedder(zipfile.Path(archive, "data/"))
    assert inside.identity == StaticEmbedder(toy).identity
    assert np.array_equal(inside.embed(["Sailboats"]), StaticEmbedder(toy).embed(["Sailboats"]))


def test_importing_it_loads_no_numpy():
    code = "import sys, bethink.models.static; sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_piece_has_the_same_row_in_the_file_as_in_a_dictionary():
    data = files("bethink.models") / "data"
    text = (data / VOCABULARY).read_bytes()
    order = np.load(data / ORDER)
    assert order.tolist() == order_of(text).tolist()
    asked, taken = Vocabulary(text, order), Vocabulary(text, None)
    assert asked.for_words(FEW) is asked
    known = taken.for_words(1)
    pieces_ = text.decode("utf-8").split("\n")[:-1]
    some = [*pieces_[::37], pieces_[0], pieces_[-1]]
    assert [asked.get(piece) for piece in some] == [known.get(piece) for piece in some]
    assert [known.get(piece) for piece in pieces_] == list(range(len(asked)))
    for missing in ("", "\0", "##", "nosuchpiece", "zzzzzz", "\U0010ffff", "\ud800"):
        assert asked.get(missing) is None
    assert asked.for_words(FEW + 1) is not asked
    assert asked.for_words(1) is asked.for_words(FEW + 1)


def test_a_question_and_many_texts_give_a_text_the_same_vector():
    texts = [
        "Where did the physiotherapist recommend the Croydon marathon?",
        "Über Größe 東京 café o'clock 2026",
    ]
    alone, together = StaticEmbedder(), StaticEmbedder()
    together.embed([" ".join(f"word{n} more{n}x" for n in range(200)), *texts])
    for text in texts:
        assert np.array_equal(alone.embed([text]), together.embed([text]))
