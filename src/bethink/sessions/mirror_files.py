"""The files of a mirror: a local directory, or any fsspec file system."""

from __future__ import annotations

import json
import threading
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bethink.json_kinds import is_object
from bethink.sessions.mirror_paths import escaped_label, path_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

FORMAT = "bethink-session"
VERSION = 1


class MirrorFiles:
    """Reads and writes whole sessions; a reader never sees half a file. `fresh` numbers what is on its way.

    Raises:
        ImportError: fsspec is not installed.
    """

    def __init__(self, url: str, fresh: Callable[[], int]) -> None:
        try:
            opened: Any = import_module("fsspec.core")  # it has no types
        except ImportError as error:
            raise ImportError("a mirror requires fsspec: pip install 'bethink[mirror]'") from error
        self._files: Any
        self._files, root = opened.url_to_fs(url)
        self._root = str(root).rstrip("/")
        self._local = "file" in self._files.protocol
        self._fresh = fresh
        self._guard = threading.Lock()

    def put(self, document: dict[str, Any], current: Callable[[], int | None]) -> bool:
        """Write a session unless what is there is as new, or the session moved on; tell whether it was written."""
        path = self._path(document)
        data = json.dumps(document, separators=(",", ":")).encode()
        with self._guard:
            there = self._read(path)
            if there is not None and there["revision"] >= document["revision"]:
                return False
            if current() != document["revision"]:
                return False
            self._write(path, data)
            if current() is None:  # it was deleted while it was written
                self._remove(path)
                return False
        return True

    def remove(self, tenant: str, namespace: str, session: str) -> bool:
        """Remove the file of a session; tell whether there was one."""
        with self._guard:
            return self._remove(f"{self._root}/{path_of(tenant, namespace, session)}")

    def documents(self, tenant: str) -> Iterator[dict[str, Any]]:
        """Return every session of a tenant that stands where it belongs; anything else is passed over."""
        folder = f"{self._root}/{escaped_label(tenant)}"
        for path in sorted(self._files.glob(f"{folder}/*/state/sessions/*.json")):
            document = self._read(path)
            if document is not None and document["tenant"] == tenant and self._same(path, document):
                yield document

    def _same(self, path: str, document: dict[str, Any]) -> bool:
        return path.rstrip("/").endswith(
            path_of(document["tenant"], document["namespace"], document["session"])
        )

    def _path(self, document: dict[str, Any]) -> str:
        return f"{self._root}/{path_of(document['tenant'], document['namespace'], document['session'])}"

    def _read(self, path: str) -> dict[str, Any] | None:
        """Return a file's session; None where there is none that can be read."""
        try:
            document = json.loads(self._files.cat_file(path))
        except (FileNotFoundError, ValueError):
            return None
        known = is_object(document) and document.get("format") == FORMAT
        return document if known and document.get("version") == VERSION else None

    def _write(self, path: str, data: bytes) -> None:
        if not self._local:
            self._files.pipe_file(path, data)  # an object appears when all of it is there
            return
        target = Path(path)
        target.parent.mkdir(parents=True, exist_ok=True)
        fresh = target.with_name(f"{self._fresh():x}.tmp")
        try:
            fresh.write_bytes(data)
            fresh.replace(target)
        finally:
            fresh.unlink(missing_ok=True)

    def _remove(self, path: str) -> bool:
        try:
            self._files.rm_file(path)
        except FileNotFoundError:
            return False
        return True
