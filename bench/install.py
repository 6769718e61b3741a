"""What a peer brings with it: packages, megabytes, the time of its import; and the time from nothing to a first recall.

    python bench/install.py [--rounds 7] [--only PEER …] [--json]

Environments are the ones of `.bench/`. Imports are timed in fresh interpreters, in turn, with compiled files there: the
time of the processor, which a busy machine hardly changes, and the least time on the clock.
The way from nothing is walked with pip in a new environment, with what pip has in its cache; it is Bethink's alone, as
the others fetch a model or want a key before they find something by its meaning.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from driving import machine, quiet, say
from environments import ENVIRONMENTS, OURS, PEERS, ROOT, add_choice, chosen, python_of, uv

NAMES = (*PEERS, "bethink_onnx", "agents")
FIRST = """
from bethink import Memory
with Memory("first.db") as memory:
    alice = memory.scope(user="alice")
    alice.remember("Prefers an aisle seat.")
    assert alice.recall("Where does she like to sit?")
"""


def size_of(python: Path) -> tuple[int, float]:
    """Return the packages of an environment, and their megabytes without compiled files."""
    packages = next((python.parents[1] / "lib").glob("python*/site-packages"))
    files = [path for path in packages.rglob("*") if path.is_file() and path.suffix != ".pyc"]
    return len(list(packages.glob("*.dist-info"))), sum(path.stat().st_size for path in files) / 1e6


def import_ms(name: str, home: Path) -> tuple[float, float]:
    """Return the milliseconds of an import in an interpreter that has just started: on the clock, of the processor."""
    code = f"import time; began = time.perf_counter(), time.process_time()\n{ENVIRONMENTS[name].imports}\n"
    code += "print((time.perf_counter() - began[0]) * 1000, (time.process_time() - began[1]) * 1000)"
    environment = {**quiet(home), "OPENAI_API_KEY": "unused"}
    done = subprocess.run(
        [str(python_of(name)), "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env=environment,
        cwd=home,
    )
    wall, cpu = (float(each) for each in done.stdout.split()[-2:])
    return wall, cpu


def from_nothing() -> float:
    """Return the seconds from `pip install` in a new environment to a first recall."""
    with tempfile.TemporaryDirectory(prefix="bethink-bench-") as name:
        folder = Path(name)
        build = [uv(), "build", "-q", "--wheel", "--out-dir", str(folder / "dist"), str(ROOT)]
        subprocess.run(build, check=True, capture_output=True)
        wheel = next((folder / "dist").glob("*.whl"))
        subprocess.run([sys.executable, "-m", "venv", str(folder / "venv")], check=True)
        began = time.perf_counter()
        python = folder / "venv/bin/python"
        pip = [str(python), "-m", "pip", "install", "-q", "--disable-pip-version-check", str(wheel)]
        subprocess.run(pip, check=True, capture_output=True)
        subprocess.run([str(python), "-c", FIRST], check=True, cwd=folder)
        return time.perf_counter() - began


def show(found: dict[str, Any]) -> str:
    lines = [f"{'':26}{'packages':>9}{'MB':>8}{'import ms':>11}{'clock':>8}{'×':>7}"]
    ours = found["peers"][OURS]
    lines += [
        f"{peer['title']:26}{peer['packages']:>9}{peer['megabytes']:>8.0f}{peer['import_cpu_ms']:>11.0f}"
        f"{peer['import_ms_least']:>8.0f}{peer['import_cpu_ms'] / ours['import_cpu_ms']:>7.1f}"
        for peer in found["peers"].values()
    ]
    return "\n".join(
        [*lines, f"from pip install in a new environment to a first recall: {found['from_nothing_s']:.1f} s"]
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--out", type=Path, help="where the result goes, as JSON")
    parser.add_argument("--json", action="store_true")
    add_choice(parser)
    given = parser.parse_args()
    names = chosen(NAMES, given.only, given.skip)
    times: dict[str, list[tuple[float, float]]] = {name: [] for name in names}
    with tempfile.TemporaryDirectory(prefix="bethink-bench-") as home:
        for number in range(given.rounds + 1):
            say(f"imports, round {number} of {given.rounds}")
            for name in names:
                taken = import_ms(name, Path(home))
                times[name] += [taken] if number else []  # the first one compiles
    peers = {}
    for name in names:
        packages, megabytes = size_of(python_of(name))
        peers[name] = {
            "title": ENVIRONMENTS[name].title,
            "packages": packages,
            "megabytes": megabytes,
            "import_cpu_ms": statistics.median(cpu for _, cpu in times[name]),
            "import_ms_least": min(wall for wall, _ in times[name]),
            "beside": ENVIRONMENTS[name].only,
        }
    say("from a new environment to a first recall")
    found = {"what": "install", "machine": machine(), "peers": peers, "from_nothing_s": from_nothing()}
    text = json.dumps(found, indent=1)
    if given.out:
        given.out.write_text(text + "\n")
    print(text if given.json else show(found))


if __name__ == "__main__":
    main()
