"""Run one suite that is a script, in the environment of its framework: python -m conformance.inside NAME SUITE OUT."""

from __future__ import annotations

import json
import os
import sys
import tempfile
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from conformance.suites import SQLITE, STORE

if TYPE_CHECKING:
    from conformance.suites import Framework


def main(name: str, suite: str, out: str) -> None:
    """Write what each test of a suite came to as JSON: its name, and what went wrong or null."""
    framework: Framework = import_module(f"conformance.{name}").FRAMEWORK
    script = next(each.script for each in framework.suites if each.name == suite)
    if script is None:
        raise SystemExit(f"{suite} is run by pytest")
    with tempfile.TemporaryDirectory() as folder:
        given = os.environ.get(STORE, SQLITE)
        found = list(script(str(Path(folder) / "memory.db") if given == SQLITE else given))
    Path(out).write_text(json.dumps(found), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
