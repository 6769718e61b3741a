"""Record `bethink demo` as an animated SVG: what the command prints, scene by scene, without a screen and without a hand.

    python tools/recording.py            # write docs/images/demo.svg
    python tools/recording.py --check    # say whether the demo prints something else by now

Ids and today's date are put in the place of others, so that two recordings of one program are the same.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from datetime import UTC, datetime, timedelta
from html import escape
from pathlib import Path

FILE = Path(__file__).resolve().parent.parent / "docs" / "images" / "demo.svg"
SCENES = (1, 2, 3, 4, 5, 6)  #: of the demo; what is known before, and what to try next, are left out
ROWS = 16  #: of a scene at most
SECONDS = 5  #: that a scene is shown
COLUMNS = 92
LINE = 20
WIDTH = 860
HEIGHT = 92 + LINE * (ROWS + 1)
TODAY = "2026-05-04"
RULE = re.compile(r"^(\S.*?) ─+$")
NAMES = re.compile(r"\b([np])1m[0-9a-z]{11}\b")


def printed() -> str:
    """Return what the demo prints, with ids and dates that do not change."""
    before = datetime.now(tz=UTC).date()
    kept = {name: value for name, value in os.environ.items() if not name.startswith("BETHINK_")}
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            [sys.executable, "-m", "bethink.cli", "demo"],
            cwd=folder,
            env={
                **kept,
                "NO_COLOR": "1",
                "COLUMNS": str(COLUMNS),
                "TERM": "dumb",
                "PYTHONIOENCODING": "utf-8",
            },
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=True,
        )
    told = NAMES.sub(lambda found: f"{found[1]}1m7k2xq0d3a", done.stdout)
    for day in (before, before + timedelta(days=1)):
        told = told.replace(day.isoformat(), TODAY)
    return told


def scenes(told: str) -> list[tuple[str, list[str]]]:
    """Return the scenes that are shown: a title and its lines."""
    found: list[tuple[str, list[str]]] = []
    for line in map(str.rstrip, told.splitlines()):
        rule = RULE.match(line)
        if rule:
            found.append((rule[1], []))
        elif found:
            found[-1][1].append(line)
    return [(title, _cut(lines)) for at, (title, lines) in enumerate(found) if at in SCENES]


def _cut(lines: list[str]) -> list[str]:
    """Return the beginning of a scene: whole calls with their answers, as many as there is room for."""
    blocks = [block.split("\n") for block in "\n".join(lines).strip("\n").split("\n\n")]
    shown: list[str] = []
    for block in blocks:
        room = len(shown) + bool(shown) + len(block)
        if room > ROWS:
            break
        shown += [*([""] if shown else []), *block]
    return shown or blocks[0][:ROWS]


def svg(told: str) -> str:
    """Return the recording as one file: each scene is faded in for some seconds, again and again."""
    shown = scenes(told)
    total = SECONDS * len(shown)
    share = 100 / len(shown)
    words = " ".join(f"{title}: {' '.join(' '.join(lines).split())}" for title, lines in shown)
    drawn = [
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" '
            f'role="img" aria-labelledby="title desc"><title id="title">A recording of bethink demo</title>'
            f'<desc id="desc">{escape(words)}</desc><style>'
            "text{font:13.5px ui-monospace,Menlo,Consolas,monospace;fill:#d7e3e5;white-space:pre}"
            ".call{fill:#80cbc4}.title{fill:#ffd180;font-weight:600}.dim{fill:#8fa6aa}"
            f".scene{{opacity:0;animation:show {total}s linear infinite}}"
            f"@keyframes show{{0%{{opacity:0}}1%{{opacity:1}}{share - 1:.2f}%{{opacity:1}}{share:.2f}%,100%{{opacity:0}}}}"
            "@media (prefers-reduced-motion:reduce){.scene{animation:none}.still{opacity:1}}"
            "</style>"
        ),
        f'<rect width="{WIDTH}" height="{HEIGHT}" rx="10" fill="#12202a"/>',
        (
            '<circle cx="22" cy="20" r="6" fill="#ff5f57"/><circle cx="42" cy="20" r="6" fill="#febc2e"/>'
            '<circle cx="62" cy="20" r="6" fill="#28c840"/>'
        ),
        '<text x="22" y="52" class="dim">$ bethink demo</text>',
    ]
    for at, (title, lines) in enumerate(shown):
        kind = "scene still" if at == 2 else "scene"
        drawn.append(f'<g class="{kind}" style="animation-delay:{at * SECONDS}s">')
        drawn.append(f'<text x="22" y="80" class="title">{escape(title)}</text>')
        for row, line in enumerate(lines):
            call = ' class="call"' if line and not line.startswith(" ") else ""
            drawn.append(
                f'<text x="22" y="{80 + LINE * (row + 1)}"{call} xml:space="preserve">{escape(line)}</text>'
            )
        drawn.append("</g>")
    return "\n".join([*drawn, "</svg>", ""])


def main() -> None:
    drawn = svg(printed())
    if "--check" not in sys.argv:
        FILE.write_text(drawn, encoding="utf-8")
    elif FILE.read_text(encoding="utf-8") != drawn:
        raise SystemExit(
            "the demo prints something else than docs/images/demo.svg shows: run `make pictures`"
        )


if __name__ == "__main__":
    main()
