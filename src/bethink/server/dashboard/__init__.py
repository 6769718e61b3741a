"""The dashboard: pages rendered by the server, with htmx and a little script."""
