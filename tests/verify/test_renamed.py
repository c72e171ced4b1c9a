"""Lemmas that rename others (L8): forms of sets, what is written, what is accepted, what is said of it."""

import random
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from fast_checker import built, judged
from hypothesis import given
from hypothesis import strategies as st
from slow_checker import judged as slowly_judged

from guesstree.api.certificate import prove
from guesstree.api.explained import Explanation
from guesstree.api.explanation import explained
from guesstree.api.minimise import minimised
from guesstree.api.verification import read_certificate
from guesstree.cext import kernels, reference
from guesstree.engine.objective import EXPECTED
from guesstree.engine.problem import Problem
from guesstree.engine.proofs.items import inside, items_of, lemmas_in
from guesstree.engine.proofs.renamed import RenamedSets
from guesstree.engine.proofs.renaming import CodeRenamings, Renaming, renaming_of
from guesstree.engine.registry import parse
from guesstree.present.explanation import explanation_paper
from guesstree.trees.export.paper.text import draw


def renamings_of(spec: str) -> CodeRenamings:
    """Return the renamings of a game of codes."""
    codes = Problem(parse(spec), EXPECTED).codes
    assert codes is not None
    return CodeRenamings(codes.digits, separate=codes.symbols == 0)


def some_renaming(those: CodeRenamings, chance: random.Random) -> Renaming:
    """Return any renaming."""
    colours = range(those.colours)
    each = [tuple(chance.sample(colours, those.colours)) for _ in range(those.pegs if those.separate else 1)]
    return tuple(chance.sample(range(those.pegs), those.pegs)), tuple(each)


@given(st.data())
def test_forms_agree_with_the_plain_twin(data: st.DataObject) -> None:
    pegs, colours = data.draw(st.sampled_from([(1, 1), (1, 4), (2, 3), (3, 3), (3, 4), (4, 3), (5, 2)]))
    digits = np.array(list(product(range(colours), repeat=pegs)), dtype=np.uint8)
    some = data.draw(st.lists(st.integers(0, len(digits) - 1), min_size=1, max_size=40, unique=True))
    members, separate = np.array(sorted(some), dtype=np.int32), data.draw(st.booleans())
    for found, plain in zip(
        kernels.code_form(digits, members, colours, separate),
        reference.code_form(digits, members, colours, separate),
        strict=True,
    ):
        assert np.array_equal(found, plain)
        assert found.dtype == plain.dtype


@pytest.mark.parametrize("spec", ["mastermind:4x5", "bulls:4x6", "blackpeg:4x4", "mastermind:8x2"])
def test_a_renamed_set_is_found_and_its_renaming_is_true(spec: str) -> None:
    """Of sets that guesses leave most are found; never one that is no image."""
    problem, those, chance = Problem(parse(spec), EXPECTED), renamings_of(spec), random.Random(spec)
    sets, found, tried = RenamedSets(those), 0, 0
    for _ in range(60):
        members = np.arange(problem.secrets, dtype=np.int32)
        for _ in range(chance.randint(1, 3)):
            row = problem.row(chance.randrange(len(problem.own)), members)
            members = np.ascontiguousarray(members[row == chance.choice(row.tolist())])
        sets.proved.clear()
        sets.remember(sets.form(members), 3, 7)
        moved = np.sort(those.image(some_renaming(those, chance))[members]).astype(np.int32)
        form = sets.form(moved)
        assert sets.body(form, 3, 8) == sets.body(form, 4, 7) == ""
        body, tried = sets.body(form, 3, 7), tried + 1
        if body:
            back = those.image(renaming_of(*body.split()[1:]))[moved]
            assert np.array_equal(np.sort(back), members)
            found += 1
        others = np.sort(np.array(chance.sample(range(problem.secrets), len(members)), dtype=np.int32))
        other = sets.body(sets.form(others), 3, 7)
        if other:
            assert np.array_equal(np.sort(those.image(renaming_of(*other.split()[1:]))[others]), members)
    assert found >= 0.8 * tried


def test_most_lemmas_of_black_pegs_rename_others(tmp_path: Path) -> None:
    """Counted before there were such bodies: 703 without and 6,593 with lemmas of their own."""
    proved = prove("blackpeg:3x8", goal="identify")
    bodies = [item.body for item in items_of(inside(" ".join(proved.text.split()[8:]))) if item.body]
    renamed = sum(body.startswith("~") for body in bodies)
    assert judged(built(), tmp_path, proved.text) == [""]
    assert proved.lemmas == len(bodies) < 1_500
    assert sum(body == "(" for body in bodies) < 500 < renamed


