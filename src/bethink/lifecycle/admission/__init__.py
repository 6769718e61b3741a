"""Decide by where a note comes from what it may do."""
