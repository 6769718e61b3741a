"""The asynchronous API: a memory and its handles. The blocking API is generated from it."""
