"""Prompt injection: text that gives orders to the model instead of telling something about the user."""
