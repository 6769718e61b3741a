"""Leave out the tests that a framework's file names; said to pytest by the runner."""

from __future__ import annotations

import json
import os
from fnmatch import fnmatchcase
from typing import Any

from conformance.suites import LEFT_OUT


def pytest_collection_modifyitems(config: Any, items: list[Any]) -> None:
    """Take the tests away, and tell the runner how many each name took."""
    names: list[str] = json.loads(os.environ.get(LEFT_OUT, "[]"))
    counted = dict.fromkeys(names, 0)
    kept: list[Any] = []
    gone: list[Any] = []
    for item in items:
        matched = next(
            (name for name in names if fnmatchcase(item.name, name) or fnmatchcase(item.nodeid, name)), None
        )
        if matched is None:
            kept.append(item)
        else:
            counted[matched] += 1
            gone.append(item)
    items[:] = kept
    config.hook.pytest_deselected(items=gone)
    config.left_out = counted


def pytest_sessionfinish(session: Any) -> None:
    """Write down what was left out, beside the report of pytest."""
    report = session.config.option.xmlpath
    if report:
        with open(f"{report}.left_out", "w", encoding="utf-8") as file:  # noqa: PTH123
            json.dump(getattr(session.config, "left_out", {}), file)
