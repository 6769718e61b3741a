"""Run every comparison with others, and write the tables: `make bench`, or `make bench QUICK=1` for minutes.

    python bench/run.py [--quick] [--locomo FILE] [--parts compare speed install sessions] [--only PEER …]

The whole run takes an hour or more, most of it in loading 100,000 and a million memories into those who can hold
them. It writes bench/results/*.json and the tables and plots of docs/benchmarks.md; a quick one writes to .bench/quick
and leaves the document as it is. Let nothing else run on the machine: a loaded one makes also ratios wide.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path

from driving import machine, say
from environments import HOME, ROOT, NotInstalledError, add_choice, ready

HERE = Path(__file__).parent
PARTS = ("compare", "speed", "install", "sessions")


def run(script: str, *options: str) -> None:
    """Run a script of this folder; what it prints is shown."""
    say(f"\n$ python bench/{script} {' '.join(options)}")
    subprocess.run([sys.executable, str(HERE / script), *options], check=True)


def sessions(out: Path, quick: bool) -> None:
    """Run our sessions beside those of the Agents SDK, in an environment that has both."""
    options = ["--rounds", "3", "--live", "100"] if quick else []
    say(f"\n$ python bench/sessions.py {' '.join(options)}")
    try:
        command = [str(ready("sessions")), str(HERE / "sessions.py"), *options]
    except NotInstalledError as error:
        say(f"left out: {error}")
        return
    printed = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    print(printed)
    found = {"what": "sessions", "machine": machine(), "printed": printed}
    out.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--quick", action="store_true", help="small sizes, in minutes; the document stays as it is"
    )
    parser.add_argument("--locomo", type=Path, help="a LoCoMo file that you have")
    parser.add_argument("--parts", nargs="*", default=list(PARTS), choices=PARTS)
    add_choice(parser)
    given = parser.parse_args()
    folder = HOME / "quick" if given.quick else HERE / "results"
    folder.mkdir(parents=True, exist_ok=True)
    peers = [
        *(["--only", *given.only] if given.only else []),
        *(["--skip", *given.skip] if given.skip else []),
    ]
    if "compare" in given.parts:
        if given.locomo:
            few = ["--limit", "100"] if given.quick else []
            run(
                "compare.py",
                "--data",
                f"locomo:{given.locomo}",
                "--out",
                str(folder / "locomo.json"),
                *few,
                *peers,
            )
        run("compare.py", "--data", "long", "--out", str(folder / "long.json"), *peers)
        data = "made-up:2" if given.quick else "made-up"
        run("compare.py", "--data", data, "--out", str(folder / "made-up.json"), *peers)
    if "install" in given.parts:
        rounds = ["--rounds", "3"] if given.quick else []
        run("install.py", "--out", str(folder / "install.json"), *rounds, *peers)
    if "sessions" in given.parts:
        sessions(folder / "sessions.json", given.quick)
    if "speed" in given.parts:
        few = ["--sizes", "1000,10000", "--rounds", "30", "--budget", "30"] if given.quick else []
        run("speed.py", "--out", str(folder / "speed.json"), *few, *peers)
    if given.quick:
        say(f"results: {folder.relative_to(ROOT)}")
        return
    run("report.py")


if __name__ == "__main__":
    main()
