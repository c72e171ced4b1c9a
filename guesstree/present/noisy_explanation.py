"""The argument of tests that may get several answers in words, for a reader who knows no search."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from guesstree.engine.notation import capital
from guesstree.engine.proofs.noisy_argument import NoisyAccount, NoisyLemma, NoisyPart, NoisyTest
from guesstree.engine.proofs.noisy_bounds import INFINITE, MOST_APART, MOST_COMPARED, Counted, NoisyLook
from guesstree.trees.export.paper.blocks import Block, Grid, Heading, Paragraph

from .argued import list_text
from .noisy_claim import claim_blocks, idea_blocks, least_text
from .noisy_words import MOST_LEFT, NoisyWords

MOST_ROWS, MOST_TOLD = 20, 12
"""First tests that are in the table of all, and that are told answer by answer."""
MOST_SUMS = 12
"""Tests of a lemma of which each sum is written down."""


def noisy_blocks(words: NoisyWords) -> Iterator[Block]:
    """Yield the whole argument."""
    yield from claim_blocks(words)
    yield from idea_blocks(words)
    yield from _counting(words)
    whole = words.found.whole
    if whole.tests:
        yield from _first_tests(words, whole)
    if whole.tests or whole.same:
        yield from _lemmas(words)
    if words.rounded:
        yield Paragraph("Long numbers are rounded here. They were added and compared exactly.", "Rounding.")
    yield Paragraph(_end(words, whole), "Conclusion.")


# -- counting (N3, N4) -------------------------------------------------------------------------------------


def _counting(words: NoisyWords) -> Iterator[Block]:
    """Yield what is sure of what is left after some answers, with an example."""
    yield Heading("Counting")
    test, tests = words.guess, words.guesses
    says = f"whose {words.answer}s are not equally likely for all {words.secrets} that are left"
    if words.certain:
        says = f"that may tell {words.secrets} that are left apart"
    says += ", or that may end the path" * words.bounds.ends
    if words.worst:
        says = f"that have no {words.answer} that goes on and that all {words.secrets} left may give"
    comes_before = any(words.bounds.integers.needs) or any(words.bounds.integers.group)
    before = f", and {tests} that come before them because these have to, or open a set-up," * comes_before
    yield Paragraph(
        f"Of what is left after some {words.answer}s, some things are sure, whatever the strategy is. Either "
        f"nothing more is asked{_ending(words)}. Or a {test} is asked. Only {tests} {says}{before} are worth "
        f"asking; these are meant here."
    )
    reasons = _reasons(words)
    leads = ["First.", "Second.", "Third."]
    for lead, text in zip(leads, reasons, strict=False):
        yield Paragraph(text, lead if len(reasons) > 1 else "")
    largest = "The largest of these amounts" if len(reasons) > 1 else "This amount"
    less = ", or what is lost if nothing more is asked, where that is less," * words.decides
    yield Paragraph(f"{largest}{less} is what counting says. {_example(words)}".strip())


def _ending(words: NoisyWords) -> str:
    if words.decides:
        return ": then that is lost which the best decision loses"
    several = f", or several of which every two may get the same {words.answer} to each {words.guess}"
    return f", where one {words.secret} is left{several * words.model.cliques}: that costs nothing"


def _summed(words: NoisyWords) -> str:
    """Return how the amounts of the causes come to one."""
    return "The largest of these amounts counts." if words.worst else "Add this up, times the weights there."


def _reasons(words: NoisyWords) -> list[str]:
    """Return why something has to be paid, each with its amount."""
    pays = f"Each {words.secret} that is left pays at least for the cheapest of these"
    pays += (
        " (where a set-up has yet to be made, for one at its price with it, or later after the cheapest one "
        "that makes it)"
    ) * any(words.bounds.integers.group)
    if words.decides:
        pays += ", and loses at least what the best decision for it alone loses"
        less = f"; or it pays at least for the cheapest {words.guess} that may end its path, if that is less"
        pays += less * words.bounds.ends
    found = [f"{pays}. {_summed(words)}"]
    if words.decides or words.bounds.ends:
        return found
    if words.bounds.branches > 1:
        found.append(_as_tree(words))
    if len(words.game.secrets) > MOST_COMPARED:
        return found
    few = f" (This is counted of {words.many(MOST_APART)} at most.)"
    few *= len(words.game.secrets) > MOST_APART
    found.append(
        f"Where a {words.secret} is named, each other one that may not be named with it has been left "
        f"behind: by a {words.guess} that got from the one an {words.answer} that the other never gives. "
        f"The cheapest such {words.guess} is paid, for the other one for which that is dearest. "
        f"{_summed(words)}{few}"
    )
    return found


def _as_tree(words: NoisyWords) -> str:
    """Return how many causes so many tests tell apart."""
    k = words.bounds.branches
    text = (
        f"No {words.guess} gets more than {k} different {words.answer}s. So one {words.guess} tells {k} "
        f"{words.secrets} apart at most, two {k} \u00d7 {k}, and so on; and whoever meets d {words.guesses} "
        "pays at least d times the least that one of these costs."
    )
    if words.model.cliques:
        text += (
            f" ({capital(words.secrets)} that may get the same {words.answer} to each {words.guess}, or are "
            "joined by others of which that is so, count as one.)"
        )
    best = f" At best the {words.secrets} that weigh most meet fewest. {_summed(words)}"
    return text + best * (not words.worst)


def _example(words: NoisyWords) -> str:
    """Return as an example what counting says after an answer, or of the whole; empty: none is short."""
    whole, bounds = words.found.whole, words.bounds
    states = [(test, part) for test in whole.tests for part in test.parts]
    some = [
        (f"if {words.name(test.test)} is answered {words.said(part.answer)}, these are left", part.state)
        for test, part in states
    ]
    if not whole.tests:
        some = [(f"these are the {words.secrets} before the first {words.guess}", bounds.root)]
    few = [
        (begins, state, counted)
        for begins, state in some
        if 1 < len(state.masses) <= MOST_LEFT
        and (counted := bounds.counted(state)).bound
        and max(counted.sums) < INFINITE
    ]
    if not few:
        return ""
    begins, state, counted = max(few, key=lambda one: len({*one[2].sums}))
    sums = [_by_weights(words, counted.each, counted.sums[0])]
    if counted.depths and not counted.sums[1]:
        sums.append("0")
    elif counted.depths:
        what = _by_weights(words, counted.depths, 0)
        what = what if words.worst else f"({what})"
        sums.append(f"{words.price(counted.unit)} \u00d7 {what} = {words.cost(counted.sums[1])}")
    if counted.apart:
        sums.append(_by_weights(words, counted.apart, counted.sums[2]))
    leads = ["first, ", "second, ", "third, "] if len(sums) > 1 else [""]
    told = "Otherwise " + "; ".join(map("".join, zip(leads, sums, strict=False)))
    if counted.cheapest >= INFINITE:
        told = f"No {words.guess} is worth asking"
    return (
        f"For example, {begins}: {words.left(state)}. To ask nothing more {words.ended(counted)}. {told}. So "
        f"they cost at least {words.cost(counted.bound)}."
    )


def _by_weights(words: NoisyWords, pairs: Sequence[tuple[int, int]], total: int) -> str:
    """Return amounts times weights, added up; in the worst case the largest; 0: the total is not said."""
    if words.worst:
        amount = max((amount for _, amount in pairs), default=0)
        return words.price(amount) if total else str(amount)
    each = (lambda amount: words.price(amount)) if total else str
    terms = [f"{words.weight(mass)} \u00d7 {each(amount)}" for mass, amount in pairs if amount]
    return " + ".join(terms) + (f" = {words.cost(total)}" if total else "") if terms else "0"


# -- first tests -------------------------------------------------------------------------------------------


def _first_tests(words: NoisyWords, whole: NoisyAccount) -> Iterator[Block]:
    """Yield the first tests, and what each costs."""
    target = words.argument.root.bound
    yield Heading(f"The first {words.guess}")
    if words.problem.first is None:
        yield Paragraph(_tally(words, whole, target))
    ahead = any(test.counted < target for test in whole.tests)
    lemmas = any(test.ahead < target for test in whole.tests)
    rows = []
    for test in whole.tests[:MOST_ROWS]:
        sums = [words.cost(test.counted)]
        sums += [words.cost(test.ahead) if test.counted < target else ""] * ahead
        known = "as the checker finds" if test.checked else words.cost(test.known)
        sums += [known if test.ahead < target else ""] * lemmas
        sizes = " ".join(str(len(part.state.masses)) for part in test.parts)
        rows.append([words.name(test.test), words.cost(test.paid), sizes or "none", *sums])
    head = [f"first {words.guess}", "paid for it", f"{words.secrets} left", "counting"]
    head += ["one step ahead"] * ahead + ["with lemmas"] * lemmas
    if (more := len(whole.tests) - len(rows)) > 0:
        rows.append([f"... and {more:,} more", *[""] * (len(head) - 1)])
    yield Grid(head, rows, [0, 2])
    if ahead:
        which = (
            "the largest of what counting says of what it leaves"
            if words.worst
            else ("what counting says of what it leaves")
        )
        less = ", or what is lost if nothing more is asked, where that is less," * words.decides
        yield Paragraph(
            f"What counting says can be too little. More is known when every {words.guess} is tried once "
            f"more: what is paid for it, plus {which}. The least of these sums{less} is what is left costs "
            "at least.",
            "One step ahead.",
        )
    for test in whole.tests[:MOST_TOLD]:
        yield Paragraph(_told(words, test), f"{words.name(test.test)} first.")
    if len(whole.tests) > MOST_TOLD:
        yield Paragraph(f"The {len(whole.tests) - MOST_TOLD:,} others go the same way.")


def _tally(words: NoisyWords, account: NoisyAccount, target: int) -> str:
    """Return how many tests are excluded by what."""
    hows = ("by counting", "one step ahead", "by lemmas", "as the checker looks further ahead")
    groups = dict.fromkeys(hows, 0)
    for test in account.tests:
        if test.checked:
            how = hows[3]
        else:
            how = hows[0] if test.counted >= target else hows[1] if test.ahead >= target else hows[2]
        groups[how] += 1
    every = len(words.argument.tests)
    left_out = []
    if account.useless:
        tell = "may tell" if words.worst else f"tell{'s' * (account.useless == 1)}"
        left_out.append(f"{account.useless:,} {tell} nothing")
    if account.waiting:
        left_out.append(f"{account.waiting:,} ha{'s' if account.waiting == 1 else 've'} to wait for others")
    there = f"There {'is' if every == 1 else 'are'} {words.asked(every)}"
    there += f", of which {list_text(left_out)}" if left_out else ""
    said = [f"{number:,} {how}" for how, number in groups.items() if number]
    return f"{there}. Excluded are {list_text(said)}."


def _told(words: NoisyWords, test: NoisyTest) -> str:
    """Return what a test costs, answer by answer."""
    ends = words.bounds.integers.ending[test.test]
    ended = "".join(f" The {words.answer} {words.said(answer)} ends the path." for answer in sorted(ends))
    if test.checked:
        return (
            f"By counting it costs at least {words.cost(test.counted)}, one step ahead "
            f"{words.cost(test.ahead)}. The checker looks further ahead, and finds enough; that is too "
            f"much to be written down.{ended}"
        )
    text = f"It costs at least {words.added(test.paid, [part.known for part in test.parts])}.{ended}"
    shown = test.parts
    if words.worst:
        shown = [max(test.parts, key=lambda part: part.known)] if test.parts else []
    return text + "".join(f" {_part(words, part)}" for part in shown)


def _part(words: NoisyWords, part: NoisyPart) -> str:
    """Return what is left after an answer, what it costs, and why."""
    after = f"After the {words.answer} {words.said(part.answer)}"
    counted = words.bounds.counted(part.state)
    many = len(part.state.masses)
    text = f"{after}, {'this is' if many == 1 else 'these are'} left: {words.left(part.state)}"
    if not part.known:
        return f"{text}." if counted.ending else f"{text}; nothing more need be paid."
    it = "it costs" if many == 1 else "they cost"
    least = words.cost(part.known)
    if part.lemma:
        return f"{text}; {it} not {words.cost(part.counted)} but at least {least}, by Lemma {part.lemma}."
    if part.known == part.counted:
        by = f"to ask nothing more {words.ended(counted)}" if counted.ending == part.known else "by counting"
        return f"{text}; {it} at least {least}, {by}."
    why = f"to ask nothing more {words.ended(counted)}, and no {words.guess} is better"
    if part.look is not None:
        why = f"the best {words.guess} to ask next is {_look(words, part.look)}"
    return f"{text}; {it} not {words.cost(part.counted)} but at least {least}: {why}."


def _look(words: NoisyWords, look: NoisyLook) -> str:
    return f"{words.name(look.test)}: {words.added(look.paid, look.parts)}"


# -- lemmas ------------------------------------------------------------------------------------------------


def _lemmas(words: NoisyWords) -> Iterator[Block]:
    told, argument = words.found.accounts[:-1], words.argument
    lettered = sum(lemma.number.isalpha() for lemma, _ in told)
    if not told and not argument.added:
        return
    yield Heading("The lemmas")
    text = (
        f"A lemma is about what is left after some {words.answer}s. It is proved as the whole is, by a look "
        f"at every {words.guess} that is worth asking."
    )
    every, some = len(argument.lemmas), len(told) - lettered
    text += f" Of the {every:,} lemmas with numbers, {some:,} {_are(some)} shown." * (some < every)
    if lettered < argument.added:
        text += (
            f" Of those with letters {lettered:,} {_are(lettered)} shown; the others go the same way, by "
            "what the checker finds as it looks further ahead."
        )
    yield Paragraph(text)
    for lemma, account in sorted(told, key=lambda pair: _place(pair[0])):
        yield Paragraph(_lemma(words, lemma, account), f"Lemma {lemma.number}.")


def _are(number: int) -> str:
    return "is" if number == 1 else "are"


def _place(lemma: NoisyLemma) -> tuple[list[int], int, str]:
    """Return where a lemma stands: those of the certificate by their numbers, then those with letters."""
    if lemma.number.isalpha():
        return [10**9], len(lemma.number), lemma.number
    return [*map(int, lemma.number.split("."))], 0, ""


def _lemma(words: NoisyWords, lemma: NoisyLemma, account: NoisyAccount) -> str:
    """Return a lemma with its proof."""
    steps = [f"{words.name(test)} is answered {words.said(answer)}" for test, answer in lemma.path]
    many = len(lemma.state.masses)
    these, they = ("this is", "It costs") if many == 1 else ("these are", "They cost")
    text = f"If {', then '.join(steps)}, {these} left: {words.left(lemma.state)}."
    text += f" {they} at least {words.cost(lemma.bound)}."
    if account.same:
        return f"{text} So much says Lemma {account.same} already, as the same is left there."
    if account.counted.bound >= lemma.bound:
        return f"{text} {_by_counting(words, account.counted)}"
    text += f" To ask nothing more {words.ended(account.counted)}." * words.decides
    if not account.tests:
        return text
    if len(account.tests) > MOST_SUMS:
        return f"{text} {_tally(words, account, lemma.bound)} The nearest is {_sum(words, account.tests[0])}."
    return f"{text} Every sum is enough: {'; '.join(_sum(words, test) for test in account.tests)}."


def _by_counting(words: NoisyWords, counted: Counted) -> str:
    if words.decides and counted.bound == counted.ending:
        return f"Counting says so: to ask nothing more {words.ended(counted)}, and to ask costs no less."
    return "Counting alone says so."


def _sum(words: NoisyWords, test: NoisyTest) -> str:
    """Return what a test costs in a lemma, with the lemmas, and the tests that its parts rest on."""
    if test.checked:
        return f"{words.name(test.test)}: as the checker finds"
    reasons = []
    for part in test.parts:
        if words.worst and part.known < max(one.known for one in test.parts):
            continue
        if part.lemma:
            reasons.append(f"Lemma {part.lemma}")
        elif part.look is not None and part.known > part.counted:
            reasons.append(f"then {_look(words, part.look)}")
    total = words.added(test.paid, [part.known for part in test.parts])
    return f"{words.name(test.test)}: {total}" + f" ({', '.join(reasons)})" * bool(reasons)


def _end(words: NoisyWords, whole: NoisyAccount) -> str:
    first, bound = words.problem.first, words.argument.root.bound
    which = f"every first {words.guess}" if first is None else f"{words.name(first)} first"
    if whole.same:
        return f"After Lemma {whole.same}, the same is left as at first. So there is {least_text(words)}."
    if not whole.tests:
        return f"So counting alone shows that there is {least_text(words)}, whatever the strategy is."
    if bound >= INFINITE:
        return f"So {which} fails: {least_text(words)}, which was to be shown."
    at = " at worst" * words.worst
    return f"So {which} costs at least {words.cost(bound)}{at}, which was to be shown."
