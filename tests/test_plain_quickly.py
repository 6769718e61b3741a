"""Values that are made the quick way are those that their own constructor makes."""

import copy
import pickle
from dataclasses import FrozenInstanceError, dataclass, field, fields

import pytest

from bethink.notes.values import Note
from bethink.plain import Plain, quickly
from bethink.recall.values import Hit, Why


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample(Plain):
    needed: int
    usual: str = "as ever"
    own: dict[str, int] = field(default_factory=dict)


def test_they_are_equal_of_the_same_type_and_copied_as_every_other():
    made = quickly(Sample)(needed=1)

    assert type(made) is Sample
    assert made == Sample(needed=1) == copy.deepcopy(made) == pickle.loads(pickle.dumps(made))
    assert repr(made) == repr(Sample(needed=1))
    assert made.to_dict() == {"needed": 1, "usual": "as ever", "own": {}}


def test_they_cannot_be_changed():
    made = quickly(Sample)(needed=1)

    with pytest.raises(FrozenInstanceError):
        made.needed = 2


def test_two_of_them_share_no_default_that_can_be_changed():
    one, other = quickly(Sample)(needed=1), quickly(Sample)(needed=1)

    assert one.own is not other.own


def test_what_is_needed_has_to_be_given_and_what_is_unknown_is_refused():
    with pytest.raises(TypeError, match="needed"):
        quickly(Sample)()
    with pytest.raises(TypeError, match="more"):
        quickly(Sample)(needed=1, more=2)


@pytest.mark.parametrize("kind", [Note, Hit, Why])
def test_every_type_that_recall_makes_can_be_made_so(kind):
    given = {each.name: each.name for each in fields(kind)}

    assert quickly(kind)(**given) == kind(**given)
