"""Draw the pictures of the site and the README as SVG: one for each concept, in light and dark, with words for screen readers.

python tools/pictures.py            # write docs/images/*.svg; `make pictures` draws the recording of the demo as well
python tools/pictures.py --check    # say which are not what this file draws
"""

from __future__ import annotations

import sys
from html import escape
from pathlib import Path

IMAGES = Path(__file__).resolve().parent.parent / "docs" / "images"
STYLE = """
text{font:15px system-ui,-apple-system,"Segoe UI",sans-serif;fill:#1c2b2d}
.bold{font-weight:600}.small{font-size:13px;fill:#52666a}.mono{font:13px ui-monospace,Menlo,Consolas,monospace}
.middle{text-anchor:middle}.end{text-anchor:end}
.box{fill:#f4f8f8;stroke:#9db6b8;stroke-width:1.2}.main{fill:#d9efec;stroke:#00796b;stroke-width:1.6}
.warn{fill:#fdf0d9;stroke:#b7791f;stroke-width:1.4}.stop{fill:#fbe3e1;stroke:#b3403a;stroke-width:1.4}
.page{fill:#fff}.line{fill:none;stroke:#52666a;stroke-width:1.6}.dash{stroke-dasharray:5 4}.head{fill:#52666a}
@media (prefers-color-scheme:dark){
text{fill:#e3edee}.page{fill:#12181a}.small{fill:#a9bcbf}.box{fill:#1d282b;stroke:#4b6468}.main{fill:#0f3b37;stroke:#4db6ac}
.warn{fill:#3b2f14;stroke:#d9a441}.stop{fill:#3d1f1d;stroke:#e57f78}.line{stroke:#a9bcbf}.head{fill:#a9bcbf}}
""".replace("\n", "")


class Picture:
    """Boxes, arrows and words of one drawing."""

    def __init__(self, name: str, title: str, told: str, width: int, height: int) -> None:
        self.name, self.title, self.told, self.width, self.height = name, title, told, width, height
        self.parts: list[str] = []

    def text(self, x: float, y: float, words: str, kind: str = "") -> None:
        self.parts.append(f'<text x="{x:g}" y="{y:g}" class="{kind}">{escape(words)}</text>')

    def box(
        self, x: float, y: float, w: float, h: float, words: str = "", below: str = "", kind: str = "box"
    ) -> None:
        """Draw a box with a line of words in its middle, and a smaller one below it."""
        self.parts.append(f'<rect x="{x:g}" y="{y:g}" width="{w:g}" height="{h:g}" rx="8" class="{kind}"/>')
        lines = below.split("\n") if below else []
        at = y + h / 2 + 5 - 9 * (len(lines) if words else len(lines) + 1)
        if words:
            self.text(x + w / 2, at, words, "bold middle")
        for number, line in enumerate(lines, 1):
            self.text(x + w / 2, at + 19 * number, line, "small middle")

    def arrow(self, *points: tuple[float, float], words: str = "", kind: str = "") -> None:
        """Draw an arrow along points, with words above its first stretch."""
        path = " L".join(f"{x:g} {y:g}" for x, y in points)
        self.parts.append(f'<path d="M{path}" class="line {kind}" marker-end="url(#head)"/>')
        if words:
            (x1, y1), (x2, y2) = points[0], points[1]
            self.text((x1 + x2) / 2, (y1 + y2) / 2 - 7, words, "small middle")

    def svg(self) -> str:
        """Return the drawing."""
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width} {self.height}" width="{self.width}" '
            f'height="{self.height}" role="img" aria-labelledby="title desc"><title id="title">{escape(self.title)}'
            f'</title><desc id="desc">{escape(self.told)}</desc><style>{STYLE}</style><defs><marker id="head" '
            'viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7" orient="auto-start-reverse">'
            '<path d="M0 0 L10 5 L0 10z" class="head"/></marker></defs>\n'
            + "\n".join(self.parts)
            + "\n</svg>\n"
        )


