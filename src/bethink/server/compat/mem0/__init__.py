"""The HTTP API of mem0's hosted service, for its Python and npm clients."""
