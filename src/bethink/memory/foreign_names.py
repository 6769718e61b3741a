"""What other memory libraries call a verb or an argument, so that an error can say what it is called here."""

from __future__ import annotations

import functools
from inspect import iscoroutinefunction
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable

#: Names that a scope, a session or a memory does not have, and what to write instead.
NAMES: Final = {
    "add": "remember(text) keeps a note; session(name).append(messages) keeps a conversation",
    "add_memory": "remember(text) keeps a note",
    "save": "remember(text) keeps a note",
    "store": "remember(text) keeps a note; documents.put(path, key, value) keeps a JSON value",
    "put": "remember(text, key=…) keeps a note; documents.put(path, key, value) keeps a JSON value",
    "search": "recall(query) searches notes and conversations",
    "query": "recall(query) searches notes and conversations",
    "retrieve": "recall(query) searches notes and conversations",
    "get_all": "notes() lists notes",
    "get_memories": "notes() lists notes",
    "list": "notes() lists notes, sessions() lists conversations",
    "update": "revise(id, text) changes a note",
    "edit": "revise(id, text) changes a note",
    "delete": "forget(id) hides a note, erase(note=id) destroys it",
    "remove": "forget(id) hides a note, erase(note=id) destroys it",
    "delete_all": "erase() destroys everything of a scope, with a receipt",
    "reset": "erase() destroys everything of a scope, with a receipt",
    "chat": "session(name) keeps a conversation; context(query=…) is what goes into the prompt",
    "explain": "recall(query, explain=True) explains hits, why_not(query, id) what was not found",
    "add_messages": "append(messages) adds to a session",
    "get_messages": "items() reads a session, window() what a model is shown of it",
    "messages": "items() reads a session, window() what a model is shown of it",
    "history_of": "history(id) lists the versions of a note",
    "from_config": "Memory(url) opens a store: a path, ':memory:' or 'postgresql://…'",
    "thread": "session(name) keeps a conversation",
    "user": "scope(user=…) is the memory of one user",
}

_WHO: Final = "choose whose memory it is once, with memory.scope(agent=…, user=…)"
#: Arguments that no verb has, and what to write instead.
ARGUMENTS: Final = {
    "user_id": _WHO,
    "agent_id": _WHO,
    "app_id": _WHO,
    "run_id": "a conversation is scope.session(name); recall takes session=…",
    "thread_id": "a conversation is scope.session(name); recall takes session=…",
    "session_id": "a conversation is scope.session(name); recall takes session=…",
    "namespace": _WHO,
    "top_k": "use limit=…",
    "k": "use limit=…",
    "n_results": "use limit=…",
    "num_results": "use limit=…",
    "page_size": "use limit=…, and cursor=page.next for the next page",
    "threshold": "recall(query).relevance says how likely it is that the hits contain an answer",
    "filters": "where={…} filters by metadata, category=… by category",
    "filter": "where={…} filters by metadata, category=… by category",
    "messages": "session(name).append(messages) keeps a conversation",
    "max_tokens": "use tokens=…",
    "token_limit": "use tokens=…",
    "infer": "remember stores what it is given; scope.distill(session) learns from a conversation",
    "tags": "use keywords=[…]",
    "memory_id": "the id is the first argument",
    "ttl": "use expires_at=…",
    "path": "the address is the first argument: Memory('memory.db')",
    "db_path": "the address is the first argument: Memory('memory.db')",
    "config": "options are arguments: Memory(url, embedder=…, chat=…, settings=…)",
}


class Signposts:
    """A handle that tells what a wrong name or argument is called here."""

    __slots__ = ()

    if not TYPE_CHECKING:  # a type checker is to see the names that are there, and no others

        def __getattr__(self, name: str) -> Any:
            """Say what to write instead of a name that other libraries have."""
            problem = f"{type(self).__name__!r} object has no attribute {name!r}"
            hint = NAMES.get(name)
            raise AttributeError(f"{problem}; {hint}" if hint else problem, name=name, obj=self)

        def __init_subclass__(cls, **kwargs: Any) -> None:
            super().__init_subclass__(**kwargs)
            for name, verb in vars(cls).copy().items():
                if callable(verb) and not name.startswith("_") and not isinstance(verb, type):
                    setattr(cls, name, _signposted(verb))


def _signposted(verb: Callable[..., Any]) -> Callable[..., Any]:
    """Return a verb that says, of an argument that it lacks, what it is called here."""

    @functools.wraps(verb)
    def called(*args: Any, **kwargs: Any) -> Any:
        try:
            return verb(*args, **kwargs)
        except TypeError as error:
            hint = _hint(verb, error)
            if hint is None:
                raise
            raise TypeError(f"{error}; {hint}") from None

    @functools.wraps(verb)
    async def awaited(*args: Any, **kwargs: Any) -> Any:
        try:
            begun = verb(*args, **kwargs)
        except TypeError as error:  # of the arguments: nothing of the verb was run
            hint = _hint(verb, error)
            raise TypeError(f"{error}; {hint}" if hint else str(error)) from None
        return await begun

    return awaited if iscoroutinefunction(verb) else called


def _hint(verb: Callable[..., Any], error: TypeError) -> str | None:
    """Return what an unexpected argument is called here; None where the error is another one."""
    problem = str(error)
    marker = " got an unexpected keyword argument '"
    if not problem.startswith(verb.__qualname__ + "()") or marker not in problem:
        return None
    return ARGUMENTS.get(problem.partition(marker)[2].partition("'")[0])
