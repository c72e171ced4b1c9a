"""Independent checker: whether a tree does what it is for, what it guarantees, whether its claims are true.

It knows the contract of games, the tree and what figures and objectives are called, and nothing else: every
figure comes from replaying each secret from the root with the game's own `respond`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from guesstree.engine.exact import Value, as_plain, whole_or_part
from guesstree.engine.game import Game, weights_of
from guesstree.trees.claims import contradictions, unchecked
from guesstree.trees.figures import (
    Costs,
    Figures,
    Summary,
    count_costs,
    count_decisions,
    count_endings,
    summarise,
    summarise_kinds,
)
from guesstree.trees.tree import Tree

from .replay import MALFORMED, MAX_DETAILS, Failure, LyingReplay, Path, Replay, path_text
from .replay_noisy import NoisyReplay


@dataclass(frozen=True)
class Report:
    """What the replay of every secret shows.

    Attributes
    ----------
    secrets: the secrets of the game.
    failed: the secrets that fail, or 1 for a malformed tree.
    failures: the first 100 failures, in the order of secrets.
    histogram: how many secrets need n guesses, among those that do not fail.
    figures: what the secrets need and cost, and what is decided; None when a secret fails.
    lies: claims that are not true of the tree: figures, bounds, limits.
    dead: how many branches no secret takes; they do no harm, and no figure counts them.
    first_dead: guesses and responses, by label, that lead to the first of them.
    unchecked: claims that no replay can tell, such as a lower bound.
    """

    secrets: int
    failed: int
    failures: tuple[Failure, ...]
    figures: Figures | None
    histogram: Mapping[int, int]
    lies: tuple[str, ...]
    dead: int = 0
    first_dead: Path = ()
    unchecked: tuple[str, ...] = ()

    @property
    def valid(self) -> bool:
        """Whether the tree does what it is for with every secret, and every claim checked is true."""
        return not self.failures and not self.lies

    @property
    def total(self) -> Value | None:
        """The guesses of all secrets together; None when a secret fails."""
        return None if self.figures is None else self.figures.guesses.total

    @property
    def worst(self) -> int | None:
        """The guesses that a secret needs at most; None when a secret fails."""
        return None if self.figures is None else self.figures.guesses.worst

    @property
    def average(self) -> Fraction | None:
        """The expected number of guesses, exactly; None when a secret fails."""
        return None if self.figures is None else self.figures.guesses.average

    @property
    def costs(self) -> Costs | None:
        """What the secrets cost, where weights, costs or a budget make it differ from their guesses."""
        return None if self.figures is None else self.figures.costs

    def __repr__(self) -> str:
        said = ["valid" if self.valid else "INVALID", f"{self.secrets} secrets"]
        if self.failed:
            said.append(f"{self.failed} fail")
        if self.total is not None:
            said.append(f"total {self.total}, worst {self.worst}")
        return f"Report({', '.join([*said, *map(repr, self.lies)])})"

    def messages(self) -> list[str]:
        """Return failures, then lies, then how many branches are dead, a line each."""
        dead = [self.dead_text] if self.dead else []
        return [*(failure.message for failure in self.failures), *self.lies, *dead]

    @property
    def dead_text(self) -> str:
        """How many branches no secret takes, and which is the first."""
        many = "1 dead branch" if self.dead == 1 else f"{self.dead} dead branches"
        first = "" if self.dead == 1 else "the first: "
        return f"{many}, which no secret takes and no figure counts ({first}{path_text(self.first_dead)})"

    def as_json(self) -> dict[str, Any]:
        """Return the report as plain data."""
        found = {
            "valid": self.valid,
            "secrets": self.secrets,
            "failed": self.failed,
            "failures": [failure.as_json() for failure in self.failures],
            "total": None if self.total is None else as_plain(self.total),
            "average": None if self.average is None else float(self.average),
            "exact": None if self.average is None else str(self.average),
            "worst": self.worst,
            "histogram": {str(n): many for n, many in self.histogram.items()},
            "lies": list(self.lies),
            "dead": {"branches": self.dead, "first": [list(step) for step in self.first_dead]}
            if self.dead
            else None,
            "unchecked": list(self.unchecked),
        }
        return found if self.costs is None else self.costs.beside(found)


def check(game: Game, strategy: Tree) -> Report:
    """Return what replaying every secret of `game` through the tree shows; figures are in guesses.

    Never raises for a bad tree: what is wrong with it is in the report.
    """
    fault = _malformed(game, strategy)
    if fault:
        failure = Failure(MALFORMED, "", (), None, f"{MALFORMED}: {fault}")
        return Report(len(game.secrets), 1, (failure,), None, {}, ())
    if game.facts.noisy:
        replay: Replay = NoisyReplay(game, strategy)
    else:
        replay = LyingReplay(game, strategy) if strategy.lies else Replay(game, strategy)
    needed: dict[int, int] = {}
    failures: list[Failure] = []
    paid: list[tuple[int, int]] = []
    failed = 0
    for secret in range(len(game.secrets)):
        kind, asked, cost = replay.outcome(secret)
        if not kind:
            needed[secret] = asked
            paid.append((secret, cost))
            continue
        failed += 1
        if len(failures) < MAX_DETAILS:
            failures.append(replay.failure(secret, kind))
    histogram = dict(sorted(Counter(needed.values()).items()))
    figures = None if failed else _figures(game, strategy, replay, needed, paid)
    dead = replay.dead()
    first_dead = strategy.first_dead if strategy.dead or not dead else strategy.steps(dead[0])
    return Report(
        secrets=len(game.secrets),
        failed=failed,
        failures=tuple(failures),
        figures=figures,
        histogram=histogram,
        lies=tuple(contradictions(game, strategy, figures)),
        dead=strategy.dead + len(dead),
        first_dead=tuple((game.guesses[g], game.responses[r]) for g, r in first_dead),
        unchecked=tuple(unchecked(game, strategy)),
    )


def _figures(
    game: Game, strategy: Tree, replay: Replay, needed: Mapping[int, int], paid: Sequence[tuple[int, int]]
) -> Figures:
    """Return the figures of what was replayed: the guesses that each secret needs, and what it pays."""
    parameters, guesses = strategy.claims.parameters, summarise(list(needed.values()))
    if isinstance(replay, NoisyReplay):
        ways = [(secret, way) for secret, ways in replay.ways.items() for way in ways]
        total = whole_or_part(sum((len(way.history) * way.chance for _, way in ways), Fraction()))
        guesses = replace(guesses, total=total)
        ends = [(secret, way.paid, way.loss, way.chance) for secret, way in ways]
        labels = [" or ".join(strategy.endings(way.node)) for _, way in ways]
        decisions = count_decisions(game, [(label, *end) for label, end in zip(labels, ends, strict=True)])
        costs = count_endings(game, ends, parameters, len({way.node for _, way in ways}))
        return Figures(guesses, guesses, costs, decisions, game.cost_unit)
    counted = guesses if not game.facts.by_kind else _summary_by_kind(game, strategy, replay, needed)
    return Figures(guesses, counted, count_costs(game, paid, parameters), (), game.cost_unit)


def _summary_by_kind(game: Game, strategy: Tree, replay: Replay, needed: Mapping[int, int]) -> Summary:
    """Return the figures of the kinds of secrets: each is found where no secret of another kind gets to."""
    kinds, weights = game.kinds or (), weights_of(game).tolist()
    asked = dict(needed)
    if strategy.goal == "identify":
        paths = {secret: replay.path(secret) for secret in needed}
        met: dict[int, set[str]] = {}
        for secret, path in paths.items():
            for node in path:
                met.setdefault(node, set()).add(kinds[secret])
        asked = {
            s: next(n for n, node in enumerate(path) if len(met[node]) == 1) for s, path in paths.items()
        }
    return summarise_kinds((kinds[secret], n, weights[secret]) for secret, n in asked.items())


def _malformed(game: Game, strategy: Tree) -> str:
    """Return what keeps the arrays from being those of a tree for this game, or an empty text.

    Children lie behind their parent, so a tree that passes has no cycle and every replay ends.
    """
    if strategy.goal not in ("win", "identify"):
        return f"goal {strategy.goal!r}; expected 'win' or 'identify'"
    if strategy.goal == "win" and not game.facts.winnable:
        return f"goal 'win', but {game.spec} has no winning response; expected 'identify'"
    facts = game.facts
    if strategy.lies < 0 or (strategy.lies and (facts.noisy or game.rules() is not None)):
        return f"{strategy.lies} lies; expected at least 0, and 0 where tests err or the game has rules"
    if strategy.decided and not facts.decides:
        return f"a leaf decides, but {game.spec} has nothing to decide"
    decisions = len(game.decisions)
    for node, decision in strategy.decided.items():
        if not 0 <= node < len(strategy) or strategy.guess[node] >= 0 or not 0 <= decision < decisions:
            return f"node {node} decides {decision}; expected a leaf, and a decision below {decisions}"
    if strategy.also and not facts.noisy:
        return "a leaf names several secrets; expected one, where each guess gets one response"
    for node, others in strategy.also.items():
        if not 0 <= node < len(strategy) or strategy.guess[node] >= 0:
            return f"node {node} names several secrets; expected a leaf"
        if any(not 0 <= s < len(game.secrets) for s in others):
            return "a leaf names what is no secret"
        if len({strategy.secret[node], *others}) <= len(others):
            return "a leaf names a secret twice"
    guess, parent, response = strategy.guess.tolist(), strategy.parent.tolist(), strategy.response.tolist()
    first, secret, depth = strategy.first_child.tolist(), strategy.secret.tolist(), strategy.depth.tolist()
    nodes = len(guess)
    if not nodes or len(first) != nodes + 1 or {nodes} != set(map(len, (parent, response, secret, depth))):
        return "the arrays differ in length, or hold no node"
    if (first[0], first[-1], parent[0], depth[0]) != (1, nodes, -1, 0):
        return "node 0 is not a root with all others below it"
    for node in range(nodes):
        # What is decided where no secret gets does no harm, nor an end there, see `NoisyReplay`.
        decided = node in strategy.decided or (secret[node] == -1 and strategy.over(node))
        named = 0 <= secret[node] < len(game.secrets) or (secret[node] == -1 and decided)
        if guess[node] < 0 and (strategy.goal == "win" or not named):
            return f"node {node} neither asks a guess nor names a secret"
        if guess[node] >= len(game.guesses):
            return f"node {node} asks guess {guess[node]}; expected less than {len(game.guesses)}"
        start, stop = first[node], first[node + 1]
        if not node < start <= stop <= nodes or (guess[node] < 0 and start < stop):
            return f"node {node} has children {start} to {stop}; expected nodes behind it, none below a leaf"
        for child in range(start, stop):
            if parent[child] != node or depth[child] != depth[node] + 1:
                return f"node {child} does not fit its parent {node}"
            if not 0 <= response[child] < len(game.responses):
                accepted = f"0 to {len(game.responses) - 1}"
                return f"node {child} hangs from response {response[child]}; expected {accepted}"
        if len(set(response[start:stop])) < stop - start:
            return f"node {node} has two children for one response"
    return ""
