"""Identify the process that holds a lease, and detect that it is gone.

A process is known by the boot of its machine, by its namespace of process ids (a container has its own), by its id and
by when it started, since ids are given out again. Where a system does not say all of that, nobody is taken for gone:
a lease ends by itself.
"""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path
from typing import Final

_PROC: Final = Path("/proc")
_START: Final = (
    19  #: of what stands behind the name in a process's account: when it started, in ticks since the boot
)


def holder_name(word: str) -> str:
    """Return the name of a holder in this process."""
    machine, started = _machine(), _started(os.getpid())
    return f"{machine}/{os.getpid()}/{started}/{word}" if machine and started else word


def is_gone(holder: str) -> bool:
    """Say whether the process of a holder was one of this machine, and has ended."""
    machine, _, rest = holder.partition("/")
    process, _, rest = rest.partition("/")
    started, _, _ = rest.partition("/")
    if not machine or machine != _machine() or not process.isdecimal() or not started:
        return False
    try:
        os.kill(int(process), 0)  # posix: `_machine` is None on systems without /proc
    except (ProcessLookupError, OverflowError):
        return True
    except OSError:
        pass  # it is somebody else's, and there
    now = _started(int(process))
    return now is not None and now != started


@cache
def _machine() -> str | None:
    """Return what no other machine, container or boot has."""
    try:
        boot = (_PROC / "sys/kernel/random/boot_id").read_text("ascii").strip()
        namespace = (_PROC / "self/ns/pid").readlink().name
    except (OSError, ValueError):
        return None
    return f"{boot}.{namespace.strip('pid:[]')}" if boot else None


def _started(process: int) -> str | None:
    """Return when a process started; None where nobody says."""
    try:
        account = (_PROC / str(process) / "stat").read_text("utf-8", "replace")
    except OSError:
        return None
    fields = account.rpartition(")")[2].split()
    return fields[_START] if len(fields) > _START else None
