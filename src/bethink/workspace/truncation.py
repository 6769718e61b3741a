"""Truncate long texts in the middle."""

from __future__ import annotations

BYTES_PER_TOKEN = 4
SUMMARY_TOKENS = 15_000  #: of what is injected
ROLLOUT_TOKENS = 150_000  #: of a conversation that phase one reads


def middle_out(text: str, tokens: int) -> str:
    """Return a text of so many tokens at most, at four bytes each, with a marker where it was cut."""
    data = text.encode("utf-8", "replace")
    most = tokens * BYTES_PER_TOKEN
    if len(data) <= most:
        return text
    left = most - len(_marker(len(data)).encode())
    if left <= 0:
        return data[:most].decode("utf-8", "ignore")
    head, tail = split(data, left)
    gone = len(data) - len(head) - len(tail)
    return head.decode("utf-8", "ignore") + _marker(gone) + tail.decode("utf-8", "ignore")


def split(data: bytes, budget: int) -> tuple[bytes, bytes]:
    """Return the beginning and the end of UTF-8 text that fit, cut between characters."""
    left = budget // 2
    head = data[:left].decode("utf-8", "ignore").encode()
    start = len(data) - (budget - left)
    while start < len(data) and data[start] & 0xC0 == 0x80:  # noqa: PLR2004 - the inside of a character
        start += 1
    return head, data[start:]


def whole_lines(lines: list[str], tokens: int) -> tuple[list[str], list[str], int]:
    """Return the first and the last lines that fit, and how many between them were left out."""
    most = tokens * BYTES_PER_TOKEN
    sizes = [len(line.encode("utf-8", "replace")) + 1 for line in lines]
    if sum(sizes) <= most:
        return lines, [], 0
    head = tail = 0
    spent = 0
    while head < len(lines) and spent + sizes[head] <= most // 2:
        spent += sizes[head]
        head += 1
    spent = 0
    while tail < len(lines) - head and spent + sizes[-1 - tail] <= most // 2:
        spent += sizes[-1 - tail]
        tail += 1
    return lines[:head], lines[len(lines) - tail :], len(lines) - head - tail


def _marker(gone: int) -> str:
    return f"...{-(-gone // BYTES_PER_TOKEN)} tokens truncated..."
