"""Conversations with registered agents: one turn at a time, stored when it has succeeded."""
