"""The server: REST, MCP and a dashboard over one memory per tenant, with access control."""
