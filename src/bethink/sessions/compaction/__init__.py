"""Compaction: a summary replaces the older part of a session when it is read; the log is unchanged."""
