"""What filters ask of notes: held as columns, each value once."""

import numpy as np
import pytest

from bethink.recall.filter_columns import FilterFields, FilterValues
from bethink.recall.namespace_index import SearchFilter
from bethink.recall.passage_blocks import block_of

from .samples import index_of, note

CITIES = {1: "Osaka", 2: "Kyoto", 3: "Kyoto"}


@pytest.fixture
def shops():
    """Return an index of four notes, of which the last says nothing beside its text."""
    index = index_of([])
    for number in (1, 2, 3, 4):
        marks = {}
        if number in CITIES:
            marks[number] = FilterFields(
                "daily" if number == 2 else "core", number * 10, f'{{"city": "{CITIES[number]}"}}'
            )
        index.extend(block_of([note(number, f"Ramen shop number {number}.")]), marks)
    return index


def found(index, **allow):
    return {hit.owner for hit in index.search("ramen", allow=SearchFilter(**allow)).hits}


@pytest.mark.parametrize(
    ("allow", "numbers"),
    [
        ({}, {1, 2, 3, 4}),
        ({"categories": {"daily"}}, {2}),
        ({"categories": {"unheard of"}}, set()),
        ({"where": {"city": "Kyoto"}}, {2, 3}),
        ({"where": {"city": {"$exists": False}}}, {4}),
        ({"where": {"city": "Kyoto"}, "categories": {"core"}}, {3}),
        ({"now": 5}, {1, 2, 3, 4}),
        ({"now": 20}, {3, 4}),
        ({"now": 20, "where": {"city": "Kyoto"}}, {3}),
        ({"where": {"city": "Kyoto"}, "notes": [1, 2]}, {2}),
    ],
)
def test_filters_let_through_what_they_name(shops, allow, numbers):
    assert found(shops, **allow) == numbers
    for number in (1, 2, 3, 4):
        place = shops.place("note", number, 0, "ramen", allow=SearchFilter(**allow))
        assert (place.filter is None) == (number in numbers)


def test_filters_hold_when_notes_have_gone(shops):
    shops.remove("note", 1)
    assert found(shops, where={"city": "Kyoto"}) == {2, 3}
    assert found(shops, categories={"core"}) == {3, 4}


def test_metadata_that_no_note_has_any_more_is_let_go_of():
    marks = FilterValues()
    places = [marks.place(FilterFields(metadata=f'{{"n": {number}}}'))[2] for number in range(1_000)]
    marks.place(FilterFields())
    moved = marks.keep(np.array(places[-3:], np.int32))
    assert moved is not None
    assert len(marks.metadata) == 4
    assert [list(marks.metadata)[moved[place]] for place in places[-3:]] == [
        f'{{"n": {n}}}' for n in (997, 998, 999)
    ]


def test_damaged_metadata_reads_as_empty():
    marks = FilterValues()
    marks.place(FilterFields(metadata="{oops"))
    marks.place(FilterFields(metadata="[1]"))
    assert marks.of_metadata({"a": {"$exists": False}}).all()
