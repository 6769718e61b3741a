"""Pictures are drawn by scripts, have words for who cannot see them, and show what the program does today."""

import re
from xml.etree import ElementTree as ET

import pytest

from tests.docs.reference import ROOT, module

IMAGES = ROOT / "docs/images"
pictures, recording = module("pictures"), module("recording")
SVG = "{http://www.w3.org/2000/svg}"


def test_each_picture_is_as_the_script_draws_it():
    for name, drawn in pictures.pictures().items():
        assert (IMAGES / name).read_text(encoding="utf-8") == drawn, "run `make pictures`"


def test_the_recording_shows_what_the_demo_prints():
    assert (IMAGES / "demo.svg").read_text(encoding="utf-8") == recording.svg(recording.printed()), (
        "run `make pictures`"
    )


@pytest.mark.parametrize("name", [*pictures.pictures(), "demo.svg"])
def test_a_picture_can_be_read_aloud_and_fetches_nothing(name):
    told = (IMAGES / name).read_text(encoding="utf-8")
    drawn = ET.fromstring(told)
    assert drawn.get("role") == "img"
    assert len(drawn.find(f"{SVG}title").text) > 5
    assert len(drawn.find(f"{SVG}desc").text) > 80
    assert re.findall(r"(?:href|src|url)\W+https?:|<script|<image", told) == []
    if name == "demo.svg":
        assert "prefers-reduced-motion" in told
    else:
        assert "prefers-color-scheme:dark" in told


@pytest.mark.parametrize("page", ["README.md", "docs/index.md", "docs/concepts.md"])
def test_a_picture_on_a_page_is_there_and_has_other_words_for_it(page):
    shown = re.findall(r"!\[(.*?)\]\((.*?)\)", (ROOT / page).read_text(encoding="utf-8"))
    assert shown
    for words, path in shown:
        assert len(words) > 30
        assert (ROOT / page).parent.joinpath(path).is_file()


@pytest.mark.parametrize("page", ["README.md", "docs/index.md"])
def test_a_figure_of_a_front_page_is_one_of_the_benchmarks(page):
    told = (ROOT / "docs/benchmarks.md").read_text(encoding="utf-8")
    rows = [
        line for line in (ROOT / page).read_text(encoding="utf-8").splitlines() if "benchmarks.md#" in line
    ]
    assert rows
    for row in rows:
        figures = re.findall(r"\b0\.\d{3}\b", row)
        assert figures
        heading = re.search(r"benchmarks\.md#([\w-]+)", row)[1]
        sections = {
            re.sub(r"[^\w -]", "", part.partition("\n")[0].lower()).replace(" ", "-"): part
            for part in told.split("\n## ")
        }
        assert [figure for figure in figures if figure not in sections[heading]] == []
