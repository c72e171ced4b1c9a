"""Attack `check` with changed strategy files: `python scripts/fuzz_check.py [--files N] [--seed N]`.

Strategies of random small games (tables with weights, costs, empty cells, sets, groups, losses, lapses;
codes; lies; budgets) are changed in up to three places: nodes, branches, claims, tables. Each file is read,
checked, and judged by tests/helpers/judge.py, which shares no code with the project: a file that one accepts
and the other does not, or a figure on which they differ, is kept and named; status 1. Every tenth that is
valid is written again, read, and laid out in a data frame, which must have the same figures.
"""

import argparse
import copy
import json
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "helpers"))

from judge import Judged, NotJudgedError, judged

from guesstree.api.solution import solve
from guesstree.api.strategy import Strategy
from guesstree.engine.errors import GuesstreeError
from guesstree.engine.game_source import Finder, find_game
from guesstree.engine.registry import parse
from guesstree.trees.check import Report
from guesstree.trees.export import files
from guesstree.trees.figures import figures_of
from guesstree.trees.tree import TreeError

Document = dict[str, Any]
Dice = random.Random
NOWHERE = Finder(Path(tempfile.gettempdir(), "nowhere"), only_beside=True)
"""Strategies with a table inside need no other file."""
CODES = ("mastermind:2x2", "mastermind:2x3", "blackpeg:2x3", "bulls:2x3", "mastermind:1x3", "blackpeg:1x4")
ASKS_NOTHING = {"format": "guesstree/1", "goal": "identify", "nodes": [{"guess": "\0"}]}
"""A strategy for no game."""
KEPT = 40
"""So many strategies are changed at a time."""


# -- strategies --------------------------------------------------------------------------------------------


def some_table(dice: Dice) -> Document:
    """Return a random table as strategy files carry it."""
    causes = [f"c{i}" for i in range(dice.randint(1, 5))]
    guesses = [f"t{i}" for i in range(dice.randint(1, 4))]
    if dice.random() < 0.2:
        guesses[: len(causes)] = causes[: len(guesses)]  # tests that are called as causes
    rows: list[list[str | None]] = [[dice.choice("xyz") for _ in causes] for _ in guesses]
    table: Document = {"secrets": causes, "guesses": guesses, "responses": rows}
    if dice.random() < 0.4:
        table["weights"] = [dice.randint(1, 6) for _ in causes]
    if dice.random() < 0.4:
        table["costs"] = [dice.randint(0, 5) for _ in guesses]
    if dice.random() < 0.2:
        dice.choice(rows)[dice.randrange(len(causes))] = None
    if dice.random() < 0.5:
        _split(dice, table)
    return table


def _split(dice: Dice, table: Document) -> None:
    """Let a table say more of its tests and causes than one answer each."""
    causes, guesses = table["secrets"], table["guesses"]
    costs = table.get("costs", [1] * len(guesses))
    if dice.random() < 0.6:
        table["sets"] = True
        for row in table["responses"]:
            for i in range(len(row)):
                if dice.random() < 0.3:
                    row[i] = dice.choice(["x/y", "y/z", "x:3/z:1", "x:0.75/y:0.25", "x/y/z"])
    if dice.random() < 0.4:
        table["ambiguous"] = "clique"
    if dice.random() < 0.3:
        table["groups"] = [dice.choice([None, "g", "h"]) for _ in guesses]
        table["later"] = [dice.randint(0, cost) for cost in costs]
    if dice.random() < 0.2:
        table["after"] = [[g] if i and dice.random() < 0.5 else [] for i, g in enumerate(["", *guesses[:-1]])]
    if dice.random() < 0.5:
        rows = [[dice.choice([0, 0, 2, 7, None]) for _ in causes], [dice.randint(0, 9) for _ in causes]]
        table |= {"decisions": ["keep", "stop"], "losses": rows}
    if dice.random() < 0.3:
        table["ends"] = "x"
    if dice.random() < 0.2:
        table["lapses"] = 1


