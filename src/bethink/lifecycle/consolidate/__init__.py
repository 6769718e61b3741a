"""Consolidate: turn session notes into global ones without losing or inventing anything."""
