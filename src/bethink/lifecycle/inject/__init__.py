"""Inject: render the context that a model reads before it answers."""

from bethink.lifecycle.inject.prefix_rendering import render
from bethink.lifecycle.inject.values import Context, DroppedPart, Excerpt, Part

__all__ = ["Context", "DroppedPart", "Excerpt", "Part", "render"]
