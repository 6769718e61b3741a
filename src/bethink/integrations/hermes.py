"""Hermes Agent: a memory provider and its plugin (`python -m bethink.integrations.hermes`)."""
# The framework is not installed where this is developed, so its types are unknown here.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false
# pyright: reportUnknownParameterType=false, reportUnknownLambdaType=false

from __future__ import annotations

import json
import logging
import sys
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bethink.errors import InvalidError, LimitError, NotFoundError, RefusedError
from bethink.integrations.async_and_blocking import both_faces
from bethink.integrations.labels import log_name
from bethink.integrations.learning import IDLE, consolidate_left, context_text, learn_from
from bethink.integrations.shared_memory import lease_memory
from bethink.integrations.versions import require_versions
from bethink.lifecycle.inject.prefix_rendering import default_policy
from bethink.scope.transactions import digest
from bethink.sessions.item_kinds import classify
from bethink.storage.stores import run
from bethink.tools.calls import answer
from bethink.tools.formats import parameters
from bethink.tools.registry import TOOLS, own_tools
from bethink.tools.values import Reach

require_versions("hermes", ("hermes-agent", "0.19", "1"))

from agent.memory_provider import MemoryProvider  # noqa: E402  # pyright: ignore[reportMissingImports]

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bethink.integrations.shared_memory import Lease
    from bethink.memory.scope import AsyncScope
    from bethink.sync import Scope

NAME = "bethink"
CONFIG = "bethink.json"  #: in the home of Hermes
MIRRORED = ("hermes", "hermes-entries")  #: which note stands for an entry of MEMORY.md and USER.md
LOCAL = {"cli", "tui", "desktop", "local"}  #: platforms that one person uses, who has no id there
FILES = {
    "plugin.yaml": """name: bethink
version: 1.0.0
description: "Bethink: what you say is kept, learned from and found again, in one file, with no key and no daemon."
""",
    "__init__.py": '''"""The memory provider of Bethink, as `python -m bethink.integrations.hermes` wrote it."""

from bethink.integrations.hermes import BethinkMemoryProvider, register

__all__ = ["BethinkMemoryProvider", "register"]
''',
}
INSTRUCTIONS = (
    "# Memory\nWhat is remembered of the user comes with each message. Ask search_memory for more, "
    "and keep what they want kept with remember."
)

log = logging.getLogger("bethink.hermes")

__all__ = ["BethinkMemoryProvider", "install", "register"]


