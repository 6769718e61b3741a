"""Readers of files that others wrote, and the one way in which what they read is kept.

A room of its own, between the doors and the memory: the commands use it, a server can, and each further format
is one more reader beside these. It writes through the public face alone.
"""
