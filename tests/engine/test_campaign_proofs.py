"""Claims proved one by one: each by itself, checked together, and put together to a whole certificate."""

import random
import re
from collections import Counter
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import nullcontext, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from here import Here, work_here
from slow_checker import judged

from guesstree.api.certificate import checked, prove, refusal
from guesstree.api.ledger import export_ledger
from guesstree.engine.campaign import worker
from guesstree.engine.campaign.exported import Assembler, FirstGuessProofs, goal_of
from guesstree.engine.campaign.lemmas import Lemmas
from guesstree.engine.campaign.messages import INFINITE, NodeId, Report, Steps, Task
from guesstree.engine.campaign.paths import Paths
from guesstree.engine.campaign.proofs import CampaignProver, Checking, Proofs
from guesstree.engine.campaign.propagation import Propagation, Splitter
from guesstree.engine.campaign.store import MemoryStore
from guesstree.engine.campaign.tree import BudgetPolicy
from guesstree.engine.campaign.worker import with_proof
from guesstree.engine.claims import ProofPart
from guesstree.engine.errors import GuesstreeError, Infeasible
from guesstree.engine.objective import WITHOUT_BUDGET, parse_objective
from guesstree.engine.problem import Problem
from guesstree.engine.proofs.counted import CountedWriter
from guesstree.engine.proofs.prover import Aim
from guesstree.engine.proofs.statement import statement_of
from guesstree.engine.proofs.writer import Proof, ProofError
from guesstree.engine.registry import parse
from guesstree.engine.search.deadline import Deadline
from guesstree.engine.search.solve import claim_space
from guesstree.engine.search.space import Resources

WORDS = (
    [first + "atch" for first in "bchlmpw"] + [first + "ight" for first in "flmnrstw"] + ["stomp", "clown"]
)


PRICED = f"table:{Path(__file__).parents[1] / 'data' / 'priced.csv'}"


@pytest.fixture(autouse=True)
def words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("words.txt").write_text("\n".join(WORDS))


