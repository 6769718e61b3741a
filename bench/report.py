"""Write what was measured into docs/benchmarks.md, between its marks, and draw its plots.

    python bench/report.py [--results bench/results] [--check]

A table stands between `<!-- table: NAME -->` and `<!-- end -->`; what is outside is written by hand. `--check` writes
nothing, and fails where a table is not what the results say.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from environments import OURS, ROOT
from plots import curves

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

DOCUMENT = ROOT / "docs/benchmarks.md"
PLOTS = ROOT / "docs/plots"
TABLE = re.compile(r"(<!-- table: ([\w-]+) -->\n)(.*?)(<!-- end -->)", re.DOTALL)


def table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [heads, ["---", *["--:"] * (len(heads) - 1)], *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def bold(text: str, mine: bool) -> str:
    return f"**{text}**" if mine else text


def quality(found: dict[str, Any]) -> str:
    """Return what each peer found, and by how many times its time is Bethink's."""
    ours, rows = found["peers"][OURS], []
    for name, peer in found["peers"].items():
        metrics = peer["groups"]["all"]["metrics"]
        mean, low, high = metrics["R@10"]
        rows.append(
            [
                bold(peer["title"], name == OURS),
                f"{mean:.3f} ({low:.3f} to {high:.3f})",
                *(
                    f"{metrics[each][0]:.3f}"
                    for each in ("any@10", "all@10", "nDCG@10", "MRR", "session R@5")
                ),
                f"{peer['query_ms']:.1f}",
                f"× {peer['query_ms'] / ours['query_ms']:.1f}",
            ]
        )
    heads = ["", "R@10 (95 %)", "any@10", "all@10", "nDCG@10", "MRR", "session R@5", "ms a question", ""]
    size = f"{found['conversations']} conversations, {found['memories']:,} memories, {found['questions']} questions"
    return f"{size}; {stand(found)}.\n\n{table(heads, rows)}"


def kinds(found: dict[str, Any]) -> str:
    """Return R@10 by the kind of question."""
    names = [name for name in found["peers"][OURS]["groups"] if name != "all"]
    counts = [found["peers"][OURS]["groups"][name]["questions"] for name in names]
    heads = ["R@10", *(f"{name} ({count})" for name, count in zip(names, counts, strict=True))]
    rows = [
        [bold(peer["title"], key == OURS)]
        + [f"{peer['groups'][name]['metrics']['R@10'][0]:.3f}" for name in names]
        for key, peer in found["peers"].items()
    ]
    return table(heads, rows)


def speed(found: dict[str, Any]) -> str:
    """Return times and sizes at 10,000 memories."""
    part = next((each for each in found["sizes"] if each["size"] == 10_000), None)
    if part is None:
        return "Not measured yet: the run did not come to 10,000 memories.\n"
    ours, rows = part["peers"][OURS], []
    for name, peer in part["peers"].items():
        cells = [bold(peer["title"], name == OURS)]
        if "query_ms" not in peer:
            rows.append([*cells, peer.get("stopped", "–"), *[""] * 6])
            continue
        cells += [
            f"{peer[key]:.2f} (× {peer[key] / ours[key]:.1f})" if key in peer else "–"
            for key in ("kept_ms", "one_ms", "query_ms", "query_ms_slow", "cold_ms")
        ]
        cells.append(f"{peer['bytes'] / 1e6:.1f}" if peer["bytes"] else "in memory")
        cells.append(f"{peer['resident'] / 1e6:.0f}")
        rows.append(cells)
    heads = [
        "10,000 memories",
        "kept, among many",
        "kept, one",
        "found",
        "found, 95 %",
        "cold start",
        "MB on disk",
        "MB resident",
    ]
    return f"Milliseconds; {stand(part)}.\n\n{table(heads, rows)}"