def some_strategy(dice: Dice) -> Document | None:
    """Return the strategy of a random game as plain data; None: there is none, or it is refused."""
    objective = dice.choice(["expected", "worst", "worst,expected", "expected,worst"])
    options: dict[str, Any] = {}
    try:
        if dice.random() < 0.3:
            game = parse(dice.choice(CODES))
        else:
            game = find_game("table:some.csv", some_table(dice), NOWHERE).game
        if game.winning is not None and dice.random() < 0.5:
            options["goal"] = "identify"
        match dice.randrange(5):
            case 0 if len(game.secrets) < 10:
                objective, options["lies"] = "worst", 1
            case 1:
                objective, options["budget"] = "win-probability", dice.randint(0, 4)
            case 2:
                options["max_depth"] = dice.randint(2, 6)
            case 3:
                options["candidates_only"] = True
        return files.as_document(game, solve(game, objective, **options).strategy)
    except GuesstreeError:
        return None


# -- changes -----------------------------------------------------------------------------------------------


def some_guess(dice: Dice, document: Document) -> None:
    """Ask another guess at a node."""
    node = dice.choice(document["nodes"])
    labels = [n["guess"] for n in document["nodes"] if "guess" in n] + document.get("table", {}).get(
        "guesses", []
    )
    if "guess" in node:
        node["guess"] = dice.choice([*labels, "?"])


def some_child(dice: Dice, document: Document) -> None:
    """Let a branch lead elsewhere: to another node, to the root, out of range, to what is no number."""
    ways = _ways(dice, document)
    if ways:
        many = len(document["nodes"])
        ways[dice.choice([*ways])] = dice.choice([dice.randrange(many), 0, -1, many, 1.0, "1", True, None])


def some_swap(dice: Dice, document: Document) -> None:
    """Let two branches change places, of one node or of two."""
    one, other = _ways(dice, document), _ways(dice, document)
    if one and other:
        a, b = dice.choice([*one]), dice.choice([*other])
        one[a], other[b] = other[b], one[a]


def some_answer(dice: Dice, document: Document) -> None:
    """Let a branch hang from another response."""
    ways = _ways(dice, document)
    if ways:
        ways[dice.choice([*_answers(document), "w", ""])] = ways.pop(dice.choice([*ways]))


def some_leaf(dice: Dice, document: Document) -> None:
    """Let a leaf say something else."""
    leaves = [node for node in document["nodes"] if "guess" not in node]
    if leaves:
        leaf = dice.choice(leaves)
        leaf.clear()
        leaf |= _leaf(dice, document)


def some_copy(dice: Dice, document: Document) -> None:
    """Put a copy of a node, with its branches or without, in the place of another."""
    nodes = document["nodes"]
    node = copy.deepcopy(dice.choice(nodes))
    if dice.random() < 0.5:
        node.pop("children", None)
    nodes[dice.randrange(len(nodes))] = node


def some_dead(dice: Dice, document: Document) -> None:
    """Add a branch for a response that may not be one of the secrets that get there."""
    nodes = document["nodes"]
    asking = [node for node in nodes if "guess" in node]
    if not asking:
        return
    ways = dice.choice(asking).setdefault("children", {})
    ways[dice.choice(_answers(document))] = len(nodes)
    nodes.append(_leaf(dice, document))
    if dice.random() < 0.3:  # a whole tree below it
        guess = dice.choice(asking)["guess"]
        nodes[-1] = {"guess": guess, "children": {dice.choice(_answers(document)): len(nodes)}}
        nodes.append(_leaf(dice, document))


def some_longer(dice: Dice, document: Document) -> None:
    """Ask one more question before a node, with the node below one of its responses."""
    nodes = document["nodes"]
    at = dice.randrange(len(nodes))
    guess = dice.choice([n["guess"] for n in nodes if "guess" in n] or ["t0"])
    nodes.append(nodes[at])
    nodes[at] = {"guess": guess, "children": {dice.choice(_answers(document)): len(nodes) - 1}}


def some_lost(dice: Dice, document: Document) -> None:
    """Take a branch, a key or a node away."""
    ways = _ways(dice, document)
    match dice.randrange(3):
        case 0 if ways:
            del ways[dice.choice([*ways])]
        case 1:
            node = dice.choice(document["nodes"])
            if node:
                node.popitem()
        case _:
            document["nodes"].pop(dice.randrange(len(document["nodes"])))


def some_figure(dice: Dice, document: Document) -> None:
    """Change a figure of the summary, its histogram or its costs, or write it in another way."""
    summary = document["summary"]
    parts = [summary, summary["histogram"], summary.get("costs", summary)]
    part = dice.choice([one for one in parts if isinstance(one, dict)])  # what was changed may be none
    name = dice.choice([*part, "median", "budget", "7"])
    value = part.get(name, 1)
    part[name] = dice.choice([_other(dice, value), f"{2 * value}/2" if type(value) is int else value, value])


