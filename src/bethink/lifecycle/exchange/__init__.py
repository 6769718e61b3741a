"""Import and export: read an export back, except for what was erased or is refused, which is reported."""
