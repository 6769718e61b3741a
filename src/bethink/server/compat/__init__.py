"""Compatible HTTP APIs of other memories."""