class Game:
    """A game with a writer, a store, and what is accepted of it; the most guesses are those of no limit."""

    def __init__(self, spec: str, part: str, depth: int | None = None, **options: Any) -> None:
        self.problem = Problem(parse(spec), parse_objective("expected"), max_depth=depth, **options)
        self.paths, self.room = Paths(claim_space(self.problem)), Resources.of(self.problem, 1, 1 << 24)
        self.writer = CountedWriter(self.problem, self.room)
        self.figure, self.depth, self.store = part, self.problem.max_depth, MemoryStore()
        self.splitter = Splitter(claim_space(self.problem), self.paths, self.figure, self.depth)
        self.accepted = Propagation(self.splitter, self.store, lambda known: known.accepted)

    def value(self, path: Steps) -> int:
        """Return what a place costs."""
        state = self.paths.state(path, self.depth - len(path) // 2)
        most = INFINITE if self.figure == "worst" else INFINITE - 1
        if len(path) % 2 == 0:
            return self.writer.value(ProofPart(state.candidates, state.depth, 0), most, path)
        costs = [self.value(cell.path) for cell in self.splitter.split(path)[1]]
        if self.figure == "worst":
            return max(costs)
        return min(INFINITE, len(state.candidates) + sum(costs))

    def proof(self, path: Steps, bound: int) -> Report:
        """Return a claim with its proof."""
        place = NodeId(path, self.figure, self.depth - len(path) // 2)
        ask = Task(place, bound, proof=True)
        return with_proof(self.writer, self.paths, ask, Report(place, bound, worker="me"), {})

    def verdicts(self, told: list[Report]) -> list[str]:
        return Checking(self.writer, self.paths, refusal).verdicts(told)


GAMES: list[tuple[str, str, int | None, dict[str, Any]]] = [
    ("mastermind:3x5", "total", None, {}),
    ("mastermind:3x4", "total", 5, {"first": "112"}),
    ("bulls:4x6", "worst", 4, {}),
    ("blackpeg:3x4", "total", 7, {}),
    ("blackpeg:3x5", "worst", 6, {}),
    ("bulls:3x6", "total", None, {"goal": "identify"}),
    ("mastermind:3x4", "total", None, {"candidates_only": True}),
    ("wordle:words.txt", "worst", 4, {}),
    ("coins:4", "total", None, {}),
    ("wordle:words.txt,hard", "total", None, {}),
    ("wordle:words.txt,ultra", "total", None, {}),
]


def some_claims(game: Game, chance: random.Random) -> dict[Steps, int]:
    """Return what some places cost, where counting does not say so."""
    found: dict[Steps, int] = {}
    for _ in range(60):
        path: Steps = ()
        while len(path) < 4 and (not path or chance.random() < 0.8):
            guesses, _ = game.splitter.guesses(path)
            if not len(guesses):
                break
            branch = *path, int(chance.choice(guesses.tolist()))
            cells = [cell for cell in game.splitter.split(branch)[1] if cell.size > 2]
            found[branch] = game.value(branch)
            if not cells:
                break
            path = chance.choice(cells).path
            found[path] = game.value(path)
    if game.figure == "worst":
        found = {path: value for path, value in found.items() if value >= INFINITE}
    return dict(list(found.items())[:25])


@pytest.mark.parametrize(("spec", "part", "depth", "options"), GAMES, ids=str)
def test_claims_are_checked_together_and_what_is_wrong_is_named(
    spec: str, part: str, depth: int | None, options: dict[str, Any]
) -> None:
    game, chance = Game(spec, part, depth, **options), random.Random(1)
    values = some_claims(game, chance)
    told = [game.proof(path, value) for path, value in values.items()]
    assert len(told) > 5 and all(one.proof for one in told)
    assert game.verdicts(told) == [""] * len(told)
    finite = [i for i, one in enumerate(told) if one.proved < INFINITE]
    for i in finite[:3]:
        wrong = [*told[:i], replace(told[i], proved=told[i].proved + 1), *told[i + 1 :]]
        said = game.verdicts(wrong)
        assert [j for j, why in enumerate(said) if why] == [i]
        assert "is not shown" in said[i] or "add up to" in said[i]
    if finite:
        with pytest.raises(ProofError, match="enough"):
            game.proof(told[finite[0]].node.path, told[finite[0]].proved + 1)


@pytest.mark.parametrize(
    "text",
    ["(", ")", ". .", "( ) ( )", "0000 0001 5", "= 0123", "! 2 2 a", "0000 0001 x .", "\x00", "9 9 9 ."],
)
def test_what_is_no_proof_says_nothing_about_others(text: str) -> None:
    game = Game("mastermind:4x4", "total")
    branch = (int(game.splitter.guesses(())[0][1]),)
    cell = game.splitter.split(branch)[1][0].path
    good = [game.proof(path, game.value(path)) for path in (branch, cell)]
    for path in (branch, cell, ()):
        bad = Report(NodeId(path, "total", 256 - len(path) // 2), 9999, proved=9999, proof=text)
        said = game.verdicts([good[0], bad, good[1]])
        assert [bool(why) for why in said] == [False, True, False], said


def spread(game: Game, path: Steps, bound: int, chance: random.Random, level: int) -> None:
    """Accept claims that show together what a state costs, but for one here and there."""
    if game.splitter.known(game.splitter.state(path))[0] >= bound:
        return
    if path and (not level or chance.random() < 0.3):
        accept(game, path, bound, chance)
        return
    guesses, lower = game.splitter.guesses(path)
    for guess in guesses[lower < bound].tolist():
        branch = *path, int(guess)
        game.store.take(Report(NodeId(branch, game.figure, game.depth - len(path) // 2), 0))
        cells = game.splitter.split(branch)[1]
        if level < 2 or chance.random() < 0.6:
            accept(game, branch, bound, chance)
        elif game.figure == "worst":
            spread(game, next(c.path for c in cells if game.value(c.path) >= bound), bound, chance, level - 1)
        else:
            missing = bound - len(game.paths.state(path, 0).candidates) - sum(cell.lower for cell in cells)
            for cell in cells:
                value = min(game.value(cell.path), cell.lower + max(missing, 0))
                missing -= value - cell.lower
                spread(game, cell.path, value, chance, level - 1)
    game.accepted.look_again()


def accept(game: Game, path: Steps, bound: int, chance: random.Random) -> None:
    if chance.random() < 0.95:
        told = game.proof(path, bound)
        game.store.take(told)
        game.store.accept(told.node, told.proved)


class Frugal(Assembler):
    """Counts its searches."""

    searches = 0

    def value(self, part: ProofPart, most: int, path: Steps) -> int:
        self.searches += 1
        return super().value(part, most, path)


@pytest.mark.parametrize(("spec", "part", "depth", "options"), GAMES, ids=str)
def test_a_certificate_is_put_together_from_claims(
    spec: str, part: str, depth: int | None, options: dict[str, Any]
) -> None:
    game = Game(spec, part, depth, **options)
    bound = game.value((game.problem.first,)) if game.problem.first is not None else game.value(())
    for seed in range(2):
        game.store.known.clear()
        game.accepted.asked.clear()
        spread(game, (), bound, random.Random(seed), 3)
        writer = Frugal(game.problem, game.room)
        writer.take_from(game.accepted)
        complete = game.accepted.state((), bound) >= bound
        proof = writer.proof(bound)
        assert proof.bound == goal_of(bound)
        assert writer.searches == 0 or not complete or spec.startswith("coins")
        statement = replace(statement_of(game.problem), within=depth)
        for name, data in statement.game.files.items():
            Path(name).write_bytes(data)
        assert judged(Path.cwd(), statement.text(goal_of(bound), proof.body)) == ""


class Wrong:
    """Workers of which one tells a bound that its proof does not show."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, often: int) -> None:
        self.often, self.told = often, 0
        self.settle = worker.settle
        monkeypatch.setattr(worker, "settle", self)

    def __call__(self, order: bytes, asks: tuple[Task, ...]) -> tuple[Report, ...]:
        found = self.settle(order, asks)
        if found[0].proof and self.told < self.often:
            self.told += 1
            more = found[0].proved + 10
            found = (replace(found[0], proved=more, lower=more, worker="liar"), *found[1:])
        return found


def proved_here(
    problem: Problem, monkeypatch: pytest.MonkeyPatch, bound: int
) -> tuple[CampaignProver, Proof]:
    """Prove a bound in this thread; return who did, and the proof."""
    work_here(monkeypatch)
    prover = CampaignProver(problem, 1, 1 << 26, None, cluster=None, trust=False, check=checked)
    return prover, prover.best(Aim(None, bound), Deadline(None), None)


def test_where_counting_says_all_that_is_accepted_nothing_is_put_together(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Tables are made for that, which for a large game takes a minute."""
    problem = Problem(parse("mastermind:3x4"), parse_objective("expected"))
    work_here(monkeypatch)
    monkeypatch.delattr("guesstree.engine.campaign.proofs.assembler_of")
    prover = CampaignProver(problem, 1, 1 << 26, None, cluster=None, trust=False, check=checked)
    assert prover.best(Aim(None, 206), Deadline(0.0), None) == Proof(192, ".", 0)
    assert prover.best(Aim(None, 192), Deadline(None), None) == Proof(192, ".", 0)
    assert verified(problem, ".", 192)
    assert [prover.best(Aim(depth, None), Deadline(0.0), None).bound for depth in (3, 4)] == [None, 0]


def verified(problem: Problem, body: str, bound: int) -> bool:
    return refusal(statement_of(problem), statement_of(problem).text(bound, body)) == ""


def test_a_wrong_claim_is_refused_and_named_and_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = Problem(parse("mastermind:4x5"), parse_objective("expected"))
    Wrong(monkeypatch, 2)
    prover, proof = proved_here(problem, monkeypatch, 2463)
    assert proof.bound == 2463 and verified(problem, proof.body, 2463)
    assert isinstance(prover.store, MemoryStore)
    refused = prover.store.refused
    assert len(refused) == 2
    for place, why in refused:
        said = re.fullmatch(r"(.*) at least (\d+), by liar: (\d+: refused|lemmas of \d+ add up to).*", why)
        assert said is not None and said[1] == Paths(claim_space(problem)).text(place.path)
        known = prover.store.find(place)
        assert known is None or known.accepted < int(said[2])


def test_who_is_always_wrong_is_not_asked_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = Problem(parse("mastermind:4x5"), parse_objective("expected"))
    Wrong(monkeypatch, 1000)
    with pytest.raises(GuesstreeError, match=r"refuses the same claim again and again: \S+ at least \d+, by"):
        proved_here(problem, monkeypatch, 2463)


def test_what_was_proved_before_and_not_checked_is_not_proved_again() -> None:
    game = Game("mastermind:3x4", "total")
    value, splitter = game.value(()), game.accepted.splitter
    guesses, counted = splitter.guesses(())
    weak = [int(guess) for guess, least in zip(guesses, counted, strict=True) if least < value]
    for guess in weak:
        game.store.take(game.proof((guess,), value))
    proofs = Proofs(claim_space(game.problem), game.store, b"", checked, splitter.node(()), value, 1)
    (task,) = proofs.next(5)
    assert task.call is checked and sorted(told.node.path for told in task.arguments[1]) == [
        (g,) for g in weak
    ]
    proofs.take(task, ("",) * len(weak))
    assert proofs.next(5) == [] and proofs.finished and proofs.reached == value


def test_what_takes_too_long_is_proved_by_what_is_below_it(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = Problem(parse("mastermind:4x4"), parse_objective("expected"), goal="identify")
    shown: list[int] = []

    def impatient(
        writer: CountedWriter, paths: Paths, ask: Task, told: Report, known: dict[int, int]
    ) -> Report:
        shown.append(len(ask.node.path))
        if len(ask.node.path) < 3:
            return replace(told, children=tuple((r, lower, INFINITE) for r, lower in known.items()))
        return with_proof(writer, paths, ask, told, known)

    monkeypatch.setattr("guesstree.engine.campaign.worker.with_proof", impatient)
    _, proof = proved_here(problem, monkeypatch, 713)
    assert proof.bound == 713 and verified(problem, proof.body, 713)
    assert set(shown) == {1, 2, 3}


def test_a_bound_that_is_false_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = Problem(parse("mastermind:3x4"), parse_objective("expected"))
    with pytest.raises(ProofError, match="less than 207 is enough; expected a bound that is true"):
        proved_here(problem, monkeypatch, 207)


def test_a_proof_that_is_stopped_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    game = Game("mastermind:4x5", "total")
    branch = (int(game.splitter.guesses(())[0][2]),)
    monkeypatch.setattr("guesstree.engine.campaign.worker.LEAST_SECONDS", 0.0)
    ask = Task(NodeId(branch, "total", game.depth), game.value(branch), seconds=1e-9, proof=True)
    told = with_proof(game.writer, game.paths, ask, Report(ask.node, ask.bound), {3: 7})
    assert (told.proof, told.proved, told.children) == ("", 0, ((3, 7, INFINITE),))
    again = with_proof(game.writer, game.paths, replace(ask, seconds=0.0), told, {})
    assert game.verdicts([again]) == [""]


@pytest.mark.parametrize("fine", [False, True])
def test_what_counting_shows_is_proved_as_what_is_searched(
    fine: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    work_here(monkeypatch)
    if fine:
        monkeypatch.setattr(BudgetPolicy, "budget", 1)
        monkeypatch.setattr(
            BudgetPolicy, "expected", lambda _, size, branch: 0 if branch or size <= 4 else INFINITE
        )
    for spec, objective, goal, bound in (
        ("mastermind:2x3", "expected", "identify", 15),
        ("coins:4", "worst,expected", None, 42),
        ("coins:5", "expected", None, 100),
    ):
        found = prove(spec, objective, goal=goal, workers=2)
        assert found.solution is not None and found.solution.upper[-1] == found.bound == bound
        assert found.line.startswith("verified: ")
        if found.more is not None:
            assert (found.more.bound, found.more.within) == (None, 2)


class Liar:
    """Workers of which one tells something wrong, once."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, wrong: Callable[[Report], Report | None]) -> None:
        self.wrong, self.lies, self.settle = wrong, 0, worker.settle
        monkeypatch.setattr(worker, "settle", self)

    def __call__(self, order: bytes, asks: tuple[Task, ...]) -> tuple[Report, ...]:
        found = list(self.settle(order, asks))
        for i, told in enumerate(found):
            lie = None if self.lies or told.proof else self.wrong(told)
            if lie is not None:
                found[i], self.lies = replace(lie, worker="liar"), 1
        return tuple(found)


def too_much(told: Report) -> Report | None:
    """Say that what the best first guess costs is more than can be."""
    return replace(told, lower=INFINITE, upper=INFINITE, children=()) if told.upper == 206 else None


def too_little(told: Report) -> Report | None:
    """Say that a first guess costs less than any does, without a strategy."""
    return replace(told, lower=0, upper=200, choices=b"") if len(told.node.path) == 1 else None


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (too_much, "less than 208 is enough, says"),
        (too_little, "strategy with a total of 200, and there is none"),
    ],
)
def test_a_ledger_that_a_liar_told_is_right_the_next_time(
    wrong: Callable[[Report], Report], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    work_here(monkeypatch)
    liar = Liar(monkeypatch, wrong)
    with pytest.raises(GuesstreeError, match=said):
        prove("mastermind:3x4", ledger="some.ledger")
    assert liar.lies
    found = prove("mastermind:3x4", ledger="some.ledger")
    assert found.bound == 206 and found.line.startswith("verified: ")
    assert found.solution is not None and found.solution.upper == found.solution.lower == (206,)


class Cut(Here):
    """Works for so many tasks; then Ctrl-C is pressed."""

    def __init__(self, left: int, calls: Counter[str]) -> None:
        self.left, self.calls = left, calls

    def submit(self, call: Callable[..., Any], /, *arguments: Any, **_: Any) -> Future[Any]:
        self.left -= 1
        if self.left < 0:
            raise KeyboardInterrupt
        self.calls[call.__name__] += 1
        return super().submit(call, *arguments)


SHARED: list[tuple[str, dict[str, Any]]] = [
    (PRICED, {"objective": "expected"}),
    (PRICED, {"objective": "worst,expected"}),
    (PRICED, {"objective": "expected,worst"}),
    (PRICED, {"objective": "win-probability", "budget": 9}),
    ("mastermind:3x4", {"objective": "worst", "lies": 1}),
    ("bulls:3x4", {"objective": "worst", "lies": 1, "goal": "identify"}),
]


@pytest.mark.parametrize(("spec", "asked"), SHARED, ids=str)
def test_with_costs_or_lies_a_proof_goes_on_where_it_was_and_is_exported(
    spec: str, asked: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, calls = prove(spec, **asked), Counter[str]()
    for left in (2, 5, 10**6):
        opened = nullcontext((Cut(left, calls), 1))
        monkeypatch.setattr("guesstree.engine.campaign.proofs.open_executor", lambda *_, it=opened: it)
        with suppress(Infeasible):
            found = prove(spec, ledger="a.ledger", **asked)
    assert (found.bound, found.within) == (whole.bound, whole.within)
    assert found.solution is not None and found.solution.optimal
    assert found.line == export_ledger("a.ledger").line
    assert calls["settle"] and calls["prove"]
    calls.clear()
    again = prove(spec, ledger="a.ledger", **asked)
    assert again.text == found.text == export_ledger("a.ledger").text and not calls
    if found.more is not None and whole.more is not None and again.more is not None:
        assert (found.more.bound, found.more.within) == (whole.more.bound, whole.more.within)
        assert found.more.line.startswith("verified: ") and again.more.text == found.more.text


@pytest.mark.parametrize("objective", WITHOUT_BUDGET)
def test_that_the_only_secret_costs_nothing_is_proved_within_any_limit(
    objective: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    work_here(monkeypatch)
    Path("one.csv").write_text("test,a\nt,x\nweight,3\n")
    for ledger in (None, "a.ledger"):
        found = prove("table:one.csv", objective, goal="identify", max_depth=2, ledger=ledger)
        assert found.line.startswith("verified: every strategy for 1 secrets costs at least 0")
    assert found.line == export_ledger("a.ledger").line


@pytest.mark.parametrize(("spec", "asked"), SHARED, ids=str)
def test_with_costs_or_lies_what_is_trusted_is_the_bound(
    spec: str, asked: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    work_here(monkeypatch)
    found, proven = prove(spec, trust=True, **asked), prove(spec, **asked)
    assert (found.bound, found.within, found.claim) == (proven.bound, proven.within, proven.claim)


def test_lemmas_about_first_guesses_are_kept_by_guess_bound_and_limit() -> None:
    lemmas = Lemmas(lambda _: b"", lambda: None)
    aims = [Aim(None, 5), Aim(None, 6), Aim(4, 5), Aim(4, (5,)), Aim(4, (5, 6)), Aim(4, None)]
    for aim in aims:
        for guess in (-1, 0, 1):
            FirstGuessProofs(lemmas, aim).keep((guess, f"{aim} {guess}"))
    for aim in aims:
        assert [FirstGuessProofs(lemmas, aim).text(g) for g in (-1, 0, 1)] == [
            f"{aim} {g}" for g in (-1, 0, 1)
        ]


def test_what_is_lost_after_a_guess_counts_what_was_paid() -> None:
    space = claim_space(Problem(parse(PRICED), parse_objective("win-probability"), budget=9))
    query = space.query("won")
    searcher = space.searcher(query, Resources(1 << 20, tabled=True, jobs=1))
    root, seen = space.root(query), 0
    for guess in range(len(space.problem.own)):
        for child in space.split(query, root, guess):
            for then in range(len(space.problem.own)) if child.size > 1 else ():
                parts = space.split(query, child.state, then)
                if len(parts) > 1 and all(part.state is None for part in parts):
                    value = space.search(searcher, child.state, space.infinite, 0).lower
                    assert sum(part.paid for part in parts) >= value
                    dear = child.state is not None and int(space.problem.costs.min()) > child.state.left
                    assert not dear or sum(part.paid for part in parts) == value
                    seen += dear
    assert seen


def test_a_state_of_a_strategy_with_lies_is_told_by_its_depth() -> None:
    space = claim_space(Problem(parse("mastermind:2x2"), parse_objective("worst")), 1)
    states = [space.root(space.query("worst", depth)) for depth in (3, 4)]
    assert states[0].key == states[1].key
    assert space.claim_key(states[0]) != space.claim_key(states[1])


def test_more_than_a_state_costs_is_not_looked_for() -> None:
    """A strategy bounds what can be shown of a state: no guess in it is split for more."""
    game = Game("mastermind:3x5", "total")
    guess = int(game.splitter.guesses(())[0][0])
    (child, *_) = game.splitter.split((guess,))[1]
    value, asked = game.value(child.path), int(game.splitter.guesses(child.path)[0][-1])
    game.splitter._children.clear()
    found = Propagation(game.splitter, game.store, lambda known: known.lower)
    for path, lower, upper in (((*child.path, asked), value, INFINITE), (child.path, value, value)):
        game.store.take(Report(game.splitter.node(path), lower, upper))
    found.look_again()
    assert found.state(child.path, value + 50) == found.most(child.path) == value
    assert not game.splitter._children
    game.store.known[game.splitter.node(child.path)].upper = INFINITE
    found.forget()
    assert found.state(child.path, value + 50) == value
    assert game.splitter._children, "now there is reason to look"
