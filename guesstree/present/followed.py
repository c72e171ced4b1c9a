"""A strategy whose value is explained: how it goes on, and that it costs what is said."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from guesstree.trees.export.paper.blocks import Block, Grid, Heading, Paragraph
from guesstree.trees.figures import figures_of
from guesstree.trees.tree import Tree

from .argued import Words, list_text

MOST_PATHS = 32
"""Of games with at most so many secrets, the whole way to each is told."""


def strategy_blocks(words: Words, strategy: Tree) -> Iterator[Block]:
    """Yield what a strategy asks after its first guess, and what it costs, added up."""
    root = int(strategy.guess[0])
    yield Heading("The strategy")
    if root < 0:
        yield Paragraph(f"It asks nothing: there is only one {words.secret}.")
        return
    yield Paragraph(f"It begins with {words.name(root)}. {_added_up(words, strategy)}")
    yield _parts(words, strategy)
    if words.found.problem.secrets <= MOST_PATHS:
        yield Paragraph(f"This is its way to each {words.secret}, with the {words.answer}s in brackets.")
        yield _paths(words, strategy)


def _added_up(words: Words, strategy: Tree) -> str:
    """Return how many secrets take how many guesses, as a sum."""
    times = figures_of(strategy).guesses
    done = "found" if words.wins else "known"
    said: list[str] = []
    for asked, many in times.histogram.items():
        by = f" by {words.asked(asked)}" if not said else f" by {asked:,}"
        said.append((words.many(many) if not said else f"{many:,}") + by)
    is_or_are = "is" if next(iter(times.histogram.values())) == 1 else "are"
    first, *more = said
    several, parted = f"{first.replace(' by', f' {is_or_are} {done} by', 1)}", list_text(["", *more])
    terms = " + ".join(f"{many:,} \u00d7 {asked:,}" for asked, many in times.histogram.items())
    text = f"{several}{parted if more else ''}"
    return f"{text}: {terms} = {times.total:,} {words.guesses} in all, {words.asked(times.worst)} at most."


def _parts(words: Words, strategy: Tree) -> Grid:
    """Return what is asked next after each response to the first guess, and what that part costs."""
    below, ended = strategy.secrets_below(), strategy.guesses_needed()
    node_of = {int(s): node for node, s in enumerate(strategy.secret.tolist()) if s >= 0}
    asked = np.zeros(len(strategy), dtype=np.int64)
    most = np.zeros(len(strategy), dtype=np.int64)
    for secret, node in node_of.items():
        asked[node], most[node] = int(ended[secret]) - 1, int(ended[secret]) - 1
    total, deepest = strategy.sum_below(asked), strategy.most_below(most)
    rows = []
    for node in sorted(strategy.children(0), key=lambda node: (-int(below[node]), node)):
        guess = int(strategy.guess[node])
        following = words.name(guess) if guess >= 0 else f"it is {strategy.label(node)}"
        rows.append(
            [
                words.said(int(strategy.response[node])),
                f"{int(below[node]):,}",
                following,
                f"{int(total[node]):,}",
                f"{int(deepest[node]):,}",
            ]
        )
    n, parts = words.found.problem.secrets, sum(int(total[node]) for node in strategy.children(0))
    rows.append(["together", f"{n:,}", "", f"{parts:,}", ""])
    rows.append([f"with the first {words.guess}", "", "", f"{n + parts:,}", ""])
    return Grid([words.answer, words.secrets, "comes next", f"{words.guesses} more", "at most"], rows)


def _paths(words: Words, strategy: Tree) -> Grid:
    """Return what is asked of each secret, with the responses."""
    rows = []
    for node, secret in zip(*(some.tolist() for some in strategy.ends), strict=True):
        steps = [f"{words.name(guess)} ({words.said(told)})" for guess, told in strategy.steps(node)]
        steps += [words.name(int(strategy.guess[node]))] * words.wins
        rows.append(
            (strategy.path(node), [words.named(np.array([secret])), ", ".join(steps), str(len(steps))])
        )
    return Grid([words.secret, words.guesses, "number"], [row for _, row in sorted(rows)], [1])
