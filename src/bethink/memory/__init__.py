"""The asynchronous face: a memory and its handles. The blocking face is generated from it."""
