"""Documents: JSON values and bytes under a path and a key, for the stores of frameworks and for long texts."""
