"""The setting of the cap."""

from __future__ import annotations

import pytest

from bethink.errors import InvalidError
from bethink.settings import Settings


def test_there_is_no_cap_unless_one_is_set():
    assert Settings().daily_tokens is None
    assert Settings.from_environment({}).daily_tokens is None


def test_a_cap_comes_from_the_environment():
    assert Settings.from_environment({"BETHINK_DAILY_TOKENS": "50000"}).daily_tokens == 50_000


def test_a_cap_that_is_no_number_or_below_nothing_is_refused():
    with pytest.raises(InvalidError, match="must be of type int"):
        Settings.from_environment({"BETHINK_DAILY_TOKENS": "many"})
    with pytest.raises(InvalidError, match="daily_tokens"):
        Settings(daily_tokens=-1)
