"""What `bethink serve` looks at before it listens."""

import subprocess
import sys

import pytest

MISSING = [
    ("fsspec", ("--mirror", "copies"), "bethink[mirror]"),
    ("agents", ("--model", "small"), "bethink[agents]"),
    ("prometheus_client", ("--metrics", "admin"), "bethink[telemetry]"),
    ("opentelemetry.sdk", ("--otlp", "http://127.0.0.1:9"), "bethink[telemetry]"),
    ("psycopg", ("--db", "postgresql://127.0.0.1:9/none"), "bethink[postgres]"),
]


def ended(folder, *arguments, without=None):
    """Run a command that should end by itself, as if a package were not installed."""
    code = f"import sys; sys.modules[{without!r}] = None; from bethink.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    return done.returncode, done.stderr


@pytest.mark.parametrize(("package", "options", "extra"), MISSING, ids=[each[0] for each in MISSING])
def test_a_server_whose_options_need_an_extra_does_not_start_without_it(folder, package, options, extra):
    code, told = ended(folder, "serve", "--port", "0", *options, without=package)
    assert code != 0
    assert f"pip install '{extra}'" in told
    assert "dashboard at" not in told


def test_a_worker_does_not_start_without_the_extra_of_its_mirror(folder):
    ended(folder, "remember", "Prefers aisle seats.", "--db", "memory.db")
    code, told = ended(folder, "worker", "--db", "memory.db", "--mirror", "copies", without="fsspec")
    assert code != 0
    assert "pip install 'bethink[mirror]'" in told


def test_a_mirror_of_no_known_kind_is_refused_before_the_server_listens(folder):
    code, told = ended(folder, "serve", "--port", "0", "--mirror", "nowhere://bucket/copies")
    assert code != 0
    assert "nowhere://" in told
    assert "dashboard at" not in told


def test_nothing_is_said_of_a_dashboard_by_a_server_that_does_not_start(folder):
    code, told = ended(folder, "serve", "--port", "0", "--auth", "bearer")
    assert code != 0
    assert "--keys FILE" in told
    assert "dashboard at" not in told
