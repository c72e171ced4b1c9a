"""The least kit of a game: which questions, all asked before any answer comes, tell its secrets apart."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from ..errors import GameError, GuesstreeError, Infeasible, shown
from ..game import Game, response_table, response_type, whole
from ..labels import quoted
from ..notation import plural, plurals
from ..objective import WORST
from ..problem import Problem
from ..registry import game_of
from ..search.deadline import Deadline, Progress, TimeUp
from ..support import Request, require
from ..symmetry.groups import Symmetry
from .cover import Answers, CoverProblem
from .search import Classes, Search, Stopped, keeps
from .sets import Sets
from .stages import Stages

MOST_LIES = 20
PHASE = "cost of the kit"


@dataclass(frozen=True)
class KitRow:
    """What a question does in a kit, in numbers of pairs of secrets that matter.

    Attributes
    ----------
    question, cost: its label, and what it costs in units of the game.
    parts: how many different answers it gets.
    separates: pairs that it tells apart.
    adds: pairs that the kit tells apart often enough with it, and not with the questions before it alone.
    alone: pairs that the kit would not tell apart often enough without it.
    """

    question: str
    cost: int
    parts: int
    separates: int
    adds: int
    alone: int


@dataclass(frozen=True)
class Kit:
    """A kit of questions, and bounds of what the least one costs.

    Attributes
    ----------
    goal: ``identify``, or ``win``: then one guess more is made, which wins.
    lies: how many answers may be false.
    questions: the questions by index, in the order of rows; a question may be there again where answers lie.
    lower: at least what each kit costs, in units of the game; `upper` is what this one costs.
    stopped: why the search ended early (``time``, ``interrupt``), or ``""``.
    nodes: parts of the search that were looked at.
    cover: what the kit has to do, as arrays.
    symmetry: how many renamings of the game were used, declared or found, such as ``4! x 6!``; empty: none.
    """

    game: Game
    goal: str
    lies: int
    questions: tuple[int, ...]
    lower: int
    stopped: str
    nodes: int
    seconds: float
    cover: CoverProblem
    symmetry: str = ""

    @property
    def upper(self) -> int:
        """What the kit costs."""
        return self.cover.cost(self.questions)

    @property
    def optimal(self) -> bool:
        """Whether no kit costs less."""
        return self.lower == self.upper

    @property
    def labels(self) -> list[str]:
        """The labels of its questions."""
        return [self.game.guesses[question] for question in self.questions]

    @cached_property
    def rows(self) -> list[KitRow]:
        """What each question does."""
        kit, apart = self.questions, self.cover.apart
        separates, adds, alone = (np.zeros(len(kit), dtype=np.int64) for _ in range(3))
        for _, _, told in self._differences(kit):
            separates += told.sum(axis=1)
            so_far = np.cumsum(told, axis=0)
            adds += (told & (so_far == apart)).sum(axis=1)
            alone += (told & (so_far[-1:] == apart)).sum(axis=1)
        parts = [len(self.answers_to(question)) for question in kit]
        numbers = zip(kit, self.labels, parts, separates, adds, alone, strict=True)
        return [
            KitRow(label, int(self.cover.costs[question]), many, int(one), int(two), int(three))
            for question, label, many, one, two, three in numbers
        ]

    @cached_property
    def pairs(self) -> int:
        """How many pairs of secrets matter."""
        many = np.unique(self.kinds, return_counts=True)[1]
        return (len(self.kinds) ** 2 - int((many**2).sum())) // 2

    @property
    def kinds(self) -> NDArray[np.int64]:
        """A number for each secret of the game, equal where they need not be told apart; shape (secrets,)."""
        return self.cover.kinds if self.cover.sets is None else self.cover.sets.kinds

    def answers_to(self, question: int) -> list[str]:
        """Return all answers to a question, as labels."""
        sets, responses = self.cover.sets, self.game.responses
        if sets is None:
            return [responses[r] for r in np.unique(self.cover.answers[question]).tolist()]
        return [responses[r] for r in sorted({*chain.from_iterable(sets.cells[question])})]

    def _differences(self, kit: Sequence[int]) -> Iterator[tuple[int, NDArray[np.int64], NDArray[np.bool_]]]:
        """Yield what `CoverProblem.differences` does for the secrets of the game."""
        sets = self.cover.sets
        return self.cover.differences(kit) if sets is None else sets.differences(kit)

    def told(self) -> Iterator[tuple[str, str, list[str]]]:
        """Yield each pair of secrets that matters with the questions of the kit that tell it apart."""
        secrets, labels = self.game.secrets, self.labels
        for a, others, told in self._differences(self.questions):
            for i, b in enumerate(others.tolist()):
                yield secrets[a], secrets[b], [labels[q] for q in np.flatnonzero(told[:, i]).tolist()]

    def sheet(self) -> Iterator[list[str]]:
        """Yield each secret with its answer to each question of the kit, as labels."""
        responses, sets = self.game.responses, self.cover.sets
        for secret, label in enumerate(self.game.secrets):
            cells = [
                [int(self.cover.answers[g, secret])] if sets is None else sorted(sets.cells[g][secret])
                for g in self.questions
            ]
            yield [label, *("/".join(responses[answer] for answer in cell) for cell in cells)]

    def __repr__(self) -> str:
        found = f"at least {self.lower}, at most {self.upper}" if not self.optimal else f"{self.upper} proven"
        return f"Kit({self.game.spec}, {plural(len(self.questions), 'question')}, cost {found})"


def least_kit(
    game: Game | str,
    *,
    goal: str | None = None,
    lies: int = 0,
    must: Sequence[int | str] = (),
    never: Sequence[int | str] = (),
    time_limit: float | None = None,
    symmetry: bool = True,
    progress: Callable[[Progress], None] | None = None,
) -> Kit:
    """Return the least kit of questions that are all asked before any answer comes, and tell secrets apart.

    Parameters
    ----------
    goal: ``win`` or ``identify``, as for `search.solve`; the kit is the same, one guess more then wins.
    lies: so many of the answers may be false. A question may then be asked several times.
    must, never: guesses that the kit has to have, or must not have.
    time_limit: seconds after which the best kit is returned, with bounds.
    symmetry: whether renamings of the game are used.
    progress: a function that the calling thread calls some 20 times a second.

    Secrets of one kind (empty cells), or with the same right decision, need not be told apart. Raises
    Infeasible if no kit tells the secrets apart, or none was found before the search was stopped;
    GuesstreeError for bad arguments, and for games whose questions cannot be planned.
    """
    game = game_of(game)
    require(Request(game, WORST.name, goal=goal or "", time_limit=time_limit, planned=True))
    deadline = Deadline(time_limit)
    asked = _lies(lies), chosen(game, "must", must), chosen(game, "never", never)
    search, aim, renamings = searched(
        game,
        deadline,
        progress,
        lambda: planned(game, goal, *asked, symmetry=symmetry),
        lambda cover, classes: Search(cover, classes, deadline.late),
    )
    assert search.best is not None and search.problem.tells_apart(search.best)
    stopped = deadline.stopped if search.lower < search.upper else ""
    order = _telling_first(search.problem, search.best)
    return Kit(
        game,
        aim,
        lies,
        order,
        search.lower,
        stopped,
        search.nodes,
        deadline.seconds,
        search.problem,
        renamings,
    )


Sought = TypeVar("Sought", Search, Stages)


def searched(
    game: Game,
    deadline: Deadline,
    progress: Callable[[Progress], None] | None,
    plan: Callable[[], tuple[CoverProblem, Symmetry | None, str]],
    search_for: Callable[[CoverProblem, Classes | None], Sought],
) -> tuple[Sought, str, str]:
    """Return a search that has run, the goal, and how many renamings it used, in words, under a clock.

    `plan` and `search_for` make the search. Raises Infeasible if it found nothing in time, KeyboardInterrupt
    if Ctrl-C came before it did.
    """
    found: list[tuple[Sought, str, str]] = []

    def work() -> None:
        cover, group, aim = plan()
        classes, renamings = (None, "") if group is None else (group.classes, group.in_words)
        found.append((search_for(cover, classes), aim, renamings))
        try:
            found[0][0].run()
        except Stopped:
            deadline.late()

    def report() -> None:
        if progress is not None and found:
            search = found[0][0]
            upper = None if search.best is None else int(search.upper)
            unit = game.cost_unit
            progress(Progress(PHASE, search.nodes, 0, search.lower, upper, "", deadline.seconds, unit=unit))

    deadline.awaited = True
    try:
        deadline.run(work, lambda: None, report)
    except TimeUp:
        deadline.late()
    if not found or found[0][0].best is None:
        if deadline.stopped == "interrupt":
            raise KeyboardInterrupt
        raise Infeasible(f"{game.spec}: no kit was found before the search stopped; allow more time")
    return found[0]


def _lies(lies: int) -> int:
    number = whole(lies)
    if number is None or not 0 <= number <= MOST_LIES:
        raise GuesstreeError(f"lies {shown(lies)}; expected a whole number from 0 to {MOST_LIES}")
    return number


def chosen(game: Game, what: str, given: Sequence[int | str]) -> tuple[int, ...]:
    """Return guesses that are named, each once; raise GuesstreeError for what is none."""
    try:
        return tuple(dict.fromkeys(game.guess_at(guess) for guess in given))
    except GameError as error:
        raise GuesstreeError(f"{what}: {error}") from None


def planned(
    game: Game, goal: str | None, lies: int, must: tuple[int, ...], never: tuple[int, ...], *, symmetry: bool
) -> tuple[CoverProblem, Symmetry | None, str]:
    """Return what a kit of a game has to do, the renamings that it may use, if any, and the goal.

    Raises Infeasible where no kit does it, GuesstreeError where questions cannot be planned.
    """
    if both := set(must) & set(never):
        raise GuesstreeError(
            f"must and never both name {game.guesses[min(both)]!r}; expected it in one of them"
        )
    sets, named = None, game.secrets
    if game.facts.noisy:
        answers, kinds, costs = _certain(game)
        problem, barred = None, never
        if (several := Sets.of(game.model.chances if game.model else (), kinds)).several:
            completions, causes = several.completions()
            answers = np.array(completions, dtype=response_type(game)).T.copy()
            sets, kinds, named = several, kinds[causes], [game.secrets[cause] for cause in causes]
    else:
        problem = Problem(game, WORST, goal=goal)
        problem.require_winners()
        answers, barred = response_table(game), (*never, *_last_questions(game))
        kinds = np.unique(game.kinds or np.arange(problem.secrets), return_inverse=True)[1].ravel()
        costs = problem.costs[:, 0] if game.facts.priced else np.ones(len(answers), dtype=np.int64)
    kinds = kinds.astype(np.int64)
    cover = CoverProblem(answers, kinds, costs, 2 * lies + 1, must, frozenset(barred), sets)
    pair = cover.undivided([question for question in range(cover.questions) if question not in cover.never])
    if pair is not None:
        names = " and ".join(repr(named[secret]) for secret in pair)
        left = f" but those of never ({quoted([game.guesses[g] for g in never], 3)})" if never else ""
        raise Infeasible(f"{game.spec}: no {game.look.guess}{left} tells {names} apart")
    if problem is None:
        return cover, None, "identify"
    return cover, _group(problem, cover) if symmetry else None, problem.goal


def _last_questions(game: Game) -> list[int]:
    """Return the questions that no kit has: those that only name what is known, where cells are missing.

    Raises GuesstreeError where another one costs more for one answer than for another.
    """
    if not game.facts.priced:
        return []
    problem = Problem(game, WORST)
    costs = problem.costs
    varying = [g for g, row in enumerate(problem.table) if len(set(costs[g][np.unique(row)].tolist())) > 1]
    if varying and not game.facts.by_kind:
        raise GuesstreeError(
            f"{game.spec}: what {game.guesses[varying[0]]!r} costs depends on the answer; expected "
            f"{plurals(game.look.guess)} that cost the same whatever is answered, to plan them"
        )
    return varying


def _certain(game: Game) -> tuple[Answers, NDArray[np.int64], NDArray[np.int64]]:
    """Return answers, kinds and costs of a table with decisions; of several answers to a test, one.

    Causes with the same right decision are of one kind: it loses least for them, and no other as little.
    """
    model = game.model
    assert model is not None
    answers = np.array(
        [[next(iter(cell)) for cell in row] for row in model.chances], dtype=response_type(game)
    )
    kinds = np.arange(len(model.weights))
    for cause in range(len(kinds) if model.losses is not None else 0):
        losses = [row[cause] for row in model.losses or ()]
        least = min(loss for loss in losses if loss is not None)
        right = [d for d, loss in enumerate(losses) if loss == least]
        if len(right) > 1:
            names = quoted([game.decisions[d] for d in right], 3)
            raise GuesstreeError(
                f"{game.spec}: {names} are equally right for {game.secrets[cause]!r}; expected one decision "
                "that loses least, to plan a kit"
            )
        kinds[cause] = right[0]
    return answers, kinds, np.array([int(price) for price in model.prices], dtype=np.int64)


def _group(problem: Problem, cover: CoverProblem) -> Symmetry | None:
    """Return renamings that take kinds to kinds, and what is never asked to that; None: none may be used.

    Generators show it for all of them; if one does not, each kind has a colour, and what is never asked.
    """
    if problem.searched_classes is None:
        return None
    never = np.isin(np.arange(cover.questions), list(cover.never))
    kept = (cover.distinct and not cover.never) or all(
        np.array_equal(never[guesses], never) and (cover.distinct or keeps(cover.kinds, secrets))
        for guesses, secrets in problem.group.generators()
    )
    if kept:
        return problem.group
    kinds = np.zeros_like(cover.kinds) if cover.distinct else cover.kinds
    return problem.group_that_keeps(never.astype(np.uint64), kinds.astype(np.uint64))


def _telling_first(cover: CoverProblem, kit: Sequence[int]) -> tuple[int, ...]:
    """Return a kit in an order in which each question leaves the fewest pairs alike, as far as it goes."""
    rest, labels, ordered = sorted(kit), np.zeros(cover.secrets, dtype=np.int64), []
    while rest:
        parts = {question: cover.split(labels, question) for question in dict.fromkeys(rest)}
        left = {question: int((np.bincount(found) ** 2).sum()) for question, found in parts.items()}
        best = min(rest, key=left.__getitem__)
        rest.remove(best)
        ordered.append(best)
        labels = parts[best]
    return tuple(ordered)
