"""Notes: their categories, validity, keys and history."""