def some_bound(dice: Dice, document: Document) -> None:
    """Change a bound, or take it away."""
    bounds = document["bounds"]
    name = dice.choice(["lower", "upper"])
    value = bounds[name]
    parts = value if isinstance(value, list) else [value]
    less = [part - 1 if type(part) is int else part for part in parts]
    bounds[name] = dice.choice(
        [None, _other(dice, value), [_other(dice, part) for part in parts], less, less[0]]
    )


def some_claim(dice: Dice, document: Document) -> None:
    """Claim another objective, goal, limit, number of lies, method or format."""
    limits = document.setdefault("parameters", {})
    guesses = [node["guess"] for node in document["nodes"] if "guess" in node]
    match dice.randrange(8):
        case 0:
            names = ["expected", "worst", "worst,expected", "expected,worst", "win-probability", "median", ""]
            document["objective"] = dice.choice(names)
        case 1:
            document["goal"] = dice.choice(["win", "identify", "lose"])
        case 2:
            document["lies"] = dice.choice([0, 1, 2, -1, 256, "1"])
        case 3:
            limits["first"] = dice.choice([*guesses, "", None, 1])
        case 4:
            limits["max_depth"] = dice.choice([*range(6), True, "4", 2.5, None])
        case 5:
            limits["candidates_only"] = dice.choice([True, True, True, False, 1, "yes"])
        case 6:
            limits["budget"] = dice.choice([*range(6), -1, True, "4", 1.5])
        case 7:
            document[dice.choice(["method", "format", "more"])] = dice.choice(["exact", "guesstree/1", 1])


def some_cell(dice: Dice, document: Document) -> None:
    """Change the table inside: a cell, a label, a weight, a cost, a loss, or what else it says."""
    table = document.get("table")
    if table is None:
        document["game"] = dice.choice(CODES)
        return
    key = dice.choice([*table])
    part = table[key]
    while isinstance(part, list) and part and isinstance(part[0], list):
        part = dice.choice(part)
    if not isinstance(part, list) or not part:
        table[key] = _other(dice, table[key])
        return
    at = dice.randrange(len(part))
    part[at] = dice.choice([dice.choice(part), _other(dice, part[at])])


CHANGES: Sequence[Callable[[Dice, Document], None]] = (
    some_guess,
    some_child,
    some_swap,
    some_answer,
    some_leaf,
    some_copy,
    some_dead,
    some_dead,
    some_longer,
    some_lost,
    some_figure,
    some_bound,
    some_claim,
    some_claim,
    some_cell,
)


def _ways(dice: Dice, document: Document) -> dict[str, Any]:
    found = [node["children"] for node in document["nodes"] if node.get("children")]
    return dice.choice(found) if found else {}


def _answers(document: Document) -> list[str]:
    known = [answer for node in document["nodes"] for answer in node.get("children", {})]
    return [*known, *("xyz?" if "table" in document else ["0,0", "0,1", "1,0", "0", "1"])]


def _leaf(dice: Dice, document: Document) -> Document:
    known = [node for node in document["nodes"] if "guess" not in node]
    labels = document.get("table", {}).get("secrets", ["11", "12"])
    some = [dice.choice(labels) for _ in range(2)]
    guesses = [{"guess": node["guess"]} for node in document["nodes"] if "guess" in node]
    leaves = [{"secret": some[0]}, {"secrets": some}, {"decide": "keep"}, {"decide": "stop"}, {"over": True}]
    return copy.deepcopy(dice.choice([*known, *leaves, *guesses[:1]]))


def _other(dice: Dice, value: Any) -> Any:
    if type(value) is int:
        return dice.choice([value + 1, value - 1, 0, -value, 10**17])
    if isinstance(value, float):
        return value * dice.choice([1 + 1e-12, 1 + 1e-6, 2])
    return dice.choice([value, 1, "x", "y/x", None, "7/2"])


def spoiled(dice: Dice, document: Document) -> Document:
    """Return a strategy file that was changed in some places; sometimes in none, or without its figures."""
    found = copy.deepcopy(document)
    for _ in range(dice.choice([0, 1, 1, 1, 2, 3])):
        if not found["nodes"] or not all(isinstance(node, dict) for node in found["nodes"]):
            break
        dice.choice(CHANGES)(dice, found)
    if dice.random() < 0.3:
        for key in ("summary", "bounds"):
            del found[key]
    return found


# -- verdicts ----------------------------------------------------------------------------------------------


