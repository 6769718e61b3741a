"""Write the reference of errors: each class with its attributes, and a program that meets it."""

from __future__ import annotations

import inspect

_OPENED = "memory = Memory(':memory:')\nalice = memory.scope(user='alice')\n"

#: lines that raise an error, by its name; a test runs each behind `_OPENED`
EXAMPLES = {
    "BethinkError": "alice.forget('nothing of that key')",
    "InvalidError": "alice.notes(limit=0)",
    "RefusedError": "alice.remember('My card is 4111 1111 1111 1111')",
    "DeniedError": "memory.acting_as(Principal('bob')).scope(user='alice').notes()",
    "NotFoundError": "alice.forget('nothing of that key')",
    "ConflictError": "note = alice.remember('Lives in Oslo.')\nalice.revise(note.id, 'Lives in Rome.', expected=0)",
    "LimitError": "alice.remember('x' * 9000)",
    "StorageError": "Memory('/no/such/folder/memory.db').stats()",
    "ModelError": (
        "from bethink.models.openai_embedding import OpenAIEmbedder\n"
        "OpenAIEmbedder('m', base_url='http://127.0.0.1:9/v1', api_key='k', retries=0).embed(['a text'])"
    ),
    "ClosedError": "memory.close()\nalice.notes()",
}
NEEDS_MORE = {"ModelError"}  #: of extras that the site is made without
#: what to print of each
SHOWN = {
    "BethinkError": "error.facts",
    "InvalidError": "error.argument, error.limit, error.actual",
    "RefusedError": "error.verdict.action, error.verdict.reasons",
    "DeniedError": "error.principal, error.right, error.namespace",
    "NotFoundError": "error.kind, error.id",
    "ConflictError": "error.expected, error.actual",
    "LimitError": "error.limit, error.actual, error.unit",
    "StorageError": "error.reason, error.outcome",
    "ModelError": "error.reason",
    "ClosedError": "error.reason",
}


def program(name: str) -> str:
    """Return a program that meets an error and prints what it carries."""
    lines = EXAMPLES[name]
    wanted = ["Memory", name, *(["Principal"] if "Principal" in lines else [])]
    tried = "\n".join(f"    {line}" for line in lines.splitlines())
    return (
        f"from bethink import {', '.join(sorted(wanted))}\n\n{_OPENED.replace(chr(39), chr(34))}"
        f"try:\n{tried.replace(chr(39), chr(34))}\nexcept {name} as error:\n    print({SHOWN[name]})\n"
    )


def output(name: str) -> str:
    """Return what the program prints: it is run."""
    import contextlib
    import io

    told = io.StringIO()
    with contextlib.redirect_stdout(told):
        exec(compile(program(name), name, "exec"), {"__name__": "__main__"})
    return told.getvalue()


def kinds() -> list[type[Exception]]:
    """Return every error, the one they all are first."""
    from bethink import errors

    return [each for each in vars(errors).values() if isinstance(each, type) and issubclass(each, Exception)]


def page() -> str:
    """Return the page."""
    from bethink import errors

    comments = _comments(inspect.getsource(errors))
    told: list[str] = []
    for kind in kinds():
        told += [
            f"## `{kind.__name__}` {{ #bethink.errors.{kind.__name__} }}",
            "",
            inspect.getdoc(kind) or "",
            "",
        ]
        told += ["```python", program(kind.__name__).rstrip(), "```", ""]
        if kind.__name__ not in NEEDS_MORE:
            told += ["```output", output(kind.__name__).rstrip(), "```", ""]
        names = [name for name in vars(kind).get("__annotations__", {}) if name != "facts"]
        if names:
            rows = [f"| `{name}` | {comments[kind.__name__, name]} |" for name in names]
            told += ["| attribute | what it is |", "|---|---|", *rows, ""]
    return "\n".join(told)


#: what attributes are that several classes have, where the class says nothing of its own
USUAL = {
    "actual": "what it was",
    "expected": "what was expected",
    "limit": "the bound",
    "reason": "why, in a word",
    "argument": "which argument",
    "id": "of what it is about",
    "session": "the session it is about",
    "at": "the place it is about",
    "tenant": "the tenant it is about",
    "table": "the table it is about",
    "tables": "the tables it is about",
    "path": "the file it is about",
    "plan": "the plan it is about",
    "namespace": "where",
    "key": "the key it is about",
    "note": "the note it is about",
    "version": "the version it is about",
    "attempts": "how often it was tried",
    "complaints": "what the store's own check says",
    "provider": "which model or endpoint",
    "calls": "how often it was asked",
    "fields": "which fields",
    "place": "where in the file",
    "verdict": "why",
}


def _comments(source: str) -> dict[tuple[str, str], str]:
    found: dict[tuple[str, str], str] = {}
    kind = ""
    for line in source.splitlines():
        if line.startswith("class "):
            kind = line[6:].partition("(")[0]
        elif line.startswith("    ") and ":" in line and not line.lstrip().startswith(("def ", "#", '"')):
            name = line.partition(":")[0].strip()
            meaning = line.partition("#:")[2].strip() or USUAL.get(name, "")
            found[kind, name] = meaning[:1].upper() + meaning[1:]
    return found


if __name__ == "__main__":
    print(page())
