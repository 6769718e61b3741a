"""The ports to a chat model and an embedding model, and their providers."""
