"""The server under attack, on both stores: every operation that its description has."""

import pytest

from bethink.testing.attacks import AttackConformance


class TestOnFile(AttackConformance):
    @pytest.fixture
    def attacked(self, tmp_path):
        return str(tmp_path / "memory.db")


class TestOnPostgresql(AttackConformance):
    @pytest.fixture
    def attacked(self, postgresql_url):
        return postgresql_url
