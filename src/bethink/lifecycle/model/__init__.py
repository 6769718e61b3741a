"""The stages with a chat model: it proposes, what it says is checked, and rules stand in where it fails."""

from __future__ import annotations

from bethink.lifecycle.model.consolidate import ModelConsolidator
from bethink.lifecycle.model.distill import ModelDistiller
from bethink.lifecycle.model.engines import ModelEngines
from bethink.lifecycle.model.examples import Example
from bethink.lifecycle.model.rerank import ModelReranker

__all__ = ["Example", "ModelConsolidator", "ModelDistiller", "ModelEngines", "ModelReranker"]