def scale(found: dict[str, Any]) -> str:
    """Return Bethink's own times over sizes, and who went how far."""
    rows = []
    for part in found["sizes"]:
        for name, peer in part["peers"].items():
            if "query_ms" in peer:
                cells = [
                    f"{peer[key]:.2f}" if key in peer else "–"
                    for key in ("kept_ms", "one_ms", "query_ms", "cold_ms")
                ]
                disk = f"{peer['bytes'] / 1e6:,.1f}" if peer["bytes"] else "–"
                rows.append([f"{part['size']:,}", bold(peer["title"], name == OURS), *cells, disk])
            else:
                rows.append([f"{part['size']:,}", peer["title"], peer.get("stopped", "failed"), *[""] * 4])
    return table(
        ["memories", "", "kept ms", "kept, one, ms", "found ms", "cold start ms", "MB on disk"], rows
    )


def installed(found: dict[str, Any]) -> str:
    """Return what comes with an installation."""
    ours, rows = found["peers"][OURS], []
    for name, peer in found["peers"].items():
        rows.append(
            [
                bold(peer["title"], name == OURS),
                f"{peer['packages']}",
                f"{peer['megabytes']:.0f}",
                f"{peer['import_cpu_ms']:.0f}",
                f"× {peer['import_cpu_ms'] / ours['import_cpu_ms']:.1f}",
                f"{peer['import_ms_least']:.0f}",
            ]
        )
    said = f"From `pip install` in a new environment to a first recall: {found['from_nothing_s']:.1f} s."
    heads = ["", "packages", "MB", "import, CPU ms", "", "on the clock, least"]
    return f"{stand(found)}.\n\n{table(heads, rows)}\n{said}\n"


def sessions(found: dict[str, Any]) -> str:
    return f"{stand(found)}.\n\n```text\n{found['printed'].rstrip()}\n```\n"


def stand(found: dict[str, Any]) -> str:
    """Return on what and when it was measured."""
    on = found["machine"]
    return f"{on['cores']} cores of {on['cpu']}, Python {on['python']}, load {on['load']}, {on['when']}"


MAKERS: dict[str, tuple[str, Callable[[dict[str, Any]], str]]] = {
    "locomo": ("locomo", quality),
    "locomo-kinds": ("locomo", kinds),
    "long": ("long", quality),
    "made-up": ("made-up", quality),
    "made-up-kinds": ("made-up", kinds),
    "speed": ("speed", speed),
    "scale": ("speed", scale),
    "install": ("install", installed),
    "sessions": ("sessions", sessions),
}


def read(results: Path, name: str) -> dict[str, Any] | None:
    path = results / f"{name}.json"
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else None


def filled(text: str, results: Path) -> str:
    """Return the document with every table of which there are results made anew."""

    def fill(found: re.Match[str]) -> str:
        source, make = MAKERS[found[2]]
        data = read(results, source)
        return f"{found[1]}{make(data)}{found[4]}" if data else found[0]

    return TABLE.sub(fill, text)


def draw(results: Path, folder: Path) -> None:
    """Draw the curves over sizes."""
    found = read(results, "speed")
    if found is None:
        return
    folder.mkdir(parents=True, exist_ok=True)
    for key, title, up in (
        ("query_ms", "A question, warm", "ms"),
        ("kept_ms", "A memory kept among many until it can be found", "ms"),
        ("bytes", "On disk", "bytes"),
    ):
        series: dict[str, list[tuple[float, float]]] = {}
        for part in found["sizes"]:
            for peer in part["peers"].values():
                if key in peer:
                    series.setdefault(peer["title"], []).append((part["size"], peer[key]))
        picture = curves(series, title=title, across="memories in one namespace", up=up)
        (folder / f"{key.removesuffix('_ms')}.svg").write_text(picture, encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--results", type=Path, default=ROOT / "bench/results")
    parser.add_argument("--check", action="store_true")
    given = parser.parse_args()
    before = DOCUMENT.read_text(encoding="utf-8")
    after = filled(before, given.results)
    if given.check:
        sys.exit(0 if before == after else f"{DOCUMENT} is not what the results say: python bench/report.py")
    DOCUMENT.write_text(after, encoding="utf-8")
    draw(given.results, PLOTS)
    print(f"written: {DOCUMENT.relative_to(ROOT)}, {PLOTS.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
