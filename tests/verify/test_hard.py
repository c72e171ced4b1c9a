"""Certificates of Wordle in hard mode: what may be asked depends on the history (L10)."""

import json
import random
import re
import shlex
from math import inf
from pathlib import Path

import numpy as np
import pytest
from certificates import FOREVER, certificate
from effort import seeds
from fast_checker import SANITIZED, built
from hard_words import FIGHT, SPLIT, START, Hard, asked, hard_game, some_hard, trap
from slow_checker import SLOW, both, judged

from guesstree.api.certificate import prove
from guesstree.api.verification import judged as verdict_of
from guesstree.api.verification import read_certificate
from guesstree.cext import claims as kernel
from guesstree.cli import main
from guesstree.engine.errors import GuesstreeError
from guesstree.engine.games.wordle import WordleGame
from guesstree.engine.objective import parse_objective
from guesstree.engine.oracle import best, front
from guesstree.engine.problem import Problem
from guesstree.engine.proofs.counted import CountedWriter
from guesstree.engine.proofs.statement import Goal
from guesstree.engine.proofs.writer import ProofError
from guesstree.engine.registry import parse
from guesstree.engine.search.space import Resources

MODES = ["hard", "ultra"]


@pytest.fixture(scope="module")
def checker() -> str:
    """Build the checker so that it ends at the first wrong read or write."""
    return built(*SANITIZED)


