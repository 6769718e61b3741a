"""Workspaces: memory as files in layers that a shell and an editor can read."""
