"""Summaries that stand for the older part of a session where it is read; the log itself is never touched."""
