"""Small exports in the forms of other systems."""

from __future__ import annotations


def node(id_, parent, children, role=None, text=None, **more):
    content = more.pop("content", {"content_type": "text", "parts": [text]})
    message = None if role is None else {
        "id": id_, "author": {"role": role}, "content": content, "create_time": more.pop("at", None),
        "recipient": "all", "weight": 1.0, "metadata": {}, **more,
    }  # fmt: skip
    return {"id": id_, "parent": parent, "children": children, "message": message}


def chatgpt(id_="c1", title="Tea"):
    nodes = [
        node("root", None, ["h"]),
        node(
            "h",
            "root",
            ["u1", "u2"],
            "user",
            at=None,
            content={"content_type": "user_editable_context", "user_profile": "I am a gardener in Porto."},
            metadata={"is_visually_hidden_from_conversation": True},
        ),
        node("u1", "h", ["a1"], "user", "I like coffee best.", at=1767225601.0),
        node("a1", "u1", [], "assistant", "Coffee it is.", at=1767225602.0),
        node(
            "u2",
            "h",
            ["t1"],
            "user",
            at=1767225620.0,
            content={
                "content_type": "multimodal_text",
                "parts": [
                    {"content_type": "image_asset_pointer", "asset_pointer": "file-service://x"},
                    "I like jasmine tea best.",
                ],
            },
        ),
        node("t1", "u2", ["t2"], "assistant", "search('tea')", at=1767225621.0, recipient="browser"),
        node("t2", "t1", ["b"], "tool", "Results of the search", at=1767225621.5),
        node("b", "t2", ["a2"], "assistant", "User likes tea", at=1767225621.7, recipient="bio"),
        node("a2", "b", [], "assistant", "Noted, jasmine tea.", at=1767225622.0),
    ]
    return {
        "id": id_,
        "conversation_id": id_,
        "title": title,
        "create_time": 1767225600.5,
        "current_node": "a2",
        "mapping": {each["id"]: each for each in nodes},
    }


ROOT = "00000000-0000-4000-8000-000000000000"


def claude_message(uuid, sender, text, at, parent=None, **more):
    return {
        "uuid": uuid,
        "sender": sender,
        "text": text,
        "content": [{"type": "text", "text": text}],
        "created_at": at,
        "updated_at": at,
        "attachments": [],
        "files": [],
        **({"parent_message_uuid": parent} if parent else {}),
        **more,
    }


def claude(uuid="c1"):
    return {
        "uuid": uuid,
        "name": "Bikes",
        "created_at": "2026-03-01T09:00:00.000000Z",
        "account": {"uuid": "acc"},
        "chat_messages": [
            claude_message(
                "m1",
                "human",
                "I ride to work every day.",
                "2026-03-01T09:00:01.000000Z",
                ROOT,
                attachments=[{"file_name": "a.txt", "extracted_content": "a third party's text"}],
            ),
            claude_message("m2", "assistant", "An old answer.", "2026-03-01T09:00:05.000000Z", "m1"),
            claude_message("m3", "assistant", "A newer answer.", "2026-03-01T09:01:05.000000Z", "m1"),
        ],
    }


MEMORIES = {
    "conversations_memory": "## Work\n- Rides to work daily.\n- Writes Rust.\n\n## Home\nLives in Ghent with two cats.",
    "memory_files": [
        {"path": "/profile.md", "content": "- Allergic to hazelnuts", "updated_at": "2026-03-02T00:00:00Z"}
    ],
    "account_uuid": "acc",
}
PROJECT = {
    "uuid": "p1",
    "name": "Garden",
    "description": "",
    "prompt_template": "Answer in Dutch.",
    "created_at": "2026-02-02T00:00:00Z",
    "docs": [{"uuid": "d1", "filename": "a.md", "content": "text"}],
}


def claude_line(type_, uuid, parent, content, **more):
    return {
        "type": type_,
        "uuid": uuid,
        "parentUuid": parent,
        "isSidechain": False,
        "sessionId": "s1",
        "cwd": "/w",
        "timestamp": "2026-08-10T12:00:00.000Z",
        "message": {"role": type_, "content": content},
        **more,
    }


