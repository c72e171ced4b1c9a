"""What a command loads: nothing that it does not need, since that is most of what a short one takes."""

import subprocess
import sys
from inspect import cleandoc
from pathlib import Path

import click
import pytest
from terminal import environment

from guesstree.cli import COMMANDS, Lazy, guesstree_command

RUN = """
import sys
from guesstree.cli import main
try:
    main(sys.argv[1:])
except SystemExit as ended:
    assert not ended.code, ended.code
print(*sys.modules, file=sys.stderr)
"""
DRAWING = {"graphviz", "pygraphviz", "matplotlib", "networkx", "pypdf", "guesstree.trees.export.dot"}
READING = {"fastjsonschema", "json", "guesstree.trees.export.files", "importlib.metadata"}
OTHERS = {"rich", "guesstree.engine.games.wordle", "guesstree.engine.tables.family"}
SEARCHES = {"guesstree.engine.search.priced", "guesstree.engine.search.lying"}


def loaded(*words: str) -> set[str]:
    """Return the modules that a command has loaded when it ends."""
    command = [sys.executable, "-c", RUN, *words]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, env=environment())
    assert done.returncode == 0, done.stderr
    return set(done.stderr.split())


@pytest.mark.parametrize(
    ("words", "without"),
    [
        (["--help"], {"numpy", *DRAWING, *READING, *OTHERS}),
        (["games"], {"guesstree.engine.search", "guesstree.trees", *DRAWING, *READING, "rich"}),
        (
            ["respond", "mastermind:4x6", "1122", "1234"],
            {"guesstree.engine.search", "guesstree.trees", *DRAWING, *READING, *OTHERS},
        ),
        (["solve", "mastermind:3x3"], {*DRAWING, *READING, *OTHERS, *SEARCHES}),
        (["solve", "mastermind:3x3", "--json"], {*DRAWING, *READING, *OTHERS, *SEARCHES} - {"json"}),
    ],
    ids=lambda given: " ".join(given) if isinstance(given, list) else "",
)
def test_a_command_loads_what_it_needs_alone(words: list[str], without: set[str]) -> None:
    modules = loaded(*words)
    assert "guesstree.cli" in modules
    assert modules & without == set()


def test_a_picture_loads_what_draws_it(tmp_path: Path) -> None:
    assert {"graphviz", "guesstree.trees.export.dot"} <= loaded(
        "solve", "mastermind:2x2", "--render", f"{tmp_path}/tree.svg"
    )


def test_the_help_says_of_a_command_what_its_own_help_says() -> None:
    assert isinstance(guesstree_command, Lazy)
    context = click.Context(guesstree_command)
    for name in COMMANDS:
        command = guesstree_command.get_command(context, name)
        assert command is not None
        assert guesstree_command.about(context, name) == cleandoc(command.help or "") != ""
