"""Degenerate games, extreme numbers and odd files: a checker and its twin agree, and rightly."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
import slow_checker
from degenerate import (
    LYING,
    LYING_TABLES,
    ODD,
    PAID,
    PLAIN,
    PLAIN_GAMES,
    PRICED,
    TABLES,
    WORDS,
    about,
    of_words,
)
from fast_checker import SANITIZED, VERIFY, built, judged
from slow_checker import both

from guesstree.engine.proofs import lying, priced
from guesstree.engine.proofs import statement as certificate

Judge = Callable[[str], bool]
KINDS = {"verify": "table", "lies": "lies 0 table", "priced": "priced"}
"""The checkers, with what stands before the hash of a table."""
SAYS = {"verify": "- {} .", "lies": "{} inf .", "priced": "- {} ."}
"""What stands behind the goal and the first guess."""


@pytest.fixture(scope="module")
def programs() -> dict[str, str]:
    """Build the checkers so that they end at the first wrong read or write."""
    return {name: built(*SANITIZED, name=name) for name in KINDS}


@pytest.fixture
def accepts(programs: dict[str, str], tmp_path: Path) -> Callable[[str, str], bool]:
    """Return what asks a checker of a kind and its twin, which have to agree, in a line each."""

    def ask(kind: str, words: str) -> bool:
        return not both(programs[kind], tmp_path, f"guesstree-proof/1 {words}\n", kind, alike=True)

    return ask


Ask = Callable[[str, str], bool]


@pytest.mark.parametrize("kind", KINDS)
def test_plain_tables_are_read_alike(accepts: Ask, tmp_path: Path, kind: str) -> None:
    most = 1 if kind == "lies" else 3  # two secrets, told apart by one guess
    for content in PLAIN:
        for claim in (most - 1, most):
            rest = f"identify - {SAYS[kind].format(claim)}"
            assert accepts(kind, about(tmp_path, KINDS[kind], content, rest)) == (claim < most), content


@pytest.mark.parametrize("kind", KINDS)
def test_what_two_readers_may_take_in_two_ways_is_refused(accepts: Ask, tmp_path: Path, kind: str) -> None:
    for what, content in (ODD if kind == "priced" else ODD | PRICED).items():
        rest = f"identify - {SAYS[kind].format(0)}"
        assert not accepts(kind, about(tmp_path, KINDS[kind], content, rest)), what


def test_costs_and_weights_are_taken_where_they_count(accepts: Ask, tmp_path: Path) -> None:
    for what, content in PRICED.items():
        assert accepts("priced", about(tmp_path, "priced", content, "identify - - 2 .")), what


@pytest.mark.parametrize(("words", "true"), [*PLAIN_GAMES.items()])
def test_codes(accepts: Ask, words: str, true: bool) -> None:
    assert accepts("verify", words) == true


@pytest.mark.parametrize(("content", "rest", "true"), TABLES)
def test_tables(accepts: Ask, tmp_path: Path, content: str, rest: str, true: bool) -> None:
    assert accepts("verify", about(tmp_path, "table", content, rest)) == true


@pytest.mark.parametrize(("content", "rest", "true"), WORDS)
def test_words(accepts: Ask, tmp_path: Path, content: str, rest: str, true: bool) -> None:
    assert accepts("verify", of_words(tmp_path, content, rest)) == true
    lying = f"lies 0 {of_words(tmp_path, content, 'identify - 1 inf .')}"
    assert not accepts("lies", lying)


@pytest.mark.parametrize(("words", "true"), [*LYING.items()])
def test_codes_with_lies(accepts: Ask, words: str, true: bool) -> None:
    assert accepts("lies", words) == true


@pytest.mark.parametrize(("content", "rest", "true"), LYING_TABLES)
def test_tables_with_lies(accepts: Ask, tmp_path: Path, content: str, rest: str, true: bool) -> None:
    assert accepts("lies", about(tmp_path, "lies 2 table", content, rest)) == true


@pytest.mark.parametrize(("content", "rest", "true"), PAID)
def test_tables_with_costs(accepts: Ask, tmp_path: Path, content: str, rest: str, true: bool) -> None:
    assert accepts("priced", about(tmp_path, "priced", content, rest)) == true


@pytest.mark.parametrize("kind", KINDS)
def test_what_ends_early_is_refused_wherever_it_ends(
    programs: dict[str, str], tmp_path: Path, kind: str
) -> None:
    """Status 1, as nothing is wrong with the files that it names."""
    words = [about(tmp_path, KINDS[kind], PLAIN[0], f"identify - {SAYS[kind].format(0)}")]
    words += [of_words(tmp_path, "ab\nba\n", "win - - 2 .")] if kind == "verify" else []
    for tokens in (f"guesstree-proof/1 {claim}".split() for claim in words):
        *short, whole = [" ".join(tokens[:count]) for count in range(1, len(tokens) + 1)]
        *why, accepted = judged(programs[kind], tmp_path, *short, whole)
        assert accepted == "" and all(": refused: " in said for said in why), (accepted, why)
        assert all(slow_checker.judged(tmp_path, text, kind) for text in short)


def test_the_writer_keeps_the_limits_of_the_checkers() -> None:
    source = "".join(path.read_text() for path in VERIFY.glob("*.h"))
    limits = dict(re.findall(r"#define (MAX_\w+) (\d+)", source))
    found = {name: int(limits[name]) for name in ("MAX_NUMBER", "MAX_PEGS", "MAX_SUM", "MAX_GUESSES")}
    written = (certificate.MOST_NUMBER, certificate.MOST_PEGS, priced.MOST_SUM, lying.MOST_GUESSES)
    assert tuple(found.values()) == written
    assert int(limits["MAX_PARTS"]) == certificate.MOST_RESPONSES + 1  # with that which wins
    assert f"#define MAX_ANSWERS {certificate.MOST_WITH_COSTS} " in (VERIFY / "priced.c").read_text()
    assert "#define MAX_TABLE ((size_t)2 << 30)" in source and certificate.MOST_CELLS == 1 << 30  # twice
