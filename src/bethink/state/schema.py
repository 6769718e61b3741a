"""The application's schema of a profile: its fields, and which are hidden from models."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bethink.errors import InvalidError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pydantic import BaseModel


@dataclass(slots=True, eq=False, repr=False)
class ProfileSchema:
    """What `memory.profile_schema` was given; without a model every field is accepted."""

    model: type[BaseModel] | None = None
    hidden: frozenset[str] = frozenset()

    def check(self, fields: Mapping[str, Any]) -> None:
        """Make sure that the fields of a profile fit the model.

        A field that is not there yet is no error: profiles grow.

        Raises:
            InvalidError: a field is unknown or has a value of another kind; `fields` names them.
        """
        if self.model is None:
            return
        from pydantic import ValidationError

        try:
            self.model.model_validate(dict(fields))
        except ValidationError as error:
            wrong = [".".join(map(str, each["loc"])) for each in error.errors() if each["type"] != "missing"]
            if wrong:
                raise InvalidError(
                    f"the profile does not match its schema; check {', '.join(wrong)}",
                    argument="fields",
                    fields=tuple(wrong),
                ) from None
