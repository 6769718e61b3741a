"""Generate JSON Schema from the library's value classes."""

from __future__ import annotations

import ast
import dataclasses
import inspect
from collections.abc import Collection, Mapping
from datetime import datetime
from functools import cache
from importlib import import_module
from types import NoneType, UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints, is_typeddict

from pydantic import BaseModel

REF = "#/components/schemas/"
_WORDS: dict[Any, dict[str, Any]] = {
    Any: {},
    object: {},
    str: {"type": "string"},
    bool: {"type": "boolean"},
    int: {"type": "integer"},
    float: {"type": "number"},
    NoneType: {"type": "null"},
    datetime: {"type": "string", "format": "date-time"},
}


class Schemas:
    """The schemas of an API's answers; what has a name is described once."""

    def __init__(self, components: dict[str, Any]) -> None:
        self._components = components  #: that the description has already, and those that are added
        self._named: dict[Any, str] = {}

    def of(self, kind: Any) -> dict[str, Any]:
        """Return the schema of a type.

        Raises:
            TypeError: it is of a kind that no answer has.
        """
        origin, inner = get_origin(kind), get_args(kind)
        if kind in _WORDS:
            return _WORDS[kind]
        if origin is Literal:
            return {"enum": list(inner), "type": "string"}
        if origin in {Union, UnionType}:
            return {"anyOf": [self.of(each) for each in inner]}
        plain = origin or kind
        if dataclasses.is_dataclass(plain) or is_typeddict(plain) or issubclass(plain, BaseModel):
            return self._reference(kind)
        if issubclass(plain, Mapping):
            return {"type": "object", "additionalProperties": self.of(inner[1]) if inner else {}}
        if issubclass(plain, Collection):
            return {"type": "array", "items": self.of(inner[0]) if inner else {}}
        raise TypeError(f"an answer cannot contain {kind}")

    def _reference(self, kind: Any) -> dict[str, Any]:
        if kind not in self._named:
            plain = get_origin(kind) or kind
            if issubclass(plain, BaseModel):
                self._named[kind] = self._model(plain)
            else:
                self._named[kind] = name = self._name(kind)
                self._components[name] = {}  # so that a type that holds itself comes to an end
                self._components[name] = self._fields(kind)
        return {"$ref": REF + self._named[kind]}

    def _fields(self, kind: Any) -> dict[str, Any]:
        plain = get_origin(kind) or kind
        filled: dict[Any, Any] = dict(zip(getattr(plain, "__parameters__", ()), get_args(kind), strict=True))
        rooms = {each.__module__ for each in plain.__mro__ if each.__module__.startswith("bethink.")}
        known = {name: value for room in sorted(rooms) for name, value in annotation_imports(room).items()}
        hints = get_type_hints(plain, localns=known)
        if dataclasses.is_dataclass(plain):
            optional = {each.name for each in dataclasses.fields(plain) if _may_be_left_out(plain, each)}
            hints = {each.name: hints[each.name] for each in dataclasses.fields(plain)}
        else:
            optional: set[str] = set(plain.__optional_keys__)
        return {
            "type": "object",
            "description": (inspect.getdoc(plain) or "").partition("\n")[0],
            "properties": {name: self.of(_filled(hint, filled)) for name, hint in hints.items()},
            "required": [name for name in hints if name not in optional],
        }

    def _model(self, model: type[BaseModel]) -> str:
        """Return the name of a model that requests have too: what it writes, it also reads."""
        schema = model.model_json_schema(ref_template=REF + "{model}")
        for name, each in {**schema.pop("$defs", {}), model.__name__: schema}.items():
            self._components.setdefault(name, each)
        return model.__name__

    def _name(self, kind: Any) -> str:
        plain = get_origin(kind) or kind
        words = [each.__name__ for each in (plain, *get_args(kind))]
        name = "".join(word[:1].upper() + word[1:] for word in words)
        if name in self._components:  # two rooms have the same word for different things
            name = plain.__module__.split(".")[1].capitalize() + name
        return name


def _may_be_left_out(kind: Any, field: dataclasses.Field[Any]) -> bool:
    """Tell whether a field is written only where it says something: so does Provenance, which writes itself."""
    return hasattr(kind, "to_json") and field.type == "bool" and field.default is False


def _filled(hint: Any, given: Mapping[Any, Any]) -> Any:
    """Return an annotation with the variables of a generic class replaced by what they stand for."""
    if isinstance(hint, TypeVar):
        return given.get(hint, Any)
    inner = get_args(hint)
    if not given or not inner or get_origin(hint) is Literal:
        return hint
    changed = tuple(each if each is Ellipsis else _filled(each, given) for each in inner)
    if get_origin(hint) in {Union, UnionType}:
        return Union[changed]  # noqa: UP007 - made of a tuple
    return get_origin(hint)[changed]


@cache
def annotation_imports(module: str) -> dict[str, Any]:
    """Return what a module imports for its annotations alone, which is not there when it runs."""
    found: dict[str, Any] = {}
    for part in ast.parse(inspect.getsource(import_module(module))).body:
        if isinstance(part, ast.If) and isinstance(part.test, ast.Name) and part.test.id == "TYPE_CHECKING":
            for line in part.body:
                if isinstance(line, ast.ImportFrom) and line.module:
                    source = import_module(line.module)
                    for each in line.names:
                        found[each.asname or each.name] = getattr(source, each.name, Any)
    return found
