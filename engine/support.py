"""What goes with what: one table of combinations that are refused, for messages and for the docs.

A row of `REFUSED` names what does not go together; without the row it is allowed. Nothing else refuses
combinations.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from .errors import GuesstreeError, shown, unknown
from .game import Game
from .leaf_limits import LeafLimits
from .notation import plurals
from .objective import EXPECTED, GOALS, OBJECTIVES, WORST, Objective, objective_groups
from .ranges import WITHIN, require_kinds, require_ranges

EXACT, MIXED, LARGEST = "exact", "mixed", "largest"


def lies_text(lies: int) -> str:
    """Return a number of lies in words."""
    return "1 lie" if lies == 1 else f"{lies} lies"


@dataclass(frozen=True)
class Request:
    """What is asked of a game; arguments as those of `search.solve`.

    Attributes
    ----------
    method: ``exact``, or the name of a one-step method.
    needs_budget: whether that values guesses by what is left of a budget.
    goal: ``win`` or ``identify``; empty where it does not matter.
    bounds: whether bounds are to be improved from both sides.
    certificate: whether what is found is to be proved to a stranger, by so many `workers`.
    cluster: where they are; None: on this machine.
    trust: whether what the search says is believed instead.
    at_least: the bound that is to be proved; None: the optimum.
    tool: what else is to be made of the game, such as ``evolution``; empty: a strategy.
    advice: whether it is played, turn by turn, with advice or without.
    maker: who picks the secret: ``mixed``, somebody who may prefer some; ``largest``, nobody: the host
        keeps the largest part; empty: chance, by the weights.
    leaves: limits of the leaves of the tree.
    planned: whether questions are asked many at a time, in so many `stages`.
    """

    game: Game
    objective: str = EXPECTED.name
    method: str = EXACT
    needs_budget: bool = False
    goal: str = ""
    max_depth: int | None = None
    first: str | None = None
    candidates_only: bool = False
    budget: int | None = None
    leaves: LeafLimits | None = None
    lies: int = 0
    width: int | None = None
    jobs: int = 1
    time_limit: float | None = None
    bounds: bool = False
    certificate: bool = False
    workers: int = 1
    cluster: str | None = None
    trust: bool = False
    at_least: int | None = None
    tool: str = ""
    advice: bool = False
    maker: str = ""
    planned: bool = False
    stages: int = 1

    @property
    def lies_text(self) -> str:
        """The number of lies in words."""
        return lies_text(self.lies)

    @property
    def what(self) -> str:
        """What is asked that does not go with a game whose tests may get several answers, in words."""
        return next((name for name in ALONE if FEATURES[name](self)), "")

    @property
    def beside(self) -> str:
        """What is asked that does not go with a codemaker who mixes, in words."""
        return next((name for name in BESIDE_MIXING if FEATURES[name](self)), "")

    @property
    def cheated(self) -> str:
        """What is asked that does not go with a host who keeps the largest part, in words."""
        return next((name for name in BESIDE_CHEATING if FEATURES[name](self)), "")

    @property
    def beside_leaves(self) -> str:
        """What is asked that does not go with limits of leaves, in words."""
        return next((name for name in BESIDE_LEAVES if FEATURES[name](self)), "")

    @property
    def several(self) -> str:
        """Why a game with a model is no plain one, in words."""
        model = self.game.model
        if model is None or any(len(cell) > 1 for row in model.chances for cell in row):
            return "a test may get several answers"
        return "there are decisions, groups, or answers that end it"

    @property
    def questions(self) -> str:
        """What the game calls its guesses."""
        return plurals(self.game.look.guess)

    @property
    def unplanned(self) -> str:
        """Why the tests of a game with a model cannot be asked at once, in words; empty: they can."""
        model = self.game.model
        if model is None:
            return ""
        if model.cliques:
            return f"a strategy may end with several {plurals(self.game.look.secret)}"
        if self.stages > 1 and any(len(cell) > 1 for row in model.chances for cell in row):
            return f"a {self.game.look.guess} may get several answers, in {self.stages} stages"
        if model.failures or any(model.ends):
            return f"a {self.game.look.guess} may fail to answer, or end the path"
        if any(model.after):
            return "one waits for another"
        if model.characters is not None:
            return f"each {self.game.look.guess} is asked by questions of two answers"
        return "they share set-ups" if any(group is not None for group in model.groups) else ""

    @property
    def phrases(self) -> int:
        """How many secrets there are."""
        return len(self.game.secrets)

    @property
    def budget_text(self) -> str:
        """The budget in words."""
        return "no budget" if self.budget is None else f"a budget of {shown(self.budget)}"


def _minimises(group: str, request: Request) -> bool:
    """Return whether the objective of a request is of a group; one that is not known is of none."""
    return request.objective in OBJECTIVES and OBJECTIVES[request.objective].group == group


FEATURES: dict[str, Callable[[Request], bool]] = {
    **{group: partial(_minimises, group) for group in objective_groups()},
    "to win": lambda r: r.goal == "win",
    "to identify": lambda r: r.goal == "identify",
    "no winning response": lambda r: not r.game.facts.winnable,
    "weights": lambda r: r.game.facts.weighted,
    "costs": lambda r: r.game.facts.priced,
    "many responses": lambda r: r.game.facts.large,
    "phrases not listed": lambda r: r.game.facts.product,
    "missing cells": lambda r: r.game.facts.by_kind,
    "several answers": lambda r: r.game.facts.noisy,
    "failures": lambda r: r.game.facts.failing,
    "rules": lambda r: r.game.rules() is not None,
    "rules of no checker": lambda r: (rules := r.game.rules()) is not None and not rules.checked,
    "one answer": lambda r: not r.game.facts.noisy,
    "limits of leaves": lambda r: r.leaves is not None,
    "price of leaves": lambda r: r.leaves is not None and r.leaves.leaf_price is not None,
    "lies": lambda r: r.lies != 0,
    "depth limit": lambda r: r.max_depth is not None,
    "first guess": lambda r: r.first is not None,
    "candidates only": lambda r: r.candidates_only,
    "budget": lambda r: r.budget is not None,
    "no budget": lambda r: r.budget is None and r.game.budget is None,
    "one-step method": lambda r: r.method != EXACT,
    "method for a budget": lambda r: r.needs_budget,
    "beam": lambda r: r.width is not None,
    "threads": lambda r: r.jobs != 1,
    "bounds": lambda r: r.bounds,
    "certificate": lambda r: r.certificate,
    "cluster": lambda r: r.cluster is not None,
    "trust": lambda r: r.trust,
    "bound to prove": lambda r: r.at_least is not None,
    "tools": lambda r: bool(r.tool),
    "advice": lambda r: r.advice,
    "mixing maker": lambda r: r.maker == MIXED,
    "cheating host": lambda r: r.maker == LARGEST,
    "varying tests": lambda r: bool(r.unplanned),
    "questions at once": lambda r: r.planned,
    "two answers": lambda r: r.game.model is not None and r.game.model.characters is not None,
    "several stages": lambda r: r.stages > 1,
}
"""What a request may have, by the names that the table and the docs use."""


@dataclass(frozen=True)
class Refusal:
    """Features that do not go together.

    Attributes
    ----------
    groups: refused where of each group one feature is there; in the order in which they are looked for.
    text: the message; `r` in braces is the request.
    why: the reason, for the docs.
    """

    groups: tuple[tuple[str, ...], ...]
    text: str
    why: str

    def refuses(self, request: Request) -> bool:
        """Return whether this row refuses a request."""
        return all(any(FEATURES[name](request) for name in group) for group in self.groups)


def _is_single(one: Objective) -> bool:
    """Return whether an objective is one figure, of all secrets."""
    return len(one.figures) == 1 and not one.budgeted


SINGLE = " or ".join(name for name, one in OBJECTIVES.items() if _is_single(one))
"""The objectives of one figure for all secrets, as messages name them."""

BUDGETED = objective_groups(lambda one: one.budgeted)
UNBUDGETED = objective_groups(lambda one: not one.budgeted)
NOT_SINGLE = objective_groups(lambda one: not _is_single(one))
NOT_EXPECTED = objective_groups(lambda one: one.figures != EXPECTED.figures)
NOT_WORST = objective_groups(lambda one: one.figures != WORST.figures)
NO_AVERAGE = objective_groups(lambda one: "total" not in one.figures)
BEYOND_COSTS = objective_groups(lambda one: not {*one.figures} <= {"total", "worst"})
"""Objectives that compare more than what all secrets cost."""

PRICED = ("weights", "costs", *BUDGETED, "many responses")
"""What the search over costs is for."""

ALONE = ("lies", "to win", "rules", "candidates only", "cluster", "trust")
"""What does not go with tests that may get several answers."""

BESIDE_MIXING = ("depth limit", "first guess", "lies", "one-step method", "beam", "certificate", "bounds")
"""What does not go with a codemaker who mixes."""

BESIDE_LEAVES = ("one-step method", "beam", "bounds", "certificate", "mixing maker", "questions at once")
"""What does not go with limits of the leaves of a tree."""

BESIDE_CHEATING = (
    *NOT_EXPECTED,
    "depth limit",
    "lies",
    "one-step method",
    "beam",
    "certificate",
    "bounds",
    "missing cells",
    "several answers",
    "phrases not listed",
    "tools",
)
"""What does not go with a host who keeps the largest part."""

REFUSED = (
    Refusal(
        (("to win",), ("no winning response",)),
        "{r.game.spec} has no winning response; use the goal identify",
        "no guess ends the game",
    ),
    Refusal(
        (("budget",), UNBUDGETED),
        "{r.budget_text}; use it with the objective " + WITHIN,
        "the other objectives add up all costs, without a limit",
    ),
    Refusal(
        (BUDGETED, ("missing cells",)),
        "{r.game.spec}: {r.objective} would name causes untested where cells are missing; use "
        "another objective",
        "if a cause is lost anyway, a strategy could name a wrong cause at no cost",
    ),
    Refusal(
        (BUDGETED, ("depth limit",)),
        "a depth limit of {r.max_depth} within a budget; use the budget alone",
        "a secret that needs more guesses than the limit is lost, and a budget already says the same",
    ),
    Refusal(
        (BUDGETED, ("to identify",), ("rules",)),
        "{r.game.spec}: to identify within a budget where what may be asked depends on earlier responses; "
        "use the goal win",
        "for secrets that the strategy gives up, no allowed question may be left",
    ),
    Refusal(
        (("candidates only",), ("to identify",), PRICED),
        "candidates only, with weights, costs, a budget or over 255 responses to a guess; use the goal win",
        "the bounds of the search over costs hold for strategies that may ask anything",
    ),
    Refusal(
        (("lies",), ("many responses",)),
        "{r.game.spec}: a {r.game.look.guess} has over 255 responses; with lies, use one where none has",
        "the searches against lies count the responses to a guess in one byte",
    ),
    Refusal(
        (("lies",), ("costs",), ("depth limit",)),
        "a depth limit of {r.max_depth} with {r.lies_text}, where questions cost; use one without a limit",
        "what each secret may pay is limited there, not how many questions it may take",
    ),
    Refusal(
        (("lies",), ("weights", "costs"), ("advice",)),
        "{r.game.spec} has weights or costs; to be advised with {r.lies_text}, use a game without",
        "volume, by which guesses are ordered, counts neither",
    ),
    Refusal(
        (("lies",), ("weights", "costs", *NOT_WORST), ("certificate", "bounds", "cluster", "trust")),
        "a certificate or bounds for objective {r.objective} of {r.game.spec} with {r.lies_text}, where "
        f"weights or costs count or the objective is not {WORST.name}; use solve",
        "the format of certificates with lies counts guesses of the worst case: a secret is in several parts "
        "of a guess, so that what it pays is no sum over these",
    ),
    Refusal(
        (("lies",), ("rules",)),
        "lies of {r.game.spec}: what may be asked there depends on earlier responses; use a game "
        "where every guess is always allowed",
        "a false response would forbid guesses that are allowed",
    ),
    Refusal(
        (("lies",), BUDGETED),
        "objective {r.objective} with {r.lies_text}; use another objective",
        "a secret that pays more than the budget in one way to lie may pay less in another",
    ),
    Refusal(
        (("lies",), ("candidates only",)),
        "candidates only with {r.lies_text}; allow every guess",
        "the bounds of the search against lies hold for strategies that may ask anything",
    ),
    Refusal(
        (("limits of leaves",), ("one answer",)),
        "limits of the leaves of {r.game.spec}, where each leaf names one {r.game.look.secret}; use a table "
        "with decisions, sets or odds",
        "all trees have as many leaves, one for each secret",
    ),
    Refusal(
        (("limits of leaves",), ("several answers",), BESIDE_LEAVES),
        "{r.beside_leaves} with limits of leaves; use one without the other",
        "these count neither the leaves of a tree nor what ends in each",
    ),
    Refusal(
        (("price of leaves",), ("several answers",), NO_AVERAGE),
        f"a price of leaves with objective {{r.objective}}; use {EXPECTED.name}, or max_leaves",
        "the price is a part of the expected cost",
    ),
    Refusal(
        (("several answers",), BEYOND_COSTS),
        "objective {r.objective} of {r.game.spec}: {r.several}; use another objective",
        "the search for noisy tests weighs no path above a limit against others",
    ),
    Refusal(
        (("several answers",), ("advice",)),
        "{r.game.spec}: {r.several}; use assist or play (in Python, Evidence)",
        "a `Position` holds one response to each guess; `Evidence` knows the probabilities of the answers",
    ),
    Refusal(
        (("several answers",), ("tools",)),
        "{r.tool} of {r.game.spec}: {r.several}; use solve, assist or play",
        "these tools expect one response of each secret to each guess",
    ),
    Refusal(
        (("several answers",), ALONE),
        "{r.what} of {r.game.spec}: {r.several}; use solve or bounds, without",
        "such tests end when their causes are known, and all other searches expect one answer",
    ),
    Refusal(
        (("failures",), ("one-step method",)),
        "method {r.method} of {r.game.spec}, where tests may fail to answer; use exact",
        "these methods weigh answers by how often they come",
    ),
    Refusal(
        (("mixing maker",), ("failures",)),
        "{r.game.spec} against a codemaker who mixes: tests may fail to answer; use a table without failures",
        "what fails counts in the worst case only, and nobody says how likely it is",
    ),
    Refusal(
        (("two answers",), ("limits of leaves",)),
        "{r.game.spec}: limits of leaves, and questions of two answers; use one without the other",
        "the search with limits of leaves takes tests as independent",
    ),
    Refusal(
        (("two answers",), ("certificate",)),
        "a certificate for {r.game.spec}, where each test is asked by questions of two answers; use a table "
        "without dichotomous",
        "the format of certificates takes tests as independent",
    ),
    Refusal(
        (("two answers",), ("mixing maker",)),
        "{r.game.spec} against a codemaker who mixes: each test is asked by questions of two answers; use a "
        "table without dichotomous",
        "questions about one character are not independent",
    ),
    Refusal(
        (("failures",), NOT_WORST),
        f"objective {{r.objective}} of {{r.game.spec}}, where tests may fail to answer; use {WORST.name}",
        "nobody knows how often tests fail, so there is no average (if you know it, give the cells odds)",
    ),
    Refusal(
        (("beam",), ("one-step method",)),
        "a beam with method {r.method!r}; use exact",
        "a one-step method asks one guess in each state",
    ),
    Refusal(
        (("beam",), NOT_SINGLE),
        f"a beam with objective {{r.objective!r}}; use {SINGLE}",
        "the second objective may need guesses that a beam leaves out",
    ),
    Refusal(
        (("bounds",), NOT_SINGLE),
        f"bounds of objective {{r.objective!r}}; use {SINGLE}",
        "the command bounds one number only",
    ),
    Refusal(
        (("method for a budget",), ("phrases not listed",)),
        "method {r.method} of {r.game.spec}: its {r.phrases} phrases are counted word by word; use "
        "information-per-cost",
        "what can be won of each part follows from no word by itself",
    ),
    Refusal(
        (("method for a budget",), ("no budget",)),
        "method {r.method} of {r.game.spec} without a budget; use it with one, and the objective " + WITHIN,
        "it values guesses by what is left of the budget",
    ),
    Refusal(
        (("one-step method",), ("missing cells",)),
        "{r.game.spec}: method {r.method} does not see what is asked last; use exact",
        "one step ahead, the last questions look best, and they cost most when they are wrong",
    ),
    Refusal(
        (
            ("certificate",),
            ("several answers",),
            ("depth limit", "failures", "bound to prove", *NOT_SINGLE),
        ),
        "a certificate for {r.game.spec}, where {r.several}, with a limit of tests, failures, a bound that "
        f"is given, or for two objectives; use {SINGLE} without limits",
        "the format of their certificates counts costs alone: the expected cost, or the worst case",
    ),
    Refusal(
        (("certificate",), ("depth limit",), ("costs",)),
        "a certificate for {r.game.spec} within {r.max_depth} guesses; use one without a limit",
        "where questions cost, the format of certificates limits the cost of a path, not its guesses",
    ),
    Refusal(
        (("certificate",), ("rules",), PRICED),
        "a certificate for {r.game.spec} with costs, weights or a budget; use expected or worst",
        "where guesses cost, a certificate identifies a state by its candidates alone",
    ),
    Refusal(
        (("certificate",), ("rules of no checker",)),
        "{r.game.spec}: no checker knows its rules; use hard mode of words of up to 5 letters a to z",
        "the checkers know the rules of Wordle's hard mode alone",
    ),
    Refusal(
        (("certificate",), ("one-step method", "beam")),
        "a certificate of method {r.method}, or of a beam; use exact",
        "they prove no more than the bound by counting",
    ),
    Refusal(
        (("bound to prove",), NOT_SINGLE),
        f"a bound of {{r.at_least}} for objective {{r.objective}}; use {SINGLE}",
        "one number is no bound of two",
    ),
    Refusal(
        (("tools",), ("missing cells",)),
        "{r.tool} of {r.game.spec}, where cells are missing: a {r.game.look.secret} then counts once for "
        "each answer that it may give; use solve, play or assist",
        "a cause with missing cells stands for several rows, which only a search may leave together",
    ),
    Refusal(
        (("tools",), ("phrases not listed",)),
        "{r.tool} of {r.game.spec}: its {r.phrases} phrases are counted word by word; use {r.game.beyond}",
        "these tools go through all secrets",
    ),
    Refusal(
        (("tools",), ("rules",)),
        "{r.tool} of {r.game.spec}: what may be asked there depends on earlier responses; use a game "
        "where every guess is always allowed",
        "the state graph, random strategies and evolution identify a state by its candidates alone",
    ),
    Refusal(
        (("mixing maker",), NOT_EXPECTED),
        f"objective {{r.objective}} against a codemaker who mixes; use {EXPECTED.name}",
        "the codemaker who sets the worst case is the one who picks the secret after the strategy is known",
    ),
    Refusal(
        (("mixing maker",), ("missing cells",)),
        "{r.game.spec} against a codemaker who mixes: a {r.game.look.secret} counts there once for each of "
        "its kinds; use a table without missing cells",
        "the codemaker would mix kinds, not secrets",
    ),
    Refusal(
        (("mixing maker",), ("candidates only",), ("to identify",)),
        "candidates only against a codemaker who mixes, to identify; use the goal win",
        "answers to a mixture are searched with its weights, see candidates only with weights",
    ),
    Refusal(
        (("mixing maker",), BESIDE_MIXING),
        "{r.beside} against a codemaker who mixes; use one of them alone",
        "each answer to a mixture is the best of all strategies",
    ),
    Refusal(
        (("mixing maker",), ("tools",)),
        "{r.tool} against a codemaker who mixes; use solve",
        "they take weights as they are",
    ),
    Refusal(
        (("cheating host",), BESIDE_CHEATING),
        "{r.cheated} against a host who keeps the largest part; use the one without the other",
        "what is looked for is a win of one host, whose answers are known, and no strategy for every secret",
    ),
    Refusal(
        (("questions at once",), ("phrases not listed",)),
        "{r.game.spec}: its {r.phrases} phrases are counted word by word and cannot be planned; use "
        "{r.game.beyond}",
        "every two secrets are compared",
    ),
    Refusal(
        (("questions at once",), ("rules",)),
        "{r.game.spec}: what may be asked there depends on earlier responses, so it cannot be planned; use a "
        "game where every guess is always allowed",
        "a rule such as that of hard mode says only after an answer what may be asked next",
    ),
    Refusal(
        (("questions at once",), ("varying tests",)),
        "{r.game.spec}: {r.unplanned}, so the {r.questions} cannot be planned; use solve",
        "a test that may fail, end the path, wait for another or share its set-up is worth more or less "
        "beside others; in stages, what is left of causes with several answers depends on these",
    ),
    Refusal(
        (("several stages",), ("lies",)),
        "{r.lies_text} in {r.stages} stages; expected one stage, or no lies",
        "what is left of the false answers would depend on the path",
    ),
)


def require(request: Request) -> None:
    """Raise GuesstreeError, in one line, for a value out of range or for what does not go together."""
    if not isinstance(request.goal, str) or request.goal not in ("", *GOALS):
        raise GuesstreeError(unknown("goal", request.goal, GOALS))
    require_kinds(request)
    for row in REFUSED:
        if row.refuses(request):
            raise GuesstreeError(row.text.format(r=request))
    require_ranges(request)
