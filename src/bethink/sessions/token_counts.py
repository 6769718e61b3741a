"""Token counting: estimate tokens without the model's tokenizer.

The estimate is a rule of thumb by script: four ASCII characters a token, two and a half of other alphabets that
vocabularies know well, two of the rest, one of Chinese, Japanese or Korean, and two tokens an emoji. It errs
towards too many. Where a budget has to be exact, pass the model's own tokenizer as `count_tokens`.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, TypeAlias

from bethink.json_kinds import is_list, is_object

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    CountTokens: TypeAlias = Callable[[str], int]

ITEM_OVERHEAD = 4  #: what a provider adds for role and separators
ATTACHMENT = 800  #: an image, sound or file, whose bytes are not text

_PARTS = 20  # of a token: what the weights below are written in
_SCRIPTS = (
    (r"[\x00-\x7f]", 5),
    (r"[\x80-\u058f\u1e00-\u1fff]", 8),
    (r"[\u1100-\u11ff\u2e80-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\uff00-\uffef]", 20),
    (r"[\U00020000-\U0003ffff]", 20),
    (r"[\U00010000-\U0001ffff]", 40),
)
_REST = 10

_NOT_TEXT = frozenset({
    "id", "type", "role", "status", "call_id", "tool_call_id", "tool_use_id", "approval_request_id",
    "encrypted_content", "signature", "annotations", "logprobs",
})  # fmt: skip
_ATTACHED = frozenset({
    "image", "image_url", "input_image", "computer_screenshot", "audio", "input_audio", "file", "input_file",
    "document", "image_generation_call",
})  # fmt: skip


def estimate_tokens(text: str) -> int:
    """Return about how many tokens a text is; 0 only for the empty text."""
    if text.isascii():
        return -(-len(text) // 4)
    parts, rest = 0, len(text)
    for script, weight in _scripts():
        count = len(script.findall(text))
        parts += count * weight
        rest -= count
    return -(-(parts + rest * _REST) // _PARTS)


@cache
def _scripts() -> tuple[tuple[re.Pattern[str], int], ...]:
    return tuple((re.compile(script), weight) for script, weight in _SCRIPTS)


def item_tokens(body: object, count_tokens: CountTokens | None = None) -> int:
    """Return about how many tokens an item is: its texts, its calls' arguments and its results."""
    count = count_tokens or estimate_tokens
    total = ITEM_OVERHEAD
    for text in _texts(body):
        total += ATTACHMENT if text is None else count(text)
    return total


def _texts(body: object) -> Iterator[str | None]:
    """Yield the texts that a model reads, and None for each attachment; as deep as JSON may go."""
    waiting: list[object] = [body]
    while waiting:
        value = waiting.pop()
        if isinstance(value, str):
            yield value
        elif is_list(value):
            waiting += value
        elif is_object(value):
            type_ = value.get("type")
            if isinstance(type_, str) and type_ in _ATTACHED:
                yield None
            else:
                waiting += [each for name, each in value.items() if name not in _NOT_TEXT]
