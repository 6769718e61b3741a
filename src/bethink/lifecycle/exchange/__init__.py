"""Exports read back, but for what was erased or is refused: that is reported."""
