"""Recall: search notes and items, and explain the ranking."""
