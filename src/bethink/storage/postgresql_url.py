"""Parse a PostgreSQL URL into libpq parameters and Bethink's own options, and hide its password."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import parse_qsl, quote, urlencode, urlsplit, urlunsplit

from bethink.errors import InvalidError


@dataclass(frozen=True, slots=True)
class Target:
    """What a URL says: to libpq, to us, and to whom it is shown."""

    conninfo: str
    shown: str  #: without the password
    allow_bypass: bool
    connections: int | None
    prepared: bool  #: whether statements are prepared: a pooler may not know them

    @classmethod
    def of(cls, url: str, statement_seconds: float) -> Target:
        """Read a URL, with the time limit of its statements."""
        parts = urlsplit(url)
        given = dict(parse_qsl(parts.query, keep_blank_values=True))
        bypass = given.pop("allow_bypass", "false").lower() in {"1", "true", "yes"}
        prepared = given.pop("prepared", "true").lower() not in {"0", "false", "no"}
        connections = given.pop("connections", None)
        if connections is not None and not (connections.isascii() and connections.isdecimal()):
            raise InvalidError("connections must be an int", argument="url")
        limits = int(statement_seconds * 1000)
        options = f"-c statement_timeout={limits} -c idle_in_transaction_session_timeout={limits}"
        kept = {"application_name": "bethink", "connect_timeout": "10", "client_encoding": "utf8"}
        kept |= given
        kept["options"] = f"{options} {given['options']}" if "options" in given else options
        hidden = {name: value for name, value in given.items() if name != "password"}
        place = re.sub(r"^([^@:]*):[^@]*@", r"\1@", parts.netloc)
        return cls(
            conninfo=urlunsplit(parts._replace(query=urlencode(kept, quote_via=quote))),
            shown=urlunsplit(parts._replace(netloc=place, query=urlencode(hidden, quote_via=quote))),
            allow_bypass=bypass,
            connections=int(connections) if connections is not None else None,
            prepared=prepared,
        )
