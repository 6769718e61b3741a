"""The memory of AI agents: one Python library, one file, no key."""
