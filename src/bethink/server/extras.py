"""Check at start-up that the extras are installed which the options need."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from bethink.errors import InvalidError
from bethink.storage.opening import sqlite_path

if TYPE_CHECKING:
    from bethink.server.options import Options


def check_installed(options: Options) -> None:
    """Refuse options that need an extra which is not there.

    Raises:
        ImportError: an extra is missing; the words have the line that installs it.
        InvalidError: the mirror's address is of no kind that fsspec knows.
    """
    _need("jinja2", "the dashboard needs Jinja2", "server")
    if options.auth == "bearer" and options.tokens is not None:
        _need("jwt", "bearer tokens need PyJWT", "server")
    if sqlite_path(options.db) is None:
        _need("psycopg", "PostgreSQL needs its driver", "postgres")
    if options.model is not None or options.model_url is not None:
        _need("agents", "a model that answers in chats needs the OpenAI Agents SDK", "agents")
    if options.metrics is not None:
        _need("prometheus_client", "metrics need prometheus-client", "telemetry")
    if options.otlp is not None:
        _need("opentelemetry.sdk", "spans need OpenTelemetry", "telemetry")
    if options.work.mirror is not None:
        _need("fsspec", "a mirror needs fsspec", "mirror")
        _check_address(options.work.mirror)


def _need(package: str, why: str, extra: str) -> None:
    try:
        found = find_spec(package)
    except ModuleNotFoundError:  # not even the package around it is there
        found = None
    if found is None:
        raise ImportError(f"{why}: pip install 'bethink[{extra}]'", name=package.partition(".")[0])


def _check_address(url: str) -> None:
    fsspec: Any = import_module("fsspec")  # it has no types
    protocol, _ = import_module("fsspec.core").split_protocol(url)
    try:
        fsspec.get_filesystem_class(protocol or "file")
    except ValueError as error:
        raise InvalidError(
            f"a mirror must be a folder or a URL that fsspec knows; {protocol}:// is not one",
            argument="mirror",
        ) from error
