"""Sessions: logs of items, and the window that a model sees."""
