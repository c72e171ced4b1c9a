"""What an argument about kits says of its claims, beside all kits of tiny tables."""

import random
from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import comb, prod

import pytest
from effort import seeds
from explaining import words_of
from random_kits import random_cover

from guesstree.api.explained import KitExplanation
from guesstree.engine.errors import GuesstreeError
from guesstree.engine.kits.cover import CoverProblem
from guesstree.engine.kits.kit import least_kit
from guesstree.engine.kits.search import Search
from guesstree.engine.objective import EXPECTED
from guesstree.engine.problem import Problem
from guesstree.engine.proofs.kit_argument import (
    COUNTED,
    MUST,
    NEVER,
    PAIR,
    PRICED,
    TRIED,
    KitAccount,
    KitArgument,
    KitClaim,
    KitRules,
)
from guesstree.engine.proofs.kits import KitWriter, kit_proof
from guesstree.engine.tables.table import TableGame


def argument_of(cover: CoverProblem, bound: int) -> KitArgument:
    """Return the argument of the certificate of a table."""
    secrets, questions = ([str(i + 1) for i in range(n)] for n in (cover.secrets, cover.questions))
    body = KitWriter(None, cover, secrets, questions, ruled=False).proof(bound)
    return KitArgument(*game_of(cover), bound, body)


