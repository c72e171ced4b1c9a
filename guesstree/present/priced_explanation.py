"""The argument of a certificate with costs or weights in words, for a reader who knows no search."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

import numpy as np

from guesstree.api.explanation import PricedExplanation
from guesstree.engine.exact import rounded_text
from guesstree.engine.notation import capital
from guesstree.engine.proofs.priced_argument import (
    INFINITE,
    NO_GUESS,
    PricedAccount,
    PricedGuess,
    PricedLemma,
    PricedLook,
    PricedPart,
    least_depths,
)
from guesstree.trees.export.heading import called
from guesstree.trees.export.paper.blocks import Block, Grid, Heading, Paragraph

from .argued import Names, list_text

MOST_ROWS, MOST_TOLD = 20, 12
"""First guesses that are in the table of all, and that are told part by part."""
MOST_ADDED = 5
"""Secrets of a part of which it is said as an example what counting says."""
MOST_SUMS = 12
"""Guesses of a lemma of which each sum is written down."""


class PricedWords(Names):
    """The words of an explanation in costs."""

    def __init__(self, found: PricedExplanation) -> None:
        super().__init__(found)
        self.found, self.argument = found, found.argument
        self.only, self.free = found.argument.only, found.argument.free

    def name(self, guess: int) -> str:
        """Return a guess, or what costs nothing."""
        return f"what costs nothing, of the {self.guesses}," if guess == NO_GUESS else super().name(guess)

    def added(self, paid: int, parts: Sequence[int]) -> str:
        """Return a sum with its terms: what is paid, then what parts cost; what costs nothing is left out."""
        if paid + sum(parts) >= INFINITE:
            return "more than may be paid"
        terms = [self.cost(paid), *(self.cost(part) for part in parts if part)]
        return " + ".join(terms) + (f" = {self.cost(paid + sum(parts))}" if len(terms) > 1 else "")

    def bound(self, value: int) -> str:
        """Return what something costs at least."""
        return "none" if value >= INFINITE else self.cost(value)


def priced_title(words: PricedWords) -> str:
    """Return what is proved, with the game."""
    found = words.found
    first = "" if words.problem.first is None else f" after {words.name(words.problem.first)}"
    name = called(words.game)
    if found.bound is None:
        return f"{name}: {words.price(found.within or 0)} for each {words.secret} is not enough{first}"
    within = "" if found.within is None else f", {words.price(found.within)} at most for each {words.secret}"
    return f"{name}: a cost of at least {words.cost(found.bound)} in all{within}{first}"


def priced_blocks(words: PricedWords) -> Iterator[Block]:
    """Yield the whole argument."""
    yield from _claim(words)
    yield from _idea(words)
    whole, root = words.found.whole, words.argument.root
    yield from _counting(words)
    if whole.guesses:
        yield from _first_guesses(words)
        yield from _lemmas(words)
    yield Paragraph(_end(words, whole.counted >= root.bound), "Conclusion.")


# -- the claim ---------------------------------------------------------------------------------------------


def _claim(words: PricedWords) -> Iterator[Block]:
    yield Heading("What is claimed")
    goal = f"until one is the {words.secret}" if words.wins else f"until only one {words.secret} is left"
    done = "found" if words.wins else "known"
    only = (
        f" Here it may ask only a {words.guess} that may still be the {words.secret}: one that is right for "
        f"some {words.secret} that is left."
    ) * words.only
    yield Paragraph(
        f"One of {words.many(words.problem.secrets)} is to be {done}. A strategy says which {words.guess} "
        f"comes first, and after each {words.answer} which {words.guess} comes next, {goal}.{only} The "
        f"{words.secret} pays for each {words.guess} that is asked until then. These are the prices:"
    )
    yield _prices(words)
    if words.weighted and not words.infinite:
        yield Paragraph(f"The {words.secrets} have weights, as some are more frequent than others:")
        weights = [
            [words.named(np.array([s])), words.weight(int(weight))]
            for s, weight in enumerate(words.problem.weights)
        ]
        yield Grid([words.secret, "weight"], weights, [0])
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
            text += f" {_which(words)} takes {words.price(found.known[1])} at most, so this is the least."
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
        text += f" {_which(words)} costs {words.cost(found.bound)}, so this is the least."
    return text


def _which(words: PricedWords) -> str:
    return "A strategy is known that" if words.found.strategy is None else "The strategy below"


def _idea(words: PricedWords) -> Iterator[Block]:
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
        f"{nothing}.{free} It is enough to know at least what each part costs, and to add up: for {each} "
        f"this will be at least {words.bound(words.argument.root.bound)}."
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


# -- counting ----------------------------------------------------------------------------------------------


def _counting(words: PricedWords) -> Iterator[Block]:
    yield Heading("Counting")
    by = ", times its weight" * words.weighted
    which = f"{words.guesses} that tell some of its {words.secrets} apart are worth asking in it"
    if words.only:
        which = f"{words.guesses} that may be one of its {words.secrets} may be asked in it, and later"
    yield Paragraph(
        f"Of a part with two {words.secrets} or more, some things are sure, whatever the strategy is. Only "
        f"{which}; these are meant here."
    )
    each = f"Each {words.secret} of the part meets one of them, and pays at least for the cheapest"
    if words.wins:
        each = (
            f"Each {words.secret} of the part pays for the {words.guess} that finds it, and all but one for "
            "another before that, at least for the cheapest"
        )
    limit = " If that is more than one of them may still pay, the part fails." * (
        words.found.within is not None
    )
    yield Paragraph(f"{each}{'.' if words.infinite else f'{by}. Add this up.'}{limit}", "First.")
    text = (
        f"Let K be the most {words.answer}s that one of them gets, and U the least that one costs. Then one "
        f"{words.guess} tells K {words.secrets} apart at most, two K \u00d7 K, and so on; and whoever meets "
        f"d {words.guesses} pays d \u00d7 U at least."
    )
    if words.wins:
        text = (
            f"Let K be the most {words.answer}s that one of them gets beside the one that says that it is "
            f"right, and U the least that one costs. Then the first {words.guess} finds 1 {words.secret} at "
            f"most, the second ones K, the third ones K \u00d7 K, and so on; and whoever is found by the "
            f"d-th pays d \u00d7 U at least."
        )
    if limit:
        tell = "find all" if words.wins else "tell all apart"
        text += f" If by this so few {words.guesses} can be paid that they do not {tell}, the part fails."
    if not words.infinite:
        best = f"the {words.secrets} that weigh most meet fewest" if words.weighted else "most meet few"
        text += f" At best {best}. Add this up, too{by}."
    yield Paragraph(text, "Second.")
    if words.free:
        yield Paragraph(
            f"Follow those who pay for each {words.guess} that they meet. Each {words.guess} spares those "
            f"of the part that it costs nothing, and then one {words.answer} at most has a price. At best "
            f"the {words.guesses} that spare most come first. Whoever is left after each pays at least the "
            f"least price above 0{by}, until one is left{'.' if words.infinite else '; add this up.'}",
            "Third.",
        )
    if not words.infinite:
        largest = (
            f"The largest of these sums is what counting says of the part. {_example_of_counting(words)}"
        )
        yield Paragraph(largest.strip())


def _example_of_counting(words: PricedWords) -> str:
    """Return what counting says of a small part of some first guess, with its two sums; empty: of none."""
    argument, parts = words.argument, [p for guess in words.found.whole.guesses for p in guess.parts]
    some = [part for part in parts if part.counted < INFINITE and 2 < len(part.members) <= MOST_ADDED]
    if not some or words.wins:
        return ""
    part = min(some, key=lambda one: (len(one.members), one.members.tolist()))
    useful, weights = argument.useful(part.members), argument.weight[part.members].tolist()
    if useful.branches < 2 or not useful.unit:
        return ""
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


# -- first guesses -----------------------------------------------------------------------------------------


def _first_guesses(words: PricedWords) -> Iterator[Block]:
    whole, target = words.found.whole, words.argument.root.bound
    yield Heading(f"The first {words.guess}")
    if words.problem.first is None:
        yield Paragraph(_tally(words, whole, target))
    if words.infinite:
        yield from _failing(words)
        return
    ahead = any(guess.counted < target for guess in whole.guesses)
    lemmas = any(guess.ahead < target for guess in whole.guesses)
    several = any(guess.equal > 1 for guess in whole.guesses)
    rows = []
    for guess in whole.guesses[:MOST_ROWS]:
        sums = [words.bound(guess.counted)]
        sums += [words.bound(guess.ahead) if guess.counted < target else ""] * ahead
        sums += [words.bound(guess.known) if guess.ahead < target else ""] * lemmas
        sizes = " ".join(str(len(part.members)) for part in guess.parts)
        like = [f"{guess.equal:,}"] * several
        rows.append([words.name(guess.guess), *like, words.cost(guess.paid), sizes or "none", *sums])
    names = [
        f"first {words.guess}",
        *["like it"] * several,
        "paid for it",
        "parts of two or more",
        "counting",
    ]
    names += ["one step ahead"] * ahead + ["with lemmas"] * lemmas
    if len(whole.guesses) > MOST_ROWS:
        rows.append([f"... and {len(whole.guesses) - MOST_ROWS:,} more", *[""] * (len(names) - 1)])
    yield Grid(names, rows, [0, 2 + several])
    if ahead:
        yield Paragraph(
            f"What counting says of a part can be too little. More is known when every {words.guess} is "
            "tried on the part once: what is paid for it, plus what counting says of what it leaves. The "
            "least of these sums bounds the part.",
            "One step ahead.",
        )
    for guess in whole.guesses[:MOST_TOLD]:
        yield Paragraph(_told(words, guess), f"{words.name(guess.guess)} first.")
    if len(whole.guesses) > MOST_TOLD:
        yield Paragraph(f"The {len(whole.guesses) - MOST_TOLD:,} others go the same way.")


def _failing(words: PricedWords) -> Iterator[Block]:
    """Yield of first guesses the part for which each fails, and why."""
    rows = []
    for guess in words.found.whole.guesses[:MOST_ROWS]:
        part = _fails(guess)
        if part is None:
            rows.append([words.name(guess.guess), "", "", "too dear by itself"])
            continue
        names = words.named(part.members) or words.many(len(part.members))
        after = _answer(words, guess.guess, int(part.members[0]))
        rows.append([words.name(guess.guess), f"{after}: {names}", words.price(part.left), _why(part)])
    if len(words.found.whole.guesses) > MOST_ROWS:
        rows.append([f"... and {len(words.found.whole.guesses) - MOST_ROWS:,} more", "", "", ""])
    yield Grid([f"first {words.guess}", "fails for the part", "may still pay", "why"], rows, [0, 1])
    yield Paragraph(
        f"A part fails, too, if every {words.guess} leaves again a part that fails by counting, or costs "
        f"some {words.secret} more than it may still pay.",
        "One step ahead.",
    )


def _fails(guess: PricedGuess) -> PricedPart | None:
    """Return the part for which a guess fails; None: the guess itself costs more than may be paid."""
    return next((part for part in guess.parts if part.known >= INFINITE), None)


def _why(part: PricedPart) -> str:
    """Return by what a part fails."""
    if part.lemma:
        return f"Lemma {part.lemma}"
    return "counting" if part.counted >= INFINITE else "one step ahead"


def _tally(words: PricedWords, account: PricedAccount, target: int) -> str:
    """Return how many guesses are excluded by what."""
    groups = {"by counting": 0, "one step ahead": 0, "by lemmas": 0}
    for guess in account.guesses:
        how = (
            "by counting"
            if guess.counted >= target
            else "one step ahead"
            if guess.ahead >= target
            else "by lemmas"
        )
        groups[how] += guess.equal
    said = [f"{number:,} {how}" for how, number in groups.items() if number]
    tells = "may not be asked" if words.only else f"tell{'s' * (account.useless == 1)} nothing"
    useless = f", of which {account.useless:,} {tells}" * bool(account.useless)
    every = len(words.argument.table)
    there = f"There {'is' if every == 1 else 'are'} {words.asked(every)}{useless}."
    return f"{there} Excluded are {list_text(said)}."


def _told(words: PricedWords, guess: PricedGuess) -> str:
    """Return what a guess costs, part by part."""
    known = [part.known for part in guess.parts]
    least = "" if guess.known >= INFINITE else "at least "
    text = f"It costs {least}{words.added(guess.paid, known)}."
    if not guess.parts:
        return f"{text} Nothing has to be asked after it."
    for part in guess.parts:
        text += f" {_part(words, guess, part)}"
    return text


def _part(words: PricedWords, guess: PricedGuess, part: PricedPart) -> str:
    """Return what a part costs, and why."""
    names = words.named(part.members)
    after = f" after the {words.answer} {_answer(words, guess.guess, int(part.members[0]))}"
    which = (
        f"{words.many(len(part.members))} are left{after * (guess.guess != NO_GUESS)}"
        + f" ({names})" * bool(names and not part.lemma)
    )
    least, counted = words.bound(part.known), words.bound(part.counted)
    if part.known >= INFINITE:
        by = "by " * bool(part.lemma or part.counted >= INFINITE)
        why = f"what each may still pay, {words.price(part.left)}, is not enough, {by}{_why(part)}"
    elif part.known == part.counted:
        why = f"they cost at least {least}, by counting"
    elif part.lemma:
        why = f"they cost not {counted} but at least {least}, by Lemma {part.lemma}"
    else:
        assert part.look is not None
        best = f"the best {words.guess} to ask next is {_look(words, part.look)}"
        why = f"they cost not {counted} but at least {least}: {best}"
    return f"{capital(which)}; {why}."


def _answer(words: PricedWords, guess: int, secret: int) -> str:
    if guess == NO_GUESS:
        return "free"
    told = words.problem.told(guess, int(words.argument.table[guess, secret]))
    return words.said(told)


def _look(words: PricedWords, look: PricedLook) -> str:
    return f"{words.name(look.guess)}: {words.added(look.paid, look.parts)}"


# -- lemmas ------------------------------------------------------------------------------------------------


def _lemmas(words: PricedWords) -> Iterator[Block]:
    told = words.found.accounts[:-1]
    if not told:
        return
    added = sum(lemma.number.isalpha() for lemma, _ in told)
    some = _shown(len(told) - added, len(words.argument.lemmas), "numbers")
    some += _shown(added, words.argument.added, "letters")
    which = "may be asked of them" if words.only else "tells them apart"
    yield Heading("The lemmas")
    yield Paragraph(
        f"A lemma is about the {words.secrets} that are left after some {words.guesses}. It is proved as the "
        f"whole is, by a look at every {words.guess} that {which}.{some}"
    )
    for lemma, account in sorted(told, key=lambda pair: _place(pair[0])):
        yield Paragraph(_lemma(words, lemma, account), f"Lemma {lemma.number}.")


def _shown(some: int, every: int, names: str) -> str:
    return f" Of the {every:,} lemmas with {names}, {some:,} are shown." * (some < every)


def _place(lemma: PricedLemma) -> tuple[list[int], int, str]:
    """Return where a lemma stands: those of the certificate by their numbers, then those with letters."""
    if lemma.number.isalpha():
        return [10**9], len(lemma.number), lemma.number
    return [*map(int, lemma.number.split("."))], 0, ""


def _lemma(words: PricedWords, lemma: PricedLemma, account: PricedAccount) -> str:
    """Return a lemma with its proof."""
    names, steps = words.named(lemma.members), []
    for guess, secret in lemma.path:
        if guess != NO_GUESS:
            told = words.problem.told(guess, int(words.argument.table[guess, secret]))
            steps.append(f"{words.name(guess)} is answered {words.said(told)}")
    what = f"{'these ' * bool(names)}{words.many(len(lemma.members))} are left"
    text = f"If {', then '.join(steps)}, {what}" if steps else f"Suppose that {what}"
    text += f": {names}." if names else "."
    if lemma.bound >= INFINITE:
        text += f" If each may still pay {words.price(lemma.left)}, that is not enough."
    elif lemma.left < INFINITE:
        text += (
            f" If each may still pay {words.price(lemma.left)}, they cost at least {words.cost(lemma.bound)}."
        )
    else:
        text += f" They cost at least {words.cost(lemma.bound)}."
    if not account.guesses:
        return f"{text} Counting alone says so."
    if len(account.guesses) > MOST_SUMS:
        text += f" {_tally(words, account, lemma.bound)} The nearest is {_sum(words, account.guesses[0])}."
        return text
    sums = [_sum(words, guess) for guess in account.guesses]
    which = "Every sum is enough" if lemma.bound < INFINITE else f"Every {words.guess} fails"
    return f"{text} {which}: {'; '.join(sums)}."


def _sum(words: PricedWords, guess: PricedGuess) -> str:
    """Return what a guess costs in a lemma, with the lemmas, and the guesses that its parts rest on."""
    if guess.known >= INFINITE:
        part = _fails(guess)
        if part is None:
            return f"{words.name(guess.guess)}: too dear by itself"
        after = _answer(words, guess.guess, int(part.members[0]))
        return f"{words.name(guess.guess)}: fails for {after} ({_why(part)})"
    total = words.added(guess.paid, [part.known for part in guess.parts])
    reasons = []
    for part in guess.parts:
        if part.lemma:
            reasons.append(f"Lemma {part.lemma}")
        elif part.look is not None and part.known > part.counted:
            reasons.append(f"then {_look(words, part.look)}")
    return f"{words.name(guess.guess)}: {total}" + f" ({', '.join(reasons)})" * bool(reasons)


def _end(words: PricedWords, counted: bool) -> str:
    found, first = words.found, words.problem.first
    which = f"every first {words.guess}" if first is None else f"{words.name(first)} first"
    if found.bound is None:
        enough = f"{words.price(found.within or 0)} for each {words.secret} is not enough"
        return f"So counting alone shows that {enough}." if counted else f"So {which} fails, and {enough}."
    if counted:
        return f"So counting alone shows that no strategy costs less than {words.cost(found.bound)}."
    return f"So {which} costs at least {words.cost(found.bound)}, which was to be shown."