class BethinkMemoryProvider(MemoryProvider):  # pyright: ignore[reportUntypedBaseClass]
    """Gives Hermes a memory in one file: no key, no daemon, no network.

    Each turn is kept in the session of Hermes's name and learned from, what is remembered goes with each message, and a
    session that ended becomes the user's memory. What the built-in memory tool adds, replaces and removes is followed.
    Only the primary agent writes.

    On a messaging platform each user has a memory of their own, by platform and id; where a platform names no user, the
    provider stays silent. At the terminal the memory is that of `user` in `bethink.json`, which may also say with
    `users` who is whom: `{"users": {"telegram:123": "ana"}}`.
    """

    def __init__(self) -> None:
        self._lease: Lease | None = None
        self._awaited: AsyncScope | None = None
        self._scope: Scope | None = None
        self._session = ""
        self._writes = False
        self._rewound = False
        self._ended: set[str] = set()  #: sessions; a turn may still be taken in when its session ends

    @property
    def name(self) -> str:
        """Return the name that `memory.provider` selects it by."""
        return NAME

    def is_available(self) -> bool:
        """Tell that it can be used: there is nothing to reach."""
        return True

    # ---- its life ---------------------------------------------------------------------------------------------

    def initialize(self, session_id: str, **kwargs: Any) -> None:
        """Open the memory of the user of a session.

        Raises:
            InvalidError: the platform names no user.
        """
        home = _home(kwargs.get("hermes_home"))
        config = _config(home)
        user = _user(config, str(kwargs.get("platform") or "cli"), kwargs.get("user_id"))
        identity = str(kwargs.get("agent_identity") or "")
        agent = config.get("agent") or (identity if identity not in {"", "default"} else "hermes")
        self._lease = lease_memory(_url(config, home))
        memories = both_faces(self._lease.memory)
        self._scope = memories.blocking.scope(agent=agent, user=user)
        self._awaited = memories.driven.scope(agent=agent, user=user)
        self._session = session_id
        self._writes = kwargs.get("agent_context", "primary") == "primary"
        if self._writes:
            run(consolidate_left(self._awaited, IDLE))

    def shutdown(self) -> None:
        """Let go of the memory."""
        lease, self._lease, self._scope, self._awaited = self._lease, None, None, None
        if lease is not None:
            lease.give_back()

    def system_prompt_block(self) -> str:
        """Say how memories are to be taken; it is the same in every turn, so that prompt caches hold."""
        if self._scope is None:
            return ""
        return f"{INSTRUCTIONS}\n\n<memory_policy>\n{default_policy().strip()}\n</memory_policy>"

    def on_session_switch(
        self,
        new_session_id: str,
        *,
        parent_session_id: str = "",  # noqa: ARG002
        reset: bool = False,  # noqa: ARG002
        rewound: bool = False,
        **kwargs: Any,  # noqa: ARG002
    ) -> None:
        """Go on in another session, or in one whose last turns were undone."""
        self._session = new_session_id
        self._rewound = rewound

    def on_session_end(self, messages: Sequence[Mapping[str, Any]]) -> None:  # noqa: ARG002
        """Make memories of a session that ended."""
        if self._awaited is not None and self._writes and self._session:
            self._ended.add(log_name(self._session))
            run(learn_from(self._awaited, log, log_name(self._session), timedelta(0)))

    # ---- each turn --------------------------------------------------------------------------------------------

    def prefetch(self, query: str, *, session_id: str = "") -> str:
        """Return what is remembered, by what the user just said."""
        if self._awaited is None:
            return ""
        name = session_id or self._session
        session = log_name(name) if name else None
        return run(context_text(self._awaited, log, session=session, query=query, policy=""))

    def sync_turn(
        self,
        user_content: str,
        assistant_content: str,
        *,
        session_id: str = "",
        messages: Sequence[Mapping[str, Any]] | None = None,
    ) -> None:
        """Keep a turn with its calls of tools, and note what is worth keeping."""
        name = session_id or self._session
        awaited = self._awaited
        if awaited is None or self._scope is None or not self._writes or not name:
            return
        session = self._scope.session(log_name(name))
        if self._rewound and messages is not None:
            self._rewound = False
            here = sum(classify(body).kind == "user" for body in session.get_items())
            there = sum(each.get("role") == "user" for each in messages) - 1
            if here > there:
                session.undo(here - there)
        session.append(_turn(user_content, assistant_content, messages or ()))
        run(learn_from(awaited, log, session.session_id, IDLE))
        if session.session_id in self._ended:
            run(learn_from(awaited, log, session.session_id, timedelta(0)))

    def on_memory_write(
        self, action: str, target: str, content: str, metadata: Mapping[str, Any] | None = None
    ) -> None:
        """Follow what the built-in memory tool wrote into MEMORY.md or USER.md."""
        if self._scope is None or not self._writes:
            return
        path = (*MIRRORED, target)
        if action in {"replace", "remove"}:
            old = str((metadata or {}).get("old_text") or "").strip()
            for kept in self._scope.documents.within(path):
                if old and old in kept.value["text"]:
                    self._forget(kept.value["note"])
                    self._scope.documents.delete(path, kept.key)
        if action in {"add", "replace"} and content.strip():
            session = log_name(self._session) if self._session else None
            try:
                note = self._scope.propose(content, session=session, metadata={"hermes": target})
            except (InvalidError, LimitError, RefusedError) as error:
                log.warning("an entry of %s is not mirrored (%s)", target, type(error).__name__)
                return
            self._scope.documents.put(path, digest(content), {"text": content, "note": note.id})

    def _forget(self, note: str) -> None:
        assert self._scope is not None  # noqa: S101 - asked by its caller
        try:
            self._scope.forget(note)
        except NotFoundError:
            return

    # ---- tools ------------------------------------------------------------------------------------------------

    def get_tool_schemas(self) -> list[dict[str, Any]]:
        """Return the tools by which the model uses its memory."""
        return [
            {"name": tool.name, "description": tool.description, "parameters": parameters(tool)}
            for tool in own_tools(("private",))
        ]

    def handle_tool_call(self, tool_name: str, args: Mapping[str, Any], **kwargs: Any) -> str:  # noqa: ARG002
        """Call a tool, and return what it says as JSON."""
        if self._awaited is None:
            return json.dumps({"error": "this memory is not open: its user is not known"})
        session = log_name(self._session) if self._session else None
        answered = run(answer(TOOLS[tool_name], Reach(scope=self._awaited, session=session), args))
        return json.dumps({"result" if answered.done else "error": answered.value})

    # ---- configuration ----------------------------------------------------------------------------------------

    def get_config_schema(self) -> list[dict[str, Any]]:
        """Return what `hermes memory setup` asks for."""
        return [
            {"key": "url", "description": "File or PostgreSQL URL of the memory", "default": "bethink.db"},
            {"key": "user", "description": "Whose memory it is at the terminal", "default": "me"},
        ]

    def save_config(self, values: Mapping[str, Any], hermes_home: str) -> None:
        """Write what was answered into `bethink.json`; what else stands there stays."""
        home = _home(hermes_home)
        text = json.dumps({**_config(home), **values}, indent=2)
        (home / CONFIG).write_text(f"{text}\n", encoding="utf-8")

    def backup_paths(self) -> list[str]:
        """Return the file of the memory where it is not in the home of Hermes."""
        home = _home(None)
        url = _url(_config(home), home)
        outside = "://" not in url and not Path(url).is_relative_to(home)
        return [url] if outside else []


