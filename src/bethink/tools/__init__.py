"""Memory tools for agents: one registry from which every framework's tools are made."""
