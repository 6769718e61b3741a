"""What errors carry, as whoever catches them reads it."""

import ast
import pickle
from pathlib import Path

import pytest

import bethink
from bethink import errors
from bethink.errors import BethinkError, ConflictError, LimitError, NotFoundError

KINDS = {
    name: kind
    for name, kind in vars(errors).items()
    if isinstance(kind, type) and issubclass(kind, BethinkError)
}


def raised():
    """Yield each place that makes one of our errors: where it is, its class, the names of what it carries."""
    for path in Path(bethink.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in KINDS:
                names = {each.arg for each in node.keywords if each.arg is not None}
                yield f"{path.name}:{node.lineno}", KINDS[node.func.id], names


def declared(kind):
    return {name for each in kind.__mro__ for name in vars(each).get("__annotations__", {})}


def test_whatever_an_error_carries_is_declared_by_its_class():
    missing = [
        (where, kind.__name__, names - declared(kind))
        for where, kind, names in raised()
        if names - declared(kind)
    ]
    assert not missing


def test_an_attribute_that_does_not_apply_is_none():
    error = LimitError("too long", limit=3, actual=4)
    assert (error.limit, error.actual, error.unit) == (3, 4, None)
    assert error.facts == {"limit": 3, "actual": 4}


def test_an_attribute_that_no_class_declares_is_unknown():
    with pytest.raises(AttributeError):
        NotFoundError("not here", kind="note", id="n1").limti  # noqa: B018


def test_an_error_survives_the_way_to_another_process():
    error = pickle.loads(pickle.dumps(ConflictError("read again", expected=1, actual=2)))
    assert (type(error), str(error), error.expected, error.actual) == (ConflictError, "read again", 1, 2)