CLAUDE_CODE = [
    {"type": "summary", "summary": "About pnpm", "leafUuid": "a2"},
    claude_line("user", "u1", None, "From now on I always use pnpm instead of npm."),
    claude_line(
        "assistant",
        "a1",
        "u1",
        [{"type": "tool_use", "id": "t1", "name": "Bash", "input": {"command": "pnpm i"}}],
    ),
    claude_line("user", "u2", "a1", [{"type": "tool_result", "tool_use_id": "t1", "content": "done"}]),
    claude_line("assistant", "a2", "u2", [{"type": "text", "text": "Installed."}]),
    claude_line("user", "x1", "a2", "I live on the moon.", isSidechain=True),
    {"type": "system", "subtype": "compact_boundary", "uuid": "b1", "parentUuid": None, "sessionId": "s1"},
    claude_line("user", "u3", "b1", "I live on the moon, says the summary.", isCompactSummary=True),
    claude_line("user", "u1", None, "From now on I always use pnpm instead of npm."),
]


def codex_line(type_, payload, at="2026-08-10T20:05:51.000Z"):
    return {"timestamp": at, "type": type_, "payload": payload}


def codex_said(role, text):
    kind = "input_text" if role == "user" else "output_text"
    return {"type": "message", "role": role, "content": [{"type": kind, "text": text}]}


CODEX = [
    codex_line("session_meta", {"id": "s9", "cwd": "/w"}),
    codex_line("response_item", codex_said("user", "<environment_context>cwd</environment_context>")),
    codex_line("event_msg", {"type": "user_message", "message": "Always run make test before you commit."}),
    codex_line("response_item", codex_said("user", "Always run make test before you commit.")),
    codex_line("response_item", {"type": "reasoning", "summary": []}),
    codex_line(
        "response_item", {"type": "function_call", "name": "shell", "arguments": "{}", "call_id": "c1"}
    ),
    codex_line("response_item", {"type": "function_call_output", "call_id": "c1", "output": "ok"}),
    codex_line("response_item", codex_said("assistant", "Done.")),
]

GEMINI_CLI = [
    {"sessionId": "g", "projectHash": "h", "startTime": "2026-08-01T10:00:00.000Z", "kind": "main"},
    {
        "id": "g1",
        "timestamp": "2026-08-01T10:00:00.000Z",
        "type": "user",
        "content": [{"text": "Use tabs please."}],
    },
    {
        "id": "g2",
        "timestamp": "2026-08-01T10:00:02.000Z",
        "type": "gemini",
        "content": "Tabs it is.",
        "toolCalls": [],
    },
    {
        "id": "g3",
        "timestamp": "2026-08-01T10:01:00.000Z",
        "type": "user",
        "content": [{"text": "No, spaces."}],
    },
    {"$rewindTo": "g3"},
    {"id": "g4", "timestamp": "2026-08-01T10:02:00.000Z", "type": "info", "content": "saved"},
]

TAKEOUT = [
    {
        "header": "Gemini Apps",
        "title": "Prompted And for two days?",
        "time": "2026-02-02T07:30:02.806Z",
        "products": ["Gemini Apps"],
        "safeHtmlItem": [{"html": "<p>Two days &amp; nights.</p>"}],
    },
    {
        "header": "Gemini Apps",
        "title": "Prompted Plan a trip to Bruges",
        "time": "2026-02-02T07:24:02.806Z",
        "products": ["Gemini Apps"],
        "safeHtmlItem": [{"html": "<p>Day 1</p><p>Belfry</p>"}, {"html": "<p>Other</p>"}],
    },
    {
        "header": "Gemini Apps",
        "title": "Used an Assistant feature",
        "time": "2026-02-01T07:24:02.806Z",
        "products": ["Gemini Apps"],
    },
]

MEM0 = {
    "results": [
        {
            "id": "9b1c",
            "memory": "Prefers window seats",
            "hash": "d4",
            "metadata": {"topic": "travel"},
            "created_at": "2026-03-02T10:00:00+00:00",
            "updated_at": None,
            "user_id": "ana",
        },
        {
            "id": "9b1d",
            "memory": "Is allergic to walnuts",
            "hash": "d5",
            "created_at": "2026-03-03T10:00:00+00:00",
            "user_id": "ana",
            "categories": ["health"],
        },
        {
            "id": "9b1e",
            "memory": "The api key is sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGH",
            "hash": "d6",
            "created_at": "2026-03-03T10:00:00+00:00",
            "user_id": "bob",
        },
    ]
}
MEM0_ROWS = [
    {
        "id": "q1",
        "payload": {
            "data": "Plays the cello",
            "hash": "h",
            "user_id": "ana",
            "created_at": "2026-01-01T00:00:00+00:00",
        },
    },
    {"id": "q2", "payload": {"data": "cello", "linked_memory_ids": ["q1"]}},
]

