"""What the shell offers when Tab is pressed, and the script that makes it ask."""

import os
import subprocess
import sys

import pytest
from click.shell_completion import ShellComplete

from guesstree.cli import guesstree_command


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("sol", {"solve"}),
        ("solve mast", {"mastermind:4x6"}),
        ("solve --max", {"--max-depth", "--max-leaves"}),
        ("solve mastermind:4x6 --time", {"--time-limit"}),
        ("solve mastermind : 4x6 --time", {"--time-limit"}),  # so bash takes it apart
        ("solve mastermind:4x6 --method ent", {"entropy"}),
        ("solve mastermind:4x6 --method e", {"exact", "entropy", "expected-size"}),
        ("solve mastermind:4x6 --goal w", {"win"}),
        ("solve nothing:4x6 --nothing", set()),
    ],
)
def test_tab_offers_commands_games_options_and_methods(typed: str, offered: set[str]) -> None:
    *words, last = typed.split()
    completion = ShellComplete(guesstree_command, {}, "guesstree", "_GUESSTREE_COMPLETE")
    assert {item.value for item in completion.get_completions(words, last)} == offered


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_the_script_for_the_shell_is_printed(shell: str) -> None:
    command = [sys.executable, "-m", "guesstree"]
    asked = os.environ | {"_GUESSTREE_COMPLETE": f"{shell}_source"}
    run = subprocess.run(command, env=asked, capture_output=True, text=True, timeout=60)
    assert run.returncode == 0
    assert f"_GUESSTREE_COMPLETE={shell}_complete" in run.stdout
