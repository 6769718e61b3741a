"""Names that other memory libraries use, so that an error can say what each is called here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

_OPEN: Final = "from bethink import Memory; Memory('memory.db') opens a store"
_AWAITED: Final = "from bethink import AsyncMemory; its verbs are awaited"
_WHO: Final = "memory.scope(agent=…, user=…) is the memory of one user"
#: Names that the package does not have, and what to write instead.
PACKAGE: Final[Mapping[str, str]] = {
    **dict.fromkeys(
        (
            "Bethink",
            "BethinkClient",
            "Client",
            "Mem0",
            "MemoryClient",
            "MemoryManager",
            "MemoryStore",
            "Store",
        ),
        _OPEN,
    ),
    **dict.fromkeys(("connect", "open", "create", "init", "load"), _OPEN),
    **dict.fromkeys(
        ("AsyncBethink", "AsyncBethinkClient", "AsyncClient", "AsyncMemoryClient", "AsyncStore"), _AWAITED
    ),
    **dict.fromkeys(("Agent", "User", "UserMemory", "AgentMemory"), _WHO),
    **dict.fromkeys(
        ("Chat", "ChatHistory", "Conversation", "History", "Message", "Thread"),
        "memory.scope(user=…).session(name) keeps a conversation",
    ),
    **dict.fromkeys(("Config", "MemoryConfig", "Options"), "from bethink import Settings"),
    **dict.fromkeys(("MemoryItem", "Fact", "Entry"), "from bethink import Note"),
    **dict.fromkeys(("Result", "SearchResult", "Match"), "from bethink import Hit"),
    **dict.fromkeys(("Error", "BethinkException"), "from bethink import BethinkError"),
}

_RECALL: Final = "recall(query) searches notes and conversations"
_NOTES: Final = "notes() lists notes"
_KEEP: Final = "remember(text) keeps a note"
_ERASE: Final = "erase() destroys everything of a scope, with a receipt"
_FORGET: Final = "forget(id) hides a note, erase(note=id) destroys it"
_TALK: Final = "session(name) keeps a conversation"
#: Names that a scope does not have, and what to write instead.
SCOPE: Final[Mapping[str, str]] = {
    "add": f"{_KEEP}; session(name).append(messages) keeps a conversation",
    **dict.fromkeys(
        ("add_memory", "save", "insert", "create", "memorize", "learn", "upsert", "write"), _KEEP
    ),
    **dict.fromkeys(
        ("put", "set", "store"),
        "remember(text, key=…) keeps a note; documents.put(path, key, value) keeps a JSON value",
    ),
    **dict.fromkeys(
        ("search", "query", "retrieve", "find", "ask", "search_memory", "similarity_search"), _RECALL
    ),
    **dict.fromkeys(("get_all", "get_memories", "memories", "all", "list_notes", "list_memories"), _NOTES),
    "list": "notes() lists notes, sessions() lists conversations",
    "items": "notes() lists notes, session(name).items() reads a conversation",
    **dict.fromkeys(("note", "read"), "get(key_or_id) returns a note"),
    **dict.fromkeys(("update", "edit", "update_memory"), "revise(id, text) changes a note"),
    **dict.fromkeys(("delete", "remove", "delete_note", "delete_memory"), _FORGET),
    **dict.fromkeys(("delete_all", "reset", "clear"), _ERASE),
    "chat": f"{_TALK}; context(query=…) is what goes into the prompt",
    **dict.fromkeys(("prompt", "get_context"), "context(query=…) is what goes into the prompt"),
    "explain": "recall(query, explain=True) explains hits, why_not(query, id) what was not found",
    **dict.fromkeys(("add_messages", "add_message"), "session(name).append(messages) keeps a conversation"),
    **dict.fromkeys(
        ("messages", "get_messages"),
        "session(name).items() reads a conversation, session(name).window() what a model is shown of it",
    ),
    "history_of": "history(id) lists the versions of a note",
    **dict.fromkeys(("thread", "conversation"), _TALK),
    **dict.fromkeys(("threads", "conversations"), "sessions() lists conversations"),
    **dict.fromkeys(("summarize", "summary", "reflect"), "consolidate() merges what conversations taught"),
}
#: Names that a session does not have, and what to write instead.
SESSION: Final[Mapping[str, str]] = {
    **dict.fromkeys(
        ("add", "add_message", "add_messages", "extend", "put", "save", "send", "write"),
        "append([{'role': 'user', 'content': '…'}]) adds messages",
    ),
    "add_user_message": "append([{'role': 'user', 'content': '…'}]) adds a message",
    "add_ai_message": "append([{'role': 'assistant', 'content': '…'}]) adds a message",
    "add_assistant_message": "append([{'role': 'assistant', 'content': '…'}]) adds a message",
    **dict.fromkeys(
        ("messages", "get_messages", "history", "get_history", "load", "read", "get", "get_all"),
        "items() reads a session, window() what a model is shown of it",
    ),
    **dict.fromkeys(("id", "name", "key"), "session_id is its name"),
    **dict.fromkeys(("title", "metadata", "created_at", "updated_at", "count"), "info() returns it"),
    **dict.fromkeys(("clear_all", "reset"), "clear() removes every item, delete() the session"),
    "remove": "undo(n) removes the newest turns, delete() the session",
    **dict.fromkeys(
        ("query", "find"), "search(query) searches this session, session.scope.recall(query) everything"
    ),
    **dict.fromkeys(
        ("close", "end", "commit", "flush"),
        "what was appended is stored; session.scope.consolidate(session=session.session_id) learns from it",
    ),
    **dict.fromkeys(
        ("summary", "summarize"), "session.scope.consolidate(session=session.session_id) learns from it"
    ),
    "context": "session.scope.context(session=session.session_id) is what goes into the prompt",
    "consolidate": "session.scope.consolidate(session=session.session_id) learns from it",
    "distill": "session.scope.distill(session.session_id) learns from it",
    "recall": "search(query) searches this session, session.scope.recall(query) everything",
    "notes": "session.scope.notes(session=session.session_id) lists its notes",
}
#: Names that a memory does not have and a scope neither, and what to write instead.
MEMORY: Final[Mapping[str, str]] = {
    **dict.fromkeys(
        ("users", "agents", "list_users", "get_users", "list_agents", "namespaces", "list_scopes"),
        "scopes() lists the scopes that there are, each with its agent and user",
    ),
    "user": _WHO,
    "agent": _WHO,
    **dict.fromkeys(("db", "path", "database", "filename"), "url is the address that it was opened with"),
    **dict.fromkeys(("commit", "flush", "sync"), "every verb that returned is stored"),
    **dict.fromkeys(("connect", "open", "init", "setup"), "it is open; Memory(url) opens another one"),
    "from_config": "Memory(url) opens a store: a path, ':memory:' or 'postgresql://…'",
    "create_pool": "pools.create(name, owner=…) registers a pool",
    "create_team": "teams.create(name, owner=…) registers a team",
    "with_principal": "acting_as(Principal(id)) narrows it to what somebody may do",
}
#: Names that the profile does not have, and what to write instead.
PROFILE: Final[Mapping[str, str]] = {
    **dict.fromkeys(("set", "put", "add", "patch"), "update({name: value}) sets fields"),
    **dict.fromkeys(("fields", "values", "to_dict", "items", "keys"), "get().fields are its fields"),
    **dict.fromkeys(("delete", "remove", "clear"), "update({name: None}) removes a field"),
    "version": "get().version counts its versions",
}
#: Names that the records do not have, and what to write instead.
RECORDS: Final[Mapping[str, str]] = {
    **dict.fromkeys(("list", "all", "get", "find", "newest"), "latest(kind) returns the newest of a kind"),
    **dict.fromkeys(("put", "append", "save", "create"), "add(kind, value, at=…) keeps a record"),
}

#: Arguments by what they are called here, and what other libraries call them.
ARGUMENTS: Final[Mapping[str, frozenset[str]]] = {
    name: frozenset(others.split())
    for name, others in {
        "limit": "top_k k n size count num num_results n_results max_results page_size per_page",
        "messages": "limit n k count last max_messages num_messages window_size",
        "tokens": "max_tokens token_limit token_budget budget",
        "where": "filters filter metadata_filter",
        "keywords": "tags labels",
        "category": "type kind memory_type categories",
        "expires_at": "ttl expires expiration expiration_date",
        "valid_from": "created_at timestamp date at",
        "metadata": "meta extra attributes",
        "session": "session_id thread_id run_id conversation_id thread conversation",
        "user": "user_id username uid",
        "agent": "agent_id agent_name",
        "key": "id name note_id",
        "cursor": "offset page after next",
        "embedder": "embedding embeddings embedding_model embedder_model",
        "chat": "llm model chat_model llm_model client",
        "embedding": "vector",
    }.items()
}
#: First arguments, which are passed without a name, and what other libraries call them.
FIRST: Final[Mapping[str, frozenset[str]]] = {
    name: frozenset(others.split())
    for name, others in {
        "query": "q text question prompt search search_query query_text message",
        "text": "content message memory messages fact value data note input",
        "items": "messages message item content",
        "id": "note_id memory_id key key_or_id note",
        "key_or_id": "id key note_id memory_id name note",
        "session": "session_id thread_id run_id conversation_id name",
        "name": "session session_id thread_id id",
        "fields": "data profile values",
        "url": "path db db_path dsn database database_url file filename connection connection_string uri address name",
    }.items()
}
#: Arguments that are said otherwise.
ELSEWHERE: Final[Mapping[str, str]] = {
    **dict.fromkeys(
        ("user_id", "agent_id", "app_id", "namespace", "user", "agent", "userid"),
        "choose whose memory it is once, with memory.scope(agent=…, user=…)",
    ),
    **dict.fromkeys(
        ("run_id", "thread_id", "session_id", "session"),
        "a conversation is scope.session(name); recall and context take session=…",
    ),
    "threshold": "recall(query).relevance is the probability that the hits contain an answer",
    "min_score": "recall(query).relevance is the probability that the hits contain an answer",
    "infer": "remember stores the text as it is; scope.distill(session) learns from a conversation",
    "messages": "session(name).append(messages) keeps a conversation",
    "api_key": "a memory needs no key; chat=… takes a model that has its own",
    "config": "options are arguments: Memory(url, embedder=…, chat=…, settings=…)",
}
#: Arguments that a verb cannot do without, and where they come from.
MISSING: Final[Mapping[str, str]] = {
    "url": "Memory('memory.db') opens a file, Memory(':memory:') a store that is gone when it is closed",
    "key_or_id": "notes() lists notes with their ids",
    "id": "notes() lists notes with their ids",
    "query": "notes() lists notes without a query",
}

#: Fields by what they are called here, and what other libraries call them.
FIELDS: Final[Mapping[str, frozenset[str]]] = {
    name: frozenset(others.split())
    for name, others in {
        "text": "content memory body value message page_content data prompt fact markdown",
        "body": "content text message data json",
        "entries": "items results data notes hits memories list",
        "hits": "items results data notes entries memories list",
        "keywords": "tags labels",
        "category": "type kind memory_type categories",
        "created_at": "created timestamp time date at",
        "updated_at": "updated modified modified_at timestamp",
        "at": "created_at created timestamp time date",
        "score": "similarity distance rank",
        "id": "note_id memory_id plan_id session_id uuid",
        "next": "cursor next_cursor next_page",
        "total": "count total_count",
        "fields": "data values value",
        "changes": "diff actions operations",
        "tokens": "token_count",
        "seq": "index position",
    }.items()
}
#: What a note has, and a hit has through its note.
_OF_NOTE: Final = frozenset(
    {
        "id",
        "key",
        "category",
        "keywords",
        "session",
        "status",
        "source",
        "sources",
        "confidence",
        "created_at",
    }
    | {"updated_at", "valid_from", "valid_to", "expires_at", "revision", "metadata"}
)
_TO_DICT: Final = frozenset({"model_dump", "dict", "as_dict", "asdict"})
_TO_JSON: Final = frozenset({"json", "model_dump_json", "dumps"})
_WHOSE: Final = frozenset({"user", "user_id", "agent", "agent_id", "namespace", "scope"})


def field_hint(name: str, fields: Collection[str]) -> str | None:
    """Return what to write instead of a field that a value does not have; None where nothing is like it."""
    if name in _TO_DICT:
        return "use to_dict()"
    if name in _TO_JSON:
        return "use to_json()"
    same = next((each for each, others in FIELDS.items() if each in fields and name in others), None)
    if same is not None:
        return f"use .{same}"
    if "note" in fields and name in _OF_NOTE:
        return f"use .note.{name}, where it is a note" if "item" in fields else f"use .note.{name}"
    return "the scope that it came from says whose it is" if name in _WHOSE else None


def argument_hint(name: str, first: Sequence[str], others: Sequence[str]) -> str | None:
    """Return what to write instead of an argument that a verb does not take; None where nothing is like it.

    `first` are the arguments that it takes by position, `others` those that it takes by name alone.
    """
    if first and name in FIRST.get(first[0], ()):
        if first[0] == "url":
            return "the address is the first argument: Memory('memory.db')"
        return f"{first[0]} is the first argument, and needs no name"
    same = next((each for each in (*others, *first) if name in ARGUMENTS.get(each, ())), None)
    if same is not None:
        return f"use {same}=…"
    if name in ELSEWHERE:
        return ELSEWHERE[name]
    from difflib import get_close_matches

    close = get_close_matches(name, [*first, *others], n=1)
    return f"did you mean {close[0]}=…?" if close else None