def register(ctx: Any) -> None:
    """Register the provider, as Hermes asks its plugins to."""
    ctx.register_memory_provider(BethinkMemoryProvider())


def install(home: str | Path | None = None) -> Path:
    """Write the plugin into the home of Hermes, and return its folder."""
    folder = _home(home) / "plugins" / NAME
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in FILES.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def _home(given: str | Path | None) -> Path:
    if given:
        return Path(given)
    from hermes_constants import get_hermes_home  # pyright: ignore[reportMissingImports]

    return Path(get_hermes_home())


def _config(home: Path) -> dict[str, Any]:
    """Return what `bethink.json` says.

    Raises:
        InvalidError: it is no JSON object.
    """
    path = home / CONFIG
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except ValueError:
        found = None
    if not isinstance(found, dict):
        raise InvalidError(f"{path} must contain a JSON object; correct it, or delete it", argument=CONFIG)
    return found


def _url(config: Mapping[str, Any], home: Path) -> str:
    url = str(config.get("url") or "bethink.db")
    return url if "://" in url else str(home / Path(url).expanduser())


def _user(config: Mapping[str, Any], platform: str, user_id: object) -> str:
    """Return whose memory a session is about.

    Raises:
        InvalidError: the platform names no user.
    """
    if user_id:
        named = f"{platform}:{user_id}"
        return str((config.get("users") or {}).get(named, named))
    if platform in LOCAL:
        return str(config.get("user") or "me")
    raise InvalidError(f"whose memory is it? {platform} names no user of this session", argument="user_id")


def _turn(message: str, answered: str, messages: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return a turn as items: what the user said, the calls of tools and their results, and the answer."""
    begins = [place for place, each in enumerate(messages) if each.get("role") == "user"]
    behind = messages[begins[-1] + 1 :] if begins else ()
    kept = [each for each in behind if each.get("role") == "tool" or each.get("tool_calls")]
    plain = [{name: value for name, value in each.items() if not name.startswith("_")} for each in kept]
    return [
        {"role": "user", "content": message},
        *json.loads(json.dumps(plain, default=repr)),
        {"role": "assistant", "content": answered},
    ]


if __name__ == "__main__":
    print(f"{install(*sys.argv[1:])} is written: now `hermes config set memory.provider {NAME}`")  # noqa: T201
