"""Importers: readers of other systems' files, and the one service that stores what they read.

A room of its own, between the doors and the memory: the commands use it, a server can, and each further format
is one more reader beside these. It writes through the public face alone.
"""
