"""Users put agents right in their own words and languages; what they say then is remembered, questions are not."""

import pytest

from bethink.workspace.corrections import find_correction

from .runs import LESSON, said


@pytest.mark.parametrize(
    ("sentence", "kept"),
    [
        ("No, use tabs instead of spaces.", "Use tabs instead of spaces."),
        ("Wrong, the port is not 80, it should be 8080.", "The port is not 80, it should be 8080."),
        ("Also never push to main.", "Never push to main."),
        ("Keep answers short.", "Keep answers short."),
        ("Actually, put the tests beside the code.", "Put the tests beside the code."),
        ("Nein, nimm bitte pnpm statt npm.", "Nimm bitte pnpm statt npm."),
        ("Immer zuerst die Tests laufen lassen.", "Immer zuerst die Tests laufen lassen."),
        ("Non, utilise plutôt pnpm.", "Utilise plutôt pnpm."),
        ("Toujours écrire les messages en anglais.", "Toujours écrire les messages en anglais."),
        ("No, usa pnpm en lugar de npm.", "Usa pnpm en lugar de npm."),
        ("Nunca borres los registros.", "Nunca borres los registros."),
        ("いや、タブを使ってください。", "タブを使ってください。"),
        ("必ずテストを先に実行すること。", "必ずテストを先に実行すること。"),
        ("不对，要用制表符。", "要用制表符。"),
        ("不要直接推送到主分支。", "不要直接推送到主分支。"),
    ],
)
def test_a_correction_is_found_in_whatever_words(sentence, kept):
    assert find_correction(sentence, after_action=True) == kept


@pytest.mark.parametrize(
    "sentence",
    ["No.", "No, thanks.", "Actually, what does it do?", "Run the tests.", "Great, thanks!", "Never?", "いいえ。",
     "テストはどこですか。", "这是什么？", "Also, hello."],
)  # fmt: skip
def test_what_puts_nothing_right_is_none(sentence):
    assert find_correction(sentence, after_action=True) is None


def test_before_anything_was_done_an_opener_is_no_correction():
    assert find_correction("No, use tabs instead of spaces.", after_action=False) is None


def test_what_a_user_puts_right_is_in_the_memory_and_is_no_title(scope, root):
    with scope.workspace(root) as space:
        space.record("Format the sources.", LESSON, final_output="Done.", session_id="w")
        space.record(
            "No, put the imports in one block instead.", [said("ok")], final_output="ok", session_id="w"
        )
        space.record("出力は短くしてください。", [said("ok")], final_output="ok", session_id="w")
    index = (root / "memories/MEMORY.md").read_text()
    assert "- Put the imports in one block instead." in index
    assert "- 出力は短くしてください。" in index
    summary = next((root / "memories/rollout_summaries").iterdir()).read_text()
    assert "# Format the sources" in summary
    assert "- No, put" not in summary


def test_keywords_are_of_what_was_said_and_a_search_returns_text(scope, root):
    with scope.workspace(root) as space:
        space.record(
            "Run the tests. Always run the linter before you commit.",
            LESSON,
            final_output="ok",
            session_id="w",
        )
        found = scope.workspace(root).search("linter commit tests")
    assert "sport" not in (root / "memories/MEMORY.md").read_text()
    found = scope.workspace(root).search("linter commit tests pytest")
    assert found
    assert all("rollout_id=" not in each.text and not each.text.startswith("- tests, ") for each in found)
    assert "linter" in found[0].text