@pytest.mark.parametrize(
    "seed", [*range(3), *(pytest.param(s, marks=pytest.mark.long) for s in range(3, 40))]
)
def test_the_true_cost_is_accepted_and_one_more_is_not(checker: str, tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(12):
        hard = some_hard(tmp_path, chance, most=6)
        first, within, true = asked(hard, chance)
        proof = hard.body(hard.everything, START, within, chance)
        assert both(checker, tmp_path, certificate(hard.game, true, proof, first, within), "verify") == ""
        if true < inf:
            for more in (true + 1, inf):
                assert both(
                    checker,
                    tmp_path,
                    certificate(hard.game, more, proof, first, within),
                    "verify",
                    alike=True,
                )
            lies = hard.body(hard.everything, START, within, chance, 0.2)
            assert both(checker, tmp_path, certificate(hard.game, true + 1, lies, first, within), "verify")


def problem_of(hard: Hard, folder: Path, first: str, within: int) -> Problem:
    """Return the same game, made by the engine."""
    _, a, b = hard.game.head.split()
    return Problem(
        parse(f"wordle:{folder / a},{folder / b},{hard.mode}"),
        parse_objective("expected"),
        goal=hard.game.goal.removesuffix("-candidates"),
        candidates_only=hard.game.only,
        max_depth=None if within == FOREVER else within,
        first=None if first == "-" else first,
    )


def bound_of(cost: float) -> Goal:
    return None if cost == inf else int(cost)


@pytest.mark.parametrize("seed", seeds(3, 70))
def test_what_the_engine_writes_is_true_and_accepted(checker: str, tmp_path: Path, seed: int) -> None:
    """The cost is that of the oracle, too, and a bound one higher is no theorem."""
    chance = random.Random(seed)
    for _ in range(16):
        hard = some_hard(tmp_path, chance)
        first, within, true = asked(hard, chance)
        problem = problem_of(hard, tmp_path, first, within)
        if first == "-" and len(hard.everything) <= 6:
            only, limit = hard.game.only, None if within == FOREVER else within
            pairs = front(problem.game, problem.goal, max_depth=limit, candidates_only=only)
            assert best(pairs, ("total",)) == (None if true == inf else (true,))
        writer = CountedWriter(problem, Resources.of(problem, 1, None))
        depth = len(hard.everything) if within == FOREVER else within
        proof = writer.root(depth, bound_of(true))
        assert proof.bound == bound_of(true)
        assert (
            both(checker, tmp_path, certificate(hard.game, true, proof.body, first, within), "verify") == ""
        )
        if true < inf:
            with pytest.raises(ProofError, match="enough"):
                writer.root(depth, int(true) + 1)


@pytest.mark.parametrize("mode", MODES)
def test_a_first_guess_demands_of_all_that_follow(checker: str, tmp_path: Path, mode: str) -> None:
    """After night the seven words are asked one by one, 28 guesses; in normal mode farms would help: 20."""
    hard = trap(tmp_path, mode)
    problem = problem_of(hard, tmp_path, "night", FOREVER)
    proof = CountedWriter(problem, Resources.of(problem, 1, None)).root(None, 28)
    text = certificate(hard.game, 28, proof.body, "night")
    assert both(checker, tmp_path, text, "verify", alike=True) == ""
    assert both(checker, tmp_path, text.replace(f"wordle-{mode}", "wordle", 1), "verify", alike=True)
    assert hard.game.asking(hard.everything, hard.game.guesses.index("night"), FOREVER) == 20
    assert both(checker, tmp_path, text.replace(" 28 ", " 29 ", 1), "verify", alike=True)


def test_what_is_proved_with_more_demands_serves_no_set_with_fewer(checker: str, tmp_path: Path) -> None:
    """Both zzzzz and zight leave all seven words; after zight only they may be asked, at 28 guesses."""
    hard = hard_game(tmp_path, FIGHT, [*SPLIT, "zight", "zzzzz"], "hard")
    lemma, true = "zight fight 28 .", 7 + hard.cost(hard.everything)
    assert both(checker, tmp_path, certificate(hard.game, 0, f"( {lemma} )"), "verify", alike=True) == ""
    assert true == 7 + 17
    for more in (0, 1, 11):
        text = certificate(hard.game, true + more, f"( {lemma} zzzzz fight 17 . )", "zzzzz")
        assert (both(checker, tmp_path, text, "verify", alike=True) == "") == (not more)
    text = certificate(hard.game, 7 + 28, ".", "zight")
    assert both(checker, tmp_path, text, "verify", alike=True) == ""
    weaker = certificate(hard.game, 7 + 17, "( zzzzz fight 17 . )", "zight")
    assert both(checker, tmp_path, weaker, "verify", alike=True) == ""


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("wordle-hard {a} {b} win - - 0 ( = aaz bbz ; )", "no renaming|renamings"),
        ("wordle-Hard {a} {b} win - - 0 .", "no (such )?game"),
        ("wordle- {a} {b} win - - 0 .", "no (such )?game"),
        ("wordle-ultra {b} {b} win - - 0 ( ! 2 9 aaz abz . )", "not (shown|in)|no secret"),
    ],
)
def test_wrong_statements(checker: str, tmp_path: Path, text: str, why: str) -> None:
    hard = hard_game(tmp_path, ["aaz", "bbz", "cbz"], ["abc", "zzz"], "hard")
    _, a, b = hard.game.head.split()
    whole = f"guesstree-proof/1 {text.format(a=a, b=b)}\n"
    assert re.search(why, both(checker, tmp_path, whole, "verify", alike=True))