@pytest.mark.parametrize(
    "spec", ["blackpeg:2x5", "blackpeg:3x4", "mastermind:3x5", "bulls:3x6", "bulls:2x12"]
)
@pytest.mark.parametrize("goal", ["win", "identify"])
def test_what_is_written_is_accepted_by_the_slow_checker(tmp_path: Path, spec: str, goal: str) -> None:
    proved = prove(spec, goal=goal)
    assert slowly_judged(tmp_path, proved.text) == ""
    fewer = minimised(proved)
    assert judged(built(), tmp_path, fewer.text) == [""]
    assert lemmas_in(" ".join(fewer.text.split()[8:])) == fewer.lemmas <= proved.lemmas


# The set after 0011 -> 0122 has 56 secrets; after 2233 -> 2300 it is the same with 0 and 1 for 2 and 3.
TRUE = [
    ("0011 0122 90 .\n2233 2300 90 ~ 0123 2301", ""),
    ("0011 0122 90 .\n2233 2300 89 ~ 0123 2301", ""),
    ("0011 0122 90 .\n2233 2300 91 ~ 0123 2301", "a set of 56 secrets: its image is not proved to cost 91"),
    ("2233 2300 90 ~ 0123 2301\n0011 0122 90 .", "a set of 56 secrets: its image is not proved to cost 90"),
    ("0011 0122 90 .\n2233 2300 90 ~ 0123 0123", "a set of 56 secrets: its image is not proved to cost 90"),
    ("0011 0122 90 .\n2233 2300 90 ~ 0123 2300", "2300 does not rename 4 colours"),
    ("0011 0122 90 .\n2233 2300 90 ~ 0113 2301", "0113 does not rename 4 positions"),
    ("0011 0122 90 .\n2233 2300 90 ~ 0123", "0123 ) does not rename 4 positions and 4 colours"),
    ("0011 0122 90 ~ 0123 0123", "a set of 56 secrets: its image is not proved to cost 90"),
    ("0011 0122 0 ~ 0123 0123", "a set of 56 secrets: its image is not proved to cost 0"),
    ("0011 0122 0 .\n2233 2300 0 ~ 0123 2301", ""),
    (
        "0011 0122 1 ( 0011 0122 90 . ) 2233 2300 90 ~ 0123 2301",
        "",
    ),  # with one guess less, but more than it needs
]


@pytest.mark.parametrize(("items", "why"), TRUE)
def test_a_lemma_renames_one_that_is_proved(tmp_path: Path, items: str, why: str) -> None:
    text = f"guesstree-proof/1 mastermind 4 4 win - - 0 ( {items} )\n"
    (said,) = judged(built(), tmp_path, text)
    assert why in said
    assert bool(said) == bool(why) == bool(slowly_judged(tmp_path, text))


def test_what_a_look_ahead_shows_is_no_lemma(tmp_path: Path) -> None:
    """The set was looked at, and costs more than 1; it is not proved."""
    items = "101 010 93 . 101 010 1 ( 020 010 1 ~ 012 0123 )"
    text = f"guesstree-proof/1 blackpeg 3 4 win - - 0 ( {items} )\n"
    assert "its image is not proved to cost 1" in judged(built(), tmp_path, text)[0]
    assert "1 is not proved of the image" in slowly_judged(tmp_path, text)


@pytest.mark.parametrize(
    "text",
    [
        "guesstree-proof/1 mastermind 4 4 win - - 0 ~ 0123 0123\n",
        "guesstree-proof/1 mastermind 4 4 win - - 0 ( ~ 0123 0123 )\n",
        "guesstree-proof/1 mastermind 4 4 win - - 0 ( = ~ 0123 0123 )\n",
    ],
)
def test_the_whole_renames_nothing(tmp_path: Path, text: str) -> None:
    assert judged(built(), tmp_path, text) != [""]
    assert slowly_judged(tmp_path, text)


def test_fewer_guesses_left_are_no_proof_for_more(tmp_path: Path) -> None:
    """After two guesses of five the set has three left: what is proved within two says nothing of it."""
    deep = "0011 0122 0 ( 0011 0122 {} . )\n2233 2300 {} ~ 0123 2301"
    for within, bound, good in ((4, "inf", False), (4, "0", True)):
        text = f"guesstree-proof/1 mastermind 4 4 win - {within} 0 ( {deep.format(bound, bound)} )\n"
        assert (judged(built(), tmp_path, text) == [""]) == good
        assert (slowly_judged(tmp_path, text) == "") == good


def test_explain_says_which_lemma_is_renamed(tmp_path: Path) -> None:
    path = tmp_path / "some.proof"
    proved = prove("blackpeg:3x5")
    path.write_text(proved.text)
    assert "~" in proved.text
    found = explained(read_certificate(str(path)), 100)
    assert isinstance(found, Explanation)
    renamed = [(lemma, *lemma.image) for lemma, _ in found.accounts if lemma.image is not None]
    assert renamed
    for lemma, image, to in renamed:
        assert np.array_equal(np.sort(to), image.members)
        assert image.bound >= lemma.bound
    text = " ".join(draw(explanation_paper([found])).decode().split())
    assert f"A renaming takes them to those of Lemma {renamed[0][1].number}" in text
