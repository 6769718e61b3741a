"""Tell whether a run in progress can still finish."""

from __future__ import annotations

import hashlib
import os
import platform
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bethink.workspace.transactions import RunInProgress

IDLE_SECONDS = 3_600  #: after so long without a word, a run of another machine is taken for cut off


def marked_run_id(run: str) -> str:
    """Return the id of a run with what tells whose it is."""
    return f"{_machine()}/{os.getpid()}/{run}"


def is_ours(run: RunInProgress) -> bool:
    """Tell whether a run is one of this process."""
    return run.run.startswith(f"{_machine()}/{os.getpid()}/")


def is_over(run: RunInProgress, *, now: int) -> bool:
    """Tell whether a run was cut off: its process is gone, or nothing was heard of it for long."""
    if now - run.at > IDLE_SECONDS * 1_000_000:
        return True
    machine, _, rest = run.run.partition("/")
    process, _, _ = rest.partition("/")
    if machine != _machine() or not process.isdecimal():
        return False
    if os.name != "posix":
        return False  # to ask there for a process is to end it
    try:
        os.kill(int(process), 0)
    except ProcessLookupError:
        return True
    except OSError:
        return False
    return False


def _machine() -> str:
    return hashlib.blake2b(platform.node().encode(), digest_size=6).hexdigest()
