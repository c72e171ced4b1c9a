"""What counting says of a part, in an argument with costs or weights (P3 to P5)."""

from __future__ import annotations

from collections.abc import Iterator

from guesstree.engine.proofs.priced_argument import INFINITE, PricedPart, Useful, least_depths
from guesstree.trees.export.paper.blocks import Block, Heading, Paragraph

from .priced_words import PricedWords

MOST_ADDED = 5
"""Secrets of a part of which it is said as an example what counting says."""


def counting_blocks(words: PricedWords) -> Iterator[Block]:
    """Yield what is sure of a part whatever the strategy is, with an example."""
    yield Heading("Counting")
    which = f"{words.guesses} that tell some of its {words.secrets} apart are worth asking in it"
    if words.only:
        which = f"{words.guesses} that may be one of its {words.secrets} may be asked in it, and later"
    yield Paragraph(
        f"Of a part with two {words.secrets} or more, some things are sure, whatever the strategy is. Only "
        f"{which}; these are meant here."
    )
    yield Paragraph(_one_by_one(words), "First.")
    yield Paragraph(_as_tree(words), "Second.")
    if words.free:
        yield Paragraph(_along_path(words), "Third.")
    if not words.infinite:
        largest = "The largest of these sums is what counting says of the part."
        yield Paragraph(f"{largest} {_example(words)}".strip())


def _times(words: PricedWords) -> str:
    return ", times its weight" * words.weighted


def _one_by_one(words: PricedWords) -> str:
    """Return what each secret pays at least (P3)."""
    text = f"Each {words.secret} of the part meets one of them, and pays at least for the cheapest"
    if words.wins:
        text = (
            f"Each {words.secret} of the part pays for the {words.guess} that finds it, and all but one for "
            "another before that, at least for the cheapest"
        )
    if words.lost:
        return (
            f"{text}; whoever pays more by that than it may is lost. Add up what this costs{_times(words)}."
        )
    text += "." if words.infinite else f"{_times(words)}. Add this up."
    if words.found.within is not None:
        text += " If that is more than one of them may still pay, the part fails."
    return text


def _as_tree(words: PricedWords) -> str:
    """Return how many secrets so many guesses tell apart, or find (P4)."""
    text = (
        f"Let K be the most {words.answer}s that one of them gets, and U the least that one costs. Then one "
        f"{words.guess} tells K {words.secrets} apart at most, two K \u00d7 K, and so on, or fewer: a "
        f"{words.secret} that is known sooner takes up one {words.answer}, and nothing is asked behind it. "
        f"Whoever meets d {words.guesses} pays d \u00d7 U at least."
    )
    if words.wins:
        text = (
            f"Let K be the most {words.answer}s that one of them gets beside the one that says that it is "
            f"right, and U the least that one costs. Then the first {words.guess} finds 1 {words.secret} at "
            f"most, the second ones K, the third ones K \u00d7 K, and so on; and whoever is found by the "
            f"d-th pays d \u00d7 U at least."
        )
    best = f"the {words.secrets} that weigh most meet fewest" if words.weighted else "most meet few"
    if words.lost and not words.wins:
        least = ", at best those that weigh least," * words.weighted
        return (
            f"{text} So if what may still be paid is enough for d {words.guesses} alone, no more "
            f"{words.secrets} are known for it than d {words.guesses} tell apart; the others{least} are "
            f"lost. Add up what this costs{_times(words)}."
        )
    if words.lost:
        return (
            f"{text} If that is more than it may, it is lost. At best {best}. Add up what this costs"
            f"{_times(words)}."
        )
    if words.found.within is not None:
        tell = "find all" if words.wins else "tell all apart"
        text += f" If by this so few {words.guesses} can be paid that they do not {tell}, the part fails."
    if not words.infinite:
        text += f" At best {best}. Add this up, too{_times(words)}."
    return text


