"""Long texts in passages with their places."""

from __future__ import annotations

import pytest

from bethink import InvalidError, Memory

MARKDOWN = """# Handbook

Welcome aboard.

## Boats

### Mooring

The ferry moors at pier seven on Sundays.

```
# not a heading
```

## Trains

The night train leaves at ten past eleven.
"""
HTML = """<!DOCTYPE html><html><head><title>x</title><style>p {color: red}</style></head><body>
<h1>Handbook</h1><p>Welcome&nbsp;aboard.</p><h2>Boats</h2>
<ul><li>The ferry moors at <b>pier seven</b> on Sundays.</li></ul>
<script>alert("The ferry sinks")</script></body></html>"""


@pytest.fixture
def memory():
    with Memory(":memory:") as memory:
        yield memory


@pytest.fixture
def scope(memory):
    return memory.scope(agent="guide", user="ana")


def pdf(*pages):
    """Write a small PDF with a text a page."""
    parts = ["<< /Type /Catalog /Pages 2 0 R >>"]
    kids = " ".join(f"{4 + 2 * number} 0 R" for number in range(len(pages)))
    parts.append(f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>")
    parts.append("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>")
    for number, text in enumerate(pages):
        stream = f"BT /F1 12 Tf 50 700 Td ({text}) Tj ET"
        parts.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents {5 + 2 * number} 0 R "
            "/Resources << /Font << /F1 3 0 R >> >> >>"
        )
        parts.append(f"<< /Length {len(stream)} >>\nstream\n{stream}\nendstream")
    out, places = b"%PDF-1.4\n", []
    for number, part in enumerate(parts, 1):
        places.append(len(out))
        out += f"{number} 0 obj\n{part}\nendobj\n".encode()
    table = len(out)
    out += f"xref\n0 {len(parts) + 1}\n0000000000 65535 f \n".encode()
    out += b"".join(f"{place:010} 00000 n \n".encode() for place in places)
    return out + f"trailer << /Size {len(parts) + 1} /Root 1 0 R >>\nstartxref\n{table}\n%%EOF".encode()


@pytest.mark.parametrize(("key", "content", "place"), [
    ("handbook.md", MARKDOWN, "Handbook > Boats > Mooring"),
    ("handbook.html", HTML, "Handbook > Boats"),
    ("handbook.html", HTML.encode(), "Handbook > Boats"),
    ("handbook.txt", "Welcome aboard.\n\nThe ferry moors at pier seven on Sundays.", "paragraph 2"),
    ("handbook.pdf", pdf("Welcome aboard.", "The ferry moors at pier seven on Sundays."), "page 2"),
])  # fmt: skip
def test_a_passage_is_recalled_beside_notes_with_its_place(scope, key, content, place):
    if key.endswith(".pdf"):
        pytest.importorskip("pypdf")
    scope.remember("Likes boats.")
    kept = scope.documents.ingest("manuals", key, content)
    hits = scope.recall("Where does the ferry moor?")
    assert "pier seven on Sundays" in hits[0].text
    assert hits[0].item.body["document"] == {"path": ["texts", "manuals"], "key": key}
    assert hits[0].item.body["place"] == place
    assert hits[0].item.origin == "document"
    assert not any("sinks" in hit.text or "color" in hit.text for hit in hits)
    found = scope.documents.get(("texts", "manuals"), key)
    assert found == kept
    assert (found.content if isinstance(content, bytes) else found.value) == content


def test_nothing_is_distilled_from_a_document(scope):
    scope.documents.ingest(
        "letters", "a.txt", "My sister Ingrid lives in Bergen. I always prefer window seats."
    )
    for session in scope.sessions():
        assert scope.distill(session.id).kept == ()
    scope.consolidate()
    assert len(scope.notes()) == 0


def test_a_text_of_the_same_name_takes_its_place(scope):
    scope.documents.ingest("m", "a.txt", "The ferry moors at pier seven.")
    scope.documents.ingest("m", "a.txt", "The ferry moors at pier nine.")
    texts = [hit.text for hit in scope.recall("Where does the ferry moor?")]
    assert any("nine" in text for text in texts)
    assert not any("seven" in text for text in texts)


@pytest.mark.parametrize("how", ["delete", "clear", "clear all"])
def test_a_text_that_was_deleted_is_not_found(scope, how):
    scope.documents.ingest("m", "a.txt", "The ferry moors at pier seven.")
    scope.documents.put("other", "k", 1)
    if how == "delete":
        assert scope.documents.delete("texts/m", "a.txt") is True
    else:
        scope.documents.clear("texts/m" if how == "clear" else "")
    assert not any("ferry" in hit.text for hit in scope.recall("Where does the ferry moor?"))
    assert (scope.documents.get("other", "k") is None) == (how == "clear all")


def test_secrets_in_a_text_are_masked_where_it_is_recalled(scope):
    secret = "The password of the ferry is sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGH."
    scope.documents.ingest("m", "a.txt", secret)
    assert not any("sk-proj" in hit.text for hit in scope.recall("What is the password of the ferry?"))
    assert scope.documents.get("texts/m", "a.txt").value == secret


def test_what_has_no_text_is_refused(scope):
    nothing = [("", "text/plain"), ("<p></p>", "text/html"), (b"\xff\xfe\x00", "text/plain"),
               (b"\x89PNG", "image/png"), ("text", "application/pdf"), (b"%PDF-1.4 damaged", None)]  # fmt: skip
    for content, kind in nothing:
        if kind is None:
            pytest.importorskip("pypdf")
        with pytest.raises(InvalidError):
            scope.documents.ingest("m", "x", content, media_type=kind)
    assert scope.documents.paths() == []


def test_texts_are_written_by_ingest_alone(scope):
    with pytest.raises(InvalidError, match="ingest"):
        scope.documents.put("texts/m", "a.txt", "x")


def test_a_long_text_is_cut_and_every_piece_knows_its_place(scope):
    body = "\n\n".join(f"## Part {n}\n\n" + f"Fact number {n} is told here. " * 60 for n in range(12))
    scope.documents.ingest("m", "long.md", body)
    hits = scope.recall("fact number 7", limit=20)
    assert hits[0].item.body["place"] == "Part 7"
    assert all(len(hit.text.split()) < 200 for hit in hits)
