"""The reference of the command line has every command, with the examples that `tests/cli/test_examples.py` runs."""

from bethink.cli.examples import EXAMPLES
from tests.docs.reference import module

docs_cli = module("docs_cli")


def test_every_command_is_shown_with_all_its_examples():
    page = docs_cli.page()
    assert {name for name, _ in docs_cli.commands()} <= set(EXAMPLES)
    for name, _ in docs_cli.commands():
        section = page.partition(f"`bethink {name}`\n")[2].partition("\n##")[0]
        assert "\n".join(["For example:", "", "```sh", *EXAMPLES[name], "```"]) in section


def test_every_command_and_option_is_on_the_page():
    page = docs_cli.page()
    for name, command in docs_cli.commands():
        assert f"`bethink {name}`\n" in page
        section = page.partition(f"`bethink {name}`\n")[2]
        for option in docs_cli._options(command):
            assert f"`{option.opts[0]}`" in section or f"`{option.opts[0]}`" in page.partition("\n## `")[0]


def test_an_option_that_takes_a_value_says_so_and_its_default():
    page = docs_cli.page()
    section = page.partition("## `bethink worker`\n")[2].partition("\n## ")[0]
    assert "| `--idle` `MINUTES` | `30.0` |" in section
    assert "| `--once` |  |" in section


def test_options_of_all_commands_are_told_once():
    assert docs_cli.page().count("\n| `--embedder` ") == 1