def overview() -> Picture:
    drawn = Picture(
        "overview",
        "What Bethink does",
        "Conversations go into a log that keeps everything. Distilling and consolidating make notes of them. Recall finds "
        "notes and what was said, and context puts the right part before the next conversation, within a token budget. "
        "All of it is in one SQLite file or in PostgreSQL, apart for each user.",
        860,
        300,
    )
    drawn.box(10, 62, 165, 70, "conversation", "your agent's messages")
    drawn.box(235, 20, 400, 250, kind="main")
    drawn.text(435, 46, "Bethink", "bold middle")
    drawn.box(255, 62, 165, 70, "log", "everything, untouched")
    drawn.box(450, 62, 165, 70, "notes", "what is worth keeping")
    drawn.box(255, 180, 360, 46, "recall and context", "")
    drawn.text(435, 253, "one SQLite file, or PostgreSQL · no model, no API key", "small middle")
    drawn.box(685, 62, 165, 80, "next conversation", "the right part,\nwithin a budget")
    drawn.arrow((175, 97), (255, 97))
    drawn.arrow((420, 97), (450, 97))
    drawn.text(435, 160, "every change can be undone", "small middle")
    drawn.arrow((300, 132), (300, 180))
    drawn.arrow((570, 132), (570, 180))
    drawn.arrow((615, 203), (767, 203), (767, 142))
    drawn.text(
        435, 290, "each user apart · every hit says why · erased means gone, with a receipt", "small middle"
    )
    return drawn


def log_and_window() -> Picture:
    drawn = Picture(
        "log-and-window",
        "The log and the window",
        "A session keeps every item, numbered one to twelve. The window is the part that a model is shown: the newest whole "
        "turns, here items six to twelve. It never parts a tool call from its result.",
        860,
        190,
    )
    words = [
        "user",
        "answer",
        "user",
        "call",
        "result",
        "user",
        "call",
        "result",
        "answer",
        "user",
        "call",
        "result",
    ]
    drawn.text(20, 30, "the log: every item, as the framework wrote it", "small")
    for at, word in enumerate(words):
        x = 20 + at * 68
        drawn.box(x, 45, 60, 46, str(at + 1), word, "main" if at >= 5 else "box")
    drawn.arrow((360, 112), (836, 112))
    drawn.arrow((836, 112), (360, 112))
    drawn.text(598, 134, "the window: what the model is shown", "bold middle")
    drawn.text(598, 154, "whole turns; a call stays with its result", "small middle")
    drawn.text(20, 176, "Trimming is a view. Nothing is removed from the log.", "small")
    return drawn


def note_life() -> Picture:
    drawn = Picture(
        "note-life",
        "The life of a note",
        "A conversation is distilled into notes of its session. Consolidating promotes, merges or drops them, as a plan. A "
        "lasting note is active until a newer one supersedes it, it expires, or somebody forgets it. Undo brings it back. "
        "Erase destroys it for good.",
        860,
        250,
    )
    drawn.box(20, 30, 140, 60, "conversation", "the user's words")
    drawn.arrow((160, 60), (250, 60), words="distill")
    drawn.box(250, 30, 150, 60, "session note", "of this conversation")
    drawn.arrow((400, 60), (520, 60), words="consolidate")
    drawn.box(520, 25, 130, 70, "note", "active", "main")
    drawn.arrow((650, 60), (715, 60))
    drawn.box(715, 20, 130, 80, "history", "superseded,\nexpired, forgotten")
    drawn.arrow((780, 100), (780, 130), (620, 130), (620, 95))
    drawn.text(700, 148, "undo", "small middle")
    drawn.box(250, 135, 150, 60, "remember", "your code, tools,\nimports")
    drawn.arrow((400, 165), (560, 165), (560, 95))
    drawn.arrow((585, 95), (585, 200), (650, 200), words="")
    drawn.box(650, 175, 195, 50, "erased", "gone, with a receipt", "stop")
    drawn.text(
        20,
        232,
        "Every change of a consolidation is a plan: shown before, undone after, with its sources.",
        "small",
    )
    return drawn


