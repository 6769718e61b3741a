"""The modules of `tools/` that write the reference pages, as the site loads them."""

import importlib
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent


def module(name):
    tools = str(ROOT / "tools")
    if tools not in sys.path:
        sys.path.insert(0, tools)
    return importlib.import_module(name)
