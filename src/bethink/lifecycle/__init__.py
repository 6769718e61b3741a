"""The lifecycle of a note: guard, distill, consolidate, inject, erase; each by rules or with a model."""
