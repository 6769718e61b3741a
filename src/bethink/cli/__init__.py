"""The commands of `bethink`: each parses, calls the library's public face once, and renders."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command that the arguments name, and end the process with its exit status."""
    if sys.argv[1:2] == ["hook"] and not {"-h", "--help"} & set(sys.argv[2:]):
        from bethink.coding.hook import main as hook

        hook(sys.argv[2:])
    from bethink.cli.app import app

    try:
        app(prog_name="bethink")
    except Exception as error:  # noqa: BLE001 - the outermost door: a defect is one line, not a traceback
        from bethink.cli.failures import defect

        sys.stderr.write(defect(error) + "\n")
        sys.exit(70)
