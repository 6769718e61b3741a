"""Run the published tests of frameworks against Bethink, and write the table of docs/frameworks.md.

    python -m conformance.run                      # every framework
    python -m conformance.run langgraph            # one of them
    python -m conformance.run --store sqlite       # without PostgreSQL
    python -m conformance.run --table              # nothing but the table, from the results that are there

Each framework has an environment of its own under `.conformance/`, with Bethink as it is here. Its tests are fetched
from the source archive that it publishes on PyPI and stay there as well: nothing of them is in this repository.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

from conformance.suites import LEFT_OUT, POSTGRESQL, SQLITE, STORE, Framework, Suite

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

ROOT = Path(__file__).resolve().parent.parent
BUILT = ROOT / ".conformance"
RESULTS = ROOT / "conformance" / "results"
PAGE = ROOT / "docs" / "frameworks.md"
NOT_FRAMEWORKS = {"__init__", "run", "suites", "plugin", "inside"}
BEGIN, END = "<!-- written by make conformance -->", "<!-- the end of what it writes -->"
HEAD = """| framework | version | its tests | passed on SQLite | passed on PostgreSQL | left out, and why |
|---|---|---|---|---|---|"""


class NotPassedError(Exception):
    """A test did not pass, or a step before the tests failed."""


def names() -> list[str]:
    """Return the frameworks that have a file here."""
    return sorted(path.stem for path in Path(__file__).parent.glob("*.py") if path.stem not in NOT_FRAMEWORKS)


def framework(name: str) -> Framework:
    """Return what a framework's file says."""
    return import_module(f"conformance.{name}").FRAMEWORK


# ---- its environment --------------------------------------------------------------------------------------------


def environment(name: str) -> Path:
    """Return the Python of a framework's environment, which is made, or made anew where it is not up to date."""
    said = framework(name)
    folder = BUILT / name
    python = folder / "bin" / "python"
    needs = [*said.packages, "pytest>=9,<10", "pytest-timeout>=2,<3", "anyio>=4.9,<5", "hypothesis>=6.150,<7"]
    needed = (ROOT / "pyproject.toml").read_text(encoding="utf-8") + "\n".join(needs) + sys.version
    stamp, wanted = folder / "stamp", hashlib.sha256(needed.encode()).hexdigest()
    if not stamp.exists() or stamp.read_text() != wanted:
        shutil.rmtree(folder, ignore_errors=True)
        _do(_uv(), "venv", "-q", "--python", sys.executable, folder)
        ours = f"{ROOT}[{said.extra},postgres]"
        _do(_uv(), "pip", "install", "-q", "--python", python, "-e", ours, *needs)
        stamp.write_text(wanted)
    return python


def _uv() -> str:
    beside = Path(sys.executable).parent / "uv"
    return str(beside) if beside.exists() else "uv"


def _do(*command: str | Path, **options: Any) -> None:
    done = subprocess.run([str(part) for part in command], check=False, **options)  # noqa: S603
    if done.returncode:
        raise NotPassedError(f"{' '.join(str(part) for part in command[:4])} … came to {done.returncode}")


def versions(name: str) -> dict[str, str]:
    """Return which versions of its packages the environment has."""
    listed = subprocess.run(  # noqa: S603
        [_uv(), "pip", "list", "-q", "--format", "json", "--python", environment(name)],
        check=True,
        capture_output=True,
        text=True,
    )
    have = {each["name"].lower(): each["version"] for each in json.loads(listed.stdout)}
    wanted = [re.split(r"[\[=<>~! ]", each)[0].lower() for each in framework(name).packages]
    return {each: have[each] for each in wanted if each in have}


# ---- its tests --------------------------------------------------------------------------------------------------


def fetched(source: str) -> Path:
    """Return the folder of a distribution's source archive, as PyPI has it."""
    folder = BUILT / "sources" / source.replace("==", "-")
    if not folder.exists():
        archives = BUILT / "archives" / source
        arguments = ["download", "-q", "--no-deps", "--no-binary", ":all:", "-d", str(archives), source]
        _do(sys.executable, "-m", "pip", *arguments)
        partly = folder.with_suffix(".partly")
        with tarfile.open(next(archives.glob("*.tar.gz"))) as archive:
            archive.extractall(partly, filter="data")
        next(partly.iterdir()).rename(folder)
        partly.rmdir()
    return folder