def _along_path(words: PricedWords) -> str:
    """Return what those pay who pay for each guess that they meet (P5)."""
    text = (
        f"Follow those who pay for each {words.guess} that they meet. Each {words.guess} spares those of the "
        f"part that it costs nothing, and then one {words.answer} at most has a price. At best the "
        f"{words.guesses} that spare most come first."
    )
    pays = (
        f"Whoever is left after each pays at least the least price above 0{_times(words)}, until one is left"
    )
    end = "." if words.infinite else "; add this up."
    if words.found.within is None:
        return f"{text} {pays}{end}"
    heaviest = f"the {words.secret} that weighs most" if words.weighted else f"1 {words.secret} more"
    done = "not lost" if words.lost else "done"
    within = (
        f"If the least price above 0 can still be paid q times, whoever is {done} is spared by one of the "
        f"first q + 1 {words.guesses}, or where fewer come, by one of q, but for the last {words.secret} of "
        f"all. So at best those are {done} that q + 1 {words.guesses} spare, or those that q spare and "
        f"{heaviest}, whichever {'weigh' if words.weighted else 'are'} more"
    )
    if words.lost:
        return f"{text} {within}. Add up what the others cost{_times(words)}."
    return f"{text} {pays}{end} {within}; if there are others, the part fails."


def _example(words: PricedWords) -> str:
    """Return what counting says of a small part of some first guess, with its two sums; empty: of none."""
    argument, parts = words.argument, [p for guess in words.found.whole.guesses for p in guess.parts]
    some = [part for part in parts if part.counted < INFINITE and 2 < len(part.members) <= MOST_ADDED]
    if not some or words.wins:
        return ""
    part = min(some, key=lambda one: (len(one.members), one.members.tolist()))
    useful, weights = argument.useful(part.members), argument.weight[part.members].tolist()
    if useful.branches < 2 or not useful.unit:
        return ""
    if words.lost:
        return _example_of_lost(words, part, useful)
    depths, pays = least_depths(weights, useful.branches), useful.pay.tolist()
    unit = "" if useful.unit == 1 else f"{words.price(useful.unit)} \u00d7 "
    one = argument.one_by_one(part.members, part.left, useful)
    two = argument.as_tree(part.members, part.left, useful)
    sums = [
        " + ".join(
            f"{words.weight(weight)} \u00d7 {by(factor)}" if words.weighted else by(factor)
            for weight, factor in zip(weights, factors, strict=True)
        )
        for factors, by in ((pays, words.price), (depths, str))
    ]
    tree = f"{unit}({sums[1]})" if unit else sums[1]
    return (
        f"For example, of {words.named(part.members)}: first, {sums[0]} = {words.cost(one)}; second, as K is "
        f"{useful.branches} and U is {words.price(useful.unit)}, {tree} = {words.cost(two)}. So they cost at "
        f"least {words.cost(part.counted)}."
    )


def _example_of_lost(words: PricedWords, part: PricedPart, useful: Useful) -> str:
    """Return what counting says of a part of which some may be lost, with its two sums."""
    argument, n = words.argument, len(part.members)
    weights = argument.weight[part.members].tolist()
    steps = part.left // useful.unit
    told = min(n, useful.branches ** min(steps, n))
    dear = argument.each(part.left + 1, part.left)
    first = [argument.each(pay, part.left) for pay in useful.pay.tolist()]
    one, two = (by(part.members, part.left, useful) for by in (argument.one_by_one, argument.as_tree))
    some = sorted(weights)[: n - told]
    sums = [
        " + ".join(
            f"{words.weight(weight)} \u00d7 {words.each(each)}" if words.weighted else words.each(each)
            for weight, each in zip(of, factors, strict=True)
        )
        for of, factors in ((weights, first), (some, [dear] * len(some)))
    ]
    enough = f"what may be paid is enough for {words.asked(steps)}, which {'tells' if steps == 1 else 'tell'}"
    lost = f"; the others cost {sums[1]} = {words.cost(two)}" if some else ", so nobody need be lost"
    return (
        f"For example, of {words.named(part.members)}, which may still pay {words.price(part.left)}: first, "
        f"{sums[0]} = {words.cost(one)}; second, as K is {useful.branches} and U is "
        f"{words.price(useful.unit)}, {enough} {told:,} apart at most{lost}. So they cost at least "
        f"{words.cost(part.counted)}."
    )
