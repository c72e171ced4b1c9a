"""A strategy of tests that may get several answers, whose value is explained: how it goes on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction

from guesstree.engine.exact import Number
from guesstree.trees.export.paper.blocks import Block, Grid, Heading, Paragraph
from guesstree.trees.noisy import Ending, endings_of
from guesstree.trees.tree import Tree

from .noisy_words import NoisyWords

MOST_ENDS = 32
"""Of strategies with at most so many ends, the whole way to each is told."""


@dataclass
class Below:
    """What ends below a node: its weight, what is paid and lost in all, and at most."""

    weight: Fraction = Fraction()
    total: Fraction = Fraction()
    most: Number = 0
    secrets: set[int] = field(default_factory=set)

    def add(self, end: Ending, weight: Number) -> None:
        """Count an end."""
        mass, takes = end.chance * weight, end.paid + end.loss
        self.weight += mass
        self.total += mass * takes
        self.most = max(self.most, takes)
        self.secrets.add(end.secret)


def noisy_strategy_blocks(words: NoisyWords, strategy: Tree) -> Iterator[Block]:
    """Yield what a strategy asks after its first test, and what it costs, added up."""
    yield Heading("The strategy")
    root, ends = int(strategy.guess[0]), endings_of(strategy)
    if root < 0:
        yield Paragraph(f"It asks nothing: {_end(strategy, 0)}.")
        return
    yield Paragraph(
        f"It begins with {words.name(root)}. What it costs is counted from the beginning, the first "
        f"{words.guess} included{', and what is lost by what is decided' * words.decides}."
    )
    yield _parts(words, strategy, ends)
    leaves = {end.node for end in ends}
    if len(leaves) <= MOST_ENDS:
        yield Paragraph(f"These are its ways, with the {words.answer}s in brackets.")
        yield _ways(words, strategy, ends)


def _end(strategy: Tree, node: int) -> str:
    """Return what a strategy says at its end."""
    return " or ".join(strategy.endings(node))


def _numbers(words: NoisyWords, below: Below) -> list[str]:
    """Return the weight and the cost of what ends somewhere, and the most that is paid."""
    figures = words.game.figure_text
    numbers = [words.weighed(below.weight), figures("total", below.total)] * (not words.worst)
    return [*numbers, figures("worst", below.most)]


def _head(words: NoisyWords) -> list[str]:
    return [*["weight", "costs in all"] * (not words.worst), "at most"]


def _parts(words: NoisyWords, strategy: Tree, ends: list[Ending]) -> Grid:
    """Return what is asked next after each answer to the first test, and what that part costs."""
    first, every = {node: Below() for node in strategy.children(0)}, Below()
    for end in ends:
        weight = words.model.weights[end.secret]
        first[strategy.path(end.node)[1]].add(end, weight)
        every.add(end, weight)
    rows = []
    for node, below in sorted(first.items(), key=lambda pair: (-len(pair[1].secrets), pair[0])):
        guess = int(strategy.guess[node])
        following = words.name(guess) if guess >= 0 else _end(strategy, node)
        said = words.said(int(strategy.response[node]))
        rows.append([said, f"{len(below.secrets):,}", following, *_numbers(words, below)])
    rows.append(["together", f"{len(every.secrets):,}", "", *_numbers(words, every)])
    return Grid([words.answer, words.secrets, "comes next", *_head(words)], rows, [2])


def _ways(words: NoisyWords, strategy: Tree, ends: list[Ending]) -> Grid:
    """Return what is asked on each way, with the answers, and what it costs."""
    leaves: dict[int, Below] = {}
    for end in ends:
        leaves.setdefault(end.node, Below()).add(end, words.model.weights[end.secret])
    rows = []
    for node, below in sorted(leaves.items(), key=lambda pair: strategy.path(pair[0])):
        steps = [f"{words.name(guess)} ({words.said(told)})" for guess, told in strategy.steps(node)]
        rows.append([", ".join(steps), _end(strategy, node), *_numbers(words, below)])
    return Grid([words.guesses, "then", *_head(words)], rows, [0, 1])
