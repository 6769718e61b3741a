"""Inject: write what is remembered into the text that a model reads first."""

from bethink.lifecycle.inject.prefix_rendering import render
from bethink.lifecycle.inject.values import Context, DroppedPart, Excerpt, Part

__all__ = ["Context", "DroppedPart", "Excerpt", "Part", "render"]