def game_of(cover: CoverProblem) -> tuple[Problem, KitRules]:
    """Return a table, and what a kit of it is."""
    cells = [["abc"[answer] for answer in row] for row in cover.answers.tolist()]
    questions, secrets = [f"q{i}" for i in range(cover.questions)], [f"s{i}" for i in range(cover.secrets)]
    use = [MUST if g in cover.must else NEVER if g in cover.never else "" for g in range(cover.questions)]
    rules = KitRules(cover.apart // 2, cover.costs.tolist(), use, [*map(str, cover.kinds.tolist())])
    return Problem(TableGame("table", questions, secrets, cells), EXPECTED, goal="identify"), rules


class Truth:
    """Which questions are a kit, with no help of what is tested."""

    def __init__(self, cover: CoverProblem) -> None:
        self.rows, self.costs, self.cover = cover.answers.tolist(), cover.costs.tolist(), cover
        kinds, n = cover.kinds.tolist(), cover.secrets
        self.pairs = [(a, b) for b in range(n) for a in range(b) if kinds[a] != kinds[b]]

    def due(self, kit: tuple[int, ...], pair: tuple[int, int]) -> int:
        """Return how many more questions have to tell a pair apart."""
        return max(self.cover.apart - sum(self.tells(g, pair) for g in kit), 0)

    def tells(self, question: int, pair: tuple[int, int]) -> bool:
        """Return whether a question tells a pair apart."""
        return bool(self.rows[question][pair[0]] != self.rows[question][pair[1]])

    def open(self, kit: tuple[int, ...]) -> list[tuple[int, int]]:
        """Return the pairs that need more questions."""
        return [pair for pair in self.pairs if self.due(kit, pair)]

    def kits(self, kit: tuple[int, ...], allowed: list[int], left: int) -> Iterator[tuple[int, ...]]:
        """Yield all questions that those which are allowed make of a kit, each as often as it may count."""
        if left < 0:
            return
        yield kit
        for at, question in enumerate(allowed):
            if kit.count(question) < self.cover.apart:
                rest = allowed[at:] if self.cover.apart > 1 else allowed[at + 1 :]
                yield from self.kits((*kit, question), rest, left - self.costs[question])


def body_by_pairs(truth: Truth, claim: KitClaim, dice: random.Random) -> str:
    """Return a body of a true claim that names random pairs, with all questions that tell them apart."""
    least = min([cost for cost in truth.costs if cost], default=1)
    if claim.left < 3 * least:
        return TRIED
    pair, allowed = dice.choice(truth.open(claim.kit)), claim.allowed
    said = []
    for g in [g for g in range(len(truth.rows)) if allowed >> g & 1 and truth.tells(g, pair)]:
        again = allowed if truth.cover.apart > 1 else allowed & ~(1 << g)
        below = KitClaim("", (*claim.kit, g), again, claim.left - truth.costs[g])
        said.append(f"{g + 1} {body_by_pairs(truth, below, dice)}")
        allowed &= ~(1 << g)
    return f"( {pair[0] + 1} {pair[1] + 1} {' '.join(said)} )"


def require_shown(truth: Truth, claim: KitClaim, account: KitAccount) -> None:
    """Fail unless a claim is true, and what shows it is."""
    allowed = [g for g in range(len(truth.rows)) if claim.allowed >> g & 1]
    assert all(truth.open(kit) for kit in truth.kits(claim.kit, allowed, claim.left))
    assert account.open == len(truth.open(claim.kit))
    usable = [g for g in allowed if truth.costs[g] <= claim.left]
    if claim.body == PAIR:
        assert account.pair == claim.pair
        assert account.telling == [g for g in allowed if truth.tells(g, claim.pair or (0, 0))]
        assert sum(equal for _, equal, _ in claim.inside) == len(account.telling)
        assert account.due == truth.due(claim.kit, claim.pair or (0, 0)) > 0
    elif claim.body == TRIED:
        require_tried(truth, claim, account, allowed)
    elif claim.body == PRICED:
        assert account.total == sum(p * truth.due(claim.kit, pair) for pair, p in claim.prices)
        gains = {g: sum(p for pair, p in claim.prices if truth.tells(g, pair)) for g in usable}
        assert dict(account.gains) == gains
        most, left = Fraction(0), claim.left
        for g in sorted(gains, key=lambda g: Fraction(gains[g], truth.costs[g]), reverse=True):
            spent = left if truth.cover.apart > 1 else min(left, truth.costs[g])
            most, left = most + Fraction(gains[g] * spent, truth.costs[g]), left - spent
        assert account.collected == most < account.total
    else:
        require_counted(truth, claim, account, usable)


def require_tried(truth: Truth, claim: KitClaim, account: KitAccount, allowed: list[int]) -> None:
    """Fail unless pairs show of the last questions that none of them makes a kit."""
    if claim.left < 0:
        return
    asked = [g for witness in account.witnesses for g in witness.questions]
    if account.pair is not None:
        fits = [g for g in allowed if truth.costs[g] <= claim.left and truth.tells(g, account.pair)]
        assert sorted(asked) == account.telling == fits
        assert account.due == truth.due(claim.kit, account.pair) > 0
        if not fits:
            return
    after: list[int | None] = [*account.telling] or [None]
    for question in after:
        (witness,) = [one for one in account.witnesses if question is None or question in one.questions]
        kit, left = claim.kit, claim.left
        if question is not None:
            kit, left = (*kit, question), left - truth.costs[question]
        may = [g for g in allowed if truth.cover.apart > 1 or g != question]
        dues = [truth.due(kit, pair) for pair in witness.pairs]
        least = min([cost for cost in truth.costs if cost], default=1)
        assert min(dues) > 0
        if max(dues) <= left // least:
            assert left < 2 * least
            for g in (g for g in may if truth.costs[g] <= left):
                assert any(truth.due((*kit, g), pair) for pair in witness.pairs)


def require_counted(truth: Truth, claim: KitClaim, account: KitAccount, usable: list[int]) -> None:
    """Fail unless the questions that are left have too few answers."""
    kinds, some = truth.cover.kinds.tolist(), account.alike
    assert len({kinds[s] for s in some}) == len(some)
    assert all(len({truth.rows[g][s] for s in some}) == 1 for g in claim.kit)
    parts = sorted((len({truth.rows[g][s] for s in some}) for g in usable), reverse=True)
    if truth.cover.apart == 1:
        costs = sorted(truth.costs[g] for g in usable)
        assert account.asked == max(k for k in range(len(costs) + 1) if sum(costs[:k]) <= claim.left)
        assert account.answers == parts[: account.asked]
        assert prod(account.answers) < len(some)
        return
    k, r, apart = account.asked, account.answers[0], truth.cover.apart
    assert k == claim.left // min(cost for cost in truth.costs if cost)
    assert r == max([1, *parts])
    ball = sum(comb(k, i) * (r - 1) ** i for i in range(apart // 2 + 1))
    assert k < apart or r ** (k - apart + 1) < len(some) or ball * len(some) > r**k


@pytest.mark.parametrize("seed", seeds(120, 2000))
def test_what_is_shown_of_kits_is_true_of_tiny_tables(seed: int) -> None:
    cover = random_cover(random.Random(seed))
    search = Search(cover)
    search.run()
    truth, argument = Truth(cover), argument_of(cover, search.lower)
    if seed % 2:
        body = body_by_pairs(truth, argument.root, random.Random(seed))
        argument = KitArgument(*game_of(cover), search.lower, body)
    every = [*range(cover.questions)]
    every = [g for g in every if g not in cover.never]
    enough = truth.kits((), every, search.lower)
    assert any(not truth.open(kit) and {*cover.must} <= {*kit} for kit in enough)
    shown = [(claim, argument.account(claim)) for claim in (*argument.claims, argument.root)]
    for claim, account in shown:
        require_shown(truth, claim, account)
    text = words_of([explanation_of(argument, shown)])
    assert f"{'has' if {*truth.costs} == {1} else 'costs'} at least {search.lower}" in text
    assert all(f"Case {claim.number}. The kit has" in text for claim in argument.claims)


def explanation_of(argument: KitArgument, shown: Sequence[tuple[KitClaim, KitAccount]]) -> KitExplanation:
    """Return an argument as an explanation."""
    return KitExplanation(
        problem=argument.problem,
        within=None,
        bound=argument.bound,
        line="",
        argument=argument,
        accounts=shown,
    )


def test_all_ways_to_show_a_claim_are_met() -> None:
    met, deep = set[str](), 0
    for seed in range(120):
        cover = random_cover(random.Random(seed))
        search = Search(cover)
        search.run()
        argument = argument_of(cover, search.lower)
        body = body_by_pairs(Truth(cover), argument.root, random.Random(seed))
        by_pairs = KitArgument(*game_of(cover), search.lower, body)
        met |= {claim.body for one in (argument, by_pairs) for claim in (one.root, *one.claims)}
        deep = max(deep, *(claim.number.count(".") + 1 for claim in by_pairs.claims), 0)
    assert met == {PAIR, TRIED, COUNTED, PRICED}
    assert deep > 2


def test_a_bound_that_is_false_is_not_shown() -> None:
    refused = 0
    for seed in range(60):
        cover = random_cover(random.Random(seed))
        search = Search(cover)
        search.run()
        for body in (TRIED, COUNTED, f"{PRICED} ;"):
            argument = KitArgument(*game_of(cover), search.lower + 1, body)
            if argument.root.left < 0:
                continue
            with pytest.raises(GuesstreeError, match="is not shown"):
                argument.account(argument.root)
            refused += 1
    assert refused > 100


@pytest.mark.parametrize("spec", ["blackpeg:3x3", "mastermind:2x6", "bulls:3x4", "coins:5", "blackpeg:2x6"])
def test_every_question_that_tells_a_pair_apart_is_like_one_that_is_shown(spec: str) -> None:
    kit = least_kit(spec)
    problem = Problem(kit.game, EXPECTED, goal="identify")
    proof = kit_proof(kit.game, problem, kit.cover, kit.lower)
    body = proof.text.split(" - - ")[1].split(maxsplit=1)[1]
    n = problem.secrets
    rules = KitRules(0, [1] * len(kit.game.guesses), [""] * len(kit.game.guesses), [*map(str, range(n))])
    argument = KitArgument(problem, rules, kit.lower, body)
    truth, several = Truth(kit.cover), 0
    for claim in (argument.root, *argument.claims):
        account = argument.account(claim)
        assert account.open == len(truth.open(claim.kit))
        if claim.body == PAIR:
            assert account.telling == [
                g
                for g in range(len(truth.rows))
                if claim.allowed >> g & 1 and truth.tells(g, claim.pair or (0, 0))
            ]
            assert sum(equal for _, equal, _ in claim.inside) == len(account.telling)
            several += len(claim.inside) < len(account.telling)
            for guess, equal, _ in claim.inside:  # a renaming keeps how many pairs a question tells apart
                told = [sum(truth.tells(g, pair) for pair in truth.open(claim.kit)) for g in account.telling]
                own = sum(truth.tells(guess, pair) for pair in truth.open(claim.kit))
                assert told.count(own) >= equal
        elif claim.body == TRIED:
            require_tried(
                truth, claim, account, [g for g in range(len(truth.rows)) if claim.allowed >> g & 1]
            )
        elif claim.body == COUNTED:
            require_counted(
                truth, claim, account, [g for g in range(len(truth.rows)) if claim.allowed >> g & 1]
            )
    assert several or spec == "coins:5"
