"""What a command works with: the memory that the shared options name, and where its answer goes."""

from __future__ import annotations

import json
import sys
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, TypeVar

from bethink.errors import InvalidError, NotFoundError, StorageError
from bethink.plain import plain
from bethink.settings import Settings, database, model_key
from bethink.settings import embedder as embedder_of_environment
from bethink.storage.opening import sqlite_path

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Generator, Sequence
    from types import TracebackType

    from rich.console import Console, RenderableType

    from bethink import AsyncMemory, Memory
    from bethink.sync import Scope

T = TypeVar("T")

USUAL_FILE = "memory.db"


def _usual() -> str:
    """Return the file of this folder; where there is none, that which coding agents of this user share, if any."""
    from bethink.coding import options
    from bethink.coding.directories import of_machine

    if Path(USUAL_FILE).exists():
        return USUAL_FILE
    places = of_machine()
    shared = places.database(options.read(places.options).db)
    path = sqlite_path(shared)
    return shared if path is None or Path(path).is_file() else USUAL_FILE


class CommandContext:
    """The memory is opened when it is first used, and closed with the command."""

    def __init__(
        self,
        *,
        db: str | None,
        tenant: str,
        agent: str,
        user: str | None,
        embedder: str | None,
        json: bool,
        makes: bool = False,
    ) -> None:
        self.named = db  #: by the command line itself
        self.db = db or database() or _usual()
        self.tenant = tenant
        self.agent = agent
        self.user = user
        self.embedder_name = embedder or embedder_of_environment()
        self.json = json
        self._makes = makes
        self._chat: tuple[str, str | None] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if "memory" in self.__dict__:
            self.memory.close()

    # ---- what is asked ----------------------------------------------------------------------------------------

    @cached_property
    def settings(self) -> Settings:
        """The settings of the environment."""
        return Settings.from_environment()

    def asking(self, model: str | None, url: str | None) -> Self:
        """Let a chat model distill and consolidate; the rules stand in for it where it fails.

        Raises:
            InvalidError: an endpoint is named, and no model.
        """
        if url is not None and model is None:
            raise InvalidError("name the model of this endpoint: --model NAME", argument="model")
        self._chat = None if model is None else (model, url)
        return self

    @cached_property
    def kept_by(self) -> dict[str, Any]:
        """The settings, the embedder and the chat model that every memory of this command has, as its arguments."""
        found: dict[str, Any] = {"settings": self.settings}
        if self.embedder_name is not None:
            from bethink.models.embedder_by_name import embedder_named

            found["embedder"] = embedder_named(self.embedder_name)
        if self._chat is not None:
            from bethink.models.openai_chat import OpenAIChat

            model, url = self._chat
            found["chat"] = OpenAIChat(model, base_url=url, api_key=model_key(url))
        return found

    @cached_property
    def memory(self) -> Memory:
        """The memory, opened."""
        from bethink import Memory

        self.check_there()
        return Memory(self.db, tenant=self.tenant, **self.kept_by)

    @property
    def scope(self) -> Scope:
        """The scope that `--agent` and `--user` name."""
        return self.memory.scope(agent=self.agent, user=self.user)

    def awaited(self, work: Callable[[AsyncMemory], Coroutine[Any, Any, T]]) -> T:
        """Run work that wants many things under way at once, on a memory of its own."""
        import asyncio

        from bethink import AsyncMemory

        async def run() -> T:
            async with AsyncMemory(self.db, tenant=self.tenant, **self.kept_by) as memory:
                return await work(memory)

        self.check_there()
        return asyncio.run(run())

    def write_nothing(self) -> None:
        """Work on a memory that is gone afterwards, where there is none yet: to look begins no file."""
        path = sqlite_path(self.db)
        if path is not None and not Path(str(path)).exists():
            self.db = ":memory:"

    def check_there(self) -> None:
        """Make sure that a command that only reads does not leave an empty file where a path was mistyped.

        Raises:
            NotFoundError: there is no such file.
        """
        path = sqlite_path(self.db)
        if not self._makes and path not in {None, ":memory:"} and not Path(str(path)).exists():
            raise NotFoundError(
                f"no memory found at {path}; `bethink remember` and `bethink ingest` create one, --db or "
                "BETHINK_DB names another",
                kind="database",
                id=str(path),
            )

    # ---- what is answered -------------------------------------------------------------------------------------

    @cached_property
    def console(self) -> Console:
        """Where answers go."""
        from rich.console import Console

        return Console(highlight=False, markup=False, emoji=False)

    def show(self, answer: T, view: Callable[[T], RenderableType | Sequence[RenderableType]]) -> None:
        """Print an answer: as JSON where that was asked for, else as its view; a text is never wrapped."""
        if self.json:
            sys.stdout.write(json.dumps(plain(answer)) + "\n")
            return
        shown = view(answer)
        for part in shown if isinstance(shown, list | tuple) else [shown]:
            self.console.print(part, soft_wrap=isinstance(part, str))

    def write(self, answer: Any, path: Path | None = None) -> None:
        """Write an answer that is JSON in any case: whole to a file, or else printed."""
        text = json.dumps(answer, indent=None if self.json else 2)
        if path is None:
            sys.stdout.write(text + "\n")
            return
        beside = path.with_name(f".{path.name}.part")
        try:
            beside.write_text(text + "\n", encoding="utf-8")
            beside.replace(path)
        except OSError as error:
            raise StorageError(
                f"cannot write {path}: {error.strerror}", reason=type(error).__name__, outcome="none"
            ) from error
        self.show({"written": str(path)}, lambda done: f"written to {done['written']}")

    @property
    def watched(self) -> bool:
        """Whether somebody looks on who wants to see progress."""
        return not self.json and sys.stderr.isatty()

    @contextmanager
    def progress(self, doing: str, total: int | None) -> Generator[Callable[[int], None]]:
        """Show how far long work has come; call what is given with how much more is done."""
        if not self.watched:
            yield lambda _: None
            return
        from rich.console import Console
        from rich.progress import Progress

        with Progress(console=Console(stderr=True), transient=True) as bar:
            task = bar.add_task(doing, total=total)
            yield lambda more: bar.advance(task, more)
