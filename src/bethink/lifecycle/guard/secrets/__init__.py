"""Secrets and personal data: what is masked before a text is kept, found by shape, check digit and the words around."""
