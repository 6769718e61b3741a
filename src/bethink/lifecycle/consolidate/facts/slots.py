"""The things that are known of nearly everybody, and how many values each has at a time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True, kw_only=True)
class Slot:
    """One thing that is known of somebody."""

    single: bool = True  #: two values exclude each other; else only a denial excludes its value
    exact: bool = False  #: a value that says more than another is another value: 5 and 5:30


#: by name; what follows a colon ("count:child", "favorite:colour") is part of the claim and not of the table
SLOTS: Final = {
    "home": Slot(),
    "job": Slot(),
    "employer": Slot(),
    "workplace": Slot(exact=True),
    "commute": Slot(exact=True),
    "count": Slot(exact=True),
    "has": Slot(single=False),
    "marital": Slot(exact=True),
    "age": Slot(exact=True),
    "name": Slot(),
    "called": Slot(),
    "contact": Slot(exact=True),
    "speaks": Slot(single=False),
    "allergy": Slot(single=False),
    "takes": Slot(single=False),
    "eating": Slot(exact=True),
    "car": Slot(exact=True),
    "phone": Slot(exact=True),
    "wakes": Slot(exact=True),
    "tenure": Slot(exact=True),
    "favorite": Slot(),
}


def slot(attribute: str) -> Slot | None:
    """Return the slot that an attribute belongs to, if it is one."""
    return SLOTS.get(attribute.partition(":")[0])


def single(attribute: str) -> bool:
    """Tell whether an attribute has one value at a time; what is no slot has."""
    known = slot(attribute)
    return known is None or known.single
