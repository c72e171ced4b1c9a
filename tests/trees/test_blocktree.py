"""The drawing of blocks, coins and questions."""

import re
from pathlib import Path

import numpy as np
import pytest

from guesstree.engine.constructive.many import strategy
from guesstree.engine.constructive.measure import questions, random_codes
from guesstree.engine.constructive.size import Size
from guesstree.trees.export.blocktree import course, render_blocks
from guesstree.trees.tree import TreeError


@pytest.mark.parametrize(("n", "k"), [(8, 6), (16, 16), (10, 35), (12, 3)])
def test_the_questions_are_those_of_the_strategy(n: int, k: int) -> None:
    size = Size("mastermind", n, k)
    for code in random_codes(size, 5, seed=n):
        turns = course(size, code)
        assert len(turns) == questions(strategy(size, "identify"), size, code)
        for turn in turns:
            assert turn.response == size.respond(turn.guess, code)


def test_what_coins_weigh_is_what_they_add_to_the_other_pegs() -> None:
    size = Size("mastermind", 16, 20)  # some colour is absent, so that no base has black pegs
    code = size.code(np.arange(16) * 5 % 16)
    for turn in course(size, code):
        if turn.weight is not None:
            assert turn.weight == int((turn.guess == code)[turn.coins].sum())


def test_a_drawing_has_every_block_and_every_question(tmp_path: Path) -> None:
    size = Size("mastermind", 8, 6)
    code = size.code([3, 3, 1, 0, 2, 1, 4, 3])
    render_blocks(size, code, tmp_path / "blocks.dot")
    text = (tmp_path / "blocks.dot").read_text()
    blocks = set(re.findall(r"^\t+(b\d+_\d+) \[label", text, re.MULTILINE))
    # Pegs 1 and 2 have one colour: they are not halved.
    pairs = [(0, 8), (0, 4), (4, 8), (0, 2), (2, 4), (4, 6), (6, 8), *((peg, peg + 1) for peg in range(2, 8))]
    assert blocks == {f"b{start}_{stop}" for start, stop in pairs}
    for number in range(1, len(course(size, code)) + 1):
        assert f"<TR><TD>{number}</TD>" in text


@pytest.mark.parametrize("ending", ["svg", "pdf", "png"])
def test_pictures_are_drawn(ending: str, tmp_path: Path) -> None:
    size = Size("blackpeg", 9, 7)
    render_blocks(size, random_codes(size, 1, seed=1)[0], tmp_path / f"blocks.{ending}")
    data = (tmp_path / f"blocks.{ending}").read_bytes()
    assert data[:5] in (b"<?xml", b"%PDF-", b"\x89PNG\r")
    assert len(data) > 5000


@pytest.mark.parametrize(
    ("size", "name", "said"),
    [
        (Size("mastermind", 8, 6), "blocks.gif", "use a name that ends in .dot, .svg, .pdf, .png"),
        (Size("mastermind", 40, 6), "blocks.svg", "at most 32 pegs"),
        (Size("mastermind", 8, 2), "blocks.svg", "3 to 35 colours"),
        (Size("mastermind", 8, 36), "blocks.svg", "3 to 35 colours"),
    ],
)
def test_what_is_not_drawn_is_refused(size: Size, name: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(TreeError, match=re.escape(said)):
        render_blocks(size, random_codes(size, 1, seed=1)[0], tmp_path / name)