def test_no_other_checker_takes_hard_mode(tmp_path: Path) -> None:
    hard = trap(tmp_path, "hard")
    lying = f"guesstree-proof/1 lies 0 {hard.game.head} win - 1 inf .\n"
    assert "hard mode" in judged(tmp_path, lying, "lies")
    assert both(built(*SANITIZED, name="lies"), tmp_path, lying, "lies", alike=True)
    kit = f"guesstree-proof/1 kit 0 {hard.game.head} identify - - 1 .\n"
    assert "hard mode" in judged(tmp_path, kit, "kit")
    assert SLOW["verify"]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the current folder, with two lists of words."""
    monkeypatch.chdir(tmp_path)
    Path("trap.txt").write_text("\n".join(FIGHT))
    Path("split.txt").write_text("\n".join(SPLIT))
    return tmp_path


def status_of(*words: str) -> int:
    """Run a command, and return its exit status."""
    with pytest.raises(SystemExit) as ended:
        main([*words])
    assert isinstance(ended.value.code, int)
    return ended.value.code


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ([], "the least total is 17"),
        (["--first", "night"], "the least total after night is 28"),
        (["--max-depth", "5"], "the least total within 5 guesses is 17"),
        (["--objective", "worst"], "the least worst case is 3"),
        (["--goal", "identify"], "the least total is 10"),
        (["--candidates-only"], "the least total asking candidates only is 28"),
        (["--workers", "2"], "the least total is 17"),
        (["--ledger", "a.ledger", "--first", "night"], "the least total after night is 28"),
    ],
)
def test_by_command(folder: Path, capsys: pytest.CaptureFixture[str], options: list[str], said: str) -> None:
    out = ["--out", "a.proof", "--strategy", "a.json"]
    assert status_of("prove", "wordle:trap.txt,split.txt,hard", *options, *out) == 0
    capsys.readouterr()
    assert status_of("verify", "a.proof", "--strategy", "a.json", "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert found["text"].endswith(said) and found["proved"] == "optimum"
    assert found["programs"]["a.proof"] == ["gtverify", "verify.py"]
    assert Path("a.proof").read_text().split()[1] == "wordle-hard"


@pytest.mark.parametrize("other", ["", ",ultra"])
def test_a_strategy_by_other_rules_is_no_match(
    folder: Path, capsys: pytest.CaptureFixture[str], other: str
) -> None:
    for mode, name in ((",hard", "hard"), (other, "other")):
        spec = f"wordle:trap.txt,split.txt{mode}"
        assert status_of("prove", spec, "--out", f"{name}.proof", "--strategy", f"{name}.json") == 0
    capsys.readouterr()
    for proof, tree in (("hard", "other"), ("other", "hard")):
        assert status_of("verify", f"{proof}.proof", "--strategy", f"{tree}.json") == 2
        assert "expected one of what the strategy is of" in capsys.readouterr().err


def test_another_list_is_refused(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    written = prove(parse("wordle:trap.txt,split.txt,hard"))
    written.write("a.proof")
    assert verdict_of(read_certificate("a.proof")).verified
    name = Path("a.proof").read_text().split()[3]
    Path(name).write_text(Path(name).read_text() + "zzzzz\n")
    assert "SHA-256" in verdict_of(read_certificate("a.proof")).line


def test_what_certificates_do_not_cover(folder: Path) -> None:
    Path("accents.txt").write_text("\u00e9tage\n\u00e9tats\n")
    with pytest.raises(GuesstreeError, match="hard mode of words of up to 5 letters a to z"):
        prove(parse("wordle:accents.txt,hard"))
    with pytest.raises(GuesstreeError, match="costs, weights or a budget; use expected or worst"):
        prove(parse("wordle:trap.txt,hard"), objective="win-probability", budget=3)


def test_the_command_that_shows_what_a_codemaker_who_mixes_guarantees(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is about the game in hard mode where all words are drawn alike; a table of weights has no rules."""
    Path("two.txt").write_text("fight\nlight\n")
    shown = []
    for lists in ("two.txt", "trap.txt,split.txt"):
        assert status_of("solve", f"wordle:{lists},hard", "--maker", "mixed", "--out", lists[:3]) == 0
        capsys.readouterr()
        assert status_of("check", lists[:3]) == 0
        shown += [line for line in capsys.readouterr().out.splitlines() if "guesstree prove" in line]
    (line,) = shown
    words = shlex.split(line.partition("guesstree ")[2])
    assert words == ["prove", "wordle:two.txt,hard", "--at-least", "3"]
    assert status_of(*words, "--out", "a.proof") == 0


def test_words_that_the_checker_does_not_take_are_refused_by_the_writer() -> None:
    """Letters beyond a to z would be read beyond the end of what is counted by letter."""
    table, own = np.zeros((1, 2), np.uint8), np.array([0], np.int32)
    for texts in (["AB", "AB", "ab"], ["ab", "ab"], ["abcdef"] * 3, ["a\u00e9"] * 3):
        words = np.array([list(text.encode("latin-1")) for text in texts], np.uint8)
        with pytest.raises(ValueError, match="expected all guesses and secrets in up to 5 letters a to z"):
            kernel.Checker(table, own, 1, 0, False, "hard", words)
    with pytest.raises(ValueError, match="expected all guesses"):
        kernel.Checker(table, own, 1, 0, False, "ultra")
    game = WordleGame("wordle:own", ["AB", "AC"], [], mode="hard")
    with pytest.raises(GuesstreeError, match="no checker knows its rules"):
        prove(game)
