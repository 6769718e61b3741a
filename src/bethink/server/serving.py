"""Serve until stopped, with graceful shutdown: accepted work is finished."""

from __future__ import annotations

import logging
import sys
from typing import TYPE_CHECKING

try:
    import uvicorn
except ImportError as missing:
    raise ImportError(
        "the server requires uvicorn: pip install 'bethink[server]'", name=missing.name
    ) from missing

from bethink.server.app import create_app
from bethink.server.connections import MAX_HEAD, bounded_protocol

if TYPE_CHECKING:
    from collections.abc import Callable

    from bethink.server.options import Options

#: after which a thread that computes lets another one go on: while passages are made beside them, requests wait so long
#: each time that they have waited for anything; 5 ms where the interpreter is left as it is
SWITCH_SECONDS = 0.0005
GRACE_SECONDS = 30  #: time for open requests to finish when the server stops


def run(options: Options, *, host: str, port: int, ready: Callable[[], None] = lambda: None) -> None:
    """Serve; SIGTERM and SIGINT stop it gracefully.

    Args:
        options: how the server is set up.
        host: the address to listen on.
        port: the port to listen on.
        ready: is called once the options were found to be good, before the server listens.
    """
    app = create_app(options)
    ready()
    sys.setswitchinterval(SWITCH_SECONDS)
    _write_down()
    config = uvicorn.Config(
        app,
        host=host,
        port=port,
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=GRACE_SECONDS,
        http=bounded_protocol(options.connections, options.head_seconds),
        ws="none",
        h11_max_incomplete_event_size=MAX_HEAD,
    )
    uvicorn.Server(config).run()


def _write_down() -> None:
    """Write the audit log and defects to standard error, a line of JSON each; what libraries say, where it matters."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(logging.Formatter("%(message)s"))
    for name, level in (
        ("bethink.audit", logging.INFO),
        ("bethink.server", logging.INFO),
        ("uvicorn.error", logging.INFO),
    ):
        log = logging.getLogger(name)
        log.setLevel(level)
        log.addHandler(handler)
        log.propagate = False
