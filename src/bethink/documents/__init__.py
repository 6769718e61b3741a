"""JSON values and bytes under a path and a key: for the stores and states of frameworks, and for long texts."""