def figures(report: Report) -> tuple[dict[str, Any], dict[str, Any] | None]:
    """Return what a report says of a tree, as the judge does."""
    assert report.total is not None and report.worst is not None and report.average is not None
    own = {
        "secrets": report.secrets,
        "total": report.total,
        "exact": report.average,
        "average": float(report.average),
        "worst": report.worst,
        "histogram": {str(n): many for n, many in report.histogram.items()},
    }
    if report.costs is None:
        return own, None
    stated = report.costs.stated()
    return own, {name: Fraction(v) if isinstance(v, str) else v for name, v in stated.items()}


def read_text(text: str) -> files.Reading:
    """Return the strategy of the text of a file, whose game needs no other file."""
    return files.read_text(text, NOWHERE)


def plays(document: Document) -> bool:
    """Return whether the table of a file is one: others are refused for that, whatever the tree."""
    try:
        read_text(
            json.dumps(
                {**ASKS_NOTHING, **{key: document[key] for key in ("game", "table") if key in document}}
            )
        )
    except GuesstreeError as error:
        return "nodes" in str(error)  # the labels of the game are not those of this strategy
    return True


def differs(document: Document, truth: Judged, *, write: bool) -> tuple[str, str]:
    """Return what was done with a file, and what is wrong with that; an empty text: nothing."""
    try:
        reading = read_text(json.dumps(document))
    except TreeError as error:
        return "refused", "" if truth.wrong else f"refused: {error}"
    strategy = Strategy.of(reading.strategy)
    report = strategy.check()
    if report.valid != (not truth.wrong):
        return "", f"{report.messages()}, the judge says {truth.wrong or 'valid'}"
    if (report.total is None) != (truth.guesses is None):
        return "", f"{report.messages()} beside {truth}"
    if report.total is None or truth.guesses is None:
        return "fails", ""
    if figures(report) != (truth.guesses, truth.costs):
        return "", f"{figures(report)} beside {truth.guesses}, {truth.costs}"
    if report.dead != truth.dead:
        return "", f"{report.dead} dead branches, the judge sees {truth.dead}"
    if report.valid and figures_of(strategy) != report.figures:
        return "", f"the tree itself comes to {figures_of(strategy)}, its replay to {report.figures}"
    if write and report.valid:
        return "valid", _written(strategy, report)
    return "valid" if report.valid else "false claim", ""


def _written(strategy: Strategy, report: Report) -> str:
    """Return what is wrong with a strategy that is written and read again, and with its data frame."""
    text = files.as_bytes(strategy.game, strategy).decode()
    again = Strategy.of(read_text(text).strategy).check()
    if not again.valid or again.dead or figures(again) != figures(report):
        return f"written again: {again.messages()}"
    frame, game = strategy.to_frame(), strategy.game
    weights = [1] * len(game.secrets) if game.weights is None else list(game.weights)
    weight = float(sum(map(int, weights)) * game.weight_unit)
    if not strategy.lies and abs(float(frame["weight"].sum()) - weight) > 1e-9 * weight:
        return f"a data frame of weight {frame['weight'].sum()}; expected {weight}"
    return ""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run until all files are tried or something is wrong."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--files", type=int, default=10_000, help="how many to try (default 10000)")
    parser.add_argument("--seed", type=int, default=0, help="of the random files (default 0)")
    asked = parser.parse_args(arguments)
    dice, counts = Dice(asked.seed), Counter[str]()
    kept: list[Document] = []
    while sum(counts.values()) < asked.files:
        if len(kept) < KEPT or dice.random() < 0.01:
            some = some_strategy(dice)
            if some is not None:
                kept = [*kept[1 - KEPT :], some]
            continue
        document = spoiled(dice, dice.choice(kept))
        try:
            truth = judged(document) if plays(document) else None
        except NotJudgedError:
            truth = None
        if truth is None:
            counts["no game to judge"] += 1
            continue
        how, why = differs(document, truth, write=dice.random() < 0.1)
        counts[how or "wrong"] += 1
        if why:
            place = Path(tempfile.mkdtemp(prefix="fuzz-"), "tree.json")
            place.write_text(json.dumps(document))
            print(f"{place}: {why}", file=sys.stderr)
            return 1
    print(", ".join(f"{many} {how}" for how, many in counts.most_common()))
    print(f"{sum(counts.values())} files: no verdict and no figure is false")
    return 0


if __name__ == "__main__":
    sys.exit(main())
