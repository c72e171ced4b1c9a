"""Advice where tests may get several answers (`Game.model`): what answers say, and what to do next.

After some answers the rest is a game of the same kind: the masses of the causes still possible are its
weights, the tests not asked yet are its tests. So advice is what `solve` says of the rest. Somebody may not
know an answer: then the test is left out of the rest, and nothing else changes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import gcd, lcm, log2

from ..errors import Contradiction, GameError, GuesstreeError, shown
from ..exact import Number, exact_text
from ..game import Game, index_of
from ..labels import quoted
from ..noisy.feasible import undecided
from ..noisy.integer_model import IntegerModel, bits
from ..noisy.model import Model
from ..noisy.splits import asks
from ..registry import game_of
from ..rules import UNKNOWN as UNKNOWN
from ..rules import Given, Step, given_steps
from ..search.solve import solve
from .turns import guess_typed, parse_history

UNLIKELY = Fraction(1, 100)
"""Answers are surprising when for every cause they are so much less likely than its likeliest answers."""


@dataclass(frozen=True)
class Advice:
    """What to do next, and what it takes from here on: costs that are still to be paid, and losses.

    Attributes
    ----------
    test: what to ask; -1: nothing.
    decision: what to decide; -1: nothing.
    lower, upper: at least, and at most, what the best strategy takes: expected, or in the worst case where
        the table says that tests may fail to answer.
    label: the test or the decision by name; empty: there is neither.
    """

    test: int = -1
    decision: int = -1
    lower: Fraction = Fraction(0)
    upper: Fraction = Fraction(0)
    label: str = ""

    def __repr__(self) -> str:
        what = f"ask {self.label}" if self.test >= 0 else f"decide {self.label}" if self.label else "nothing"
        least, most = exact_text(self.lower), exact_text(self.upper)
        return f"Advice({what}, {f'{most} proven' if self.proven else f'at least {least}, at most {most}'})"

    @property
    def proven(self) -> bool:
        """Whether nothing is better."""
        return self.lower == self.upper


@dataclass(frozen=True)
class Outlook:
    """A test that may be asked now, and what one look at it tells.

    Attributes
    ----------
    test: its index.
    price: what it costs here.
    setup: the part of the price that opens its group: the others of the group are cheaper afterwards.
    answers: the probability of each answer.
    bits: what the answer tells of the cause, in bits; exactly 0 where it tells nothing.
    loss: what the best decision after it loses, expected or in the worst case; None: there are no losses, or
        it is not allowed to decide after some answer.
    """

    test: int
    price: Number
    setup: Number
    answers: Mapping[int, Fraction]
    bits: float
    loss: Fraction | None

    @property
    def order(self) -> tuple[bool, Fraction, float]:
        """What outlooks are sorted by: what it takes to ask and decide, else the bits per cost."""
        worth = -self.bits / float(self.price) if self.price else -self.bits * 1e9
        return self.loss is None, self.price + (self.loss or Fraction(0)), worth


class Evidence:
    """A game whose tests may get several answers, after some of them. Numbers are exact.

    Parameters
    ----------
    game: a game with a model, or the spec of one.
    history: tests and answers by index or as they may be typed, where `UNKNOWN` or ``?`` stands for an
        unknown answer; or a text, see `turns.parse_history`.

    Attributes
    ----------
    masses: the weight of each cause times the probabilities of the answers, see `noisy.model`.
    paid: what the tests have cost, in `Game.cost_unit`.

    Raises Contradiction if no cause gives all these answers; GuesstreeError for a test that may not be asked,
    for an answer that a test does not have, and for a game without a model.
    """

    def __init__(self, game: Game | str, history: str | Sequence[Given] = ()) -> None:
        self.game = game_of(game)
        if self.game.model is None:
            raise GuesstreeError(f"{self.game.spec}: every test gets one answer there; use Position")
        self.model = self.game.model
        self.history: tuple[Step, ...] = ()
        self.masses = tuple(map(Fraction, self.model.weights))
        self.paid: Number = 0
        self.opened: frozenset[int] = frozenset()
        self.states = () if self.model.characters is None else self.model.characters.possible
        given = parse_history(self.game, history) if isinstance(history, str) else given_steps(history)
        for test, answer in given:
            asked = guess_typed(self.game, test) if isinstance(test, str) else self.game.guess_at(test)
            self._take(asked, self.game.response_at(answer, asked))

    def __repr__(self) -> str:
        causes = f"{len(self.possible)} of {len(self.masses)} possible"
        return f"Evidence({', '.join([self.game.spec, *map(self.step_text, self.history), causes])})"

    def after(self, test: int | str, answer: int | str) -> Evidence:
        """Return the evidence with one more answer, by index or label; raise as the constructor does."""
        return Evidence(self.game, (*self.history, (test, answer)))

    def _take(self, test: int, answer: int) -> None:
        """Split the masses by an answer; raise as the constructor does."""
        self.require_askable(test)
        row = self.model.chances[test]
        if answer == self.model.silent and not any(answer in cell for cell in row):
            answer = UNKNOWN
        if answer != UNKNOWN:
            self.require_answer(test, answer)
            split = tuple(m * cell.get(answer, 0) for m, cell in zip(self.masses, row, strict=True))
            if not any(split):
                raise self._contradiction((test, answer))
            self.masses = split
            if self.states:
                about = self.model.splits[test]
                self.states = _with(self.states, about.character, about.parts[answer])
        elif self.states:  # what cannot be seen now cannot be seen in other groups of states
            self.states = _with(self.states, self.model.splits[test].character, 0)
        self.paid += self.model.price(test, self.opened)
        self.opened |= self.model.group(test)
        self.history = (*self.history, (test, answer))

    def require_askable(self, test: int | str) -> None:
        """Raise GuesstreeError that says why a test may not be asked here, if it may not."""
        test = self.game.guess_at(test)
        label, known = self.game.guesses[test], dict(self.history)
        if self.over:
            raise GuesstreeError(f"{self.step_text(self.history[-1])} has ended it; nothing more is asked")
        if test in known:
            what = self.step_text((test, known[test]))
            raise GuesstreeError(f"{label!r} was asked already ({what}); it would get the same answer")
        if self.states and test not in self.about:
            assert self.model.characters is not None
            what = self.model.characters.labels[self.model.splits[test].character]
            raise GuesstreeError(
                f"{label!r} is not about what is still possible of {what!r} after these answers"
            )
        missing = [t for t in (self.model.after[test] if self.model.after else ()) if t not in known]
        if missing:
            needs = ", ".join(repr(self.game.guesses[t]) for t in sorted(missing))
            raise GuesstreeError(f"{label!r} may not be asked before {needs}")

    @property
    def about(self) -> frozenset[int]:
        """The questions of two answers that are about what is still possible, see `noisy.splits`."""
        characters, found = self.model.characters, []
        assert characters is not None
        for test, split in enumerate(self.model.splits):
            met = characters.met(split.character, self.possible, self.states[split.character])
            joined = characters.joined[split.character]
            if split.within == characters.about(split.character, met) and asks(split, met, joined=joined):
                found.append(test)
        return frozenset(found)

    def read_decision(self, text: str) -> int:
        """Return the decision that was typed; raise GuesstreeError for another, or one that is ruled out."""
        decisions, look = self.game.decisions, self.game.look
        if not decisions:
            raise GuesstreeError(f"nothing is decided here: it ends when the {look.secret} is known")
        decision = look.find_guess(decisions, text)
        if decision is None:
            raise GameError(f"{shown(text)} is not a decision; expected {quoted(decisions)}")
        if self.loss(decision) is None:
            why = f"it is not allowed for a {look.secret} that is possible"
            raise GuesstreeError(f"{decisions[decision]!r} may not be decided: {why}")
        return decision

    def require_answer(self, test: int, answer: int) -> None:
        """Raise GuesstreeError for an answer that a test does not have."""
        own = self.game.answers(test)
        if answer not in own:
            some = ", ".join(repr(self.game.responses[r]) for r in own)
            raise GuesstreeError(
                f"{self.game.responses[answer]!r} is not an answer to {self.game.guesses[test]!r}; "
                f"expected {some}, or {self.game.unknown_text(test)} where it is not known"
            )

    def _contradiction(self, step: Step) -> Contradiction:
        """Return an error that names some answers which no cause gives together, none of them too many."""
        known = [one for one in self.history if one[1] != UNKNOWN]
        clash = [*known, step]
        for one in known:
            fewer = [other for other in clash if other != one]
            if not self._given_together(fewer):
                clash = fewer
        *others, last = map(self.step_text, clash)
        return Contradiction(
            f"{self.game.spec}: no {self.game.look.secret} gives {', '.join(others)} and {last} together",
            len(self.history) + 1,
        )

    def suspects(self, step: Step) -> list[tuple[tuple[int, ...], int]]:
        """Return sets of answers that explain a contradiction, and how many causes are possible without each.

        `step` is the answer that no cause gives together with the others. Either it alone is wrong; or it is
        right, and one of the smallest sets of other answers is wrong. The smallest sets come first.
        """
        known = [(n, *one) for n, one in enumerate(self.history, 1) if one[1] != UNKNOWN]
        found: Counter[tuple[int, ...]] = Counter()
        for cause in range(len(self.masses)):
            cells = [self.model.chances[test][cause] for _, test, _ in known]
            wrong = (
                n
                for (n, _, answer_given), cell in zip(known, cells, strict=True)
                if not cell.get(answer_given)
            )
            if self.model.chances[step[0]][cause].get(step[1]):
                found[tuple(wrong)] += 1
        fewest = min(map(len, found), default=0)
        smallest = {some: many for some, many in found.items() if len(some) == fewest}
        smallest |= {(len(self.history) + 1,): len(self.possible)}
        return sorted(smallest.items(), key=lambda one: (len(one[0]), one))

    def _given_together(self, steps: Sequence[Step]) -> bool:
        """Return whether some cause may give these answers."""
        chances = self.model.chances
        return any(all(r in chances[t][cause] for t, r in steps) for cause in range(len(self.masses)))

    # -- what is known -------------------------------------------------------------------------------------

    def step_text(self, step: Step) -> str:
        """Return a test and its answer as text."""
        answer = "not known" if step[1] == UNKNOWN else self.game.responses[step[1]]
        return f"{self.game.guesses[step[0]]} {answer}"

    @property
    def possible(self) -> tuple[int, ...]:
        """The causes that are possible."""
        return tuple(cause for cause, mass in enumerate(self.masses) if mass)

    @property
    def probability(self) -> Fraction:
        """The probability of these answers to these tests."""
        return sum(self.masses, Fraction(0)) / sum(self.model.weights)

    @cached_property
    def posterior(self) -> tuple[Fraction, ...]:
        """The probability of each cause, given the answers."""
        return normalised(self.masses)

    @property
    def over(self) -> bool:
        """Whether the last answer has ended it."""
        return bool(self.history) and self.history[-1][1] in self.model.ending(self.history[-1][0])

    @property
    def finished(self) -> bool:
        """Whether nothing is left to ask or to decide."""
        return self.over or (self.model.losses is None and self.left[0].settled(range(len(self.possible))))

    @property
    def together(self) -> bool:
        """Whether nothing tells some causes apart as answers are missing: they are named together."""
        return self.left[0].cliques and not self.model.cliques

    @property
    def decision(self) -> tuple[int, Fraction] | None:
        """The best decision now, and what it loses by the objective; None: no decision is allowed."""
        return best_decision(self.model, self.posterior)

    def loss(self, decision: int | str) -> Fraction | None:
        """Return what a decision loses now, expected or in the worst case; None: it is not allowed."""
        assert self.model.losses is not None
        row = index_of(self.game.decisions, decision, f"decision of {self.game.spec}")
        return loss_of(self.model, self.model.losses[row], self.posterior)

    def exceptions(self) -> tuple[int, tuple[Step, ...]] | None:
        """Return the cause that fits best, and its unlikely answers; None: no answer is surprising.

        The fit of a cause compares the probability of its answers with that of the likeliest answers that it
        could have given: only errors of tests count, not how rare the cause is, nor the number of tests.
        """
        known = [step for step in self.history if step[1] != UNKNOWN]
        fits = {}
        for cause in self.possible:
            fit = Fraction(1)
            for test, answer in known:
                cell = self.model.chances[test][cause]
                fit *= cell[answer] / max(cell.values())
            fits[cause] = fit
        best = max(fits, key=lambda cause: fits[cause])
        if fits[best] >= UNLIKELY:
            return None
        cells = {step: self.model.chances[step[0]][best] for step in known}
        return best, tuple(step for step in known if cells[step][step[1]] < max(cells[step].values()))

    # -- what may be asked ---------------------------------------------------------------------------------

    @property
    def askable(self) -> tuple[int, ...]:
        """The tests that may be asked now."""
        asked = {test for test, _ in self.history}
        tests = range(len(self.game.guesses))
        about = self.about if self.states else frozenset(tests)
        return () if self.over else tuple(t for t in tests if t in about and self.model.askable(t, asked))

    def splits(self, test: int | str) -> dict[int, tuple[Fraction, ...]]:
        """Return the probability of each cause together with each answer that a test may get now."""
        test = self.game.guess_at(test)
        row, found = self.model.chances[test], {}
        for answer in self.game.answers(test):
            split = tuple(p * cell.get(answer, 0) for p, cell in zip(self.posterior, row, strict=True))
            if any(split):
                found[answer] = split
        return found

    def outlook(self, test: int | str) -> Outlook:
        """Return the information of a test, by index or label, and the loss that it leaves."""
        test = self.game.guess_at(test)
        model, splits = self.model, self.splits(test)
        shares = {answer: sum(split, Fraction(0)) for answer, split in splits.items()}
        price = model.price(test, self.opened)
        later = model.later[test] if model.group(test) else price
        losses = [
            best_decision(model, split)
            for answer, split in splits.items()
            if answer not in model.ending(test)
        ]
        if self.left[0].failures and not self.over:  # the test may fail to answer
            losses.append(self.decision)
        allowed = model.losses is not None and None not in losses
        lost = [Fraction(0), *(one[1] for one in losses if one)]
        cells = [model.chances[test][cause] for cause in self.possible]
        after = sum(float(share) * entropy_of(normalised(splits[answer])) for answer, share in shares.items())
        return Outlook(
            test=test,
            price=price,
            setup=price - later,
            answers=shares,
            bits=entropy_of(self.posterior) - after if any(cell != cells[0] for cell in cells) else 0.0,
            loss=(max(lost) if self.objective == "worst" else sum(lost, Fraction(0))) if allowed else None,
        )

    def outlooks(self) -> list[Outlook]:
        """Return the tests that may help now, see `noisy.integer_model`; the most promising come first."""
        model, tests = self.left
        scaled, askable = IntegerModel(model), set(self.askable)
        asked = scaled.root().asked
        useful = [tests[i] for i in bits(scaled.useful(scaled.telling(scaled.everyone), asked, 0))]
        return sorted((self.outlook(test) for test in useful if test in askable), key=lambda one: one.order)

    @cached_property
    def left(self) -> tuple[Model, tuple[int, ...]]:
        """What is left as a model of its own, and its tests as numbers of this one.

        Its causes are those still possible, its weights their masses. Groups that are open have none.
        """
        causes, known = self.possible, dict(self.history)
        tests = tuple(test for test in range(len(self.game.guesses)) if test not in known)
        if self.states:
            tests = tuple(t for t in tests if not self._parted(t))
        model = self.model.only(tests)
        shared = lcm(*(self.masses[cause].denominator for cause in causes))
        weights = [int(self.masses[cause] * shared) for cause in causes]
        closed = [model.group(i) - self.opened for i in range(len(tests))]
        unknown = sum(answer == UNKNOWN for answer in known.values())
        left = replace(
            model,
            chances=tuple(tuple(row[cause] for cause in causes) for row in model.chances),
            weights=tuple(weight // gcd(*weights) for weight in weights),
            prices=tuple(self.model.price(test, self.opened) for test in tests),
            losses=model.losses and tuple(tuple(row[cause] for cause in causes) for row in model.losses),
            groups=tuple(min(group, default=None) for group in closed) if any(closed) else (),
            later=model.later if any(closed) else (),
            failures=max(model.failures - unknown, 0),
            characters=model.characters and model.characters.left(causes, self.states),
        )
        if unknown and left.losses is None and undecided(IntegerModel(left)) is not None:
            left = replace(left, cliques=True)
        return left, tests

    def _parted(self, test: int) -> bool:
        """Return whether a question is about states that are possible no more."""
        split = self.model.splits[test]
        return bool(split.within & ~self.states[split.character])

    def rest(self) -> Game:
        """Return the remaining causes and tests as a game."""
        model, tests = self.left
        secrets = tuple(self.game.secrets[cause] for cause in self.possible)
        return self.game.with_model(model, secrets, tuple(self.game.guesses[test] for test in tests))

    @property
    def objective(self) -> str:
        """The objective of advice: the worst case, if the table says that tests may fail to answer."""
        return self.model.objective

    def advise(self, time_limit: float | None = None, *, first: int | str | None = None) -> Advice:
        """Return the best next step, by an exact search of the rest; with `first`, this test is asked.

        Within a time limit it is the best step found, with bounds. Raises GuesstreeError if no strategy for
        the rest ends, and Infeasible if the time was too short.
        """
        if first is not None:
            self.require_askable(first)
        elif self.finished:
            return Advice()
        model, tests = self.left
        if not tests:
            if self.decision is None:
                raise GuesstreeError(f"{self.game.spec}: no test is left, and nothing may be decided")
            decision, loss = self.decision
            return Advice(decision=decision, lower=loss, upper=loss, label=self.game.decisions[decision])
        opening = None if first is None else self.game.guesses[self.game.guess_at(first)]
        solved = solve(self.rest(), self.objective, first=opening, time_limit=time_limit)
        if solved.stopped == "interrupt":
            raise KeyboardInterrupt
        mass = sum(model.weights) if self.objective == "expected" else 1
        choice = solved.choose_after(())
        test, decision, label = -1, -1, ""
        if choice < len(tests):
            test, label = tests[choice], self.game.guesses[tests[choice]]
        elif self.decision is not None:
            decision, label = self.decision[0], self.game.decisions[self.decision[0]]
        lower, upper = (Fraction(bound[0]) / mass for bound in (solved.lower, solved.upper))
        return Advice(test, decision, lower, upper, label)


# -- masses -------------------------------------------------------------------------------------------------


def normalised(masses: Sequence[Fraction]) -> tuple[Fraction, ...]:
    """Return masses as shares of their sum."""
    total = sum(masses, Fraction(0))
    return tuple(mass / total for mass in masses)


def entropy_of(shares: Sequence[Fraction]) -> float:
    """Return the entropy of probabilities in bits."""
    return -sum(float(p) * log2(p) for p in shares if p)


def loss_of(model: Model, losses: Sequence[Number | None], masses: Sequence[Fraction]) -> Fraction | None:
    """Return what a decision loses: weighted by masses, or at most, as the objective of the model is.

    None: it is not allowed for all that are possible.
    """
    met = [(one, mass) for one, mass in zip(losses, masses, strict=True) if mass]
    if any(one is None for one, _ in met):
        return None
    if model.objective == "worst":
        return max(Fraction(one or 0) for one, _ in met)
    return sum((mass * (one or 0) for one, mass in met), Fraction(0))


def best_decision(model: Model, masses: Sequence[Fraction]) -> tuple[int, Fraction] | None:
    """Return the first decision that loses least, and what it loses, see `loss_of`; None: none is allowed."""
    each = [loss_of(model, row, masses) for row in model.losses or ()]
    allowed = [(loss, decision) for decision, loss in enumerate(each) if loss is not None]
    return min(allowed)[::-1] if allowed else None


def _with(values: tuple[int, ...], place: int, value: int) -> tuple[int, ...]:
    """Return values with another one at a place."""
    return (*values[:place], value, *values[place + 1 :])
