"""The files that deploy the server say what there is, and do what they say."""

import os
import re
import shlex
import signal
import subprocess
import sys
import tomllib
from dataclasses import fields
from pathlib import Path

import httpx
import psycopg
import pytest
import typer.main
import yaml

from bethink.cli.app import app
from bethink.server.app import create_app
from bethink.server.options import Options
from bethink.server.serving import GRACE_SECONDS
from bethink.settings import Settings
from bethink.testing.postgresql import Cluster
from tests.server.conftest import wait_for

ROOT = Path(__file__).parents[2]
DOCKERFILE = (ROOT / "Dockerfile").read_text()
COMPOSE = yaml.safe_load((ROOT / "compose.yaml").read_text())
UNIT = (ROOT / "deploy" / "bethink.service").read_text()
WORKER = (ROOT / "deploy" / "bethink-worker.service").read_text()
ROLES = (ROOT / "deploy" / "roles.sql").read_text()
BETHINK = "from bethink.cli import main; main()"


def said(key, unit=UNIT):
    """Return what a unit says under a key, in its order."""
    return re.findall(rf"^{key}=(.*)$", unit, re.MULTILINE)


def instruction(name):
    """Return what the Dockerfile's instructions of a name say."""
    return re.findall(rf"^{name} (.*(?:\\\n.*)*)", DOCKERFILE, re.MULTILINE)


def commands():
    for name, unit in (("unit", UNIT), ("unit of the worker", WORKER)):
        (started,) = said("ExecStart", unit)
        program, *arguments = shlex.split(started)
        assert program == "/opt/bethink/bin/bethink"
        yield pytest.param(arguments, id=name)
    (entry,), (given,) = instruction("ENTRYPOINT"), instruction("CMD")
    assert yaml.safe_load(entry) == ["bethink"]
    yield pytest.param(yaml.safe_load(given), id="Dockerfile")
    for name, service in COMPOSE["services"].items():
        if "build" in service:
            yield pytest.param(service["command"], id=f"compose {name}")


@pytest.mark.parametrize("arguments", [*commands()])
def test_a_command_is_one_with_options_that_it_has(arguments):
    command = typer.main.get_command(app).commands[arguments[0]]
    context = command.make_context(arguments[0], list(arguments[1:]), resilient_parsing=False)
    assert not context.args


def test_every_variable_that_the_files_and_docs_name_is_read():
    # hooks of coding agents load no settings: they read the few that they need by themselves
    readers = ("src/bethink/settings.py", "src/bethink/coding/directories.py")
    settings = "".join((ROOT / reader).read_text() for reader in readers)
    known = {f"BETHINK_{each.name.upper()}" for each in fields(Settings)} | set(
        re.findall(r"BETHINK_[A-Z_]+", settings)
    )
    files = [
        ROOT / "Dockerfile",
        ROOT / "compose.yaml",
        *(ROOT / "deploy").iterdir(),
        *(ROOT / "docs").glob("*.md"),
    ]
    for path in files:
        named = set(re.findall(r"\bBETHINK_(?!TEST_|FAULT_)[A-Z_]+", path.read_text()))
        assert named <= known, path.name


def test_what_is_asked_whether_the_server_is_well_is_there():
    (check,) = re.findall(r"http://127\.0\.0\.1:(\d+)(/[a-z0-9/]+)", DOCKERFILE)
    port, path = check
    assert instruction("EXPOSE") == [port] == ["8000"]
    assert COMPOSE["services"]["server"]["ports"] == [f"127.0.0.1:{port}:{port}"]
    assert path in create_app(Options(db=":memory:", embedder=None)).openapi()["paths"]


def test_a_server_that_is_told_to_stop_is_given_the_time_that_it_takes():
    assert instruction("STOPSIGNAL") == said("KillSignal") == ["SIGTERM"]
    assert int(said("TimeoutStopSec")[0]) > GRACE_SECONDS
    assert int(COMPOSE["services"]["server"]["stop_grace_period"].removesuffix("s")) > GRACE_SECONDS


def test_both_units_are_shut_in_alike():
    begin = "# It reads its own program"
    shut = [unit[unit.index(begin) : unit.index("[Install]")] for unit in (UNIT, WORKER)]
    assert shut[0] == shut[1]
    assert "CapabilityBoundingSet=\n" in shut[0]


