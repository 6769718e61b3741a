"""Build the wheel and the source archive, and try what somebody who installs them would meet.

    python tools/release.py            # into dist/
    python tools/release.py --quick    # without the environments

Both archives are checked by twine, looked through (what must be in, what must not, how large), and the wheel is installed
into a clean environment of each Python 3.11 or newer that is on the PATH: there a program keeps and finds a note, the
command line answers, and a project that uses Bethink is type-checked against it.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DIST = ROOT / "dist"
BIN = Path(sys.executable).parent
OLDEST = 11  #: of Python 3
MAX_WHEEL = 40 << 20  #: bytes
IN_WHEEL = ("bethink/__init__.py", "bethink/py.typed", "bethink/models/data/", "bethink/languages/en.toml")
IN_ARCHIVE = (
    "tests/",
    "docs/",
    "README.md",
    "LICENSE",
    "CHANGELOG.md",
    "pyproject.toml",
    "src/bethink/py.typed",
)
NEVER = re.compile(r"(^|/)(\.venv|\.git|__pycache__|\.env|shared|node_modules)(/|$)|\.db(-wal|-shm)?$")

PROGRAM = """
from bethink import Memory, Recall
with Memory("release.db") as memory:
    alice = memory.scope(user="alice")
    alice.remember("Prefers aisle seats.")
    found: Recall = alice.recall("Where does she like to sit?")
    assert found[0].text == "Prefers aisle seats.", found
    assert alice.erase().remaining == 0
"""
CONSUMER = """
from bethink import Memory, Note, Page

def notes(path: str) -> Page[Note]:
    with Memory(path) as memory:
        return memory.scope(user="alice").notes()

reveal_type(notes("x"))
"""


def run(*command: str, cwd: Path | None = None) -> str:
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)} failed:\n{done.stdout}{done.stderr}")
    return done.stdout


def version() -> str:
    """Return the version, which stands in pyproject.toml; other places must say the same."""
    found = re.search(r'^version = "(.+)"$', (ROOT / "pyproject.toml").read_text(), re.MULTILINE)
    assert found
    told = found[1]
    for name, pattern in (
        ("src/bethink/__init__.py", rf'__version__ = "{re.escape(told)}"'),
        ("CITATION.cff", rf"^version: {re.escape(told)}$"),
        ("server.json", rf'"version": "{re.escape(told)}"'),
    ):
        if not re.search(pattern, (ROOT / name).read_text(), re.MULTILINE):
            raise SystemExit(f"{name} does not say version {told}, as pyproject.toml does")
    return told


def look_through(wheel: Path, archive: Path) -> None:
    with zipfile.ZipFile(wheel) as opened:
        inside = opened.namelist()
    with tarfile.open(archive) as opened:
        outside = [name.partition("/")[2] for name in opened.getnames()]
    for names, wanted, where in ((inside, IN_WHEEL, wheel), (outside, IN_ARCHIVE, archive)):
        missing = [each for each in wanted if not any(name.startswith(each) for name in names)]
        unwanted = [name for name in names if NEVER.search(name)]
        if missing or unwanted:
            raise SystemExit(f"{where.name}: missing {missing}, not to be there {unwanted[:5]}")
    if wheel.stat().st_size > MAX_WHEEL:
        raise SystemExit(f"{wheel.name} is {wheel.stat().st_size:,} bytes, {MAX_WHEEL:,} at most")
    for each in (wheel, archive):
        print(f"{each.name}: {each.stat().st_size / 2**20:.1f} MiB")


def pythons() -> list[str]:
    """Return an interpreter of each version from 3.11 on that this machine has."""
    told = json.loads(run(str(BIN / "uv"), "python", "list", "--only-installed", "--output-format", "json"))
    found = {
        (each["version_parts"]["major"], each["version_parts"]["minor"]): each["path"]
        for each in told
        if each["implementation"] == "cpython"
        and each["version_parts"]["minor"] >= OLDEST
        and "free" not in each["variant"]
    }
    return [path for _, path in sorted(found.items())]


def installed(python: str, wheel: Path) -> None:
    """Install the wheel into a clean environment, and use it there."""
    with tempfile.TemporaryDirectory() as folder:
        room = Path(folder)
        run(str(BIN / "uv"), "venv", "-q", "--python", python, str(room / "venv"))
        inside = room / "venv/bin/python"
        run(str(BIN / "uv"), "pip", "install", "-q", "--python", str(inside), str(wheel))
        (room / "program.py").write_text(PROGRAM)
        run(str(inside), "program.py", cwd=room)
        told = run(str(room / "venv/bin/bethink"), "--version", cwd=room).strip()
        (room / "consumer.py").write_text(CONSUMER)
        typed = run(str(BIN / "pyright"), "--pythonpath", str(inside), "consumer.py", cwd=room)
        if "Page[Note]" not in typed:
            raise SystemExit(f"the installed package is not typed:\n{typed}")
        print(f"{run(str(inside), '--version').strip()}: {told}, installed, used and type-checked")


def main() -> None:
    told = version()
    shutil.rmtree(DIST, ignore_errors=True)
    run(str(BIN / "uv"), "build", "-q", "--out-dir", str(DIST), cwd=ROOT)
    (wheel,), (archive,) = DIST.glob(f"bethink-{told}-*.whl"), DIST.glob(f"bethink-{told}.tar.gz")
    look_through(wheel, archive)
    print(run(str(BIN / "uv"), "tool", "run", "twine", "check", "--strict", str(wheel), str(archive)).strip())
    if "--quick" not in sys.argv:
        for python in pythons():
            installed(python, wheel)


if __name__ == "__main__":
    main()
