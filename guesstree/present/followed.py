"""A strategy whose value is explained: how it goes on, and that it costs what is said."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from guesstree.api.explained import Explained, PricedExplanation
from guesstree.trees.export.paper.blocks import Block, Grid, Heading, Paragraph
from guesstree.trees.figures import figures_of, paid
from guesstree.trees.tree import Tree

from .argued import Names, list_text

MOST_PATHS = 32
"""Of games with at most so many secrets, the whole way to each is told."""


def strategy_blocks(found: Explained, strategy: Tree) -> Iterator[Block]:
    """Yield what a strategy asks after its first guess, and what it costs, added up."""
    words, root, priced = Names(found), int(strategy.guess[0]), isinstance(found, PricedExplanation)
    yield Heading("The strategy")
    if root < 0:
        yield Paragraph(f"It asks nothing: there is only one {words.secret}.")
        return
    added = "" if priced else f" {_added_up(words, strategy)}"
    yield Paragraph(f"It begins with {words.name(root)}.{added}")
    within = found.within if found.loses else None  # what a secret may pay so that it is not lost
    yield _parts(words, strategy, priced=priced) if within is None else _lost_parts(words, strategy, within)
    if words.problem.secrets <= MOST_PATHS:
        yield Paragraph(f"This is its way to each {words.secret}, with the {words.answer}s in brackets.")
        yield _paths(words, strategy, within, priced=priced)


def _added_up(words: Names, strategy: Tree) -> str:
    """Return how many secrets take how many guesses, as a sum."""
    times = figures_of(strategy).guesses
    (asked, many), *others = times.histogram.items()
    done = f"{'is' if many == 1 else 'are'} {'found' if words.wins else 'known'}"
    said = [f"{words.many(many)} {done} by {words.asked(asked)}"]
    said += [f"{more:,} by {number:,}" for number, more in others]
    terms = " + ".join(f"{many:,} \u00d7 {asked:,}" for asked, many in times.histogram.items())
    return f"{list_text(said)}: {terms} = {times.total:,} {words.guesses} in all, {times.worst:,} at most."


def _parts(words: Names, strategy: Tree, *, priced: bool) -> Grid:
    """Return what is asked next after each response to the first guess, and what that part costs."""
    first, every = _after_first(words, strategy, priced=priced)
    weights = words.problem.weights if priced else np.ones(words.problem.secrets, dtype=np.int64)
    nodes, secrets = strategy.ends
    costs, most = (np.zeros(len(strategy), dtype=np.int64) for _ in range(2))
    costs[nodes], most[nodes] = (weights * every)[secrets], every[secrets]
    total, deepest, below = strategy.sum_below(costs), strategy.most_below(most), strategy.secrets_below()
    in_all, each = (words.cost, words.price) if priced else ("{:,}".format, "{:,}".format)
    rows, parts = [], list(strategy.children(0))
    for node in sorted(parts, key=lambda node: (-int(below[node]), node)):
        guess, told = int(strategy.guess[node]), words.said(int(strategy.response[node]))
        following = words.name(guess) if guess >= 0 else f"it is {strategy.label(node)}"
        rows.append(
            [told, f"{int(below[node]):,}", following, in_all(int(total[node])), each(int(deepest[node]))]
        )
    later, at_once = sum(int(total[node]) for node in parts), int((weights * first).sum())
    rows.append(["together", f"{words.problem.secrets:,}", "", in_all(later), ""])
    rows.append([f"with the first {words.guess}", "", "", in_all(later + at_once), ""])
    more = "cost more" if priced else f"{words.guesses} more"
    return Grid([words.answer, words.secrets, "comes next", more, "at most"], rows, [2])


def _lost_parts(words: Names, strategy: Tree, within: int) -> Grid:
    """Return what is asked next after each response to the first guess, what is lost, and what others pay."""
    every, weights = np.zeros(words.problem.secrets, dtype=np.int64), words.problem.weights
    for secret, cost in paid(strategy):
        every[secret] = int(cost)
    nodes, secrets = strategy.ends
    over, kept = (np.zeros(len(strategy), dtype=np.int64) for _ in range(2))
    over[nodes] = (weights * (every > within))[secrets]
    kept[nodes] = (weights * np.where(every > within, 0, every))[secrets]
    lost, pay, below = strategy.sum_below(over), strategy.sum_below(kept), strategy.secrets_below()
    rows, parts = [], list(strategy.children(0))
    ended = [(int(lost[0]) - sum(int(lost[n]) for n in parts), int(pay[0]) - sum(int(pay[n]) for n in parts))]
    for node in sorted(parts, key=lambda node: (-int(below[node]), node)):
        guess, told = int(strategy.guess[node]), words.said(int(strategy.response[node]))
        following = words.name(guess) if guess >= 0 else f"it is {strategy.label(node)}"
        numbers = words.weight(int(lost[node])), words.cost(int(pay[node]))
        rows.append([told, f"{int(below[node]):,}", following, *numbers])
    if words.wins and len(parts) and any(ended[0]):
        rows.append(["it is right", "1", "", words.weight(ended[0][0]), words.cost(ended[0][1])])
    together = words.weight(int(lost[0])), words.cost(int(pay[0]))
    rows.append(["together", f"{words.problem.secrets:,}", "", *together])
    what = "weight lost" if words.weighted else "lost"
    return Grid([words.answer, words.secrets, "comes next", what, "the others pay"], rows, [2])


def _after_first(
    words: Names, strategy: Tree, *, priced: bool
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return what each secret takes for the first guess, and after it: costs, or guesses."""
    if not priced:
        return np.ones(words.problem.secrets, dtype=np.int64), strategy.guesses_needed().astype(np.int64) - 1
    problem, root = words.problem, int(strategy.guess[0])
    first = problem.costs[root][problem.table[root]]
    every = np.zeros(problem.secrets, dtype=np.int64)
    for secret, cost in paid(strategy):
        every[secret] = int(cost)
    return first, every - first


def _paths(words: Names, strategy: Tree, within: int | None, *, priced: bool) -> Grid:
    """Return what is asked of each secret, with the responses."""
    first, later = _after_first(words, strategy, priced=priced)
    rows = []
    for node, secret in zip(*(some.tolist() for some in strategy.ends), strict=True):
        steps = [f"{words.name(guess)} ({words.said(told)})" for guess, told in strategy.steps(node)]
        steps += [words.name(int(strategy.guess[node]))] * words.wins
        takes = int(first[secret] + later[secret])
        numbers = [words.price(takes) if priced else f"{takes:,}"]
        if words.weighted:
            weight = int(words.problem.weights[secret])
            numbers += [words.weight(weight), words.cost(weight * takes)]
        if within is not None and takes > within:
            numbers = [*numbers[: 1 + words.weighted], "lost"]
        elif within is not None and not words.weighted:
            numbers.append(words.cost(takes))
        rows.append((strategy.path(node), [words.named(np.array([secret])), ", ".join(steps), *numbers]))
    head = ["pays" if priced else "number", *["weight", "together"] * words.weighted]
    if within is not None:
        head = ["pays", *["weight"] * words.weighted, "counts"]
    return Grid([words.secret, words.guesses, *head], [row for _, row in sorted(rows)], [1])
