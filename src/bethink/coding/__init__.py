"""Memory for coding agents: hooks, settings, transcripts, and the projects that they work in."""
