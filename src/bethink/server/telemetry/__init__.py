"""What is told of a running server: how much, how fast and how often, never what was said."""