def test_the_image_is_made_of_what_there_is():
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    (wanted,) = re.findall(r"\.\[([a-z,]+)\]", DOCKERFILE)
    assert set(wanted.split(",")) <= extras.keys()
    ignored = (ROOT / ".dockerignore").read_text().split()
    for line in instruction("COPY"):
        if not line.startswith("--from"):
            *sources, _ = line.split()
            assert all((ROOT / source).exists() and source not in ignored for source in sources)
    assert "USER bethink" in DOCKERFILE
    assert DOCKERFILE.index("useradd") < DOCKERFILE.index("USER bethink") < DOCKERFILE.index("ENTRYPOINT")


def test_roles_and_passwords_are_the_same_in_both_files():
    given = dict(re.findall(r"create role (\w+) login password '([^']+)'", ROLES))
    services = COMPOSE["services"]
    text = " ".join([*services["migrate"]["command"], services["server"]["environment"]["BETHINK_DB"]])
    assert dict(re.findall(r"postgresql://(\w+):([^@]+)@postgres/bethink", text)) == given
    assert re.findall(r"--app-role (\w+)", text) == ["bethink_app"]
    for volume in services["postgres"]["volumes"]:
        if volume.startswith("./"):
            assert (ROOT / volume.split(":")[0]).exists()


@pytest.fixture
def cluster():
    """A PostgreSQL of its own: the roles of `roles.sql` belong to a whole server."""
    made = Cluster()
    yield made
    made.close()


def prepared(cluster):
    """Do with `roles.sql` what the image of PostgreSQL does with it."""
    for text in (
        "drop database if exists bethink_template with (force)",
        "drop role bethink_owner, bethink_app",
    ):
        cluster.command(text)  # those of the other tests
    database = "postgres"
    for part in re.split(r"^(\\connect \w+)$", ROLES, flags=re.MULTILINE):
        if part.startswith("\\connect"):
            database = part.split()[1]
        else:
            text = re.sub(r"^--.*$", "", part, flags=re.MULTILINE)
            cluster.command(*(each for each in text.split(";") if each.strip()), database=database)


def at_home(cluster, text):
    """Return a URL of the composed network as one of this machine."""
    return text.replace("@postgres/", f"@127.0.0.1:{cluster.port}/")


def bethink(*arguments, **environment):
    plain = {name: value for name, value in os.environ.items() if not name.startswith("BETHINK_")}
    run = [sys.executable, "-c", BETHINK, *arguments]
    return subprocess.run(run, capture_output=True, text=True, check=False, env=plain | environment)


def test_the_composed_services_work_together(cluster, tmp_path):
    prepared(cluster)
    migrate, server = (COMPOSE["services"][name] for name in ("migrate", "server"))
    environment = {
        name: at_home(cluster, re.sub(r"\$\{\w+:-\}", "", value))
        for name, value in server["environment"].items()
    }
    refused = bethink("migrate", "--db", environment["BETHINK_DB"])
    assert refused.returncode != 0, "the server's role may not make tables"
    early = bethink("stats", **environment)
    assert early.returncode != 0, "nothing works before the owner has migrated"
    for _ in range(2):  # once more at every start
        done = bethink(*(at_home(cluster, each) for each in migrate["command"]))
        assert done.returncode == 0, done.stderr
    keys = tmp_path / "keys.json"
    key = bethink("key", "alice", "--keys", str(keys), **environment).stdout.strip()
    place = {"/var/lib/bethink/keys.json": str(keys), "0.0.0.0": "127.0.0.1"}
    arguments = [place.get(each, each) for each in server["command"]]
    with psycopg.connect(cluster.url("bethink", "postgres")) as connection:
        (number,) = connection.execute(
            "select count(*) from pg_tables where tableowner = 'bethink_app'"
        ).fetchone()
        assert number == 0
    port = _free()
    process = subprocess.Popen(
        [sys.executable, "-c", BETHINK, *arguments, "--port", str(port)],
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | environment,
    )
    url = f"http://127.0.0.1:{port}"
    try:
        wait_for(url)
        assert httpx.get(f"{url}/v1/health").json()["status"] == "ok"
        assert httpx.get(f"{url}/v1/namespaces").status_code == 401
        with httpx.Client(base_url=url, headers={"x-api-key": key}, timeout=60) as door:
            note = door.post("/v1/scopes/agent:bot:u:alice/notes", json={"text": "Likes tea."})
            assert note.status_code == 201
            assert door.post("/v1/scopes/agent:bot:u:alice/recall", json={"query": "tea"}).json()["hits"]
    finally:
        process.send_signal(signal.SIGTERM)
        said = process.communicate(timeout=60)[1]
    assert process.returncode in {0, -signal.SIGTERM}
    assert "Traceback" not in said
    assert "change-me" not in said


def _free():
    import socket

    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]
