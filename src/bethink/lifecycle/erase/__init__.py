"""Destroy everything of a subject, look whether anything is left, and give a receipt."""
