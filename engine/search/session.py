"""One session of a search: its deadline, its searchers, the bounds, the best strategy so far.

A `SearchSpace` (`counted`, `priced` or `lying`) says what a state is and which kernel searches it. `driver`
says which queries are answered, and in which order.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from math import inf
from typing import Any, Generic

from guesstree.cext import Outcome

from ..errors import Infeasible
from ..onestep.greedy import OneStep, run_ahead, stop_all
from ..onestep.ranking import Method
from ..solution import Figures, Found, Solved
from .deadline import Deadline, Progress
from .policy import Policy
from .space import SEARCHERS, Child, Query, Resources, S, SearchSpace

PATIENCE_GROWS = 4


class Session(Generic[S]):
    """A solve in progress.

    Attributes
    ----------
    best, figures: the best strategy so far, and what it takes.
    lower: at least what each figure of the objective is.
    noted: called when one of these improved, with what improved it.
    """

    def __init__(
        self,
        space: SearchSpace[S],
        resources: Resources,
        deadline: Deadline,
        progress: Callable[[Progress], None] | None = None,
        policy: Policy | None = None,
    ) -> None:
        self.space, self.problem, self.resources = space, space.problem, resources
        self.policy = space.policy if policy is None else policy
        self.deadline, self.progress = deadline, progress
        self._held: tuple[Found, Figures] | None = None  # in one piece, whenever the clock strikes
        self.lower = space.counted()
        self.noted: Callable[[str], None] = lambda _: None
        self.phase = ""
        self.figure = self.problem.objective.figures[0]
        self.offset: int | None = None  # what the rest takes while a part is searched; None: it says nothing
        self.quick = self.policy.quick[deadline.unlimited]
        self.later = [name for name in self.policy.later if name not in self.quick]
        self.searchers: dict[Hashable, Any] = {}
        self.firsts: Any = None  # `FirstGuesses` that were looked at
        self.spent = (0, 0)  # states and evaluations of searchers that are gone

    # -- what is known ---------------------------------------------------------------------------------

    @property
    def best(self) -> Found | None:
        """The best strategy so far, or None."""
        return None if self._held is None else self._held[0]

    @property
    def figures(self) -> Figures | None:
        """What the best strategy so far takes, or None."""
        return None if self._held is None else self._held[1]

    def offer(self, found: Found | None, how: str = "") -> None:
        """Keep a strategy if it is within the limits and better than the best so far."""
        if found is None:
            return
        figures, limit = self.space.figures(found), self.problem.limited
        if limit is not None and figures.depth > limit:
            return
        names = self.problem.objective.figures
        if self.figures is None or figures.value(names) < self.figures.value(names):
            self._held = found, figures
            self.deadline.has_something()
            self.noted(how or self.phase)

    def raise_to(self, figure: str, lower: int, how: str = "") -> None:
        """Keep a lower bound if it is better."""
        if lower > self.lower.get(figure, 0):
            self.lower[figure] = lower
            self.noted(how or self.phase)

    def upper(self, figure: str) -> int:
        """Return what the best strategy takes; infinite when there is none yet."""
        return self.space.infinite if self.figures is None else self.figures[figure]

    def worth(self, query: Query) -> int:
        """Return what the best strategy is worth to a question; infinite when there is none yet."""
        return self.space.infinite if self.figures is None else self.space.worth(query, self.figures)

    def settled(self, figure: str) -> bool:
        """Return whether the best strategy is proven optimal in a figure of the objective."""
        return self.lower[figure] >= self.upper(figure)

    # -- strategies ------------------------------------------------------------------------------------

    def start(self, names: Iterable[str]) -> None:
        """Begin with what is at hand: an upper bound, and something to return at any time."""
        self.offer(self.space.first_strategy(), "a first strategy")
        self.play(names)

    def play(self, names: Iterable[str]) -> None:
        """Play out one-step strategies; when the time is up, the last is ended with quick guesses.

        Where that can be done in compiled code, as many run at once as threads may be used; not under a time
        limit, or none may be done when the time is up.
        """
        left = list(names)
        while left:
            now, left = left[: self.resources.jobs], left[self.resources.jobs :]
            players = [self.space.player(Method(name)) for name in now]
            apart = [player for player in players if isinstance(player, OneStep) and player.apart]
            if len(apart) > 1 and self.deadline.unlimited:
                self.deadline.run(lambda: run_ahead(apart), lambda: stop_all(apart))  # noqa: B023 (at once)
            for name, player in zip(now, players, strict=True):
                self.offer(self.deadline.run(player.play_out, player.stop), name)
                if self.deadline.late():
                    return

    def extract(self, searcher: Any, query: Query, first: int, start: S | None = None) -> Found:
        """Return the strategy behind a value just found; `first` is its first guess, if it needs one.

        `start`: the state that was searched; None: that before the first guess. Raises ValueError when the
        strategy was forgotten, and not found again.
        """
        root = self.space.root(query) if start is None else start

        def choose(state: S) -> int:
            return first if state is root and first >= 0 else self.space.choice(searcher, state)

        return self.in_time(lambda: self.space.walk(root, choose), searcher)

    def take(self, query: Query, first: int) -> None:
        """Offer the strategy behind a value just found, unless a search that was stopped forgot it."""
        try:
            self.offer(self.extract(self.searcher(query), query, first))
        except ValueError:
            if not self.deadline.stopped:
                raise

    def improve_below(self, searcher: Any, query: Query, most: int) -> None:
        """Offer the best strategy so far with the best there is in states of at most so many candidates."""
        best, space = self.best, self.space
        if best is None or self.deadline.late():
            return

        def choose(state: S) -> int:
            if len(state.candidates) > most:
                return best.choices[state.key]
            return space.choice(searcher, state)

        with suppress(ValueError):  # stopped: not all of it is known
            self.offer(self.deadline.run(lambda: space.walk(space.root(query), choose), searcher.stop))

    def in_time(self, work: Callable[[], Found], searcher: Any) -> Found:
        """Return what `work` reads off a searcher, which may search again, a little longer than allowed."""
        deadline = self.deadline.grace()
        try:
            return deadline.run(work, searcher.stop)
        finally:
            self.deadline.stopped = self.deadline.stopped or deadline.stopped

    # -- searches --------------------------------------------------------------------------------------

    def searcher(self, query: Query) -> Any:
        """Return the searcher for a question; the last two are kept, with what they remember."""
        mode = self.space.mode(query)
        if mode not in self.searchers:
            if len(self.searchers) == SEARCHERS - 1:
                self.retire(self.searchers.pop(next(iter(self.searchers))))
            self.searchers[mode] = self.space.searcher(query, self.resources)
        return self.searchers[mode]

    def retire(self, searcher: Any) -> None:
        """Count the work of a searcher that is not used any more."""
        self.spent = self.spent[0] + searcher.states, self.spent[1] + searcher.evaluations

    @property
    def states(self) -> int:
        """States expanded by all searches."""
        return self.spent[0] + sum(int(searcher.states) for searcher in tuple(self.searchers.values()))

    @property
    def evaluations(self) -> int:
        """Sets valued against all guesses by all searches."""
        return self.spent[1] + sum(int(searcher.evaluations) for searcher in tuple(self.searchers.values()))

    def search(self, searcher: Any, state: S, beta: int, budget: int = 0) -> Outcome:
        """Return what `SearchSpace.search` does, under the clock.

        A search that ends before the clock could stop it was not stopped.
        """
        if self.deadline.late():
            return Outcome(0, self.space.infinite, -1, "stopped")
        progress = self.progress
        report = None if progress is None else lambda: progress(self.snapshot(searcher))
        outcome: Outcome = self.deadline.run(
            lambda: self.space.search(searcher, state, beta, budget), searcher.stop, report
        )
        if outcome.ended != "stopped" and self.deadline.stopped == "time":
            self.deadline.stopped = ""
        return outcome

    def snapshot(self, searcher: Any) -> Progress:
        """Return what is known now."""
        lower, upper, first = self.lower.get(self.figure, 0), self.upper(self.figure), -1
        if self.offset is not None:
            seen = searcher.seen()
            lower, first = max(lower, self.offset + seen.lower), seen.guess
            if seen.upper < self.space.infinite:
                upper = min(upper, self.offset + seen.upper)
        if self.problem.first is not None:
            first = self.problem.first
        if first < 0 and self.best is not None:
            first = self.best.choices.get(self.space.root(self.space.query(self.figure)).key, -1)
        return Progress(
            phase=self.phase,
            states=self.states,
            evaluations=self.evaluations,
            lower=self.space.reported(self.figure, min(lower, upper)),
            upper=self.space.reported(self.figure, upper) if upper < self.space.infinite else None,
            unit=self.problem.game.figure_unit(self.figure),
            first=self.problem.game.guesses[first] if 0 <= first < len(self.problem.own) else "",
            seconds=self.deadline.seconds,
        )

    def ask(self, query: Query, beta: int, budget: int = 0) -> Outcome:
        """Search the whole game for a value below beta, with so many evaluations at most (0: any number)."""
        return self._ask(self.searcher(query), query, beta, budget)

    def _ask(self, searcher: Any, query: Query, beta: int, budget: int) -> Outcome:
        """Search the whole game, after its first guess if that is fixed; see `SearchSpace.search`."""
        root, first = self.space.root(query), self.problem.first
        if first is None or self.space.whole:
            return self.search(searcher, root, beta, budget)
        children = self.space.split(query, root, first)
        return self.after_guess(searcher, query, children, beta, first, budget)

    def after_guess(
        self,
        searcher: Any,
        query: Query,
        children: Sequence[Child[S]],
        beta: int,
        guess: int,
        budget: int = 0,
    ) -> Outcome:
        """Search what a guess leaves, the largest part first; the children then know what was found of them.

        Where parts add up, those that are settled soon come first: all get a few evaluations, those that are
        left get more, and so on, until their sum says enough.
        """
        space, infinite, before = self.space, self.space.infinite, searcher.evaluations
        total = self.total(query, children)
        for child in children:  # all one step ahead before any is searched: that may do
            if total >= beta:
                return Outcome(min(total, infinite), infinite, -1, "")
            child.look(space, searcher)
            total = self.total(query, children)
        left = [child for child in children if child.state is not None and not child.exact]
        few = self.policy.patience if query.figure == "total" else 0
        while left and total < beta:
            left, waiting, few = [], left, 0 if len(left) == 1 else few * PATIENCE_GROWS
            for child in waiting:
                spent = searcher.evaluations - before
                if 0 < budget <= spent:
                    return Outcome(total, infinite, -1, "budget")
                assert child.state is not None
                rest = child.paid if query.figure == "worst" else total - child.lower
                if self.offset is not None:
                    self.offset = rest
                most = min((n for n in (few, budget - spent if budget else 0) if n), default=0)
                outcome = self.search(searcher, child.state, beta - rest, most)
                child.lower = max(child.lower, outcome.lower)
                total = self.total(query, children)
                if few and outcome.ended == "budget":
                    left.append(child)
                elif outcome.ended:
                    return Outcome(min(total, infinite), infinite, -1, outcome.ended)
                if total >= beta:
                    break
        if total >= beta:
            return Outcome(min(total, infinite), infinite, -1, "")
        if space.decides and query.figure == "worst":
            total = query.depth
        return Outcome(total, total, guess, "")

    @staticmethod
    def total(query: Query, children: Iterable[Child[S]]) -> int:
        """Return at least what a first guess takes, by what is known of its parts."""
        each = [child.paid + child.lower for child in children]
        return max(each) if query.figure == "worst" else sum(each)

    def beam(self, width: int, query: Query, beta: int, budget: int = 0) -> bool:
        """Search with the best `width` guesses of each state; return whether a better strategy was found."""
        if self.deadline.late():
            return False
        decides = self.space.decides and query.figure == "worst"
        what = f"worst case of {query.depth}" if decides else self.phase
        phase, self.phase = self.phase, f"{what}, best {width} guesses of each state"
        searcher, before, offset = self.space.searcher(query, self.resources, width), self.best, self.offset
        self.offset = None  # bounds of a beam are none of the game
        try:
            outcome = self._ask(searcher, query, beta, budget)
            if outcome.upper < self.space.infinite:
                with suppress(ValueError):  # forgotten, and not found again with so few guesses
                    self.offer(self.extract(searcher, query, outcome.guess), f"beam {width}")
        finally:
            self.retire(searcher)
            self.phase, self.offset = phase, offset
        return self.best is not before

    # -- time ------------------------------------------------------------------------------------------

    @contextmanager
    def within(self, seconds: float) -> Iterator[None]:
        """Let what is done end after some seconds, sooner than the clock says; an interrupt stays."""
        whole = self.deadline
        seconds = min(seconds, whole.left)
        self.deadline = Deadline(None if seconds == inf else seconds, whole)
        try:
            yield
        finally:
            if self.deadline.stopped == "interrupt":
                whole.stopped = "interrupt"
            elif self.deadline.stopped:
                whole.late()  # its time may be up, too
            self.deadline = whole

    # -- the end ---------------------------------------------------------------------------------------

    def conclude(self, method: str = "exact", extra: Mapping[str, Any] | None = None) -> Solved:
        """Return the best strategy with lower bounds of the optimum; raise Infeasible when there is none."""
        problem, names = self.problem, self.problem.objective.figures
        if self.best is None or self.figures is None:
            lower = self.space.reported(names[0], self.lower[names[0]]) if self.deadline.stopped else 0
            least = f"; the optimum is at least {problem.game.figure_text(names[0], lower)}" if lower else ""
            raise Infeasible(problem.no_strategy(self.deadline.stopped, self.space.lies) + least)
        reported = self.space.reported
        return problem.solution(
            self.best,
            tuple(reported(figure, self.figures[figure]) for figure in names),
            tuple(reported(figure, self.lower[figure]) for figure in names),
            method=method,
            extra=extra,
            stopped=self.deadline.stopped,
            states=self.states,
            evaluations=self.evaluations,
            seconds=self.deadline.seconds,
            lies=self.space.lies,
            by_history=self.space.by_history,
        )
