"""Render the outcome of an eval run as one self-contained HTML page."""

from __future__ import annotations

from html import escape
from itertools import groupby
from typing import TYPE_CHECKING, Final

from bethink.evals.lifecycle.plots import bars, counts, number_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bethink.evals.lifecycle.values import Figure, Outcome

_STYLE: Final = """
body{font:15px/1.5 system-ui,sans-serif;max-width:960px;margin:2rem auto;padding:0 1rem;color:#1c2430;background:#fff}
h1{font-size:1.5rem}h2{font-size:1.15rem;margin-top:2.2rem;border-bottom:1px solid #d8dee6}h3{font-size:1rem}
table{border-collapse:collapse;width:100%;font-size:14px}td,th{padding:.25rem .5rem;text-align:left;vertical-align:top}
th{color:#5b6776;font-weight:500}tr+tr td{border-top:1px solid #eef1f5}td.n{text-align:right;white-space:nowrap}
svg{max-width:100%;height:auto}.bar{fill:#4a7fb5}.count{fill:#7d9c6a}.range{stroke:#1c2430;stroke-width:1.5}
text{font-size:12px;fill:#1c2430}.number{font-variant-numeric:tabular-nums}.dim{color:#5b6776}
details{margin:.4rem 0}pre{white-space:pre-wrap;overflow-wrap:anywhere;background:#f5f7fa;padding:.5rem;margin:.2rem 0}
@media(prefers-color-scheme:dark){body{background:#12161c;color:#dde4ec}text{fill:#dde4ec}.range{stroke:#dde4ec}
pre{background:#1b212a}tr+tr td{border-color:#232b36}h2{border-color:#2c3541}}
"""
_POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'"


def page(outcome: Outcome) -> str:
    """Return the report: every metric, plots, tallies and every failure."""
    return "\n".join([
        "<!doctype html>",
        '<html lang="en"><head><meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">',
        '<meta name="viewport" content="width=device-width,initial-scale=1">',
        f"<title>Bethink: the lifecycle, measured</title><style>{_STYLE}</style></head><body>",
        "<h1>The lifecycle, measured</h1>",
        (
            f'<p class="dim">Seed {outcome.seed}, {outcome.seconds:.1f} s. Ranges hold the value in 95 of 100 '
            "samplings. Messages, corrections, requests and the month were written by people who wrote no rule; the "
            "other sentences and the users were made up by the authors of the library.</p>"
        ),
        *_suites(outcome),
        *_tallies(outcome),
        *_failures(outcome),
        "</body></html>",
        "",
    ])  # fmt: skip


def _suites(outcome: Outcome) -> Iterator[str]:
    for suite, members in groupby(outcome.figures, key=lambda figure: figure.metric.suite):
        figures = list(members)
        yield f"<h2>{escape(suite)}</h2>"
        yield "<table><tr><th>metric</th><th>value</th><th>95 %</th><th>n</th><th>better</th><th>what it is</th></tr>"
        for figure in figures:
            yield _row(figure)
        yield "</table>"
        shares = [
            (figure.metric.name, figure.interval)
            for figure in figures
            if figure.interval is not None and figure.interval.high <= 1
        ]
        if shares:
            yield bars(shares, title=f"the shares of {suite}")
        for figure in figures:
            if len(figure.groups) > 1:
                yield f"<h3>{escape(figure.metric.name)}, part by part</h3>"
                yield bars(list(figure.groups.items()), title=figure.metric.name)


def _row(figure: Figure) -> str:
    known, metric = figure.interval, figure.metric
    value, low_high, n = ("not measured", "", "0")
    if known is not None:
        value, low_high, n = (
            number_text(known.mean),
            f"{number_text(known.low)} to {number_text(known.high)}",
            str(known.count),
        )
    name = f"{metric.name} ({metric.of})" if metric.of else metric.name
    return (
        f'<tr><td>{escape(name)}</td><td class="n">{value}</td><td class="n">{low_high}</td>'
        f'<td class="n">{n}</td><td>{metric.better}</td><td>{escape(metric.meaning)}</td></tr>'
    )


def _tallies(outcome: Outcome) -> Iterator[str]:
    yield "<h2>counted</h2>"
    for name, values in outcome.tallies.items():
        yield f"<h3>{escape(name)}</h3>"
        yield counts(values, title=name)


def _failures(outcome: Outcome) -> Iterator[str]:
    yield f"<h2>failures ({len(outcome.failures)})</h2>"
    ordered = sorted(outcome.failures, key=lambda check: check.metric)
    for metric, members in groupby(ordered, key=lambda check: check.metric):
        checks = list(members)
        yield f"<details><summary>{escape(metric)} ({len(checks)})</summary>"
        for check in checks:
            yield (
                f"<p>{escape(check.case)}</p><pre>wanted: {escape(check.wanted)}\n"
                f"got:    {escape(check.got)}</pre>"
            )
        yield "</details>"
