"""A strategy for responses that may be false, whose value is explained: how it goes on."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from guesstree.trees.export.paper.blocks import Block, Grid, Heading, Paragraph
from guesstree.trees.tree import Tree

from .lying_explanation import LyingWords

MOST_ENDS = 64
"""Of strategies with at most so many ends, the whole way to each is told."""


def lying_strategy_blocks(words: LyingWords, strategy: Tree) -> Iterator[Block]:
    """Yield what a strategy asks after its first guess, and how many guesses it takes at most."""
    root = int(strategy.guess[0])
    yield Heading("The strategy")
    if root < 0:
        yield Paragraph(f"It asks nothing: there is only one {words.secret}.")
        return
    most = words.asked(int(strategy.guesses_needed().max()))
    yield Paragraph(f"It begins with {words.name(root)}, and takes {most} at most, whatever is false.")
    yield _parts(words, strategy)
    if len(strategy.ends[0]) <= MOST_ENDS:
        yield Paragraph(f"These are its ways, with the {words.answer}s in brackets; some are false.")
        yield _ways(words, strategy)


def _parts(words: LyingWords, strategy: Tree) -> Grid:
    """Return what is left and asked next after each response to the first guess."""
    root, start = int(strategy.guess[0]), words.argument.root.state
    most = np.zeros(len(strategy), dtype=np.int64)
    nodes, _ = strategy.ends
    most[nodes] = strategy.depth[nodes] + words.wins
    deepest = strategy.most_below(most)
    rows = []
    for node in strategy.children(0):
        told, guess = int(strategy.response[node]), int(strategy.guess[node])
        left = words.argument.after(start, root, words.problem.number(root, told))
        following = words.name(guess) if guess >= 0 else f"it is {strategy.label(node)}"
        rows.append([words.said(told), words.sizes(left), following, f"{int(deepest[node]) - 1:,}"])
    head = [words.answer, f"{words.secrets} left", "comes next", f"{words.guesses} more at most"]
    return Grid(head, rows, [1, 2])


def _ways(words: LyingWords, strategy: Tree) -> Grid:
    """Return what is asked on each way, with the responses."""
    rows = []
    for node, secret in sorted(
        zip(*(some.tolist() for some in strategy.ends), strict=True), key=lambda end: strategy.path(end[0])
    ):
        steps = [
            f"{words.name(guess)} "
            f"({words.said(told)}{', false' * (told != words.game.respond(guess, secret))})"
            for guess, told in strategy.steps(node)
        ]
        steps += [words.name(int(strategy.guess[node]))] * words.wins
        rows.append([words.named(np.array([secret])), ", ".join(steps), f"{len(steps):,}"])
    return Grid([words.secret, words.guesses, "number"], rows, [1])
