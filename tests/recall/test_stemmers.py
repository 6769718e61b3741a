"""Stemmers are loaded one language at a time, and stem as the package does."""

import subprocess
import sys

import pytest
import snowballstemmer
from hypothesis import given
from hypothesis import strategies as st

from bethink.recall import stemmers

WORDS = {
    "english": "caresses ponies cats agreed motoring conflated hopping relational generously running skies",
    "greek": "σπιτια ανθρωπων παιδια γραμματα θαλασσα",
    "russian": "книгами столы говорил красивая работающий",
    "arabic": "المدرسة كتاب يكتبون المعلمون",
}


@pytest.mark.parametrize("language", WORDS)
def test_a_word_has_the_stem_that_the_package_gives_it(language):
    own, theirs = stemmers.stemmer(language), snowballstemmer.stemmer(language)
    assert [own.stemWord(word) for word in WORDS[language].split()] == [
        theirs.stemWord(word) for word in WORDS[language].split()
    ]


LETTERS = {
    "english": "abcdefghijklmnopqrstuvwxyz'",
    "greek": "αβγδεζηθικλμνξοπρσςτυφχψωάέήίόύώ",
    "russian": "абвгдежзийклмнопрстуфхцчшщъыьэюя",
    "arabic": "ابتثجحخدذرزسشصضطظعغفقكلمنهويةىءآأإؤئ",
}


@pytest.mark.parametrize("language", WORDS)
@given(data=st.data())
def test_any_word_has_the_stem_that_the_package_gives_it(language, data):
    own, theirs = stemmers.stemmer(language), snowballstemmer.stemmer(language)
    start = st.sampled_from(WORDS[language].split()) | st.just("")
    ends = st.sampled_from(["", "s", "ing", "ingly", "ational", "iveness", "fulli", "sses", "ied", "'s'"])
    word = data.draw(start) + data.draw(st.text(LETTERS[language], max_size=10)) + data.draw(ends)
    assert own.stemWord(word) == theirs.stemWord(word)


def test_without_the_files_of_the_package_the_package_itself_is_asked(monkeypatch):
    monkeypatch.setattr(stemmers.PathFinder, "find_spec", lambda _: None)
    monkeypatch.delitem(sys.modules, "bethink.recall._snowball", raising=False)
    assert stemmers.stemmer("english").stemWord("running") == "run"


def test_a_first_answer_loads_nothing_that_it_does_not_need(tmp_path):
    code = f"""
import sys
from bethink import Memory
with Memory({str(tmp_path / "memory.db")!r}) as memory:
    alice = memory.scope(user="alice")
    alice.session("trip").append([{{"role": "user", "content": "The hotel was quiet."}}] * 20)
    alice.remember("Prefers aisle seats.")
    assert len(alice.recall("which hotel?"))
    print(*sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    assert "numpy" in loaded
    assert not {"snowballstemmer", "numpy.ma", "pydantic_core"} & loaded
    assert "bethink.recall._snowball.english_stemmer" in loaded
    assert "bethink.recall._snowball.russian_stemmer" not in loaded
