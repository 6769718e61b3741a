"""Guard, distill, consolidate, inject and erase: each a rules engine and a model engine."""
