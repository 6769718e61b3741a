"""Units of work, and the stores that run them."""
