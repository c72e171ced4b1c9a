"""Advice in one state of a game: what is still possible, what each guess would tell, what to ask."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from math import log2
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..errors import Contradiction, GuesstreeError, require_flag, unknown
from ..game import Game, whole
from ..notation import plural
from ..objective import EXPECTED, WORST
from ..onestep.greedy import OneStep
from ..onestep.lying import LyingParts
from ..onestep.prospects import prospects
from ..onestep.ranking import AnyMethod, Method, Ranking, best_first
from ..onestep.valuations import BUDGET_VALUATIONS, COST_VALUATIONS, VALUATIONS
from ..problem import Problem
from ..registry import game_of
from ..rules import UNKNOWN, Given, Words, given_steps
from ..rules import Step as Step
from ..search.lying import LieState, counting, make_searcher
from ..state import Ints, everything, split
from ..subgame import Rest
from ..support import Request, require
from .turns import guess_typed, parse_history, response_typed
from .valued import Valuations as Valuations
from .valued import Valued as Valued

if TYPE_CHECKING:
    from .openings import ProvenGuess

BLOCK_CELLS = 1 << 24


@dataclass(frozen=True)
class Part:
    """A part of a partition: the response, and the secrets that would give it."""

    response: str
    secrets: tuple[str, ...]


class Position:
    """A game after some guesses and responses, of which up to `lies` may be false.

    If the goal is to win, the winning response is never false, see `search.lying`.

    Parameters
    ----------
    game: a game, or the spec of one.
    history: guesses and responses by index or as they may be typed, where `UNKNOWN` or ``?`` stands for an
        unknown response; or a text, see `turns.parse_history`. A guess with an unknown response is set aside:
        its cost counts, it gives no information, and it is not asked again.
    goal: ``win``, ``identify``, or None for the usual goal of the game.

    If no secret on the list of the game fits, but another guess does, `game` is `Game.wider` from then on.

    Raises Contradiction if no secret fits the history (with lies: if each would need more false responses);
    GuesstreeError if a guess in it was not allowed, and for an impossible number of lies.
    """

    def __init__(
        self,
        game: Game | str,
        history: str | Sequence[Given] = (),
        *,
        goal: str | None = None,
        lies: int = 0,
    ) -> None:
        game = game_of(game)
        require(Request(game, (WORST if whole(lies) else EXPECTED).name, lies=lies, advice=True))
        self.game, self.lies = game, lies
        self.history: tuple[Step, ...] = ()
        self.problem = Problem(game, EXPECTED, goal=goal)
        self.problem.require_room()
        self.known = LieState.start(self.problem.secrets, lies)
        # One position is asked about several times in a row, and a large game takes a second.
        self._ranked: dict[tuple[Method | None, bool], list[Valued]] = {}
        for step in parse_history(game, history) if isinstance(history, str) else given_steps(history):
            self._take(*step)

    def __repr__(self) -> str:
        game, left = self.game, plural(len(self.candidates), "candidate")
        steps = [step_text(game, step, ":") for step in self.history]
        return f"Position({', '.join([game.spec, *steps, left])})"

    @property
    def candidates(self) -> Ints:
        """The secrets that are still possible, sorted."""
        return self.known.candidates

    @property
    def _winning(self) -> int:
        """The game's number of the response that ends it, or -1."""
        winning = self.game.winning
        return -1 if self.problem.winning < 0 or winning is None else winning

    @property
    def secrets(self) -> tuple[str, ...]:
        """The labels of the secrets that are still possible."""
        return tuple(self.game.secrets[secret] for secret in self.candidates.tolist())

    @property
    def steps(self) -> list[tuple[str, str]]:
        """The guesses and responses so far by label; what is not known is ``?``, or as the game says it."""
        return [step_labels(self.game, step) for step in self.history]

    @property
    def key(self) -> bytes:
        """What a solution knows this state by."""
        return self.known.key if self.lies else self.candidates.tobytes()

    def after(self, guess: int | str, response: int | str) -> Position:
        """Return the position after one more guess and response; raise as the constructor does."""
        position = copy(self)
        for name in ("classes", "needs", "_counting", "_missing"):
            position.__dict__.pop(name, None)
        position._take(guess, response)
        return position

    def _take(self, guess: int | str, response: int | str) -> None:
        """Keep the candidates that can afford this response; raise as the constructor."""
        guess = guess_typed(self.game, guess) if isinstance(guess, str) else self.game.guess_at(guess)
        response = self.read_response(response, guess)
        self.require_allowed(guess)
        if response == UNKNOWN:
            self.history, self._ranked = (*self.history, (guess, response)), {}
            return
        answers, winning = self.problem.told_row(guess, self.candidates), self._winning
        if response == winning:
            won = answers == winning
            known = LieState(self.candidates[won], self.known.left[won])
        else:
            known = self.known.after(answers, response, winning)
        self.history = (*self.history, (guess, response))
        if not len(known):
            error = self._contradiction()
            if not self._widened():
                raise error
            return
        self.known, self._ranked = known, {}

    def _widened(self) -> bool:
        """Go on with every guess as a possible secret, if one fits; say whether one does."""
        wider = None if self.lies else self.game.wider
        if wider is None:
            return False
        try:
            vars(self).update(vars(Position(wider, self.history, goal=self.problem.goal)))
        except Contradiction:
            return False
        return True

    def read_response(self, response: int | str, guess: int) -> int:
        """Return the response that was typed here, see `turns.response_typed`; an index as it is."""
        if isinstance(response, str) and not self.game.skips(response, guess):
            return response_typed(self.game, response, guess, self.history, self.candidates)
        return self.game.response_at(response, guess)

    def _contradiction(self) -> Contradiction:
        step, look = len(self.history), self.game.look
        after = f"from {look.response} {step} on ({step_text(self.game, self.history[-1])})"
        what = f"no {look.secret} fits {after}"
        if self.lies:
            many = f"1 {look.response} is" if self.lies == 1 else f"{self.lies} {look.response}s are"
            what = f"{after}, more than {many} false for each {self.game.look.secret}"
        return Contradiction(f"{self.game.spec}: {what}", step)

    def suspects(self, step: Step) -> list[tuple[tuple[int, ...], int]]:
        """Return sets of responses that explain a contradiction, and how many candidates each would leave.

        `step` is the response after which no secret fits. Either it alone is wrong; or it is right, and one
        of the smallest sets of other responses is wrong. The smallest sets come first. The count believes all
        other responses (with lies: up to so many of them may be false).
        """
        steps, last = (*self.history, step), len(self.history)
        secrets, winning = everything(self.problem.secrets), self._winning
        answers = np.array([self.problem.told_row(guess, secrets) for guess, _ in steps])
        given = np.array([response for _, response in steps])[:, None]
        false = (answers != given) & (given != UNKNOWN)
        surely = false & ((given == winning) | (answers == winning))  # where winning is at stake nobody lies
        doubted = surely.sum(axis=0) + np.maximum((false & ~surely).sum(axis=0) - self.lies, 0)
        may = ~surely[last] & (~false[last] | (self.lies > 0))
        found: Counter[tuple[int, ...]] = Counter({(last + 1,): len(self.candidates)})
        fewest = int(doubted[may].min(initial=len(steps)))
        columns = np.vstack([false, surely])[:, may & (doubted == fewest)].T
        for row, many in zip(*np.unique(columns, axis=0, return_counts=True), strict=True):
            sure = np.flatnonzero(row[last + 1 :])
            others = np.setdiff1d(np.flatnonzero(row[:last]), sure)
            for some in combinations(others.tolist(), fewest - len(sure)):
                found[tuple(sorted(n + 1 for n in (*sure.tolist(), *some)))] += int(many)
        return sorted(found.items(), key=lambda one: (len(one[0]), one))

    def doubts(self) -> list[int]:
        """Return for each response so far how many candidates make it false."""
        return [
            int((self.problem.told_row(guess, self.candidates) != response).sum())
            if response != UNKNOWN
            else 0
            for guess, response in self.history
        ]

    def require_allowed(self, guess: int | str) -> None:
        """Raise GuesstreeError that says why a guess may not be asked here, if it may not."""
        guess = self.game.guess_at(guess)
        if guess in self.aside:
            raise GuesstreeError(f"{self.game.guesses[guess]!r} was asked already (not known)")
        if why := self.game.refused(self.known_steps, guess):
            raise GuesstreeError(f"{self.game.guesses[guess]!r} is not allowed after these responses: {why}")

    @cached_property
    def needs(self) -> Words | None:
        """What the history demands of the next guess; None: nothing ever."""
        return self.problem.needs(self.known_steps)

    def pattern(self, between: str = " ") -> str:
        """Return the known part of the secret, as ``_ a _ a``, see `Look.pattern`; empty with lies."""
        game = self.game
        if game.look.answers != "places" or self.lies:
            return ""
        turns = [(game.guesses[guess], game.responses[given]) for guess, given in self.known_steps]
        return game.look.pattern(turns, (game.secrets[int(s)] for s in self.candidates), between)

    @property
    def paid(self) -> int:
        """What the guesses so far have cost, see `paid_on`."""
        return paid_on(self.game, self.history)

    @property
    def lost(self) -> bool:
        """Whether the guesses have cost more than the game allows."""
        return self.game.budget is not None and self.paid > self.game.budget

    @property
    def finished(self) -> bool:
        """Whether the secret is won, or known where that is the goal, or nothing more can be told apart."""
        if self.problem.goal == "win":
            return bool(self.history) and self.history[-1][1] == self.game.winning
        return len(self.candidates) == 1 or self.stuck

    @property
    def stuck(self) -> bool:
        """Whether guesses were set aside, and no other tells the candidates apart."""
        return bool(self.aside) and len(self.candidates) > 1 and not any(v.tells for v in self.valuations())

    @property
    def aside(self) -> frozenset[int]:
        """The guesses whose response is not known."""
        return frozenset(guess for guess, response in self.history if response == UNKNOWN)

    @property
    def known_steps(self) -> tuple[Step, ...]:
        """The guesses and responses that are known."""
        return tuple(step for step in self.history if step[1] != UNKNOWN)

    @cached_property
    def classes(self) -> Ints:
        """The smallest equivalent guess of each guess, int32, shape (guesses,)."""
        classes = self.problem.classes
        found = None if classes is None else classes(tuple(guess for guess, _ in self.history))
        return everything(len(self.problem.own)) if found is None else found

    def rest(self) -> Rest:
        """Return the rest as a game: the candidates, and the guesses that may be asked, in this order."""
        return Rest(self.game, self.candidates, self.askable)

    @property
    def askable(self) -> Ints:
        """The guesses that may be asked now, ascending."""
        allowed = self.problem.allowed(self.candidates, self.needs)
        return allowed[~np.isin(allowed, list(self.aside))] if self.aside else allowed

    def partition(self, guess: int | str) -> list[Part]:
        """Return the parts that a guess, by index or label, makes of the candidates, ordered by response."""
        guess, labels = self.game.guess_at(guess), self.game.secrets
        return [
            Part(self.game.responses[r], tuple(labels[int(s)] for s in part))
            for r, part in split(self.problem.told_row(guess, self.candidates), self.candidates)
        ]

    @cached_property
    def _counting(self) -> tuple[int, NDArray[np.int64]]:
        """At least how many more guesses the worst case needs, by counting, and the volume by lies left."""
        searcher, volume = make_searcher(self.problem, self.lies)
        return counting(searcher, volume, self.known)

    @property
    def opening(self) -> ProvenGuess | None:
        """How a proven strategy goes on from here, see `openings`; None: there is none at hand."""
        from .openings import opening_of  # loaded when it is asked for

        if self.lies or self.game.budget is not None:
            return None
        return opening_of(self.game, self.problem.goal, self.history)

    @property
    def least(self) -> int:
        """At least how many more guesses the worst case needs, by counting."""
        return self._counting[0]

    def valuations(self, method: AnyMethod | None = None, *, candidates_only: bool = False) -> Valuations:
        """Return one allowed guess of each class with its score, best first by a valuation.

        A method is a name, a `Method`, or a function of the sizes of the parts, ascending, that returns a
        score: the least is the best. None: the usual method. Ties go to a candidate (unless the method does
        not prefer one), then to the smallest guess. Where responses may be false the only one is ``volume``,
        of guesses that tell something: the least that may be left, then the most parts. Raises GuesstreeError
        for a method that values nothing.
        """
        require_flag("candidates_only", candidates_only)
        how = self._valuation(method)
        if (how, candidates_only) not in self._ranked:
            self._ranked[how, candidates_only] = self._rank(how, candidates_only)
        found = Valuations(self._ranked[how, candidates_only])
        if candidates_only and not found:
            look = self.game.look
            what = f"no {look.guess} may be the {look.secret}; allow every {look.guess}"
            raise GuesstreeError(f"{self.game.spec}: candidates only, but {what}")
        found.look = self.game.look
        return found

    def _rank(self, how: Method | None, candidates_only: bool) -> list[Valued]:
        smallest, equivalents = np.unique(self.classes, return_counts=True)
        smallest = smallest.astype(np.int32)
        if self.needs is not None:  # then there is no symmetry
            smallest = self.problem.allowed(self.candidates, self.needs)
            equivalents = equivalents[smallest]
        if self.aside:
            kept = ~np.isin(smallest, list(self.aside))
            smallest, equivalents = smallest[kept], equivalents[kept]
        if candidates_only:
            named = np.isin(self.problem.own[smallest], self.candidates)
            smallest, equivalents = smallest[named], equivalents[named]
        found = self._valued(smallest, equivalents)
        if how is None:
            found = [valued for valued in found if valued.tells]
            order = best_first([(v.volume, -v.parts) for v in found], [v.candidate for v in found])
            return [found[i] for i in order]
        ranking = Ranking(self.problem, how)
        if ranking.by_cost is not None and not self._priced:
            paid = self.problem.paid(smallest, self.candidates)
            found = [replace(v, paid=parts) for v, parts in zip(found, paid, strict=True)]
        if ranking.by_budget is not None:
            scores = ranking.scores([v.prospects for v in found])
        else:
            scores = ranking.scores([v.sizes[::-1] if ranking.by_cost is None else v.paid for v in found])
        return [found[i] for i in best_first(scores, [v.candidate for v in found], prefer=how.prefer)]

    def value(self, guess: int | str) -> Valued:
        """Return the value of one guess, by index or label."""
        guess = self.game.guess_at(guess)
        equivalents = (self.classes == self.classes[guess]).sum(keepdims=True)
        return self._valued(np.array([guess], dtype=np.int32), equivalents)[0]

    def best_guess(self, method: AnyMethod | None = None) -> int:
        """Return the guess that a one-step method asks here; -1 when nothing tells anything.

        None: the opening of a proven strategy where there is one, else the usual method.
        """
        if method is None and (opening := self.opening) is not None:
            return opening.guess
        if method is not None and not self.lies:
            method = Method.of(method)
            if method.consistent:
                chosen = OneStep(self.problem, method).choose(self.candidates, self.needs)
                return -1 if chosen in self.aside else chosen
        how = self._valuation(method)
        if len(self.candidates) == 1:
            return int(self.problem.winner[self.candidates[0]])
        found = self.valuations(how)
        return found[0].guess if found and found[0].tells else -1

    def best(self, method: AnyMethod | None = None) -> str:
        """Return the label of `best_guess`; raise GuesstreeError when nothing tells anything."""
        guess = self.best_guess(method)
        if guess < 0:
            raise self.nothing_tells()
        return self.game.guesses[guess]

    def nothing_tells(self) -> GuesstreeError:
        """Return the error that no guess tells the candidates apart."""
        what = f"no {self.game.look.guess} tells {len(self.candidates)} candidates apart"
        return GuesstreeError(f"{self.game.spec}: {what}")

    def _valuation(self, method: AnyMethod | None) -> Method | None:
        """Return the method that values guesses, or None for ``volume``; raise GuesstreeError for another."""
        if method is not None and not isinstance(method, str):
            method = Method.of(method)
        if isinstance(method, Method) and not method.consistent and not self.lies:
            self._require_budget(method)
            return method
        name = method.name if isinstance(method, Method) else method or usual_method(self.game, self.lies)
        if self.lies:
            if name != "volume":
                raise GuesstreeError(f"method {name} with lies; use volume")
            return None
        accepted = [*VALUATIONS, *COST_VALUATIONS, *BUDGET_VALUATIONS]
        if name not in accepted and ":" not in name:
            raise GuesstreeError(unknown("valuation", name, accepted))
        self._require_budget(found := Method(name))
        return found

    def _require_budget(self, method: Method) -> None:
        """Raise GuesstreeError for a method that needs a budget where the game has none."""
        if method.needs_budget:
            require(Request(self.game, method=method.name, needs_budget=True))

    @property
    def _priced(self) -> bool:
        return self.game.facts.weighted or self.game.facts.priced

    def _valued(self, guesses: Ints, equivalents: NDArray[np.int64]) -> list[Valued]:
        """Return guesses with what they would tell, a block of guesses at a time."""
        problem = self.problem
        found: list[Valued] = []
        units = problem.game.cost_unit, problem.game.weight_unit
        named = np.isin(problem.own[guesses], self.candidates) & (problem.own[guesses] >= 0)
        step = max(BLOCK_CELLS // len(self.candidates), 1)
        for start in range(0, len(guesses), step):
            block = slice(start, start + step)
            sizes, tells, volume, most = self._parts(guesses[block])
            some = [tuple(filter(None, row)) for row in np.sort(sizes, axis=1)[:, ::-1].tolist()]
            paid = problem.paid(guesses[block], self.candidates) if self._priced else [()] * len(some)
            plain = (a.tolist() for a in (guesses[block], named[block], equivalents[block]))
            left = (a.tolist() for a in (volume, most))
            columns = (*plain, some, tells.tolist(), paid, self._prospects(guesses[block]), *left)
            labels = (problem.game.guesses[guess] for guess in guesses[block].tolist())
            rows = zip(labels, zip(*columns, strict=True), strict=True)
            missing = self._missing
            found += [replace(Valued(*row), units=units, label=label, missing=missing) for label, row in rows]
        return found

    def _prospects(self, guesses: Ints) -> list[tuple[Any, ...]]:
        """Return what can be won of the parts of guesses, where the game has a budget."""
        budget = self.game.budget
        if budget is None or self.lies:
            return [()] * len(guesses)
        return list(prospects(self.problem, guesses, self.candidates, budget - self.paid))

    @property
    def counted(self) -> bool:
        """Whether what is still to come is a number of guesses, and responses are true and tell something."""
        facts = self.game.facts
        return not (self.lies or facts.priced or facts.by_kind or len(self.game.responses) < 2)

    @cached_property
    def _missing(self) -> tuple[float, float] | None:
        """The bits that name a candidate, and those of a response; None, see `Valued.missing`."""
        if not self.counted:
            return None
        weights = self.game.weights
        some = (
            [1] * len(self.candidates) if weights is None else [weights[s] for s in self.candidates.tolist()]
        )
        return float(VALUATIONS["entropy"].figure(some)), log2(self.game.most_answers)

    def _parts(self, guesses: Ints) -> tuple[NDArray[Any], ...]:
        """Return the sizes of parts by response, and for each guess `tells`, `volume` and `most`."""
        problem = self.problem
        if self.lies:
            weight = self._counting[1]
            parts = LyingParts.of(problem, guesses, self.candidates, self.known.left, weight)
            return parts.sizes, parts.tells, parts.volume.max(axis=1), parts.most.max(axis=1)
        sizes = problem.sizes(guesses, self.candidates)
        none = np.full(len(guesses), None)
        return sizes, (sizes > 0).sum(axis=1) > 1, none, np.zeros(len(guesses), dtype=np.int64)


def usual_method(game: Game, lies: int = 0) -> str:
    """Return the method that advises unless another is asked for: bits, per cost where there are costs."""
    if lies:
        return "volume"
    return "entropy" if not game.facts.weighted and not game.facts.priced else "information-per-cost"


def widened_text(listed: Game, position: Position) -> str:
    """Return what is to be said of a position that has gone on with `Game.wider` of the listed game."""
    among = f"among the {len(listed.secrets)} answers of {listed.spec}"
    some = [position.game.secrets[int(secret)] for secret in position.candidates]
    if position.finished:
        said = f"{some[0]!r} is not {among}"
    else:
        fit = "1 other word fits" if len(some) == 1 else f"{len(some)} other words fit"
        said = f"no word {among} fits; of all {len(listed.guesses)} that may be guessed, {fit}"
    return f"{said} ({listed.lists})" if listed.lists else said


def step_labels(game: Game, step: Step) -> tuple[str, str]:
    """Return a guess and its response by label."""
    guess, response = step
    given = game.unknown_text(guess) if response == UNKNOWN else game.responses[response]
    return game.guesses[guess], given


def step_text(game: Game, step: Step, between: str = " ") -> str:
    """Return a guess and its response as text."""
    return between.join(step_labels(game, step))


def require_new(game: Game, history: Sequence[Step], guess: int, lies: int = 0) -> None:
    """Raise GuesstreeError with its response for a guess asked before, where it would get the same again.

    That is where no guess wins and no response may be false, as with the letters of Hangman: to ask again
    tells nothing, and costs nothing.
    """
    given = dict(history).get(guess, UNKNOWN)
    if given != UNKNOWN and not game.facts.winnable and not lies:
        before = f"{game.guesses[guess]!r} was asked already: {game.responses[given]}"
        raise GuesstreeError(f"{before}; that costs nothing")


def paid_on(game: Game, history: Sequence[Step]) -> int:
    """Return what guesses and responses, by index, have cost; 1 each where the game does not say.

    A guess whose response is not known is paid for, too: what its responses cost at least. Where no guess
    wins, one that was asked again is paid for once.
    """
    costs = game.costs
    if not game.facts.winnable:
        history = tuple(dict.fromkeys(history))
    if costs is None:
        return len(history)
    return sum(
        int(costs[guess, game.answers(guess)].min() if response == UNKNOWN else costs[guess, response])
        for guess, response in history
    )


def paid_for(game: Game, steps: Sequence[tuple[str, str]]) -> int:
    """Return what guesses and responses, by label, have cost, as `paid_on`."""
    return paid_on(game, [(game.guess_index(g), game.response_index(r)) for g, r in steps])
