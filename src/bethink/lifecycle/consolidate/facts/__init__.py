"""Everyday facts: where somebody lives, what they do, whom they live with, what they eat, in six languages."""
