"""Memory as files: what runs in a workspace have taught, in layers that a shell and an editor can read."""
