"""Fixtures for all rooms."""

import pytest

pytest.register_assert_rewrite("bethink.testing")

from bethink.testing.postgresql import postgresql_cluster, postgresql_url  # noqa: E402

__all__ = ["postgresql_cluster", "postgresql_url"]
