"""Memory for coding agents: their hooks, their settings, their transcripts, and the projects they work in."""
