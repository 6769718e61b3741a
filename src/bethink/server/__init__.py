"""The server: REST and MCP over one memory a tenant, each caller kept to what is theirs."""
