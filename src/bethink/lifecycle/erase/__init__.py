"""Erasure: delete everything of a subject, verify that nothing is left, and issue a receipt."""
