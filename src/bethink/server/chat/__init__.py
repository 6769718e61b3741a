"""Chat with registered agents: one turn at a time, stored when it succeeded."""
