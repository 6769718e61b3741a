"""Settings: names, defaults and meaning. The only module that reads environment variables."""

from __future__ import annotations

import os
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING

from bethink.errors import InvalidError

if TYPE_CHECKING:
    from collections.abc import Mapping


def _setting(default: object, help: str, least: int = 1, kind: type | None = None) -> object:  # noqa: A002 - the word a reader expects
    return field(default=default, metadata={"help": help, "least": least, "kind": kind or type(default)})


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """How a memory behaves where a call does not say."""

    synchronous: str = _setting("FULL", "SQLite: FULL survives a power cut, NORMAL may lose the last commits")  # pyright: ignore[reportAssignmentType]
    busy_seconds: float = _setting(30.0, "how long a write waits for another process", 0)  # pyright: ignore[reportAssignmentType]
    window_messages: int = _setting(50, "messages of a session that a model sees at most")  # pyright: ignore[reportAssignmentType]
    window_block: int = _setting(  # pyright: ignore[reportAssignmentType]
        36,
        "messages by which that window's start moves on when something has to go; 1 moves it at every turn",
    )
    context_tokens: int = _setting(1200, "tokens of an injected context at most")  # pyright: ignore[reportAssignmentType]
    context_notes: int = _setting(6, "global notes of a context that are shown unasked at most", 0)  # pyright: ignore[reportAssignmentType]
    context_session_notes: int = _setting(8, "notes of the session in a context at most", 0)  # pyright: ignore[reportAssignmentType]
    index_megabytes: int = _setting(256, "memory that indexes of namespaces may take", 0)  # pyright: ignore[reportAssignmentType]
    recent_megabytes: int = _setting(16, "memory that the newest entries of hot sessions may take", 0)  # pyright: ignore[reportAssignmentType]
    daily_tokens: int | None = _setting(  # pyright: ignore[reportAssignmentType]
        None, "tokens that a chat model may take for a namespace in a day; then rules stand in", 0, int
    )
    index_after_seconds: float = _setting(  # pyright: ignore[reportAssignmentType]
        0.2, "quiet after a write before it is indexed in the background; 0 leaves it to who asks first", 0
    )
    index_at_recall: int | None = _setting(  # pyright: ignore[reportAssignmentType]
        None,
        "notes and items that a recall indexes before it answers; what is left it says; all if not set",
        1,
        int,
    )
    index_batch: int = _setting(64, "passages that wait before they are stored as one block")  # pyright: ignore[reportAssignmentType]

    admission: str = _setting(  # pyright: ignore[reportAssignmentType]
        "covered,family:pools=active,family:team=active,family:workspace=active",
        "what a note of an agent may do at once: covered, pending or active, by scope, door and family",
    )

    def __post_init__(self) -> None:
        for setting in fields(self):
            value, least = getattr(self, setting.name), setting.metadata["least"]
            if isinstance(value, int | float) and value < least:
                raise InvalidError(
                    f"{setting.name} must be at least {least}", argument=setting.name, actual=value
                )

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] | None = None) -> Settings:
        """Read `BETHINK_<NAME>` variables; what is not set keeps its default.

        Raises:
            InvalidError: a value is not of the setting's kind.
        """
        given = os.environ if environment is None else environment
        values: dict[str, object] = {}
        for setting in fields(cls):
            text = given.get(f"BETHINK_{setting.name.upper()}")
            if text is None:
                continue
            try:
                values[setting.name] = setting.metadata["kind"](text)
            except ValueError:
                raise InvalidError(
                    f"BETHINK_{setting.name.upper()} must be of type {setting.metadata['kind'].__name__}",
                    argument=setting.name,
                ) from None
        return cls(**values)  # pyright: ignore[reportArgumentType]


def collector(environment: Mapping[str, str] | None = None) -> str | None:
    """Return where spans are sent, as the variables of OpenTelemetry say it; the other ones its SDK reads itself."""
    given = os.environ if environment is None else environment
    if given.get("OTEL_SDK_DISABLED", "").lower() == "true":
        return None
    base = given.get("OTEL_EXPORTER_OTLP_ENDPOINT")
    return (
        given.get("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT") or (base and base.rstrip("/") + "/v1/traces") or None
    )


def database(environment: Mapping[str, str] | None = None) -> str | None:
    """Return `BETHINK_DB`: the database that commands use when none is named."""
    return (os.environ if environment is None else environment).get("BETHINK_DB")


def model_key(url: str | None, environment: Mapping[str, str] | None = None) -> str | None:
    """Return the key of the chat model: `BETHINK_MODEL_KEY`; for OpenAI itself else `OPENAI_API_KEY`."""
    given = os.environ if environment is None else environment
    return given.get("BETHINK_MODEL_KEY") or (given.get("OPENAI_API_KEY") if url is None else None)


def embedder(environment: Mapping[str, str] | None = None) -> str | None:
    """Return `BETHINK_EMBEDDER`: the embedder that commands use when none is named."""
    return (os.environ if environment is None else environment).get("BETHINK_EMBEDDER")


def cookie_key(environment: Mapping[str, str] | None = None) -> str | None:
    """Return `BETHINK_COOKIE_KEY`: what signs the cookies of the dashboard, the same in every process of a server."""
    return (os.environ if environment is None else environment).get("BETHINK_COOKIE_KEY") or None


def secrets_key(environment: Mapping[str, str] | None = None) -> str | None:
    """Return `BETHINK_SECRETS_KEY`: the keys that seal the secrets of webhooks, the newest first."""
    return (os.environ if environment is None else environment).get("BETHINK_SECRETS_KEY")
