"""A judge of strategy files that shares no code with the project: plain recursion, in fractions.

It reads the JSON of a file and the table inside it, or knows the rules of a small game of codes. It follows
every secret, and says whether the strategy does what it is for, what it takes, and whether what the file
claims of that is true. It is written from docs/format.md.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import combinations, permutations, product
from math import isclose, lcm, prod
from typing import Any

Json = Mapping[str, Any]
OBJECTIVES = ("expected", "worst", "worst,expected", "expected,worst", "win-probability")
TOP = {"format", "game", "table", "goal", "lies", "objective", "method", "bounds", "parameters", "summary"}
LEAVES = {"secret", "secrets", "decide", "over"}
FIGURES = ("weight", "total", "average", "exact", "worst", "loss", "budget", "won", "won_total")
BROKEN = ("total", "loss", "won", "won_total")
"""Figures that may be fractions, as text."""


class UntrueError(Exception):
    """Report what is wrong with a file."""


class NotJudgedError(Exception):
    """Report a game that the judge does not know."""


@dataclass
class Rules:
    """A game: labels, how likely each response to a guess is for each secret, and what all that costs."""

    secrets: Sequence[str]
    guesses: Sequence[str]
    responses: Sequence[str]
    chances: Mapping[str, Sequence[Mapping[str, Fraction]]]
    win: str | None = None
    weights: Sequence[int] | None = None
    costs: Mapping[str, Any] | None = None
    split: bool = False
    cliques: bool = False
    groups: Mapping[str, str] = field(default_factory=dict)
    later: Mapping[str, int] = field(default_factory=dict)
    after: Mapping[str, Sequence[str]] = field(default_factory=dict)
    losses: Mapping[str, Sequence[int | None]] = field(default_factory=dict)
    ends: str = ""
    lapses: int = 0

    def price(self, guess: str, answer: str, asked: Sequence[str]) -> int:
        """Return what a guess costs that gets an answer after others."""
        group = self.groups.get(guess)
        if group and any(self.groups.get(one) == group for one in asked):
            return self.later[guess]
        cost = 1 if self.costs is None else self.costs[guess]
        return cost if isinstance(cost, int) else cost.get(answer, cost[""])


@dataclass
class Judged:
    """What a file is: what its tree takes (None: it fails), what is false in it, and how many branches no
    secret takes."""

    guesses: dict[str, Any] | None
    costs: dict[str, Any] | None
    wrong: str
    dead: int


def judged(document: Json) -> Judged:
    """Judge a strategy file; raise NotJudgedError for a game that is not known here."""
    rules = rules_of(document)
    try:
        walk = Walk(document, rules)
        guesses, costs = walk.figures()
    except UntrueError as error:
        return Judged(None, None, str(error), 0)
    try:
        Claims(document, rules, walk, guesses, costs).require_true()
    except UntrueError as error:
        return Judged(guesses, costs, str(error), walk.dead())
    return Judged(guesses, costs, "", walk.dead())


# -- games -------------------------------------------------------------------------------------------------


def rules_of(document: Json) -> Rules:
    """Return the game of a file; raise NotJudgedError for one that is not known here."""
    spec = document["game"]
    if "table" in document:
        table = document["table"]
        if "responses" not in table:
            raise NotJudgedError("a hash")
        if "orders" in table:
            raise NotJudgedError("questions of two answers")
        keys = {"sets", "ambiguous", "groups", "after", "decisions", "ends", "lapses"}
        if not keys & table.keys() and any(None in row for row in table["responses"]):
            return filled(table)
        return table_rules(table, split=bool(keys & table.keys()))
    codes = re.fullmatch(r"(mastermind|blackpeg|bulls):([1-4])x([1-6])", spec)
    if codes is None:
        raise NotJudgedError(spec)
    return code_rules(codes[1], int(codes[2]), int(codes[3]))


def code_rules(family: str, places: int, symbols: int) -> Rules:
    """Return the rules of a small game of codes."""
    digits = ("012345" if family == "bulls" else "123456")[:symbols]
    if family == "bulls" and symbols < places:
        raise NotJudgedError("no code")
    codes = [
        "".join(c)
        for c in (permutations if family == "bulls" else lambda d, n: product(d, repeat=n))(digits, places)
    ]
    black = family == "blackpeg"

    def answer(guess: str, secret: str) -> str:
        hits = sum(a == b for a, b in zip(guess, secret, strict=True))
        both = sum((Counter(guess) & Counter(secret)).values())
        return f"{hits}" if black else f"{hits},{both - hits}"

    chances = {g: [{answer(g, s): Fraction(1)} for s in codes] for g in codes}
    return Rules(codes, codes, _labels(chances), chances, str(places) if black else f"{places},0")


def cell_chances(cell: str) -> dict[str, Fraction]:
    """Return the answers in a cell that is a set, such as a/b or a:3/b:1."""
    parts = cell.split("/")
    if len(parts) > 1 and all(re.fullmatch(r"[^:]+:[0-9.]+", part) for part in parts):
        odds = {part.rpartition(":")[0]: Fraction(part.rpartition(":")[2]) for part in parts}
    else:
        odds = {part: Fraction(1) for part in parts}
    return {answer: n / sum(odds.values()) for answer, n in odds.items()}


def table_rules(table: Json, *, split: bool) -> Rules:
    """Return the rules of a table whose cells all say something, or whose empty cells are any answer."""
    guesses, secrets = table["guesses"], table["secrets"]
    chances: dict[str, list[Mapping[str, Fraction]]] = {}
    for guess, row in zip(guesses, table["responses"], strict=True):
        cells = [
            None if c is None else cell_chances(c) if table.get("sets") else {c: Fraction(1)} for c in row
        ]
        every = dict.fromkeys(answer for cell in cells for answer in cell or ())
        alike = {answer: Fraction(1, len(every)) for answer in every}
        chances[guess] = [alike if cell is None else cell for cell in cells]
    lapses = table.get("lapses", 0)
    responses = dict.fromkeys(answer for row in chances.values() for cell in row for answer in cell)
    return Rules(
        secrets,
        guesses,
        [*responses, *(["?"] if lapses else [])],
        chances,
        table.get("win"),
        table.get("weights"),
        dict(zip(guesses, table["costs"], strict=True)) if "costs" in table else None,
        split,
        "ambiguous" in table,
        dict(zip(guesses, table.get("groups", [None] * len(guesses)), strict=True)),
        dict(zip(guesses, table.get("later", [0] * len(guesses)), strict=True)),
        dict(zip(guesses, table.get("after", [[]] * len(guesses)), strict=True)),
        dict(zip(table.get("decisions", []), table.get("losses", []), strict=True)),
        table.get("ends", ""),
        lapses,
    )


def filled(table: Json) -> Rules:
    """Return the rules of a table with empty cells: a secret for each way to fill those of a cause.

    They share its weight. "it is CAUSE" tells them apart in the end: for nothing where it is, else for more
    than anything costs.
    """
    guesses, causes, rows = table["guesses"], table["secrets"], table["responses"]
    kinds = [list(dict.fromkeys(cell for cell in row if cell is not None)) for row in rows]
    secrets, columns, owner, ways = [], [], [], []
    for i, cause in enumerate(causes):
        empty = [g for g, row in enumerate(rows) if row[i] is None]
        ways.append(prod(len(kinds[g]) for g in empty))
        for answers in product(*(kinds[g] for g in empty)):
            put = dict(zip(empty, answers, strict=True))
            said = [f"{guesses[g]} {answer}" for g, answer in put.items() if len(kinds[g]) > 1]
            secrets.append(f"{cause} ({', '.join(said)})" if said else cause)
            columns.append([put.get(g, row[i]) for g, row in enumerate(rows)])
            owner.append(i)
    lasts = [i for i in range(len(causes)) if ways[i] > 1]
    chances = {g: [{column[i]: Fraction(1)} for column in columns] for i, g in enumerate(guesses)}
    weights, costs = table.get("weights"), table.get("costs")
    if not lasts:
        prices = None if costs is None else dict(zip(guesses, costs, strict=True))
        return Rules(secrets, guesses, _labels(chances), chances, None, weights, prices)
    whole = lcm(*ways)
    each = [(weights[o] if weights else 1) * whole // ways[o] for o in owner]
    paid: dict[str, Any] = dict(zip(guesses, costs or [1] * len(guesses), strict=True))
    dear = sum(each) * sum(paid.values()) + 1
    for i in lasts:
        rest = [f"case {s - owner.index(i) + 1}" if o == i else "no" for s, o in enumerate(owner)]
        chances[f"it is {causes[i]}"] = [{answer: Fraction(1)} for answer in rest]
        paid[f"it is {causes[i]}"] = {"": 0, "no": dear}
    return Rules(secrets, list(paid), _labels(chances), chances, None, each, paid)


def _labels(chances: Mapping[str, Sequence[Mapping[str, Fraction]]]) -> list[str]:
    return list(dict.fromkeys(answer for row in chances.values() for cell in row for answer in cell))


# -- trees -------------------------------------------------------------------------------------------------


@dataclass
class End:
    """A way of a secret: how likely, the guesses asked, what was paid, what the end loses."""

    secret: int
    chance: Fraction
    asked: int
    paid: int
    loss: int


class Walk:
    """Every secret followed through the nodes of a file; raises UntrueError where the tree fails."""

    def __init__(self, document: Json, rules: Rules) -> None:
        self.document, self.rules = document, rules
        self.nodes, self.goal = document["nodes"], document["goal"]
        self.lies = document.get("lies", 0)
        self.win = rules.win if self.goal == "win" else None
        self.arrive: dict[int, set[int]] = {}
        self.ends: list[End] = []
        self.require_tree()
        for secret in range(len(rules.secrets)):
            self.follow(secret, 0, Fraction(1), (), 0, rules.lapses, self.lies)
        self.require_named()

    def require_tree(self) -> None:
        """Raise UntrueError unless the nodes are a tree of guesses and leaves with the labels of the game."""
        rules, parents = self.rules, Counter[int]()
        if self.goal not in ("win", "identify") or (self.goal == "win" and rules.win is None):
            raise UntrueError("goal")
        if not isinstance(self.lies, int) or not 0 <= self.lies <= 255:
            raise UntrueError("lies")
        if self.lies and rules.split:
            raise UntrueError("lies and several answers")
        if not self.nodes:
            raise UntrueError("no nodes")
        for node in self.nodes:
            if not isinstance(node, dict) or len(({"guess"} | LEAVES) & node.keys()) != 1:
                raise UntrueError("a node is neither a guess nor a leaf")
            if node.keys() - {"guess", "children"} - LEAVES or ("children" in node and "guess" not in node):
                raise UntrueError("a key of a node")
            if "guess" not in node:
                self.require_leaf(node)
                continue
            if node["guess"] not in rules.guesses:
                raise UntrueError("no guess")
            for answer, child in node.get("children", {}).items():
                if answer not in rules.responses or answer == self.win or type(child) is not int:
                    raise UntrueError("no branch")
                parents[child] += 1
                ends = answer == rules.ends and any(answer in cell for cell in rules.chances[node["guess"]])
                if 0 <= child < len(self.nodes) and "over" in self.nodes[child] and not ends:
                    raise UntrueError("over where nothing ends")
        if "over" in self.nodes[0]:
            raise UntrueError("over at once")
        if set(parents) != set(range(1, len(self.nodes))) or any(many > 1 for many in parents.values()):
            raise UntrueError("not a tree")
        met, waiting = 0, [0]
        while waiting:
            met += 1
            waiting += self.nodes[waiting.pop()].get("children", {}).values()
        if met != len(self.nodes):
            raise UntrueError("a cycle")

    def require_leaf(self, node: Json) -> None:
        """Raise UntrueError for a leaf that no tree of this game has."""
        rules = self.rules
        if self.goal == "win":
            raise UntrueError("a leaf to win")
        if "decide" in node and node["decide"] not in rules.losses:
            raise UntrueError("no decision")
        if "over" in node and (node["over"] is not True or not rules.split):
            raise UntrueError("over")
        if any(name not in rules.secrets for name in self.names(node)):
            raise UntrueError("no secret")
        if "secrets" in node and (not rules.split or len(node["secrets"]) < 2):
            raise UntrueError("several secrets")

    @staticmethod
    def names(node: Json) -> list[str]:
        """Return what a leaf names."""
        found = node["secrets"] if "secrets" in node else [node["secret"]] if "secret" in node else []
        if not isinstance(found, list) or not all(isinstance(name, str) for name in found):
            raise UntrueError("no names")
        return found

    def follow(
        self,
        secret: int,
        at: int,
        chance: Fraction,
        history: tuple[tuple[str, str], ...],
        paid: int,
        lapses: int,
        lies: int,
    ) -> None:
        """Follow a secret below a node, down every branch that it may take."""
        rules, node = self.rules, self.nodes[at]
        self.arrive.setdefault(at, set()).add(secret)
        over = bool(rules.ends) and bool(history) and history[-1][1] == rules.ends
        if "guess" not in node:
            self.ends.append(End(secret, chance, len(history), paid, self.loss(node, secret, over=over)))
            return
        guess, asked = node["guess"], [one for one, _ in history]
        if rules.split and (over or guess in asked or not set(rules.after[guess]) <= set(asked)):
            raise UntrueError("a guess that may not be asked")
        ways = [
            (answer, chance * part, lapses, lies) for answer, part in rules.chances[guess][secret].items()
        ]
        if lapses:
            ways.append(("?", Fraction(0), lapses - 1, lies))
        if lies and ways[0][0] != self.win:
            truth = ways[0][0]
            others = [r for r in rules.responses if r not in (truth, self.win)]
            ways += [(answer, chance, lapses, lies - 1) for answer in others]
        for answer, share, silent, left in ways:
            cost = paid + rules.price(guess, answer, asked)
            if answer == self.win:
                self.ends.append(End(secret, share, len(history) + 1, cost, 0))
                continue
            if answer not in node.get("children", {}):
                raise UntrueError("no branch for a response")
            steps = (*history, (guess, answer))
            self.follow(secret, node["children"][answer], share, steps, cost, silent, left)

    def loss(self, node: Json, secret: int, *, over: bool) -> int:
        """Return what a leaf loses for a secret; raise UntrueError where it may not end there."""
        rules = self.rules
        if over or rules.losses:
            if over == ("decide" in node) or ("over" in node and not over):
                raise UntrueError("an end that may not be there")
            lost = 0 if over else rules.losses[node["decide"]][secret]
            if lost is None:
                raise UntrueError("a decision that is not allowed")
            return lost
        if rules.secrets[secret] not in self.names(node):
            raise UntrueError("another name")
        return 0

    def require_named(self) -> None:
        """Raise UntrueError where a leaf names who does not get there, or who must be told apart."""
        rules = self.rules
        for at, secrets in self.arrive.items():
            node = self.nodes[at]
            names = self.names(node)
            if not names or "guess" in node:
                continue
            if sorted(names) != sorted(rules.secrets[s] for s in secrets) and not (
                self.lies or not rules.split
            ):
                raise UntrueError("a leaf names another")
            over = rules.ends and any(n.get("children", {}).get(rules.ends) == at for n in self.nodes)
            for a, b in combinations(secrets, 2) if rules.split and not over else ():
                rows = rules.chances.values()
                if not rules.cliques or any(not set(row[a]) & set(row[b]) for row in rows):
                    raise UntrueError("causes that must be told apart")

    def dead(self) -> int:
        """Return how many branches no secret takes, below nodes that some reach."""
        nodes = ((at, node) for at, node in enumerate(self.nodes) if at in self.arrive)
        return sum(c not in self.arrive for _, node in nodes for c in node.get("children", {}).values())

    def per_secret(self) -> Iterator[list[End]]:
        """Yield the ways of each secret."""
        for secret in range(len(self.rules.secrets)):
            yield [end for end in self.ends if end.secret == secret]

    def figures(self) -> tuple[dict[str, Any], dict[str, Any] | None]:
        """Return what the tree takes in guesses, and in costs where it has any."""
        rules, many = self.rules, len(self.rules.secrets)
        most = [max(end.asked for end in ways) for ways in self.per_secret()]
        total = sum(end.asked * end.chance for end in self.ends) if rules.split else Fraction(sum(most))
        guesses = {
            "secrets": many,
            "total": total,
            "exact": total / many,
            "average": float(total / many),
            "worst": max(most),
            "histogram": {str(n): most.count(n) for n in sorted(set(most))},
        }
        budget = self.document.get("parameters", {}).get("budget")
        budget = budget if type(budget) is int else None
        prices = set(rules.costs.values()) if rules.split and rules.costs is not None else {1}
        given = rules.weights is not None or rules.costs is not None or budget is not None
        if not given and not rules.losses and prices == {1}:
            return guesses, None
        weights = rules.weights or [1] * many
        dearest = [max(ways, key=lambda e: e.paid) for ways in self.per_secret()]
        ends = [replace(end, chance=Fraction(1)) for end in dearest] if self.lies else self.ends
        share = [(weights[e.secret] * e.chance, e.paid + e.loss, e.loss) for e in ends]
        whole = sum((part * cost for part, cost, _ in share), Fraction())
        won = [(part, cost) for part, cost, _ in share if budget is None or cost <= budget]
        costs = {
            "weight": Fraction(sum(weights)),
            "total": whole,
            "exact": whole / sum(weights),
            "average": float(whole / sum(weights)),
            "worst": max(cost for _, cost, _ in share),
        }
        if rules.losses:
            costs["loss"] = sum((part * lost for part, _, lost in share), Fraction())
        self.won = sum((part for part, _ in won), Fraction()), sum((part * c for part, c in won), Fraction())
        if budget is not None:
            costs |= {"budget": budget, "won": self.won[0], "won_total": self.won[1]}
        return guesses, costs


# -- claims ------------------------------------------------------------------------------------------------


class Claims:
    """What a file says of its tree, compared with what that takes."""

    def __init__(
        self, document: Json, rules: Rules, walk: Walk, guesses: dict[str, Any], costs: dict[str, Any] | None
    ) -> None:
        self.document, self.rules, self.walk = document, rules, walk
        self.guesses, self.costs = guesses, costs

    def require_true(self) -> None:
        """Raise UntrueError for what is false, or no file of the format says."""
        document = self.document
        if document.get("format") != "guesstree/1" or document.keys() - TOP - {"nodes"}:
            raise UntrueError("another format")
        if not isinstance(document.get("method", ""), str) or document.get("objective", "") not in (
            "",
            *OBJECTIVES,
        ):
            raise UntrueError("objective or method")
        for part in ("summary", "parameters"):
            if not isinstance(document.get(part, {}), dict):
                raise UntrueError(part)
        if document.get("objective") == "win-probability" and "budget" not in document.get("parameters", {}):
            raise UntrueError("no budget")
        self.require_figures(document.get("summary", {}))
        self.require_limits(document.get("parameters", {}))
        if "bounds" in document:
            self.require_bounds(document["bounds"])

    def require_figures(self, summary: Json) -> None:
        """Raise UntrueError for a figure that is not that of the tree."""
        for name in ("secrets", "total", "exact", "worst", "average"):
            if name in summary:
                same(summary[name], self.guesses[name], name)
        if "histogram" in summary:
            claimed, own = summary["histogram"], self.guesses["histogram"]
            if not isinstance(claimed, dict):
                raise UntrueError("histogram")
            for n in claimed.keys() | own.keys():
                if type(claimed.get(n, 0)) is not int or claimed.get(n, 0) != own.get(n, 0):
                    raise UntrueError("histogram")
        if "costs" in summary:
            if self.costs is None or not isinstance(summary["costs"], dict):
                raise UntrueError("costs")
            for name in FIGURES:
                if name in summary["costs"]:
                    same(summary["costs"][name], self.costs.get(name), name)

    def require_limits(self, limits: Json) -> None:
        """Raise UntrueError for a limit that the tree breaks."""
        rules, nodes = self.rules, self.walk.nodes
        if "first" in limits and limits["first"] != nodes[0].get("guess", 0):
            raise UntrueError("first")
        for name in ("max_depth", "budget"):
            if name in limits and (type(limits[name]) is not int or limits[name] < 0):
                raise UntrueError(name)
        if "max_depth" in limits and self.guesses["worst"] > limits["max_depth"]:
            raise UntrueError("max_depth")
        only = limits.get("candidates_only", False)
        if type(only) is not bool:
            raise UntrueError("candidates_only")
        for at, secrets in self.walk.arrive.items() if only else ():
            guess = nodes[at].get("guess")
            named = (
                [
                    rules.secrets[s] == guess if rules.win is None else rules.win in rules.chances[guess][s]
                    for s in secrets
                ]
                if guess
                else [True]
            )
            if not any(named):
                raise UntrueError("candidates_only")

    def require_bounds(self, bounds: Any) -> None:
        """Raise UntrueError for a bound that is none of what the tree takes."""
        if not isinstance(bounds, dict) or bounds.keys() != {"lower", "upper"}:
            raise UntrueError("bounds")
        lower, upper = numbers(bounds["lower"]), numbers(bounds["upper"])
        objective = self.document.get("objective", "")
        if not objective:
            if lower or upper:
                raise UntrueError("bounds of nothing")
            return
        of = self.guesses if self.costs is None else self.costs
        own = [
            of[{"expected": "total"}.get(part, part)]
            for part in objective.split(",")
            if part in ("expected", "worst")
        ]
        if objective == "win-probability" and self.costs is not None:
            own = [self.costs["weight"] - self.walk.won[0], self.walk.won[1]]
        if (upper and upper != own) or (lower and (len(lower) != len(own) or lower > own)):
            raise UntrueError("bounds")


def numbers(bound: Any) -> list[Fraction]:
    """Return the parts of a bound."""
    if bound is None:
        return []
    found = []
    for part in bound if isinstance(bound, list) else [bound]:
        whole = type(part) is int
        if not whole and not (isinstance(part, str) and re.fullmatch(r"[0-9]+/[1-9][0-9]*", part)):
            raise UntrueError("no number")
        found.append(Fraction(part))
    return found


def same(claimed: Any, own: Any, name: str) -> None:
    """Raise UntrueError unless a figure is that of the tree."""
    if own is None or isinstance(claimed, bool) or not isinstance(claimed, int | float | str):
        raise UntrueError(name)
    if name == "average":
        if isinstance(claimed, str) or not isclose(claimed, own, rel_tol=1e-9):
            raise UntrueError(name)
        return
    texts = {"exact": r"[0-9]+(/[1-9][0-9]*)?"} | dict.fromkeys(BROKEN, r"[0-9]+/[1-9][0-9]*")
    whole = type(claimed) is int and name != "exact"
    text = isinstance(claimed, str) and name in texts and re.fullmatch(texts[name], claimed)
    if not (whole or text) or Fraction(claimed) != own:
        raise UntrueError(name)
