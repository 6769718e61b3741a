"""The log: what was said, in order, and the part of it that a model sees."""
