"""What an argument of tests that may get several answers claims, and its idea."""

from __future__ import annotations

from collections.abc import Iterator

from guesstree.engine.exact import exact_text
from guesstree.engine.proofs.noisy_bounds import INFINITE
from guesstree.trees.export.heading import called
from guesstree.trees.export.paper.blocks import Block, Grid, Heading, Paragraph

from .noisy_words import NoisyWords

MOST_COLUMNS, MOST_ROWS = 8, 16
"""Causes and tests of a table that is shown in full."""
MOST_LISTED = 32
"""Tests of another table, and decisions, that are listed."""


def noisy_title(words: NoisyWords) -> str:
    """Return what is proved, with the game."""
    first = "" if words.problem.first is None else f" after {words.name(words.problem.first)}"
    return f"{called(words.game)}: {least_text(words)}{first}"


def least_text(words: NoisyWords) -> str:
    """Return what every strategy costs at least."""
    bound = words.argument.root.bound
    if bound >= INFINITE:
        return "no strategy comes to an end"
    if words.worst:
        return f"a cost of at least {words.cost(bound)} at worst"
    return f"a cost of at least {words.mean(bound)} on average"


def claim_blocks(words: NoisyWords) -> Iterator[Block]:
    """Yield what is claimed, with the tests, the weights and what may be decided."""
    yield Heading("What is claimed")
    yield Paragraph(_game(words))
    yield from _tests(words)
    if words.weighted and not words.worst:
        yield Paragraph(f"The {words.secrets} have weights, as some are more frequent than others:")
        rows = [[words.cause(i), words.weight(mass)] for i, mass in words.bounds.root.masses]
        yield Grid([words.secret, "weight"], rows, [0])
    if words.decides:
        yield from _decisions(words)
    yield Paragraph(_bound(words))


def _game(words: NoisyWords) -> str:
    """Return what a strategy is."""
    if words.decides:
        goal = "a decision is made, which may lose something"
    else:
        goal = f"only one {words.secret} is left"
        several = f", or several of which every two may get the same {words.answer} to each {words.guess}"
        goal += several * words.model.cliques
    text = (
        f"One of {words.many(len(words.game.secrets))} is there. A strategy says which {words.guess} comes "
        f"first, and after each {words.answer} which {words.guess} comes next, until {goal}."
    )
    if words.bounds.ends:
        text += f" Some {words.answer}s end it at once: then nothing more is paid."
    if not words.certain:
        text += (
            f" What a {words.guess} is answered is drawn once, by the odds of the {words.secret}, whatever "
            f"other {words.guesses} are answered; so none is asked twice."
        )
    return text


def _tests(words: NoisyWords) -> Iterator[Block]:
    """Yield what tests cost, and in a small table which answers each cause may give."""
    game, integers = words.game, words.bounds.integers
    full = len(game.secrets) <= MOST_COLUMNS and len(game.guesses) <= MOST_ROWS
    head, wide = [words.guess, game.look.cost], [0]
    grouped, waits = any(integers.group), any(integers.needs)
    head += ["set-up", "once it was made"] * grouped
    head += ["has to wait for"] * waits + [f"{words.answer}s that end it"] * words.bounds.ends
    said = f"These are the {words.guesses}, and what they cost"
    said += ", where the set-up has yet to be made, and once it was made" * grouped
    if full:
        often = "" if words.certain else " and how often it gives them"
        said += f", with the {words.answer}s of each {words.secret}{often}"
        wide = [0, *range(len(head), len(head) + len(game.secrets))]
        head += [words.cause(i) for i in range(len(game.secrets))]
    yield Paragraph(f"{said}:")
    rows = []
    for test in range(len(game.guesses))[: None if full else MOST_LISTED]:
        row = [words.name(test), words.price(integers.prices[test])]
        if grouped:
            group = integers.group[test]
            row += [str(group.bit_length()), words.price(integers.later[test])] if group else ["", ""]
        row += [words.asked_before(integers.needs[test])] * waits
        row += [", ".join(map(words.said, sorted(integers.ending[test])))] * words.bounds.ends
        if full:
            row += [_cell(words, test, cause) for cause in range(len(game.secrets))]
        rows.append(row)
    if (more := len(game.guesses) - len(rows)) > 0:
        rows.append([f"... and {more:,} more", *[""] * (len(head) - 1)])
    yield Grid(head, rows, [*wide, *range(2 + 2 * grouped, 2 + 2 * grouped + waits)])


