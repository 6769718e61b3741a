"""The user's options for coding agents, kept in one small file."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from bethink.json_kinds import is_object

if TYPE_CHECKING:
    from pathlib import Path

_WHOLE: Final = 1 << 20  #: bytes of such a file, at most


class Options(NamedTuple):
    """What holds for every agent of this user."""

    db: str | None = None  #: the database, where it is not the usual one
    user: str | None = None  #: whose memory it is, where several people share a database
    private: bool = False  #: nothing is taken in and nothing is told
    excluded: tuple[str, ...] = ()  #: folders of which nothing is kept, with all that lies in them
    problem: str = ""  #: what is wrong with the file, where it cannot be read


def read(path: Path) -> Options:
    """Return what was chosen; a file that cannot be read stands for the private mode, so that nothing is kept."""
    try:
        with path.open("rb") as file:
            found: Any = json.loads(file.read(_WHOLE) or b"{}")
    except FileNotFoundError:
        return Options()
    except (OSError, ValueError) as error:
        return Options(
            private=True, problem=f"{path} cannot be read ({type(error).__name__}); nothing is saved"
        )
    if not is_object(found):
        return Options(private=True, problem=f"{path} is not a JSON object; nothing is saved")
    return Options(
        db=_text(found.get("db")),
        user=_text(found.get("user")),
        private=found.get("private") is True,
        excluded=tuple(each for each in found.get("excluded") or () if isinstance(each, str)),
    )


def write(path: Path, options: Options) -> None:
    """Keep what was chosen, whole or not at all."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    values = {name: value for name, value in options._asdict().items() if value and name != "problem"}
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    beside.write_text(json.dumps(values, indent=2) + "\n", encoding="utf-8")
    beside.replace(path)


def left_out(folder: str, options: Options) -> bool:
    """Tell whether nothing is kept of what happens in a folder."""
    if options.private:
        return True
    return any(_within(folder, each) for each in options.excluded)


def _within(folder: str, other: str) -> bool:
    plain, outer = folder.replace("\\", "/").rstrip("/"), other.replace("\\", "/").rstrip("/")
    return plain == outer or plain.startswith(outer + "/")


def _text(value: object) -> str | None:
    return value if isinstance(value, str) and value else None
