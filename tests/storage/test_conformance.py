"""Every suite on every store."""

from bethink.testing.notes import NotesConformance
from bethink.testing.scopes import ScopesConformance
from bethink.testing.sessions import SessionsConformance
from bethink.testing.storage import StorageConformance


class TestStorage(StorageConformance):
    pass


class TestScopes(ScopesConformance):
    pass


class TestSessions(SessionsConformance):
    pass


class TestNotes(NotesConformance):
    pass
