"""Read sessions of the OpenAI Agents SDK: SQL tables, Redis lists, encrypted items."""

from __future__ import annotations

import base64
import json
from collections import Counter
from typing import TYPE_CHECKING, Any, Final

from bethink.errors import InvalidError
from bethink.imports import names_and_ids
from bethink.imports.values import Entry, ImportedUsage, Malformed
from bethink.json_kinds import is_object
from bethink.sessions.readers.parts import instant, object_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from bethink.imports.values import Read

    Rows = Callable[[str], Iterable[tuple[Any, ...]]]  #: the rows that a statement answers

MESSAGES: Final = "agent_messages"
_INFO: Final = b"agents.session-store.hkdf.v1"
_PREFIX: Final = "agents:session"
_KEY_BYTES: Final = 32


class ItemDecryption:
    """Opens encrypted items; without a key they are counted as left out. An item's own lifetime is not looked at."""

    def __init__(self, key: str | None, left: Counter[str]) -> None:
        self._key = key
        self._left = left
        self._opened: dict[str, Any] = {}

    def open(self, session: str, body: dict[str, Any]) -> dict[str, Any] | None:
        """Return an item as it was before it was encrypted; None where it cannot be opened.

        Raises:
            ImportError: `cryptography` is not installed.
        """
        if body.get("__enc__") != 1:
            return body
        if self._key is None:
            self._left["an encrypted message (pass its key with --key-file)"] += 1
            return None
        try:
            found = json.loads(self._lock(session).decrypt(str(body.get("payload")).encode()))
        except (self._invalid(), ValueError, RecursionError):
            self._left["an encrypted message that this key does not decrypt"] += 1
            return None
        return found if is_object(found) else None

    def _lock(self, session: str) -> Any:
        if session not in self._opened:
            try:
                from cryptography.fernet import Fernet
                from cryptography.hazmat.primitives import hashes
                from cryptography.hazmat.primitives.kdf.hkdf import HKDF
            except ImportError as error:
                raise ImportError(
                    "encrypted sessions require cryptography: pip install 'bethink[imports]'"
                ) from error
            derived = HKDF(hashes.SHA256(), _KEY_BYTES, session.encode(), _INFO).derive(
                _master(self._key or "")
            )
            self._opened[session] = Fernet(base64.urlsafe_b64encode(derived))
        return self._opened[session]

    def _invalid(self) -> type[Exception]:
        from cryptography.fernet import InvalidToken

        return InvalidToken


def _master(key: str) -> bytes:
    try:
        found = base64.urlsafe_b64decode(key)
    except ValueError:
        found = b""
    return found if len(found) == _KEY_BYTES else key.encode()


def of_tables(rows: Rows, tables: set[str], name: str, key: str | None = None) -> Iterator[Read]:
    """Read SQLite and SQLAlchemy sessions; of the advanced ones each branch is a session, and usage stays.

    Raises:
        ImportError: there are encrypted items, and `cryptography` is not installed.
    """
    left: Counter[str] = Counter()
    locks = ItemDecryption(key, left)
    columns = "m.session_id, m.id, m.message_data, m.created_at"
    plain = f"select {columns}, 'main' from agent_messages m order by m.session_id, m.created_at, m.id"
    branched = (
        f"select {columns}, coalesce(s.branch_id, 'main') from agent_messages m "
        "left join message_structure s on s.message_id = m.id and s.session_id = m.session_id "
        "order by m.session_id, coalesce(s.branch_id, 'main'), s.sequence_number, m.id"
    )
    for number, (session, id_, text, at, branch) in enumerate(
        rows(branched if "message_structure" in tables else plain), 1
    ):
        body = _body(text)
        if body is None:
            yield Malformed(line=number, reason="it is not a JSON object", file=name)
        elif (opened := locks.open(str(session), body)) is not None:
            yield Entry(
                line=number,
                body=opened,
                session=_named(session, branch),
                at=instant(str(at)) if at else None,
                key=f"agents-sdk:{id_}",
            )
    if {"turn_usage", "message_structure"} <= tables:
        yield from _usage(rows)
    yield from names_and_ids.skipped_counts(left)


