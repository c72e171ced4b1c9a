"""Guesses that cost, secrets that weigh, budgets: a state is a set of candidates with so much left to pay.

The search is in `cext` (`priced`, and its plain twin with the steps and the proofs). It answers what the
least weighted total is, also within a budget that all must keep; the least worst case; and the least loss
within a budget.

Every strategy is complete: where secrets are lost in any case, or given up for others, it goes on with the
guesses that look best one step ahead, and its figures are counted on the tree.
"""

from __future__ import annotations

from collections.abc import Hashable
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from guesstree.cext import misses
from guesstree.cext import priced as kernel

from ..bounds.counting import LeastCosts, least_costs, least_weighted
from ..errors import GuesstreeError
from ..game import MOST_COST
from ..onestep.valuations import COST_VALUATIONS
from ..problem import Problem
from ..rules import Words
from ..solution import Figures, Found
from ..state import Ints, everything, split
from ..symmetry.groups import Trivial
from .levels import Level
from .policy import Policy
from .space import ANY, LEAST_MEMORY, NO_LIMIT, Child, KernelSpace, Longs, Pairs, Query, Resources
from .told import by_parts, is_plain

MOST_PRICE = 1 << 20
UNBOUNDED = -1
LATER = tuple(dict.fromkeys(("reduction-per-cost", *COST_VALUATIONS)))
"""One-step methods for a search that turns out to be long; the best most often comes first."""
NUMBERS = 1 << 32
"""Values in tables of all states are less."""
LOOK, SMALL = 1 << 16, 16
"""Evaluations before better strategies and bounds are sought; the latter from parts of so many secrets on."""


@dataclass(eq=False)
class PricedState:
    """Candidates, guesses and budget left, the guesses that led here, and what they demand of the next.

    `history` is None where no guesses led to exactly these candidates.
    `given_up`: what is asked is what looks best one step ahead, as all of it is lost.
    """

    candidates: Ints
    depth: int
    left: int
    history: tuple[int, ...] | None = ()
    needs: Words | None = None
    given_up: bool = False

    @property
    def key(self) -> bytes:
        """The bytes of the candidates."""
        return self.candidates.tobytes()


