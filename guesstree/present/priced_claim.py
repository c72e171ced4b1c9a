"""What an argument with costs or weights claims, and its idea."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from guesstree.engine.exact import rounded_text
from guesstree.trees.export.heading import called
from guesstree.trees.export.paper.blocks import Block, Grid, Heading, Paragraph

from .argued import list_text
from .priced_words import PricedWords


def priced_title(words: PricedWords) -> str:
    """Return what is proved, with the game."""
    found = words.found
    first = "" if words.problem.first is None else f" after {words.name(words.problem.first)}"
    name = called(words.game)
    if words.lost:
        return f"{name}: {_lost_title(words)}{first}"
    if found.bound is None:
        return f"{name}: {words.price(found.within or 0)} for each {words.secret} is not enough{first}"
    within = "" if found.within is None else f", {words.price(found.within)} at most for each {words.secret}"
    return f"{name}: a cost of at least {words.cost(found.bound)} in all{within}{first}"


def _lost_title(words: PricedWords) -> str:
    """Return what is lost within the limit, and paid then."""
    (lost, *paid), within = words.lost, words.price(words.found.within or 0)
    least = f"at least {words.loss(lost)} lost" if lost or not paid else "nothing lost"
    then = "".join(f", then at least {words.cost(more)} paid" for more in paid if more)
    return f"within {within} {least}{then}"


def claim_blocks(words: PricedWords) -> Iterator[Block]:
    """Yield what is claimed, with prices and weights."""
    yield Heading("What is claimed")
    goal = f"until one is the {words.secret}" if words.wins else f"until only one {words.secret} is left"
    done = "found" if words.wins else "known"
    only = (
        f" Here it may ask only a {words.guess} that may still be the {words.secret}: one that is right for "
        f"some {words.secret} that is left."
    ) * words.only
    prices = {*words.argument.price.ravel().tolist()}
    these = (
        "These are the prices:" if len(prices) > 1 else f"Each {words.guess} costs {words.price(*prices)}."
    )
    yield Paragraph(
        f"One of {words.many(words.problem.secrets)} is to be {done}. A strategy says which {words.guess} "
        f"comes first, and after each {words.answer} which {words.guess} comes next, {goal}.{only} Each "
        f"{words.guess} that is asked until then is paid for: the {words.secret} pays, as we say. {these}"
    )
    if len(prices) > 1:
        yield _prices(words)
    if words.weighted and not words.infinite:
        yield Paragraph(f"The {words.secrets} have weights, as some are more frequent than others:")
        weights = [
            [words.named(np.array([s])), words.weight(int(weight))]
            for s, weight in enumerate(words.problem.weights)
        ]
        yield Grid([words.secret, "weight"], weights, [0])
    if words.lost:
        yield Paragraph(_lost(words))
        yield Paragraph(_one_number(words), "One number." if len(words.lost) > 1 else "The cost.")
        return
    yield Paragraph(_bound(words))


def _prices(words: PricedWords) -> Grid:
    """Return what guesses cost, and where the answer matters, after which."""
    rows = []
    for guess, (row, price) in enumerate(zip(words.argument.table, words.argument.price, strict=True)):
        by_price: dict[int, list[int]] = {}
        for response, paid in {int(r): int(p) for r, p in zip(row, price, strict=True)}.items():
            by_price.setdefault(paid, []).append(words.problem.told(guess, response))
        said = [
            f"{words.price(paid)} for {list_text([words.said(r) for r in some])}"
            for paid, some in sorted(by_price.items())
        ]
        rows.append(
            [words.name(guess), words.price(next(iter(by_price))) if len(said) == 1 else "; ".join(said)]
        )
    return Grid([words.guess, words.game.look.cost], rows, [0, 1])


def _bound(words: PricedWords) -> str:
    """Return what is claimed, and whether a strategy is known that does no better."""
    found, first = words.found, words.problem.first
    begins = "" if first is None else f" that begins with {words.name(first)}"
    within = (
        ""
        if found.within is None
        else f" in which each {words.secret} pays {words.price(found.within)} at most"
    )
    if found.bound is None:
        text = f"There is no strategy{begins}{within}."
        if found.optimal and found.known is not None:
            text += f" {words.best} takes {words.price(found.known[1])} at most, so this is the least."
        return text
    times = ", each multiplied by its weight" * words.weighted
    weight = int(words.problem.weights.sum())
    mean = Fraction(found.bound, weight) * words.game.cost_unit
    average = rounded_text(mean) if mean.denominator > 1 else str(mean)
    text = (
        f"The cost of a strategy is what all {words.secrets} pay together{times}. Every "
        f"strategy{begins}{within} costs at least {words.cost(found.bound)}, which is {average} on average."
    )
    if found.optimal and found.off_in_all:
        text += f" {words.best} costs {words.cost(found.bound)}, so this is the least."
    return text


def _lost(words: PricedWords) -> str:
    """Return what is lost at least, and what the others pay, and whether a strategy does no better."""
    (lost, *paid), first = words.lost, words.problem.first
    begins = "" if first is None else f" that begins with {words.name(first)}"
    times = ", each times its weight" * words.weighted
    text = f"A {words.secret} that pays more than {words.price(words.found.within or 0)} is lost."
    pay = "".join(f" pay at least {words.cost(more)} together{times}" for more in paid)
    if not lost and paid:
        text += f" In every strategy{begins} that loses none, all {words.secrets}{pay}."
    else:
        text += f" Every strategy{begins} loses at least {words.loss(lost)}"
        text += f"; and if it loses no more, the others{pay}." if paid else "."
    if words.found.optimal:
        others = f", and {'the others pay' if lost else 'all pay'} {words.cost(paid[0])}" if paid else ""
        text += f" {words.best} loses {'no more' if lost else 'none'}{others}, so this is the least."
    return text


def _one_number(words: PricedWords) -> str:
    """Return how what is lost, and paid, is counted as one number."""
    argument, weight = words.argument, int(words.problem.weights.sum())
    (lost, *paid), by = words.lost, ", times its weight" * words.weighted
    least = f"every strategy costs at least {words.cost(argument.root.bound)}"
    if not paid:
        what = "weight of those" if words.weighted else "number of those"
        return f"It is the {what} that are lost; what is paid does not count. So {least}."
    within, each = words.found.within or 0, words.price(argument.each_lost)
    more = words.weight(1) if words.weighted else "one"
    many = words.weight(weight)
    return (
        f"Whoever is lost counts {each}{by}, in place of what it pays. So to lose {more} more counts "
        f"{words.cost(argument.each_lost)} more, and without being lost all together can pay no more than "
        f"{many} \u00d7 {words.price(within)} = {words.cost(weight * within)}. Therefore one number says "
        f"both, and where it is less, the strategy is the better one: {words.weight(lost)} lost and "
        f"{words.cost(paid[0])} paid count {words.weight(lost)} \u00d7 {each} + {words.cost(paid[0])} = "
        f"{words.cost(argument.root.bound)}. Call this number the cost: {least}."
    )


def idea_blocks(words: PricedWords) -> Iterator[Block]:
    """Yield how it is shown."""
    yield Heading("How it is shown")
    nothing = f"a part of one {words.secret} costs nothing more"
    if words.wins:
        nothing = (
            f"the {words.guess} itself, where it is the {words.secret}, costs nothing more, and what a "
            f"{words.secret} pays that is then alone is counted at once"
        )
    free = (
        " What costs nothing is asked at once: that can only help, and it is not mentioned each time."
        * words.free
    )
    if words.only:
        free = _only(words)
    first, weights = words.problem.first, words.weight(int(words.problem.weights.sum()))
    each = f"every first {words.guess}" if first is None else words.name(first)
    by = f", whose weights add up to {weights}," * (words.weighted and not words.infinite)
    text = (
        f"Take any first {words.guess}. All {words.secrets}{by} pay for it. The {words.answer}s to it divide "
        f"the {words.secrets} into parts: those with the same {words.answer} stay together. Then each part "
        "goes on by itself"
    )
    if words.lost:
        yield Paragraph(f"{_lost_idea(words, text)}; {nothing}.{free} {_enough(words, each)}")
        return
    if words.infinite:
        fewer = f"And if it is not enough for some {words.secrets} of a part, or if more were left,"
        if words.only:
            fewer = "And if it is not enough for a part even if more were left,"
        yield Paragraph(
            f"{text}, and its {words.secrets} may pay what is left. If that is not enough for one of the "
            f"parts, the first {words.guess} fails.{free} This will be shown of {each}. {fewer} "
            "it is not enough for the part."
        )
        return
    yield Paragraph(
        f"{text}. So a strategy costs what is paid for the first {words.guess}, plus what the parts cost; "
        f"{nothing}.{free} {_enough(words, each)}"
    )


def _enough(words: PricedWords, each: str) -> str:
    """Return what will be shown."""
    return (
        f"It is enough to know at least what each part costs, and to add up: for {each} this will be at "
        f"least {words.bound(words.argument.root.bound)}."
    )


def _lost_idea(words: PricedWords, text: str) -> str:
    """Return what a strategy costs where what is lost counts."""
    argument, within = words.argument, words.found.within or 0
    text = text.replace("pay for it.", f"pay for it; whoever pays more than {words.price(within)} is lost.")
    text += f", and its {words.secrets} may pay what is left"
    if not argument.rate:
        return (
            f"{text}. So a strategy costs what is lost by the first {words.guess}, plus what the parts cost"
        )
    return (
        f"{text}. What a part costs is counted from there on: who is lost in a part that may still pay r "
        f"costs {words.price(argument.penalty)} + r there, as {words.price(within)} - r was paid before, and "
        f"this makes {words.price(argument.each_lost)}. So a strategy costs what is paid for the first "
        f"{words.guess}, or lost by it, plus what the parts cost"
    )


def _only(words: PricedWords) -> str:
    """Return what is different where only what may be the secret is asked (P7)."""
    text = (
        f" What may be asked in a part depends on the {words.secrets} that are left in it. So a few of them, "
        "taken alone, may cost more than the whole part; each part is looked at as it is."
    )
    if words.free:
        text += (
            f" Not even a {words.guess} that costs nothing need come first: after it, another one that would "
            "help may no longer be asked."
        )
    return text