def who_may_write() -> Picture:
    drawn = Picture(
        "who-may-write",
        "Who may write what",
        "What the user said becomes an active note. What an agent writes is active where the user's own words carry it, and "
        "waits for review where they do not. Text of pages, mails and tools is quoted and never obeyed. The guard blocks "
        "secrets and sets orders aside.",
        860,
        270,
    )
    rows = [
        ("the user's own words", "active", "counts at once", "main"),
        ("an agent, carried by the user's words", "active", "counts at once", "main"),
        (
            "an agent, and the user did not say it",
            "pending",
            "until the user says it, or somebody approves it",
            "warn",
        ),
        ("text of pages, mails and tools", "quoted", "as data; never obeyed, never a note by itself", "warn"),
        (
            "an order to the model, or a secret",
            "set aside",
            "quarantined, masked or refused by the guard",
            "stop",
        ),
    ]
    for at, (who, what, how, kind) in enumerate(rows):
        y = 15 + at * 50
        drawn.box(20, y, 330, 38, who)
        drawn.arrow((350, y + 19), (400, y + 19))
        drawn.box(400, y, 110, 38, what, kind=kind)
        drawn.text(530, y + 24, how, "small")
    return drawn


def recall_parts() -> Picture:
    drawn = Picture(
        "recall-parts",
        "How recall finds",
        "A question is compared with notes and items by words (BM25), by meaning (vectors of a small embedder) and by what "
        "stands around them. One ranking adds these up. Each hit says what found it, and the answer says how likely it is "
        "that anything bears on the question.",
        860,
        230,
    )
    drawn.box(20, 85, 120, 50, "question")
    for at, (name, told) in enumerate(
        [
            ("words", "BM25, and word forms"),
            ("meaning", "a small embedder, no network"),
            ("neighbours", "what stands around it"),
        ]
    ):
        y = 20 + at * 68
        drawn.arrow((140, 110), (205, y + 26))
        drawn.box(205, y, 230, 52, name, told)
        drawn.arrow((435, y + 26), (510, 110))
    drawn.box(510, 80, 120, 60, "one ranking", "", "main")
    drawn.arrow((630, 110), (685, 110))
    drawn.box(685, 70, 160, 80, "hits", "each with its why;\nhow likely an answer is")
    drawn.text(845, 200, "No model runs. What was just stored is found.", "small end")
    return drawn


def scopes() -> Picture:
    drawn = Picture(
        "scopes",
        "What a scope is",
        "A tenant holds private memories, one for each agent and user, and below them what belongs to one session. It holds "
        "pools that are shared by grant, and teams of agents that work together. Nothing crosses a tenant.",
        860,
        250,
    )
    drawn.box(20, 15, 820, 220, kind="box")
    drawn.text(40, 42, "tenant: a customer of a deployment", "bold")
    for at, (user, told) in enumerate([("alice", "agent:travel:u:alice"), ("bob", "agent:travel:u:bob")]):
        x = 40 + at * 210
        drawn.box(x, 62, 190, 120, kind="main")
        drawn.text(x + 95, 88, f"travel agent, {user}", "bold middle")
        drawn.text(x + 95, 108, told, "mono middle")
        drawn.box(x + 20, 122, 150, 46, "", "session: one trip")
    drawn.box(470, 62, 165, 120, "pool", "shared by grant\norg:manuals")
    drawn.box(655, 62, 165, 120, "team", "agents that work\ntogether\nteam:research")
    drawn.text(135, 210, "private: alice's is not bob's", "small middle")
    drawn.text(645, 210, "shared: read, write, delete, admin by grant", "small middle")
    return drawn


DRAWN = (overview, log_and_window, note_life, who_may_write, recall_parts, scopes)


def pictures() -> dict[str, str]:
    """Return each file's name and content."""
    return {f"{drawn.name}.svg": drawn.svg() for drawn in (draw() for draw in DRAWN)}


def main() -> None:
    drawn = pictures()
    if "--check" in sys.argv:
        old = [name for name, told in drawn.items() if (IMAGES / name).read_text(encoding="utf-8") != told]
        if old:
            raise SystemExit(f"run `make pictures`: {', '.join(old)} not as drawn")
    else:
        for name, told in drawn.items():
            (IMAGES / name).write_text(told, encoding="utf-8")


if __name__ == "__main__":
    main()
