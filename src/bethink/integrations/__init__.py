"""Integrations of agent frameworks, one module or package each; each is an extra and imported lazily."""