def _usage(rows: Rows) -> Iterator[ImportedUsage]:
    """Yield what each turn took, beside the newest message of the turn."""
    statement = (
        "select u.session_id, u.branch_id, max(s.message_id), u.created_at, u.requests, u.input_tokens, "
        "u.output_tokens, u.input_tokens_details, u.output_tokens_details "
        "from turn_usage u join message_structure s on s.session_id = u.session_id and s.branch_id = u.branch_id "
        "and s.branch_turn_number = u.user_turn_number "
        "group by u.session_id, u.branch_id, u.user_turn_number, u.created_at, u.requests, u.input_tokens, "
        "u.output_tokens, u.input_tokens_details, u.output_tokens_details "
        "order by u.session_id, u.branch_id, max(s.message_id)"
    )
    for number, row in enumerate(rows(statement), 1):
        session, branch, last, at, requests, read, written, of_read, of_written = row
        yield ImportedUsage(
            line=number,
            session=_named(session, branch),
            key=f"agents-sdk:{last}",
            at=instant(str(at)) if at else None,
            requests=_count(requests),
            tokens_in=_count(read),
            tokens_out=_count(written),
            tokens_cached=_count((_body(of_read) or {}).get("cached_tokens")),
            tokens_reasoning=_count((_body(of_written) or {}).get("reasoning_tokens")),
        )


def of_redis(url: str, key: str | None = None) -> Iterator[Read]:
    """Read the sessions of a Redis database. The items there have no time of their own.

    Raises:
        InvalidError: it does not answer.
        ImportError: the client is not installed.
    """
    try:
        import redis
    except ImportError as error:
        raise ImportError(
            "reading a Redis database requires redis: pip install 'bethink[imports]'"
        ) from error
    left: Counter[str] = Counter()
    locks = ItemDecryption(key, left)
    client: Any = redis.Redis.from_url(url)  # pyright: ignore[reportUnknownMemberType] - it is typed in part
    number = 0
    try:
        for found in sorted(client.scan_iter(match=f"{_PREFIX}:*:messages", count=1_000)):
            listed: str = found.decode("utf-8", "replace")
            session = listed.removeprefix(f"{_PREFIX}:").removesuffix(":messages")
            header = client.hgetall(listed.removesuffix(":messages"))
            at = instant(_seconds(header.get(b"updated_at") or header.get(b"created_at")))
            for place, text in enumerate(client.lrange(listed, 0, -1), 1):
                number += 1
                body = _body(text)
                if body is None:
                    yield Malformed(line=number, reason="it is not a JSON object", file=listed)
                elif (opened := locks.open(session, body)) is not None:
                    yield Entry(
                        line=number,
                        body=opened,
                        session=_named(session, "main"),
                        at=at,
                        key=f"agents-sdk:{place}",
                    )
    except redis.RedisError as error:
        raise InvalidError(
            f"the Redis database does not respond ({type(error).__name__}); check its address and password",
            argument="path",
        ) from error
    finally:
        client.close()
    yield from names_and_ids.skipped_counts(left)


def _named(session: object, branch: object) -> str:
    return names_and_ids.session_name(str(session), "" if branch == "main" else str(branch))


def _body(text: object) -> dict[str, Any] | None:
    if is_object(text):  # PostgreSQL reads JSON columns itself
        return object_of({"it": text}, "it")
    try:
        found: Any = json.loads(text) if isinstance(text, str | bytes) else None
    except (ValueError, RecursionError):
        return None
    return found if is_object(found) else None


def _seconds(text: object) -> float | None:
    try:
        return float(text.decode()) if isinstance(text, bytes) else None
    except ValueError:
        return None


def _count(value: object) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else 0