def _cell(words: NoisyWords, test: int, cause: int) -> str:
    """Return which answers a cause may give to a test, with their probabilities."""
    cell = words.model.chances[test][cause]
    if len(cell) == 1:
        return words.said(next(iter(cell)))
    return ", ".join(f"{words.said(answer)} {exact_text(chance)}" for answer, chance in sorted(cell.items()))


def _decisions(words: NoisyWords) -> Iterator[Block]:
    """Yield what may be decided, and what that loses."""
    assert words.bounds.integers.losses is not None
    few = len(words.game.secrets) <= MOST_COLUMNS
    rows = []
    for number, row in enumerate(words.bounds.integers.losses):
        losses = ["not allowed" if x is None else words.price(x) for x in row]
        allowed = [x for x in row if x is not None]
        if not few:
            losses = [words.price(min(allowed, default=0)), words.price(max(allowed, default=0))]
        rows.append([words.decision(number), *losses])
    if (more := len(rows) - MOST_LISTED) > 0:
        rows = [*rows[:MOST_LISTED], [f"... and {more:,} more", *[""] * (len(rows[0]) - 1)]]
    yield Paragraph(f"This is what a decision loses, if the {words.secret} is so:")
    names = [words.cause(i) for i in range(len(words.game.secrets))] if few else ["at least", "at most"]
    yield Grid(["decision", *names], rows, [0])


def _bound(words: NoisyWords) -> str:
    """Return what is claimed, and whether a strategy is known that does no better."""
    found, first, bound = words.found, words.problem.first, words.argument.root.bound
    begins = "" if first is None else f" that begins with {words.name(first)}"
    if bound >= INFINITE:
        return f"There is no strategy{begins} that comes to an end whatever is answered."
    lost = ", and loses by what is decided" * words.decides
    known = ""
    if found.optimal and found.known is not None:
        known = f" {words.best} costs {words.cost(bound)}{' at most' * words.worst}, so this is the least."
    if words.worst:
        return (
            f"What is counted is the most that is paid for {words.guesses}{lost}, of all that may happen. In "
            f"every strategy{begins} this is at least {words.cost(bound)}.{known}"
        )
    times = ", times its weight" * words.weighted
    average = f", which is {words.mean(bound)} on average" * (words.mean(bound) != words.cost(bound))
    return (
        f"The cost of a strategy is what each {words.secret} pays for {words.guesses} on "
        f"average{lost}{times}, added up for all. Every strategy{begins} costs at least "
        f"{words.cost(bound)}{average}.{known}"
    )


def idea_blocks(words: NoisyWords) -> Iterator[Block]:
    """Yield how it is shown."""
    yield Heading("How it is shown")
    first, bound = words.problem.first, words.argument.root.bound
    each = f"every first {words.guess}" if first is None else words.name(first)
    at_once = ""
    if first is None:
        done = f"To ask nothing {words.ended(words.found.whole.counted)}"
        less = ", which is not less" * (words.found.whole.counted.ending < INFINITE)
        at_once = f" {done}{less}."
    if words.worst:
        yield Paragraph(
            f"Take any first {words.guess}. After each {words.answer} those {words.secrets} are left that "
            f"may give it. What a strategy costs at worst is what the {words.guess} costs, plus what is left "
            f"after one of the {words.answer}s costs at worst: so one {words.answer} is enough. It will be "
            f"shown of {each} that together this is at least {words.cost(bound)}.{at_once}"
        )
        return
    weigh = words.weight(words.bounds.mass(words.bounds.root))
    goes = f"Each {words.answer} goes on by itself" + ", but those that end the path" * words.bounds.ends
    divides = (
        f" Of a {words.secret} that may get several, a part of its weight is after each: the weight times "
        f"the probability of the {words.answer}."
    ) * (not words.certain)
    yield Paragraph(
        f"Take any first {words.guess}. All {words.secrets}, which weigh {weigh} together, pay for it. After "
        f"each {words.answer} those are left that may give it.{divides} {goes}. So a strategy costs what is "
        f"paid for the first {words.guess}, plus what is left after each {words.answer} costs. It is enough "
        f"to know at least what each costs, and to add up: for {each} this will be at least "
        f"{words.cost(bound)}.{at_once}"
    )
