"""What is done about each kind of finding: allow, redact, quarantine or block."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from bethink.errors import InvalidError
from bethink.lifecycle.guard.masking import LABELS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bethink.lifecycle.values import Action

GRAVITY: Final[Mapping[Action, int]] = {"allow": 0, "redact": 1, "quarantine": 2, "block": 3}
SECRETS: Final = frozenset(
    {
        "payment_card",
        "card_code",
        "pin",
        "api_key",
        "private_key",
        "password",
        "one_time_code",
        "seed_phrase",
    }
)
DEFAULT_ACTIONS: Final[Mapping[str, Action]] = {
    **dict.fromkeys(LABELS, "redact"),
    "private_key": "block",
    "seed_phrase": "block",
    "size": "block",
    "email": "allow",
    "phone": "allow",
    "instruction": "quarantine",
    "hidden_text": "quarantine",
    "encoded_text": "quarantine",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """What the guard does about what it finds.

    *allow* only reports. *redact* masks the span; where hardly anything else would be left of the text, the text is
    refused: "My card is 4111 …" says nothing without its number. Of several clauses those are left out that say
    nothing. *quarantine* keeps the text for review. *block* refuses it. Secrets are never allowed and never kept for
    review, at any stage.
    """

    actions: Mapping[str, Action] = field(
        default_factory=dict[str, "Action"]
    )  #: by category, where not the default
    most_characters: int = 8_000  #: of what is captured or consolidated; more is refused
    least_words: int = 3  #: with fewer words of its own a redacted text is refused
    regions: tuple[str, ...] = ()  #: whose national phone numbers are known, as "DE"; needs bethink[guards]

    def __post_init__(self) -> None:
        for category, action in self.actions.items():
            if category not in LABELS:
                raise InvalidError(
                    f"unknown category {category!r}; use one of {', '.join(LABELS)}",
                    argument="actions",
                )
            if action not in GRAVITY:
                raise InvalidError(
                    f"unknown action {action!r}; use allow, redact, quarantine or block", argument="actions"
                )
            if category in SECRETS and action not in {"redact", "block"}:
                raise InvalidError(
                    f"{category} is a secret and is never stored; use redact or block",
                    argument="actions",
                )

    def action(self, category: str) -> Action:
        """Return what is done about a category."""
        return self.actions.get(category) or DEFAULT_ACTIONS[category]
