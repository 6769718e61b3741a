"""The examples of frameworks run, and show what they say."""

import subprocess
import sys
from pathlib import Path

EXAMPLES = Path(__file__).parents[2] / "examples"


def shown(name, tmp_path):
    done = subprocess.run(
        [sys.executable, EXAMPLES / name, str(tmp_path / "memory.db")],
        capture_output=True,
        text=True,
        check=True,
        cwd=tmp_path,
    )
    return done.stdout.splitlines()


def test_what_one_framework_wrote_others_read_and_one_receipt_ends(tmp_path):
    done = subprocess.run(
        [sys.executable, EXAMPLES / "one_memory_everywhere.py", str(tmp_path)],
        capture_output=True,
        text=True,
        check=True,
        cwd=tmp_path,
    )
    before, receipt, after = (
        done.stdout.splitlines()[:4],
        *done.stdout.splitlines()[4:5],
        done.stdout.splitlines()[5:],
    )
    assert before[0] == "LangGraph has: ['Remember that I am vegetarian.', 'Noted.', 'Lives in Bergen.']"
    assert before[1].startswith("the Agents SDK is told: - I am vegetarian.")
    assert "I am vegetarian." in before[2]
    assert before[3] == "the dashboard: shown"
    assert receipt.endswith("and left 0")
    assert after == [
        "LangGraph has: []",
        "the Agents SDK is told: nothing",
        "MCP finds: No memories found.",
        "the dashboard: not shown",
    ]
    for file in tmp_path.iterdir():
        assert not [word for word in (b"vegetarian", b"Bergen") if word in file.read_bytes()], file.name


def test_a_graph_goes_on_after_an_interrupt_and_finds_what_another_thread_put(tmp_path):
    assert shown("langgraph_memory.py", tmp_path) == [
        "asks: May I remember that?",
        "goes on: You said: Remember that I eat no meat.",
        "in another thread: You said: Remember that I eat no meat.",
        "another user: I know nothing of that.",
        "left after erasing: 0",
        "after that: I know nothing of that.",
    ]


def test_an_agent_of_langchain_knows_its_user_in_the_next_thread_and_nobody_else(tmp_path):
    lines = shown("langchain_memory.py", tmp_path)
    assert lines[0] == "ana, monday: I know nothing of you yet."
    assert lines[1].startswith("ana, friday: I know: - ")
    assert "vegetarian" in lines[1]
    assert lines[2] == "bob, friday: I know nothing of you yet."
