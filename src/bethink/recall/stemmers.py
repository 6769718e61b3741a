"""Make the stemmers of Snowball, loading of that package only the language that is asked for.

`import snowballstemmer` loads those of three dozen languages, which takes a tenth of a second of a new process. Its
modules are loaded one by one under a name of ours instead; so the stems are the same wherever else is installed, too.
"""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.machinery import PathFinder
from types import ModuleType
from typing import Any, Final, cast

_NAME: Final = "bethink.recall._snowball"


def stemmer(language: str) -> Any:
    """Return a new stemmer of a language."""
    if not _found():  # in an archive, or frozen: the package knows the way
        import snowballstemmer

        return cast("Any", snowballstemmer).stemmer(language)
    module = import_module(f"{_NAME}.{language}_stemmer")
    return getattr(module, f"{language.title()}Stemmer")()


def _found() -> bool:
    """Give the folder of the package a name under which it is not loaded as a whole."""
    if _NAME in sys.modules:
        return True
    spec = PathFinder.find_spec("snowballstemmer")
    if spec is None or not spec.submodule_search_locations:
        return False
    package = ModuleType(_NAME, "The modules of Snowball, one at a time.")
    package.__path__ = list(spec.submodule_search_locations)
    sys.modules[_NAME] = package
    return True