LETTA = {
    "agents": [
        {
            "id": "agent-0",
            "name": "sam",
            "block_ids": ["block-0"],
            "messages": [
                {"id": "message-0", "role": "system", "content": "You are sam."},
                {
                    "id": "message-1",
                    "role": "user",
                    "content": [{"type": "text", "text": "I moved to Porto last week."}],
                    "created_at": "2026-05-01T00:00:00+00:00",
                },
                {
                    "id": "message-2",
                    "role": "assistant",
                    "content": "",
                    "created_at": "2026-05-01T00:00:01+00:00",
                    "tool_calls": [
                        {
                            "id": "c",
                            "function": {"name": "send_message", "arguments": '{"message": "How lovely!"}'},
                        }
                    ],
                },
            ],
        }
    ],
    "blocks": [{"id": "block-0", "label": "human", "value": "Lives in Porto", "limit": 5000}],
    "groups": [],
    "files": [],
    "sources": [],
    "tools": [{"name": "x"}],
    "mcp_servers": [],
    "metadata": {},
}
LETTA_OLD = {
    "agent_type": "memgpt_agent",
    "name": "sam",
    "system": "x",
    "version": "0.7",
    "core_memory": [
        {
            "label": "human",
            "value": "Collects stamps",
            "limit": 5000,
            "created_at": "2025-05-01T00:00:00+00:00",
        }
    ],
    "messages": [
        {
            "role": "user",
            "content": [{"type": "text", "text": '{"type": "user_message", "message": "I collect stamps."}'}],
            "created_at": "2025-05-01T00:00:00+00:00",
        }
    ],
    "tools": [],
    "tool_exec_environment_variables": [{"key": "TOKEN", "value": "hunter2"}],
}

GRAPHITI = [
    {
        "uuid": "e1",
        "group_id": "ana",
        "name": "LIVES_IN",
        "fact": "Ana lives in Porto",
        "source_node_uuid": "n1",
        "target_node_uuid": "n2",
        "created_at": "2026-05-02T00:00:00Z",
        "valid_at": "2026-05-01T00:00:00Z",
        "invalid_at": None,
        "expired_at": None,
    },
    {
        "uuid": "e0",
        "group_id": "ana",
        "name": "LIVES_IN",
        "fact": "Ana lives in Lisbon",
        "source_node_uuid": "n1",
        "target_node_uuid": "n3",
        "created_at": "2025-05-02T00:00:00Z",
        "valid_at": "2025-05-01T00:00:00Z",
        "invalid_at": "2026-05-01T00:00:00Z",
    },
]
ZEP = [
    {
        "uuid": "z1",
        "session_id": "zs",
        "role": "Ana",
        "role_type": "user",
        "content": "I moved to Porto.",
        "created_at": "2026-05-02T00:00:00Z",
        "deleted_at": None,
    },
    {
        "uuid": "z2",
        "session_id": "zs",
        "role": "bot",
        "role_type": "assistant",
        "content": "Nice.",
        "created_at": "2026-05-02T00:00:01Z",
    },
    {
        "uuid": "z3",
        "session_id": "zs",
        "role": "Ana",
        "role_type": "user",
        "content": "gone",
        "deleted_at": "2026-05-02T00:00:01Z",
    },
]
LANGGRAPH = [
    {
        "namespace": ["memories", "ana"],
        "key": "k1",
        "value": {"kind": "Memory", "content": {"content": "Allergic to nuts"}},
        "created_at": "2026-02-02T00:00:00+00:00",
        "updated_at": "2026-02-02T00:00:00+00:00",
    },
    {
        "namespace": ["memories", "ana"],
        "key": "k2",
        "value": {"content": "Sings in a choir"},
        "created_at": "2026-02-02T00:00:00+00:00",
        "updated_at": "2026-02-02T00:00:00+00:00",
    },
    {"namespace": ["state"], "key": "k3", "value": {"step": 3}},
]
MCP = [
    {
        "type": "entity",
        "name": "Ana",
        "entityType": "person",
        "observations": ["Vegetarian", "Ana plays chess"],
    },
    {"type": "relation", "from": "Ana", "to": "Acme", "relationType": "works_at"},
]
NOTE = """---
title: Ana
created: 2026-05-01
tags: [people]
---
- [diet] Vegetarian #food (told May)
- works_at [[Acme]]
- [ ] call her

%%private thought%%

```
code is not a fact
```
"""
