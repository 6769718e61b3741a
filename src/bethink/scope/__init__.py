"""Who and where: principals, namespaces, templates, grants."""
