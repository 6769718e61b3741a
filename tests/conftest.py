"""Fixtures for all rooms. Properties are judged by what they find, not by how long a busy machine takes."""

import pytest
from hypothesis import HealthCheck, settings

pytest.register_assert_rewrite("bethink.testing")

from bethink.testing.postgresql import postgresql_cluster, postgresql_url  # noqa: E402

__all__ = ["postgresql_cluster", "postgresql_url"]

settings.register_profile("untimed", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("untimed")