def by_pytest(name: str, suite: Suite, store: str) -> dict[str, Any]:
    """Run the tests of a source archive, or classes of tests that are inherited, and count what they came to."""
    folder = ROOT / "conformance" / "kits" if suite.classes else fetched(suite.source)
    report = BUILT / f"{name}-{re.sub('[^a-z0-9]+', '-', suite.name.lower())}.xml"
    report.unlink(missing_ok=True)
    command = [
        environment(name),
        "-m",
        "pytest",
        "-q",
        "-p",
        "conformance.plugin",
        "-p",
        f"conformance.{name}",
    ]
    command += ["-o", "addopts=", "--timeout=120", f"--junitxml={report}", *suite.options]
    command += ["-c", os.devnull, "--rootdir", folder, *suite.classes] if suite.classes else suite.tests
    given = _environ(store, suite)
    done = subprocess.run([str(part) for part in command], check=False, cwd=folder, env=given)  # noqa: S603
    if not report.exists():
        raise NotPassedError(f"{suite.name}: pytest came to {done.returncode} without a report")
    passed, failed, skipped = _counted(report)
    left: dict[str, int] = json.loads(Path(f"{report}.left_out").read_text(encoding="utf-8"))
    return {"passed": passed, "failed": failed, "skipped": skipped, "left_out": left}


def _counted(report: Path) -> tuple[int, list[str], int]:
    passed, skipped = 0, 0
    failed: list[str] = []
    for case in ET.parse(report).iter("testcase"):  # noqa: S314 - pytest wrote it just now
        kinds = {child.tag for child in case}
        if kinds & {"failure", "error"}:
            failed.append(f"{case.get('classname')}::{case.get('name')}")
        elif "skipped" in kinds:
            skipped += 1
        else:
            passed += 1
    return passed, failed, skipped


def by_script(name: str, suite: Suite, store: str) -> dict[str, Any]:
    """Run the tests that an installed package has, and count what they came to."""
    out = BUILT / f"{name}-script.json"
    out.unlink(missing_ok=True)
    command = [environment(name), "-m", "conformance.inside", name, suite.name, out]
    subprocess.run([str(part) for part in command], check=False, cwd=ROOT, env=_environ(store, suite))  # noqa: S603
    if not out.exists():
        raise NotPassedError(f"{suite.name}: the script came to its end too early")
    found: list[tuple[str, str | None]] = json.loads(out.read_text(encoding="utf-8"))
    failed = [f"{test}: {wrong}" for test, wrong in found if wrong is not None]
    return {"passed": len(found) - len(failed), "failed": failed, "skipped": 0, "left_out": {}}


def _environ(store: str, suite: Suite) -> dict[str, str]:
    left_out = json.dumps(list(suite.left_out))
    return {**os.environ, **suite.environ, "PYTHONPATH": str(ROOT), STORE: store, LEFT_OUT: left_out}


# ---- a framework ------------------------------------------------------------------------------------------------


def run(name: str, stores: Iterable[str], postgresql: Callable[[], str]) -> dict[str, Any]:
    """Run every suite of a framework on every store, and return what they came to."""
    said = framework(name)
    suites: list[dict[str, Any]] = []
    for suite in said.suites:
        found: dict[str, Any] = {}
        for store in stores:
            if store in suite.stores:
                print(f"== {said.title}, {suite.name}, {store}", flush=True)
                given = postgresql() if store == POSTGRESQL else SQLITE
                found[store] = (by_script if suite.script else by_pytest)(name, suite, given)
        suites.append(
            {"name": suite.name, "source": suite.source, "stores": found, "left_out": dict(suite.left_out)}
        )
    if said.ours:
        print(f"== {said.title}, our own tests", flush=True)
        _do(environment(name), "-m", "pytest", "-q", "-p", "no:asyncio", *said.ours, cwd=ROOT)
    return {
        "title": said.title,
        "versions": versions(name),
        "suites": suites,
        "remarks": said.remarks,
    }


