"""Every promise of the face, on both faces and on every store."""

from bethink.testing.doors.exports import ExportConformance
from bethink.testing.doors.lifetime import LifetimeConformance
from bethink.testing.doors.notes import NotesApiConformance
from bethink.testing.doors.profile import ProfileConformance
from bethink.testing.doors.recall import RecallConformance
from bethink.testing.doors.recall_index import RecallIndexConformance
from bethink.testing.doors.scopes import ScopesApiConformance
from bethink.testing.doors.sessions import SessionsApiConformance
from bethink.testing.doors.shares import SharesConformance
from bethink.testing.doors.turns import TurnsConformance
from bethink.testing.expiry import ExpiryConformance
from bethink.testing.tools import ToolsConformance


class TestNotes(NotesApiConformance):
    pass


class TestProfile(ProfileConformance):
    pass


class TestSessions(SessionsApiConformance):
    pass


class TestTurns(TurnsConformance):
    pass


class TestScopes(ScopesApiConformance):
    pass


class TestShares(SharesConformance):
    pass


class TestTools(ToolsConformance):
    pass


class TestRecall(RecallConformance):
    pass


class TestRecallIndex(RecallIndexConformance):
    pass


class TestExport(ExportConformance):
    pass


class TestLife(LifetimeConformance):
    pass


class TestExpiry(ExpiryConformance):
    pass
