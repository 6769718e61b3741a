"""The ports to chat models and embedding models, and their providers."""
