"""The example of tools runs as its page says."""

import runpy
import sys
from pathlib import Path

EXAMPLE = Path(__file__).parents[2] / "examples/tools_any_model.py"


def test_a_model_of_any_make_uses_a_memory_by_tools(capsys, monkeypatch, tmp_path):
    monkeypatch.setattr(sys, "argv", [str(EXAMPLE), str(tmp_path / "memory.db")])
    runpy.run_path(str(EXAMPLE), run_name="__main__")
    printed = capsys.readouterr().out
    assert "call_1 → Stored memory 'diet'." in printed
    assert "diet: Is vegetarian." in printed
    assert "call_3 → No memory found for key 'seat'." in printed