class Priced(KernelSpace[PricedState]):
    """States and kernel for a problem with weights, costs or a budget."""

    infinite = kernel.INFINITE
    decides = False

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem)
        self.most = kernel.UNLIMITED if problem.limited is None else problem.max_depth
        self.policy = Policy(
            layers=True,
            later=LATER,
            beam_share=1 / 2,
            beam_budget=LOOK // 8,
            small=0 if problem.candidates_only else SMALL,  # a part may ask less than all may
            look=(LOOK, LOOK),
        )
        self.weight = int(problem.weights.sum())
        # A path asks fewer questions than there are secrets, and one to win: no budget above that matters.
        most = int(problem.costs.max(initial=0)) * problem.secrets
        self.budget = UNBOUNDED if problem.budget is None else min(problem.budget, most)
        self.bounding: dict[Hashable, Any] = {}  # searchers that only bound states
        self.shares = problem.searched_classes is not None and not isinstance(problem.group, Trivial)

    @cached_property
    def least(self) -> LeastCosts:
        """What every secret pays at least."""
        return least_costs(self.problem.table, self.problem.costs, self.problem.winning)

    def counted(self) -> dict[str, int]:
        """Return at least what each figure of the objective is: secret by secret, and by counting.

        To identify two secrets or more, each pays for some query. To win, all but at most one of them (the
        first guess wins on one secret) pay for a guess that does not win, and each for one that does. Where
        every question costs `unit` or more, so does each guess that is needed by counting. What is lost
        within a budget is bounded by 0 only.
        """
        problem, least, weights = self.problem, self.least, self.problem.weights.tolist()
        win = problem.winning >= 0
        ask, finish = least.min_ask.tolist(), least.min_finish.tolist()
        full = sorted(a + f for a, f in zip(ask, finish, strict=True))
        total = sum(w * (a + f) for w, a, f in zip(weights, ask, finish, strict=True))
        if win:
            worst = max(*finish, full[-2] if len(full) > 1 else 0)
            total -= max(w * a for w, a in zip(weights, ask, strict=True))
        else:
            worst, total = (full[-1], total) if problem.secrets > 1 else (0, 0)
        if least.unit:
            branches = problem.profile[0] if problem.profile else 1
            total = max(total, least.unit * least_weighted(weights, branches, win=win))
            worst = max(worst, least.unit * problem.least_depth)
        return {"total": total, "worst": worst, "lost": 0, "won": 0}

    @cached_property
    def prices(self) -> NDArray[np.int64]:
        """Costs in sixteenths of the mean cost: what about a bit of information is worth."""
        problem = self.problem
        sizes = problem.sizes(everything(len(problem.own)), everything(problem.secrets)).astype(np.float64)
        paid = float((sizes * problem.costs).sum())
        rate = 16 * sizes.sum() / paid if paid else 0
        return np.minimum(problem.costs * rate, MOST_PRICE).astype(np.int64)

    @cached_property
    def last(self) -> Ints:
        """The cheapest guess that wins on each secret, or -1."""
        problem = self.problem
        last = np.full(problem.secrets, -1, dtype=np.int32)
        if problem.winning >= 0:
            price = problem.costs[:, problem.winning]
            for guess in np.flatnonzero(problem.own >= 0).tolist():
                s = problem.own[guess]
                if last[s] < 0 or price[guess] < price[last[s]]:
                    last[s] = guess
        return last

    # -- searches --------------------------------------------------------------------------------------

    def query(self, figure: str, limit: int | None = None) -> Query:
        """Return the query for the least of a figure, with this worst case at most."""
        return Query(figure, self.most, self.budget if limit is None else limit)

    def scale(self, query: Query) -> int:
        """Return what a unit of weight counts that is lost: one more than all that the others may pay."""
        return 1 if query.figure == "lost" else self.weight * query.left + 1

    def mode(self, query: Query) -> Hashable:
        """Return what questions have in common that one searcher answers."""
        return query.figure, query.left

    def searcher(
        self,
        query: Query,
        resources: Resources,
        width: int = 0,
        discrepancies: int = ANY,
        *,
        pairs: bool = False,
    ) -> Any:
        """Return a new searcher; see `SearchSpace`."""
        options = self.kernel_options(resources, width, discrepancies) | self.rule_options
        return kernel.Searcher(**self.arguments(query), **options, pairs=pairs, isomorphic=self.shares)

    def arguments(self, query: Query) -> dict[str, Any]:
        """Return the arguments of a searcher that say what costs what.

        A unit of weight that is lost is valued at one more than all that the others may pay; or, where only
        what is lost counts, at 1, and the others at nothing.
        """
        problem, left = self.problem, query.left
        losses, worst, scale = query.figure == "lost", query.figure == "worst", self.scale(query)
        if left >= 0 and self.weight * scale >= MOST_COST:
            raise GuesstreeError(
                f"a budget of {left} with weights that add up to {self.weight}; weight x weight x "
                "budget must be less than 2^61 (divide the weights by a common factor)"
            )
        return {
            "table": problem.table,
            "secret_of_guess": problem.own,
            "responses": problem.responses,
            "winning": problem.winning,
            "only_candidates": problem.candidates_only,
            "weights": np.ones_like(problem.weights) if worst else problem.weights,
            "costs": problem.costs,
            "prices": self.prices,
            **vars(self.least),
            "worst": worst,
            "penalty": scale - (0 if losses else left) if left >= 0 else 0,
            "rate": int(not losses),
        }

    def tables(self, query: Query, memory: int) -> tuple[Query, Any] | None:
        """Return what computes all states within a budget, where each guess has one response that costs.

        With what is lost it finds what the others pay, if that is not too large for its numbers.
        """
        problem, costs = self.problem, self.problem.costs
        bound = problem.candidates_only or problem.rules is not None or problem.limited is not None
        if query.left < 0 or bound or problem.winning >= 0 or problem.first is not None:
            return None
        met = costs * (problem.sizes(everything(len(costs)), everything(problem.secrets)) > 0)
        price = int(met.max(initial=0))
        if not price or (met % price).any() or (np.count_nonzero(met, axis=1) > 1).any():
            return None
        both, left = self.query("won", query.left), np.arange(query.left // price + 1)
        if self.weight * self.scale(both) < NUMBERS:
            loss = self.scale(both) - price * (len(left) - 1 - left)
        else:
            both, loss = self.query("lost", query.left), np.ones(len(left), dtype=np.int64)
        paid = np.where(met.any(axis=1), met.argmax(axis=1), -1).astype(np.int32)
        rate = price * (both.figure != "lost")
        table = problem.table.astype(np.uint16)
        return both, misses.Misses(table, paid, problem.weights, loss.astype(np.int64), rate, memory)

    def root(self, query: Query) -> PricedState:
        """Return the state before the first guess."""
        rules = self.problem.rules
        needs = None if rules is None else rules.start
        return PricedState(everything(self.problem.secrets), query.depth, query.left, needs=needs)

    def choice(self, searcher: Any, state: PricedState) -> int:
        """Return the guess that reaches the value just found, or looks best where all is given up."""
        if len(state.candidates) > 1 and not state.given_up:
            guess = super().choice(searcher, state)
            if guess >= 0:
                return guess
            state.given_up = True
        return self.ahead(state)

    def paid(self, state: PricedState, guess: int) -> int:
        """Return what a guess costs all candidates of a state, weighted."""
        problem, some = self.problem, state.candidates
        return int(problem.weights[some] @ problem.costs[guess, problem.row(guess, some)])

    def finished(self, state: PricedState) -> bool:
        """Return whether nothing is left to ask."""
        return self.problem.finished(state.candidates)

    def children(self, state: PricedState, guess: int) -> list[PricedState]:
        """Return the states after a guess that does not win."""
        parts = split(self.problem.row(guess, state.candidates), state.candidates)
        return [self.child(state, guess, r, part) for r, part in parts if r != self.problem.winning]

    def child(self, state: PricedState, guess: int, response: int, part: Ints) -> PricedState:
        """Return the state after a response."""
        cost, rules = int(self.problem.costs[guess, response]), self.problem.rules
        over = 0 <= state.left < cost
        return PricedState(
            part,
            state.depth - 1,
            UNBOUNDED if state.left < 0 or over else state.left - cost,
            None if state.history is None else (*state.history, guess),
            None if rules is None or state.needs is None else rules.after(state.needs, guess, response),
            state.given_up or over,
        )

    def split(self, query: Query, state: PricedState, guess: int) -> list[Child[PricedState]]:
        """Return the parts that a guess leaves of a state, largest first."""
        problem, rate = self.problem, int(query.figure != "lost")
        parts = split(problem.row(guess, state.candidates), state.candidates)
        children: list[Child[PricedState]] = []
        for response, part in sorted(parts, key=lambda item: -len(item[1])):
            cost, weight = int(problem.costs[guess, response]), int(problem.weights[part].sum())
            paid = cost if query.figure == "worst" else rate * cost * weight
            below = None
            if 0 <= state.left < cost:
                paid = weight * self.loss(query, state)
            elif response != problem.winning:
                below = self.child(state, guess, response, part)
            children.append(Child(below, paid, exact=below is None, response=response))
        return children

    def loss(self, query: Query, state: PricedState) -> int:
        """Return what a unit of weight counts that is lost from a state on."""
        return self.scale(query) - (query.left - state.left) * (query.figure != "lost")

    # -- what claims need, see `ClaimSpace` ------------------------------------------------------------

    def query_at(self, figure: str, limit: int, pairs: Pairs) -> Query:
        """Return the query of the whole game of which a claim is a part."""
        if limit >= NO_LIMIT:
            return Query(figure, self.most)
        return Query(figure, self.most, limit + self.paid_for(pairs))

    def limit(self, query: Query) -> int:
        """Return what each secret may pay; `NO_LIMIT`: any cost. Raise GuesstreeError for as much or more."""
        if query.left >= NO_LIMIT:
            raise GuesstreeError(
                f"{self.problem.game.spec}: a budget of {query.left}, too much for several workers or a "
                f"ledger; expected less than {NO_LIMIT} (fewer decimals will do), or one process without one"
            )
        return NO_LIMIT if query.left < 0 else query.left

    def largest(self, query: Query) -> int:
        """Return what all pay at most in as many guesses as there are secrets, or where all is lost."""
        if query.left >= 0:
            return self.weight * self.scale(query)
        most = int(self.problem.costs.max(initial=0)) * self.problem.secrets
        return most if query.figure == "worst" else most * self.weight

    def limit_after(self, limit: int, pairs: Pairs) -> int:
        """Return what each secret may still pay; `NO_LIMIT`: any cost."""
        return NO_LIMIT if limit >= NO_LIMIT else limit - self.paid_for(pairs)

    def paid_for(self, pairs: Pairs) -> int:
        """Return what is paid for guesses and their responses."""
        return sum(int(self.problem.costs[pair]) for pair in pairs)

    def after(self, state: PricedState, guess: int, response: int) -> PricedState:
        """Return the state after a response."""
        kept = state.candidates[self.problem.row(guess, state.candidates) == response]
        return self.child(state, guess, response, np.ascontiguousarray(kept))

    def known(self, query: Query, state: PricedState) -> tuple[int, bool]:
        """Return at least the value of a state, one step ahead, and whether it is exactly that."""
        mode = self.mode(query)
        if mode not in self.bounding:
            self.bounding[mode] = self.searcher(query, Resources(LEAST_MEMORY, tabled=True, jobs=1))
        return self.bound(self.bounding[mode], state)

    def guesses(self, query: Query, state: PricedState, pairs: Pairs) -> tuple[Ints, Longs]:
        """Return the guesses of a state that tell something, one of each orbit, with what is paid for them.

        What is paid counts once for each secret, or is lost; of worst cases, the most that is paid.
        """
        problem = self.problem
        guesses = self.one_of_each(state, pairs, state.needs)
        met = problem.sizes(guesses, state.candidates) > 0
        telling = met.sum(axis=1) > 1
        if problem.winning >= 0:
            telling |= met[:, problem.winning]
        guesses, met = guesses[telling], met[telling]
        costs = problem.costs[guesses]
        if query.figure == "worst":
            return guesses, np.where(met, costs, 0).max(axis=1, initial=0)
        each = costs * (query.figure != "lost")
        if state.left >= 0:
            each = np.where(costs > state.left, self.loss(query, state), each)
        return guesses, (problem.masses(guesses, state.candidates) * each).sum(axis=1)

    def last_guess(self, state: PricedState) -> int:
        """Return the cheapest guess that wins on the only secret."""
        return int(self.last[state.candidates[0]])

    # -- what strategies take --------------------------------------------------------------------------

    def worth(self, query: Query, figures: Figures) -> int:
        """Return a strategy's value of a query."""
        if query.figure == "won":
            return figures.lost * self.scale(query) + figures.won
        return figures[query.figure]

    def ceiling(self, query: Query) -> int:
        """Return the total from which on some secret pays more than the limit."""
        return self.scale(query) if query.figure == "total" and query.left >= 0 else self.infinite

    def learnt(self, query: Query, lower: int) -> dict[str, int]:
        """Return what a lower bound of a query says of the figures of the objective."""
        if query.figure == "won":
            lost, won = divmod(lower, self.scale(query))
            return {"lost": lost, "won": won}
        return {query.figure: lower}

    def figures(self, found: Found) -> Figures:
        """Return what a strategy takes, from its choices alone."""
        problem, budget, level = self.problem, self.budget, Level.first(self.problem)
        paid, depth = np.zeros(problem.secrets, dtype=np.int64), 0
        while len(level):
            guesses = np.array([found.choices[some.tobytes()] for some in level.states()], dtype=np.int32)
            answers = level.answers(problem, guesses)
            paid[level.secrets] += problem.costs[guesses[level.state], answers]
            level, depth = level.below(problem, answers), depth + 1
        won = np.full(problem.secrets, True) if budget == UNBOUNDED else paid <= budget
        weights = problem.weights
        total, kept = int(paid @ weights), int(paid[won] @ weights[won])
        return Figures(total, int(paid.max()), int(weights[~won].sum()), kept, depth)

    # -- one step ahead --------------------------------------------------------------------------------

    @staticmethod
    def bits(most: int) -> NDArray[np.int64]:
        """Return log2 n in sixteenths of a bit, for n from 0 to `most`."""
        return np.rint(16 * np.log2(np.maximum(np.arange(most + 1), 1))).astype(np.int64)

    def ahead(self, state: PricedState) -> int:
        """Return the guess that looks best one step ahead: information and costs, by sizes alone.

        Raises ValueError where no guess tells anything.
        """
        problem, candidates = self.problem, state.candidates
        if len(candidates) == 1:
            return int(self.last[candidates[0]])
        guesses = problem.allowed(candidates, state.needs)
        sizes = problem.sizes(guesses, candidates)
        bits = self.bits(len(candidates))
        scores = (sizes * (self.prices[guesses] + bits[sizes])).sum(axis=1)
        scores[(sizes > 0).sum(axis=1) < 2] = np.iinfo(np.int64).max
        if not len(guesses) or scores.min() == np.iinfo(np.int64).max:
            raise ValueError(f"no guess tells {len(candidates)} candidates apart")
        return int(guesses[int(scores.argmin())])

    def first_strategy(self) -> Found | None:
        """Return the strategy that asks what looks best one step ahead; None where it gets stuck.

        Where nothing but the number of responses is special, that is what tells most secrets apart.
        """
        if is_plain(self.problem):
            return by_parts(self.problem)
        problem, found, level = self.problem, Found(), Level.first(self.problem)
        first, root = problem.first, self.root(self.query("total"))
        root.given_up = True
        with suppress(ValueError):
            if problem.rules is not None:  # each state has guesses of its own
                return self.walk(
                    root, lambda state: first if state is root and first is not None else self.ahead(state)
                )
            while len(level):
                fixed = found.worst == 0 and first is not None
                guesses = np.array([first], dtype=np.int32) if fixed else self.all_ahead(level, root)
                for some, guess in zip(level.states(), guesses.tolist(), strict=True):
                    found.add(some, guess)
                found.worst += 1
                level = level.below(problem, level.answers(problem, guesses))
            return found
        return None

    def all_ahead(self, level: Level, root: PricedState) -> Ints:
        """Return what `ahead` does for every state, all at once where they are more than the guesses."""
        problem = self.problem
        if len(level) < len(problem.own) or problem.candidates_only:
            states = [replace(root, candidates=some) for some in level.states()]
            return np.array([self.ahead(state) for state in states], dtype=np.int32)
        sizes = np.bincount(level.state)
        bits = self.bits(int(sizes.max()))
        best, least = np.full(len(level), -1, dtype=np.int32), np.full(len(level), np.inf)
        for guess in range(len(problem.own)):
            answers = problem.table[guess, level.secrets]
            place = np.cumsum(np.bincount(answers, minlength=problem.responses) > 0) - 1
            kinds = int(place[-1]) + 1  # only responses that there are
            part = level.state * kinds + place[answers]
            many = np.bincount(part, minlength=len(level) * kinds)
            worth = self.prices[guess, answers] + bits[many[part]]
            scores = np.bincount(level.state, weights=worth)  # exact: far below 2^53
            better = (scores < least) & ((many.reshape(-1, kinds) > 0).sum(axis=1) > 1)
            best[better], least[better] = guess, scores[better]
        single = np.flatnonzero(sizes == 1)
        best[single] = self.last[level.secrets[np.searchsorted(level.state, single)]]
        if (best < 0).any():
            raise ValueError("no guess tells some candidates apart")
        return best

    def parts(self, query: Query, most: int) -> list[PricedState]:
        """Return parts of at most so many secrets, if guesses can make them, that guesses tell apart.

        Their values add up to at most the value of all (for the worst case, the largest is at most that): a
        strategy for a set, restricted to a part, is one for the part, and nobody pays more. So what is lost
        is only what telling them apart costs; the guesses that cost least, weighted, make them.
        """
        problem, found = self.problem, list[Ints]()
        guesses, waiting = everything(len(problem.own)), [everything(problem.secrets)]
        for some in waiting:
            if len(some) > most:
                masses = problem.masses(guesses, some)
                paid = (masses * problem.costs).sum(axis=1)
                paid[(masses > 0).sum(axis=1) < 2] = np.iinfo(np.int64).max
                guess = int(paid.argmin())
                parts = split(problem.row(guess, some), some)
                if len(parts) > 1:
                    waiting += [part for _, part in parts]
                    continue
            found.append(some)
        root = self.root(query)
        return [replace(root, candidates=some, history=None) for some in found]
