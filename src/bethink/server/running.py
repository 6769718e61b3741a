"""Run the server until it is told to stop, and finish what it accepted."""

from __future__ import annotations

import logging
import sys
from typing import TYPE_CHECKING

try:
    import uvicorn
except ImportError as missing:
    raise ImportError(
        "the server needs uvicorn: pip install 'bethink[server]'", name=missing.name
    ) from missing

from bethink.server.app import create_app

if TYPE_CHECKING:
    from bethink.server.options import Options

GRACE_SECONDS = 30  #: that requests under way have when the server is told to stop
MOST_CONNECTIONS = 1_000


def run(options: Options, *, host: str, port: int) -> None:
    """Serve; SIGTERM and SIGINT stop it gracefully."""
    _write_down()
    config = uvicorn.Config(
        create_app(options),
        host=host,
        port=port,
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=GRACE_SECONDS,
        limit_concurrency=MOST_CONNECTIONS,
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
