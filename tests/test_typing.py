"""The types that users see are the ones that are promised."""

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent


def test_what_a_user_writes_has_the_types_that_are_promised():
    checker = Path(sys.executable).parent / "pyright"
    done = subprocess.run(
        [checker, "--outputjson", "--pythonpath", sys.executable, "tests/typing/api.py"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    report = json.loads(done.stdout)
    assert [each["message"] for each in report["generalDiagnostics"]] == []
    assert report["summary"]["filesAnalyzed"] == 1
