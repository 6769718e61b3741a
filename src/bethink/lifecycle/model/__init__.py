"""Engines that ask a chat model: its proposals are validated, and the rules engines are the fallback."""

from __future__ import annotations

from bethink.lifecycle.model.consolidate import ModelConsolidator
from bethink.lifecycle.model.distill import ModelDistiller
from bethink.lifecycle.model.engines import ModelEngines
from bethink.lifecycle.model.prompt_examples import Example
from bethink.lifecycle.model.rerank import ModelReranker

__all__ = ["Example", "ModelConsolidator", "ModelDistiller", "ModelEngines", "ModelReranker"]
