"""Doors into agent frameworks, one package each; every one is an extra, and none is imported before it is used."""
