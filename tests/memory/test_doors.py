"""Every promise of the face, on both faces and on every store."""

from bethink.testing.doors import (
    ExportDoor,
    LifeDoor,
    NotesDoor,
    ProfileDoor,
    RecallDoor,
    ScopesDoor,
    SessionsDoor,
    SharesDoor,
    TurnsDoor,
)
from bethink.testing.expiry import ExpiryDoor
from bethink.testing.tools import ToolsDoor


class TestNotes(NotesDoor):
    pass


class TestProfile(ProfileDoor):
    pass


class TestSessions(SessionsDoor):
    pass


class TestTurns(TurnsDoor):
    pass


class TestScopes(ScopesDoor):
    pass


class TestShares(SharesDoor):
    pass


class TestTools(ToolsDoor):
    pass


class TestRecall(RecallDoor):
    pass


class TestExport(ExportDoor):
    pass


class TestLife(LifeDoor):
    pass


class TestExpiry(ExpiryDoor):
    pass
