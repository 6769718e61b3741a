"""Every promise of the face, on both faces and on every store."""

from bethink.testing.doors.exports import ExportDoor
from bethink.testing.doors.lifetime import LifeDoor
from bethink.testing.doors.notes import NotesDoor
from bethink.testing.doors.profile import ProfileDoor
from bethink.testing.doors.recall import RecallDoor
from bethink.testing.doors.recall_index import RecallIndexDoor
from bethink.testing.doors.scopes import ScopesDoor
from bethink.testing.doors.sessions import SessionsDoor
from bethink.testing.doors.shares import SharesDoor
from bethink.testing.doors.turns import TurnsDoor
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


class TestRecallIndex(RecallIndexDoor):
    pass


class TestExport(ExportDoor):
    pass


class TestLife(LifeDoor):
    pass


class TestExpiry(ExpiryDoor):
    pass
