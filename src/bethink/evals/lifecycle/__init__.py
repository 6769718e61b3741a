"""Evals of the lifecycle (distillation, consolidation, injection, safety), through the public API alone."""
