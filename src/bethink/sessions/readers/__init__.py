"""Readers of message formats: one file per framework family, and a registry."""
