"""Measure what becomes of words on their way through the lifecycle, through the public face alone."""
