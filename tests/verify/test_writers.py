"""Certificates that the writers write, of guesses that are counted, of costs and of lies: one test of all."""

from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from fast_checker import built, judged

from guesstree.engine.objective import OBJECTIVES
from guesstree.engine.problem import Problem
from guesstree.engine.proofs.prover import writer_of
from guesstree.engine.proofs.statement import Goal, statement_of
from guesstree.engine.proofs.writer import Proof, ProofError, Writer
from guesstree.engine.registry import parse
from guesstree.engine.search.space import Resources

DATA = Path(__file__).parents[1] / "data"
PRICED, WON = f"table:{DATA / 'priced.csv'}", f"table:{DATA / 'won.csv'},win=yes"


@dataclass(frozen=True)
class Case:
    """The most that is true of a game: no strategy within a limit costs less than a bound."""

    spec: str
    within: int | None
    bound: Goal
    lies: int = 0
    goal: str | None = None
    first: str | None = None

    def __str__(self) -> str:
        words = [Path(self.spec).name, self.goal, self.first, f"within {self.within}", self.bound, "lies"]
        return " ".join(str(word) for word in words[: 5 + self.lies] if word is not None)

    @property
    def kind(self) -> str:
        """The checker of such games."""
        return "lies" if self.lies else "priced" if self.problem.priced else "verify"

    @property
    def problem(self) -> Problem:
        """The problem; where secrets may be lost, within the limit as a budget."""
        budget = self.within if isinstance(self.bound, tuple) else None
        objective = OBJECTIVES["expected" if budget is None else "win-probability"]
        return Problem(parse(self.spec), objective, goal=self.goal, first=self.first, budget=budget)

    def writer(self) -> Writer[Any]:
        """Return a writer for the problem."""
        problem = self.problem
        return writer_of(problem, self.lies, Resources.of(problem, 1, 1 << 28, self.lies), {})

    def refusal(self, folder: Path, proof: Proof, bound: Goal, within: int | None) -> str:
        """Return why the checker refuses a proof of a bound, or nothing."""
        statement = replace(statement_of(self.problem, self.lies), within=within)
        for name, data in statement.game.files.items():
            (folder / name).write_bytes(data)
        (why,) = judged(built("-O3", name=self.kind), folder, statement.text(bound, proof.body))
        return why

    @property
    def more(self) -> tuple[int | None, Goal]:
        """The next claim, which is false: one more guess, or a bound that is one higher."""
        if isinstance(self.bound, tuple):
            return self.within, (*self.bound[:-1], self.bound[-1] + 1)
        if self.bound is None:
            assert self.within is not None
            return self.within + 1, None
        return self.within, self.bound + 1


CASES = [
    Case("mastermind:4x6", None, 5625),  # Koyama and Lai 1993
    Case("mastermind:4x6", 5, 5626),
    Case("mastermind:4x6", 4, None),
    Case("mastermind:3x5", None, 451),
    Case("mastermind:3x5", None, 453, first="112"),
    Case("mastermind:4x4", None, 713, goal="identify"),
    Case("bulls:3x6", None, 436),
    Case("blackpeg:4x3", None, 331),
    Case(PRICED, None, 4045),
    Case(PRICED, 10, (147,)),
    Case(PRICED, 10, (147, 1522)),
    Case(PRICED, None, 5499, first="g3"),
    Case(PRICED, 18, 4646),
    Case(PRICED, 17, None),
    Case(WON, None, 1753),
    Case(WON, 14, 1771),
    Case(WON, 10, (36, 1483)),
    Case("mastermind:3x3", 4, None, lies=1),
    Case("mastermind:3x4", 5, None, lies=1),
    Case("mastermind:3x4", 4, None, lies=1, goal="identify"),
    Case("bulls:3x5", 5, None, lies=1),
    Case("blackpeg:3x3", 6, None, lies=1),
]
LONG = {CASES[0], CASES[1]}
FALSE = {"verify": "enough; expected a bound that", "priced": "the bound is false", "lies": "do with 1 lie"}


@pytest.mark.parametrize(
    "case", [pytest.param(case, marks=[pytest.mark.long] * (case in LONG)) for case in CASES], ids=str
)
def test_what_is_true_is_proved_and_no_more(tmp_path: Path, case: Case) -> None:
    writer = case.writer()
    proof = writer.root(case.within, case.bound)
    assert proof.bound == case.bound
    assert case.refusal(tmp_path, proof, case.bound, case.within) == ""
    within, bound = case.more
    assert case.refusal(tmp_path, proof, bound, within)
    with pytest.raises(ProofError, match=FALSE[case.kind]):
        writer.root(within, bound)
    again = writer.root(case.within, case.bound)  # perhaps by other parts: a search has found more of them
    assert again.bound == case.bound
    assert case.refusal(tmp_path, again, case.bound, case.within) == "", "it rests on no other certificate"


STOPPED = [CASES[0], CASES[7], CASES[8], CASES[10], CASES[18]]


@pytest.mark.parametrize("case", STOPPED, ids=str)
def test_when_stopped_the_bound_that_is_reached_is_proved(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, case: Case
) -> None:
    reached: list[Goal] = []
    for searches in (0, 1, 3, 9, 27, 1000):
        writer, calls = case.writer(), count()
        value = type(writer).value

        def impatient(*words: Any, calls: Any = calls, most: int = searches, value: Any = value) -> int:
            if next(calls) >= most:
                words[0].stop()
            found: int = value(*words)
            return found

        with monkeypatch.context() as patch:
            patch.setattr(type(writer), "value", impatient)
            proof = writer.root(case.within, case.bound)
        if case.bound is None and proof.bound == 0:  # nothing is proved
            continue
        assert case.refusal(tmp_path, proof, proof.bound, case.within) == ""
        reached.append(proof.bound)
    assert reached[-1] == case.bound
    if case.bound is not None:
        rising = [bound if isinstance(bound, tuple) else (bound or 0,) for bound in reached]
        assert rising == sorted(rising)
        assert rising[0] < rising[-1]
