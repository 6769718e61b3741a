"""What is remembered: notes, their categories, validity, keys and history."""
