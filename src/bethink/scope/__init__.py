"""Scopes and access control: principals, namespaces, templates, grants."""
