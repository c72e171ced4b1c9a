"""Independent checker: whether a tree does what it is for, what it guarantees, whether its claims are true.

It knows the contract of games, the tree and what figures are called, and nothing else of the project: every
figure comes from replaying each secret from the root with the game's own `respond`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import isclose
from typing import Any

from guesstree.engine.exact import Value, as_plain, whole_or_part
from guesstree.engine.game import Game
from guesstree.trees.figures import Costs, count_costs
from guesstree.trees.tree import Tree

MAX_DETAILS = 100
"""How many failures, and how many dead branches, a report shows; paths may be long."""
MAX_STEPS = 12
"""How many guesses of a path a message shows; `Failure.path` has them all."""

MALFORMED = "malformed tree"
MISSING = "missing branch"
NO_WIN = "no win"
WRONG_SECRET = "wrong secret"
NO_LEAF = "no leaf"
REFUSED = "not allowed"
NO_CLIQUE = "told apart"

Path = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Failure:
    """One thing that is wrong with a tree.

    Attributes
    ----------
    kind: ``missing branch`` (a response has none), ``no win`` (the tree ends before the winning response),
        ``wrong secret`` (the leaf names another), ``no leaf`` (the tree ends at a guess, goal identify),
        ``not allowed`` (a guess that may not be asked after what came before), ``told apart`` (the leaf names
        several secrets that may not be named together) or ``malformed tree`` (the arrays are not those of a
        tree for this game).
    secret: the secret that fails; empty for a malformed tree.
    path: guess and response of every step, by label.
    response: the response that has no branch, the last one of the path; None for the other kinds.
    message: the failure in one line.
    """

    kind: str
    secret: str
    path: Path
    response: str | None
    message: str

    def as_json(self) -> dict[str, Any]:
        """Return the failure as plain data."""
        return {
            "kind": self.kind,
            "secret": self.secret,
            "path": [list(step) for step in self.path],
            "response": self.response,
            "message": self.message,
        }


@dataclass(frozen=True)
class Report:
    """What the replay of every secret shows.

    Attributes
    ----------
    secrets: the secrets of the game.
    failed: the secrets that fail, or 1 for a malformed tree.
    failures: the first 100 failures, in the order of secrets.
    total, worst: guesses, for all secrets together and at most; None when a secret fails.
    histogram: how many secrets need n guesses, among those that do not fail.
    costs: what the secrets cost, where they have weights, guesses have costs, or there is a budget; else
    None. lies: claimed figures and bounds that are not those of the tree. unreached: the first 100 branches
    that no secret takes; they do no harm, but no solver writes them.
    """

    secrets: int
    failed: int
    failures: tuple[Failure, ...]
    total: Value | None
    worst: int | None
    histogram: Mapping[int, int]
    lies: tuple[str, ...]
    unreached: tuple[str, ...]
    costs: Costs | None = None

    @property
    def valid(self) -> bool:
        """Whether the tree does what it is for with every secret, and every claim checked is true."""
        return not self.failures and not self.lies

    @property
    def average(self) -> Fraction | None:
        """The expected number of guesses, exactly; None when a secret fails."""
        return None if self.total is None else Fraction(self.total, self.secrets)

    def __repr__(self) -> str:
        said = ["valid" if self.valid else "INVALID", f"{self.secrets} secrets"]
        if self.failed:
            said.append(f"{self.failed} fail")
        if self.total is not None:
            said.append(f"total {self.total}, worst {self.worst}")
        return f"Report({', '.join([*said, *map(repr, self.lies)])})"

    def messages(self) -> list[str]:
        """Return failures, then lies, then dead branches, a line each."""
        return [*(failure.message for failure in self.failures), *self.lies, *self.unreached]

    def as_json(self) -> dict[str, Any]:
        """Return the report as plain data."""
        return {
            "valid": self.valid,
            "secrets": self.secrets,
            "failed": self.failed,
            "failures": [failure.as_json() for failure in self.failures],
            "total": None if self.total is None else as_plain(self.total),
            "average": None if self.average is None else float(self.average),
            "worst": self.worst,
            "histogram": {str(n): many for n, many in self.histogram.items()},
            "lies": list(self.lies),
            "unreached": list(self.unreached),
        } | ({} if self.costs is None else {"costs": self.costs.as_json()})


def check(game: Game, strategy: Tree) -> Report:
    """Return what replaying every secret of `game` through the tree shows; figures are in guesses.

    Never raises for a bad tree: what is wrong with it is in the report.
    """
    fault = _malformed(game, strategy)
    if fault:
        failure = Failure(MALFORMED, "", (), None, f"{MALFORMED}: {fault}")
        return Report(len(game.secrets), 1, (failure,), None, None, {}, (), ())
    replay = _Replay(game, strategy)
    if game.model is not None:
        replay = _SplitReplay(game, strategy)
    elif strategy.lies:
        replay = _LyingReplay(game, strategy)
    counted: Counter[int] = Counter()
    failures: list[Failure] = []
    paid: list[tuple[int, int]] = []
    chances: list[Fraction] = []
    asked = Fraction()
    failed = 0
    for secret in range(len(game.secrets)):
        kind, needed, cost = replay.outcome(secret)
        if not kind:
            counted[needed] += 1
            if game.model is None:
                paid.append((secret, cost))
                continue
            for guesses, cost, chance in replay.ways[secret]:
                paid.append((secret, cost))
                chances.append(chance)
                asked += guesses * chance
            continue
        failed += 1
        if len(failures) < MAX_DETAILS:
            failures.append(replay.failure(secret, kind))
    histogram = dict(sorted(counted.items()))
    total = None if failed else sum(n * many for n, many in histogram.items())
    if total is not None and game.model is not None:
        total = whole_or_part(asked)
    worst = None if failed else max(histogram)
    costs = None if failed else count_costs(game, paid, strategy.claims.parameters, chances)
    return Report(
        secrets=len(game.secrets),
        failed=failed,
        failures=tuple(failures),
        total=total,
        worst=worst,
        histogram=histogram,
        lies=tuple(_lies(strategy, len(game.secrets), total, worst, histogram, costs)),
        unreached=tuple(replay.unreached()),
        costs=costs,
    )


def _malformed(game: Game, strategy: Tree) -> str:
    """Return what keeps the arrays from being those of a tree for this game, or an empty text.

    Children lie behind their parent, so a tree that passes has no cycle and every replay ends.
    """
    if strategy.goal not in ("win", "identify"):
        return f"goal {strategy.goal!r}; expected 'win' or 'identify'"
    if strategy.goal == "win" and game.winning is None:
        return f"goal 'win', but {game.spec} has no winning response; expected 'identify'"
    special = any(each is not None for each in (game.weights, game.costs, game.model)) or (
        strategy.lies and game.rules() is not None
    )
    if strategy.lies < 0 or (strategy.lies and special):
        return f"{strategy.lies} lies; expected at least 0, and 0 where the game has weights, costs or rules"
    if strategy.also and game.model is None:
        return "a leaf names several secrets; expected one, where each guess gets one response"
    if any(not 0 <= s < len(game.secrets) for others in strategy.also.values() for s in others):
        return "a leaf names what is no secret"
    guess, parent, response = strategy.guess.tolist(), strategy.parent.tolist(), strategy.response.tolist()
    first, secret, depth = strategy.first_child.tolist(), strategy.secret.tolist(), strategy.depth.tolist()
    nodes = len(guess)
    if not nodes or len(first) != nodes + 1 or {nodes} != set(map(len, (parent, response, secret, depth))):
        return "the arrays differ in length, or hold no node"
    if (first[0], first[-1], parent[0], depth[0]) != (1, nodes, -1, 0):
        return "node 0 is not a root with all others below it"
    for node in range(nodes):
        if guess[node] < 0 and (strategy.goal == "win" or not 0 <= secret[node] < len(game.secrets)):
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


class _Replay:
    """Secrets followed from the root of a well-formed tree, one by one."""

    def __init__(self, game: Game, strategy: Tree) -> None:
        self.game, self.strategy = game, strategy
        self.winning = game.winning if strategy.goal == "win" else None
        self.guess = strategy.guess.tolist()
        self.prices = None if game.costs is None else game.costs.tolist()
        # Under goal win the tree's own secrets are what is to be checked, so they are not looked at.
        self.named = strategy.secret.tolist() if strategy.goal == "identify" else []
        response, first = strategy.response.tolist(), strategy.first_child.tolist()
        self.below = [
            {response[child]: child for child in range(first[node], first[node + 1])}
            for node in range(len(strategy))
        ]
        self.visited = bytearray(len(strategy))
        self.visited[0] = 1
        self.refused: dict[int, str] = {}
        self.ways: dict[int, list[tuple[int, int, Fraction]]] = {}  # guesses, cost, chance, where several

    def outcome(self, secret: int) -> tuple[str, int, int]:
        """Return how a secret fails, or an empty text, and the guesses it needs and what they cost."""
        guess, below, visited, respond = self.guess, self.below, self.visited, self.game.respond
        prices = self.prices
        node = asked = cost = 0
        history: list[tuple[int, int]] = []
        while guess[node] >= 0:
            if node not in self.refused:
                self.refused[node] = self.game.refused(history, guess[node])
            if self.refused[node]:
                return REFUSED, asked, cost
            answer = respond(guess[node], secret)
            asked += 1
            history.append((guess[node], answer))
            cost += 1 if prices is None else prices[guess[node]][answer]
            # A game whose goal is to identify has no winning response here: None equals no answer.
            if answer == self.winning:
                return "", asked, cost
            branches = below[node]
            if answer not in branches:
                ended = NO_WIN if self.winning is not None else NO_LEAF
                return MISSING if branches else ended, asked, cost
            node = branches[answer]
            visited[node] = 1
        return "" if self.named[node] == secret else WRONG_SECRET, asked, cost

    def failure(self, secret: int, kind: str) -> Failure:
        """Return what there is to say of a secret that fails."""
        game, node = self.game, 0
        path: list[tuple[str, str]] = []
        while self.guess[node] >= 0:
            answer = game.respond(self.guess[node], secret)
            path.append((game.guesses[self.guess[node]], _label(game.responses, answer)))
            if answer not in self.below[node] or (kind == REFUSED and self.refused[node]):
                break
            node = self.below[node][answer]
        name, last = game.secrets[secret], path[-1] if path else ("", "")
        if kind == REFUSED:
            what = f"guess number {len(path)}, {last[0]!r}, is not allowed: {self.refused[node]}"
        else:
            what = self.what(kind, last, game.secrets[self.named[node]] if self.named else "")
        message = f"{self.game.look.secret} {name!r}: {what} (path: {_path(path)})"
        return Failure(kind, name, tuple(path), last[1] if kind == MISSING else None, message)

    def what(self, kind: str, last: tuple[str, str], named: str) -> str:
        """Return in words how a secret fails after a guess and response, or at a leaf that names `named`."""
        look = self.game.look
        return {
            MISSING: f"response {last[1]!r} to {look.guess} {last[0]!r} has no branch",
            NO_WIN: f"the tree ends with {look.guess} {last[0]!r}, which gets {last[1]!r} and does not win",
            NO_LEAF: f"the tree ends with {look.guess} {last[0]!r} and names no {look.secret}",
            WRONG_SECRET: f"the leaf names {named!r}",
        }[kind]

    def unreached(self) -> list[str]:
        """Return the branches that no secret takes, below nodes that some secret reaches."""
        found: list[str] = []
        strategy = self.strategy
        for node, parent in enumerate(strategy.parent.tolist()):
            lost = not self.visited[node] and self.visited[parent] and not self.refused.get(parent)
            if lost and len(found) < MAX_DETAILS:
                asked = self.game.guesses[self.guess[parent]]
                answer = self.game.responses[int(strategy.response[node])]
                found.append(
                    f"dead branch: no {self.game.look.secret} answers {answer!r} to {self.game.look.guess} "
                    f"number {int(strategy.depth[node])}, {asked!r} (node {node})"
                )
        return found


class _LyingReplay(_Replay):
    """Secrets followed along every path on which no more than so many responses are false."""

    def __init__(self, game: Game, strategy: Tree) -> None:
        super().__init__(game, strategy)
        self.ends: dict[int, tuple[int, int | None]] = {}  # where a secret fails, and at which response

    def outcome(self, secret: int) -> tuple[str, int, int]:
        """Return how a secret fails on some path, or an empty text; twice the guesses it needs at most."""
        guess, below, strategy, most = self.guess, self.below, self.strategy, 0
        waiting = [(0, strategy.lies)]
        while waiting:
            node, left = waiting.pop()
            self.visited[node] = 1
            asked = int(strategy.depth[node])
            if guess[node] < 0:
                most = max(most, asked)
                if self.named[node] != secret:
                    self.ends[secret] = node, None
                    return WRONG_SECRET, asked, asked
                continue
            truth = self.game.respond(guess[node], secret)
            if truth == self.winning:  # the game is over whatever is said
                most = max(most, asked + 1)
                continue
            answers = [truth]
            if left:
                answers += [r for r in range(len(self.game.responses)) if r not in (truth, self.winning)]
            for answer in answers:
                if answer not in below[node]:
                    self.ends[secret] = node, answer
                    ended = NO_WIN if self.winning is not None else NO_LEAF
                    return MISSING if below[node] else ended, asked + 1, asked + 1
                waiting.append((below[node][answer], left - (answer != truth)))
        return "", most, most

    def failure(self, secret: int, kind: str) -> Failure:
        """Return what there is to say of a secret that fails, the false responses of the path marked."""
        game = self.game
        end, last = self.ends[secret]
        nodes = self.strategy.path(end)
        answers = [int(self.strategy.response[node]) for node in nodes[1:]] + ([] if last is None else [last])
        path: list[tuple[str, str]] = []
        steps: list[tuple[str, str]] = []
        for node, answer in zip(nodes, answers, strict=False):
            truth = game.respond(self.guess[node], secret)
            path.append((game.guesses[self.guess[node]], _label(game.responses, answer)))
            steps.append((path[-1][0], path[-1][1] + (" (false)" if answer != truth else "")))
        named = "" if last is not None else game.secrets[self.named[end]]
        what = self.what(kind, path[-1] if path else ("", ""), named)
        message = f"{game.look.secret} {game.secrets[secret]!r}: {what} (path: {_path(steps)})"
        return Failure(
            kind, game.secrets[secret], tuple(path), path[-1][1] if kind == MISSING else None, message
        )


class _SplitReplay(_Replay):
    """Secrets followed down every answer that they may give, with the chances of each (`Game.model`).

    The answer to a guess is drawn once: asked again on a path, it is the same.
    """

    def __init__(self, game: Game, strategy: Tree) -> None:
        super().__init__(game, strategy)
        assert game.model is not None
        self.chances, self.cliques = game.model.chances, game.model.cliques
        self.ends: dict[int, tuple[tuple[tuple[int, int], ...], int]] = {}  # where a secret fails

    def outcome(self, secret: int) -> tuple[str, int, int]:
        """Return how a secret fails on some path, or an empty text; guesses and cost at most."""
        most = dearest = 0
        ways: list[tuple[int, int, Fraction]] = []
        waiting: list[tuple[int, tuple[tuple[int, int], ...], int, Fraction]] = [(0, (), 0, Fraction(1))]
        while waiting:
            node, history, cost, chance = waiting.pop()
            self.visited[node] = 1
            guess = self.guess[node]
            if guess < 0:
                most, dearest = max(most, len(history)), max(dearest, cost)
                ways.append((len(history), cost, chance))
                kind = self.fault(secret, node)
                if kind:
                    self.ends[secret] = history, node
                    return kind, most, dearest
                continue
            known = dict(history)
            answers = {known[guess]: Fraction(1)} if guess in known else self.chances[guess][secret]
            for answer, share in answers.items():
                paid = cost + (1 if self.prices is None else self.prices[guess][answer])
                asked = (*history, (guess, answer))
                if answer not in self.below[node]:
                    self.ends[secret] = asked, node
                    return MISSING if self.below[node] else NO_LEAF, len(asked), paid
                waiting.append((self.below[node][answer], asked, paid, chance * share))
        assert sum(share for *_, share in ways) == 1, f"the answers of secret {secret} do not add up to 1"
        self.ways[secret] = ways
        return "", most, dearest

    def fault(self, secret: int, leaf: int) -> str:
        """Return what is wrong with a leaf that a secret gets to, or an empty text."""
        named = self.strategy.named(leaf)
        if secret not in named:
            return WRONG_SECRET
        return NO_CLIQUE if self.told_apart(named) else ""

    def told_apart(self, named: Sequence[int]) -> str:
        """Return in words which secrets may not be named together, or an empty text."""
        game = self.game
        for one, other in combinations(named, 2):
            pair = f"{game.secrets[one]!r} and {game.secrets[other]!r}"
            if not self.cliques:
                return f"{pair}; expected one"
            for guess, row in enumerate(self.chances):
                if not set(row[one]) & set(row[other]):
                    return f"{pair}, which {game.guesses[guess]!r} tells apart"
        return ""

    def failure(self, secret: int, kind: str) -> Failure:
        """Return what there is to say of a secret that fails."""
        game, (history, node) = self.game, self.ends[secret]
        path = tuple((game.guesses[guess], _label(game.responses, answer)) for guess, answer in history)
        if kind == NO_CLIQUE:
            what = f"the leaf names {self.told_apart(self.strategy.named(node))}"
        else:
            last = path[-1] if path else ("", "")
            what = self.what(kind, last, self.strategy.label(node) if self.guess[node] < 0 else "")
        message = f"{game.look.secret} {game.secrets[secret]!r}: {what} (path: {_path(path)})"
        return Failure(kind, game.secrets[secret], path, path[-1][1] if kind == MISSING else None, message)


def _label(labels: Sequence[str], index: int) -> str:
    # A game that breaks its contract may answer what is no response.
    return labels[index] if 0 <= index < len(labels) else f"#{index}"


def _path(path: Sequence[tuple[str, str]]) -> str:
    steps = [f"{guess!r} {answer!r}" for guess, answer in path]
    if len(steps) > MAX_STEPS:
        half = MAX_STEPS // 2
        steps = [*steps[:half], f"... {len(steps) - 2 * half} more ...", *steps[-half:]]
    return ", ".join(steps) or "no guess"


def _lies(
    strategy: Tree,
    secrets: int,
    total: Value | None,
    worst: int | None,
    histogram: Mapping[int, int],
    costs: Costs | None,
) -> list[str]:
    """Return what the claims say that the replay contradicts; a tree that fails has no figures to compare."""
    summary, look = strategy.claims.summary, strategy.game.look
    lies = [_contradiction(summary, "secrets", secrets)]
    if total is not None and worst is not None:
        lies.append(_contradiction(summary, "total", as_plain(total)))
        lies.append(_contradiction(summary, "average", float(Fraction(total, secrets))))
        lies.append(_contradiction(summary, "worst", worst))
        claimed = summary.get("histogram", {})
        if "histogram" in summary and isinstance(claimed, Mapping):
            own = {str(n): many for n, many in histogram.items()}
            lies.extend(
                f"summary says {claimed.get(n, 0)} {look.named('secrets')} need {n} {look.named('guesses')}, "
                f"the tree has {own.get(n, 0)}"
                for n in dict.fromkeys([*own, *claimed])
                if claimed.get(n, 0) != own.get(n, 0)
            )
        claimed = summary.get("costs")
        if costs is not None and isinstance(claimed, Mapping):
            lies.extend(_contradiction(claimed, name, own, "costs ") for name, own in costs.stated().items())
        elif "costs" in summary:
            lies.append(f"summary says costs {claimed!r}, the tree has none" if costs is None else "")
        lies.extend(_bound_lies(strategy, total, worst, costs))
    return [lie for lie in lies if lie]


def _contradiction(summary: Mapping[str, Any], figure: str, own: float | str, of: str = "") -> str:
    if figure not in summary:
        return ""
    claimed = summary[figure]
    if isinstance(own, str) and claimed == own:
        return ""
    number = isinstance(claimed, int | float) and not isinstance(claimed, bool)
    # An average is written as the nearest float; 1e-9 is far below what one guess of one secret changes.
    if number and (claimed == own or (isinstance(own, float) and isclose(claimed, own, rel_tol=1e-9))):
        return ""
    return f"summary says {of}{figure} {claimed!r}, the tree has {own!r}"


def _bound_lies(strategy: Tree, total: Value, worst: int, costs: Costs | None) -> list[str]:
    claims = strategy.claims
    lies = []
    if claims.lower and claims.upper and claims.lower > claims.upper:
        lies.append(f"bounds say lower {_value(claims.lower)}, above upper {_value(claims.upper)}")
    known = {
        "worst": (worst,),
        "expected": (total,),
        "worst,expected": (worst, total),
        "expected,worst": (total, worst),
    }
    own = known.get(claims.objective) if costs is None else costs.value(claims.objective)
    if own is not None:
        if claims.upper and claims.upper != own:
            lies.append(f"bounds say upper {_value(claims.upper)}, the tree has {_value(own)}")
        if claims.lower and claims.lower > own:
            lies.append(f"bounds say lower {_value(claims.lower)}, the tree has {_value(own)}")
    return lies


def _value(parts: tuple[int, ...]) -> str:
    return ",".join(map(str, parts))
