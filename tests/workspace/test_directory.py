"""No path and no link leads out of a workspace, and a file is there whole or not at all."""

import os
import threading

import pytest

from bethink.errors import ConflictError, DeniedError
from bethink.workspace import directory as module
from bethink.workspace.directory import Directory

from .runs import LESSON, names


@pytest.mark.parametrize("path", ["../x", "/etc/passwd", "a/../../x", "", "a\0b", "..", "a\\b"])
def test_a_path_that_leads_out_is_refused(root, path):
    for call in (
        Directory(root).read,
        Directory(root).remove,
        lambda path: Directory(root).write(path, b"x"),
    ):
        with pytest.raises(DeniedError):
            call(path)


def test_a_link_is_not_followed(root, tmp_path):
    root.mkdir()
    secret = tmp_path / "secret.txt"
    secret.write_text("secret")
    (tmp_path / "folder").mkdir()
    (root / "file").symlink_to(secret)
    (root / "folder").symlink_to(tmp_path / "folder")
    tree = Directory(root)
    for path in ("file", "folder/x"):
        with pytest.raises(DeniedError):
            tree.write(path, b"mine")
        with pytest.raises(DeniedError):
            tree.read(path)
    assert tree.names("") == []
    assert secret.read_text() == "secret"
    assert names(tmp_path / "folder") == []


def test_a_workspace_whose_memories_are_a_link_is_refused(scope, root, tmp_path):
    root.mkdir()
    (tmp_path / "elsewhere").mkdir()
    (root / "memories").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(DeniedError):
        scope.workspace(root).open()
    assert names(tmp_path / "elsewhere") == []


def test_erasing_follows_no_link(scope, root, tmp_path):
    with scope.workspace(root) as space:
        space.record("Run the tests", LESSON, final_output="ok", session_id="w")
    (tmp_path / "theirs").mkdir()
    (tmp_path / "theirs/MEMORY.md").write_text("theirs")
    (root / "memories").rename(root / "moved")
    (root / "memories").symlink_to(tmp_path / "theirs")
    scope.erase()
    assert (tmp_path / "theirs/MEMORY.md").read_text() == "theirs"


def test_a_pipe_is_no_file(root):
    root.mkdir()
    os.mkfifo(root / "pipe")
    with pytest.raises(DeniedError):
        Directory(root).read("pipe")


def test_nothing_is_left_beside_a_file(root):
    tree = Directory(root)
    tree.write("a/b.md", b"one")
    tree.write("a/b.md", b"two")
    assert tree.read("a/b.md") == b"two"
    assert names(root / "a") == ["b.md"]
    assert tree.remove("a/b.md")
    assert not tree.remove("a/b.md")


def test_a_lock_is_held_by_one(root, monkeypatch):
    monkeypatch.setattr(module, "LOCK_SECONDS", 0.05)
    caught = []

    def second():
        try:
            with Directory(root).lock("x/lock"):
                pass
        except ConflictError as error:
            caught.append(error)

    with Directory(root).lock("x/lock"):
        thread = threading.Thread(target=second)
        thread.start()
        thread.join()
    assert caught[0].reason == "locked"
    with Directory(root).lock("x/lock"):
        pass
