"""Documents on the command line."""

import json


def test_a_document_is_put_read_listed_found_and_deleted(bethink):
    kept = bethink("documents", "put", "threads/7", "state", '{"step": 3}', "--index", "$", "--json").json
    assert bethink("documents", "get", "threads/7", "state", status=0).out.strip() == '{\n  "step": 3\n}'
    late = bethink("documents", "put", "threads/7", "state", "4", "--expected", "0")
    assert late.status == 1
    revision = str(kept["revision"])
    bethink("documents", "put", "threads/7", "state", '"harbour fees"', "--expected", revision, status=0)
    bethink("documents", "put", "handbook", "fees", '"Harbour fees are due."', "--index", "$", status=0)
    page = bethink("documents", "--json").json
    assert (page["total"], [each["key"] for each in page["entries"]]) == (2, ["fees", "state"])
    assert bethink("documents", "list", "threads", "--json").json["total"] == 1
    assert "handbook" in bethink("documents", "search", "When are fees due?", status=0).out
    bethink("documents", "delete", "handbook", "fees", status=0)
    assert "no document" in bethink("documents", "get", "handbook", "fees", status=1).err


def test_files_are_values_bytes_and_texts(bethink, folder):
    (folder / "one.json").write_text(json.dumps({"a": [1, 2.5, None]}))
    (folder / "two.bin").write_bytes(b"\x00\xff")
    (folder / "ferry.md").write_text("# Ferry\n\nIt moors at pier seven on Sundays.\n")
    bethink("documents", "put", "", "one", "--file", "one.json", status=0)
    bethink("documents", "put", "", "two", "--file", "two.bin", "--media-type", "image/x", status=0)
    assert json.loads(bethink("documents", "get", "", "one", status=0).out) == {"a": [1, 2.5, None]}
    bethink("documents", "ingest", "manuals", "ferry.md", status=0)
    assert "pier seven" in bethink("recall", "Where does the ferry moor?", status=0).out
    assert "JSON" in bethink("documents", "put", "", "three", "not json", status=1).err
