"""Drive the peers: one process each, spoken to in lines of JSON, in turn."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from environments import ENVIRONMENTS, python_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from types import TracebackType

WORKER = Path(__file__).parent / "peers/worker.py"


class PeerFailedError(Exception):
    """A peer did not answer."""


class Worker:
    """A peer in a process of its own, which is ended with it."""

    def __init__(
        self, name: str, folder: Path, vectors: Path | None, environment: dict[str, str] | None = None
    ) -> None:
        self.name = name
        self._log = folder.with_suffix(".log")
        folder.mkdir(parents=True, exist_ok=True)
        command = [
            str(python_of(name)), str(WORKER), ENVIRONMENTS[name].worker or name, str(folder / "data"),
        ]  # fmt: skip
        if vectors is not None:
            command += ["--vectors", str(vectors)]
        started = time.perf_counter()
        with self._log.open("w") as log:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                env={**quiet(folder), **(environment or {})},
            )
        self.begun = self._answer()
        self.begun["start"] = time.perf_counter() - started

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.stdin.close()
        try:
            self._process.wait(30)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def ask(self, **request: Any) -> dict[str, Any]:
        """Have the peer do something.

        Raises:
            PeerFailedError: it ended; the message has its last words.
        """
        try:
            self._process.stdin.write(json.dumps(request) + "\n")
            self._process.stdin.flush()
        except BrokenPipeError:
            self._fail()
        return self._answer()

    def _answer(self) -> dict[str, Any]:
        line = self._process.stdout.readline()
        return json.loads(line) if line else self._fail()

    def _fail(self) -> dict[str, Any]:
        said = "\n".join(self._log.read_text(errors="replace").strip().splitlines()[-8:])
        raise PeerFailedError(f"{ENVIRONMENTS[self.name].title} ended:\n{said}")


def quiet(home: Path) -> dict[str, str]:
    """Return an environment in which a peer has a home of its own, and neither tells nor fetches anything."""
    kept = {name: value for name, value in os.environ.items() if name in {"PATH", "LANG", "TMPDIR"}}
    return {
        **kept,
        "HOME": str(home),
        "MEM0_DIR": str(home / "mem0"),
        "MEM0_TELEMETRY": "False",
        "ANONYMIZED_TELEMETRY": "False",
        "POSTHOG_DISABLED": "1",
        "LANGSMITH_TRACING": "false",
        "HF_HUB_OFFLINE": "1",
        "PYTHONWARNINGS": "ignore",
    }


@contextmanager
def working(
    names: Sequence[str],
    folder: Path,
    vectors: Path | None,
    environments: dict[str, dict[str, str]] | None = None,
) -> Iterator[dict[str, Worker]]:
    """Start peers; who does not start is named and left out."""
    with ExitStack() as stack:
        workers = {}
        for name in names:
            try:
                worker = Worker(name, folder / name, vectors, (environments or {}).get(name))
            except PeerFailedError as error:
                print(f"left out: {error}", file=sys.stderr)
                continue
            workers[name] = stack.enter_context(worker)
        yield workers


def machine() -> dict[str, Any]:
    """Say on what it was measured."""
    words = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    model = next(
        (line.partition(":")[2].strip() for line in words if line.startswith("model name")), "unknown"
    )
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return {
        "cpu": model,
        "cores": os.cpu_count(),
        "memory_gb": round(memory / 1e9),
        "python": sys.version.split()[0],
        "load": round(os.getloadavg()[0], 1),
        "when": time.strftime("%Y-%m-%d", time.gmtime()),
    }


def say(*words: object) -> None:
    """Tell how far it has come; what is measured goes elsewhere."""
    print(*words, file=sys.stderr, flush=True)