def wrong(result: dict[str, Any]) -> list[str]:
    """Return what did not pass, and what is said to be left out and is no longer there."""
    found: list[str] = []
    for suite in result["suites"]:
        for store, counts in suite["stores"].items():
            found += [f"{result['title']}, {suite['name']}, {store}: {test}" for test in counts["failed"]]
            found += [
                f"{result['title']}, {suite['name']}: no test is named {name}, which is left out"
                for name, count in counts["left_out"].items()
                if count == 0
            ]
    return found


@contextmanager
def clusters() -> Iterator[Callable[[], str]]:
    """Yield what makes an empty PostgreSQL; the server is started when the first one is asked for."""
    from bethink.testing.postgresql import Cluster

    started: list[Cluster] = []

    def fresh() -> str:
        if not started:
            started.append(Cluster())
        return started[0].url(started[0].create())

    try:
        yield fresh
    finally:
        for cluster in started:
            cluster.close()


# ---- the table --------------------------------------------------------------------------------------------------


def table() -> str:
    """Return the table of what passed, from the results that are there."""
    rows: list[str] = [HEAD]
    remarks: list[str] = []
    for path in sorted(RESULTS.glob("*.json")):
        result = json.loads(path.read_text(encoding="utf-8"))
        version = "<br>".join(f"{name} {number}" for name, number in list(result["versions"].items())[:1])
        rows += [
            f"| {result['title']} | {version} | {suite['name']} ({suite['source'].replace('==', ' ')}) "
            f"| {_cell(suite, SQLITE)} | {_cell(suite, POSTGRESQL)} | {_left_out(suite)} |"
            for suite in result["suites"]
        ]
        if result["remarks"]:
            remarks.append(f"* **{result['title']}**: {result['remarks']}")
    return "\n".join([*rows, *([""] if remarks else []), *remarks])


def _cell(suite: dict[str, Any], store: str) -> str:
    counts = suite["stores"].get(store)
    if counts is None:
        return "–"
    skipped = f", {counts['skipped']} skipped by themselves" if counts["skipped"] else ""
    return f"{counts['passed']} of {counts['passed'] + len(counts['failed'])}{skipped}"


def _left_out(suite: dict[str, Any]) -> str:
    counts = next(iter(suite["stores"].values()), {"left_out": {}})["left_out"]
    by_reason: dict[str, list[str]] = {}
    for name, reason in suite["left_out"].items():
        by_reason.setdefault(reason, []).append(name)
    return (
        "<br>".join(
            f"{sum(counts.get(name, 0) for name in tests)}: {reason} (`{'`, `'.join(tests)}`)"
            for reason, tests in by_reason.items()
        )
        or "nothing"
    )


def write_table() -> None:
    """Put the table into its place on the page."""
    text = PAGE.read_text(encoding="utf-8")
    before, _, rest = text.partition(BEGIN)
    _, _, behind = rest.partition(END)
    PAGE.write_text(f"{before}{BEGIN}\n\n{table()}\n\n{END}{behind}", encoding="utf-8")


def main() -> int:
    """Run what the command line says."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument(
        "names", nargs="*", choices=[[], *names()], metavar="framework", help=", ".join(names())
    )
    parser.add_argument("--store", choices=[SQLITE, POSTGRESQL], help="test on one store alone")
    parser.add_argument("--table", action="store_true", help="write the table anew, and run nothing")
    chosen = parser.parse_args()
    failures: list[str] = []
    if not chosen.table:
        BUILT.mkdir(exist_ok=True)
        RESULTS.mkdir(exist_ok=True)
        with clusters() as postgresql:
            for name in chosen.names or names():
                try:
                    result = run(name, [chosen.store] if chosen.store else [SQLITE, POSTGRESQL], postgresql)
                except NotPassedError as error:
                    failures.append(f"{name}: {error}")
                    continue
                failures += wrong(result)
                if not chosen.store:
                    text = json.dumps(result, indent=2, ensure_ascii=False)
                    (RESULTS / f"{name}.json").write_text(f"{text}\n", encoding="utf-8")
    write_table()
    print("\n".join(failures) or "everything passed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
