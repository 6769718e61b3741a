"""Find what only POSIX systems have and nothing guards: modules, calls and constants that Windows lacks.

    python tools/portable.py [FOLDER …]        # src/bethink where none is named

Guarded is what stands below a question for the system (`sys.platform`, `os.name`, `hasattr`, a module that is None where it is
missing) or in a `try` that takes its absence. A line that is meant for one system says so: `# posix: why`.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
MODULES = frozenset({"fcntl", "pwd", "grp", "resource", "termios", "tty", "pty", "posix", "syslog", "crypt"})
NAMES = {
    "os": frozenset(
        [
            "fork",
            "forkpty",
            "getuid",
            "geteuid",
            "getgid",
            "getegid",
            "getgroups",
            "setuid",
            "setgid",
            "setsid",
            "killpg",
            "getpgid",
            "setpgid",
            "kill",
            "wait3",
            "wait4",
            "register_at_fork",
            "fchmod",
            "fchown",
            "chown",
            "lchown",
            "mkfifo",
            "mknod",
            "uname",
            "getloadavg",
            "nice",
            "sync",
            "O_NOFOLLOW",
            "O_DIRECTORY",
            "O_CLOEXEC",
            "O_NONBLOCK",
            "sched_getaffinity",
            "posix_fadvise",
            "posix_fallocate",
            "pread",
            "pwrite",
            "sendfile",
            "statvfs",
            "WNOHANG",
        ]
    ),
    "signal": frozenset(
        [
            "SIGKILL",
            "SIGUSR1",
            "SIGUSR2",
            "SIGHUP",
            "SIGALRM",
            "SIGSTOP",
            "SIGCONT",
            "SIGCHLD",
            "SIGQUIT",
            "SIGPIPE",
            "setitimer",
            "alarm",
            "pause",
            "pthread_sigmask",
            "pthread_kill",
            "sigwait",
        ]
    ),
    "socket": frozenset({"AF_UNIX", "socketpair_unix"}),
    "time": frozenset({"tzset"}),
    "asyncio": frozenset({"open_unix_connection", "start_unix_server"}),
}
METHODS = frozenset(
    {"add_signal_handler", "remove_signal_handler", "create_unix_server", "create_unix_connection"}
)
ABSENT = frozenset(
    {"ImportError", "ModuleNotFoundError", "AttributeError", "NotImplementedError", "Exception"}
)
ASKED = frozenset({"platform", "name", "hasattr", "POSIX", "WINDOWS"})
SAID = "# posix:"


class Found(NamedTuple):
    """A call that only POSIX has, and where."""

    path: Path
    line: int
    call: str


def found(path: Path) -> Iterator[Found]:
    """Yield what is not guarded in a file."""
    text = path.read_text(encoding="utf-8")
    lines = text.splitlines()
    tree = ast.parse(text)
    above: dict[ast.AST, ast.AST] = {
        below: node for node in ast.walk(tree) for below in ast.iter_child_nodes(node)
    }
    for node in ast.walk(tree):
        call = _posix(node)
        if call is None or SAID in lines[node.lineno - 1]:
            continue
        if not _guarded(node, above):
            yield Found(path, node.lineno, call)


def _posix(node: ast.AST) -> str | None:
    if isinstance(node, ast.Import):
        return next((name.name for name in node.names if name.name in MODULES), None)
    if isinstance(node, ast.ImportFrom) and node.module in MODULES:
        return node.module
    if isinstance(node, ast.ImportFrom) and node.module in NAMES:
        return next(
            (f"{node.module}.{each.name}" for each in node.names if each.name in NAMES[node.module]), None
        )
    if not isinstance(node, ast.Attribute):
        return None
    if isinstance(node.value, ast.Name) and node.attr in NAMES.get(node.value.id, ()):
        return f"{node.value.id}.{node.attr}"
    return node.attr if node.attr in METHODS else None


def _guarded(node: ast.AST, above: dict[ast.AST, ast.AST]) -> bool:
    below = node
    while (holder := above.get(below)) is not None:
        if isinstance(holder, ast.If | ast.IfExp) and below is not holder.test and _asks(holder.test):
            return True
        if isinstance(holder, ast.BoolOp) and any(_asks(each) for each in holder.values if each is not below):
            return True
        if isinstance(holder, ast.Try) and below in holder.body and _takes_absence(holder):
            return True
        if isinstance(holder, ast.With) and any(
            _suppresses_absence(each.context_expr) for each in holder.items
        ):
            return True
        if isinstance(holder, ast.FunctionDef | ast.AsyncFunctionDef) and _leaves_early(holder, below):
            return True
        below = holder
    return False


def _asks(test: ast.expr) -> bool:
    return any(
        (isinstance(each, ast.Attribute) and each.attr in ASKED)
        or (isinstance(each, ast.Name) and each.id in ASKED)
        for each in ast.walk(test)
    )


def _takes_absence(node: ast.Try) -> bool:
    return any(
        handler.type is None
        or any(isinstance(each, ast.Name) and each.id in ABSENT for each in ast.walk(handler.type))
        for handler in node.handlers
    )


def _suppresses_absence(call: ast.expr) -> bool:
    return isinstance(call, ast.Call) and any(
        isinstance(each, ast.Name) and each.id in ABSENT for each in call.args
    )


def _leaves_early(function: ast.FunctionDef | ast.AsyncFunctionDef, below: ast.AST) -> bool:
    """Say whether a function asks for the system and returns before it comes to this statement."""
    for each in function.body:
        if each is below:
            return False
        if (
            isinstance(each, ast.If)
            and _asks(each.test)
            and isinstance(each.body[-1], ast.Return | ast.Raise)
        ):
            return True
    return False


def main() -> None:
    places = [Path(each) for each in sys.argv[1:]] or [ROOT / "src" / "bethink"]
    told = [each for place in places for path in sorted(place.rglob("*.py")) for each in found(path)]
    for each in told:
        print(f"{each.path}:{each.line}: {each.call} is of POSIX alone: guard it, or say {SAID} why")
    raise SystemExit(bool(told))


if __name__ == "__main__":
    main()
