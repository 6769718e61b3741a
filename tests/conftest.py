"""Fixtures for all rooms."""

from bethink.testing.postgresql import postgresql_cluster, postgresql_url

__all__ = ["postgresql_cluster", "postgresql_url"]
