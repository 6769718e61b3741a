"""Find what a conversation says that is worth keeping."""

from __future__ import annotations

from bethink.lifecycle.distill.firewall import fingerprint
from bethink.lifecycle.distill.rules import RulesDistiller

__all__ = ["RulesDistiller", "fingerprint"]
