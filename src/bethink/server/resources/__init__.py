"""REST routes, one file per resource."""
