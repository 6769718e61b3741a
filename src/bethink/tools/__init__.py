"""What an agent can do with its memory: one registry, from which every framework's tools are made."""
