"""The argument of a certificate with costs or weights in words, for a reader who knows no search."""

from __future__ import annotations

from collections.abc import Iterator

from guesstree.engine.notation import capital
from guesstree.engine.proofs.priced_argument import (
    INFINITE,
    NO_GUESS,
    PricedAccount,
    PricedGuess,
    PricedLemma,
    PricedLook,
    PricedPart,
)
from guesstree.trees.export.paper.blocks import Block, Grid, Heading, Paragraph

from .argued import list_text
from .priced_claim import claim_blocks, idea_blocks
from .priced_counting import counting_blocks
from .priced_words import PricedWords

MOST_ROWS, MOST_TOLD = 20, 12
"""First guesses that are in the table of all, and that are told part by part."""
MOST_SUMS = 12
"""Guesses of a lemma of which each sum is written down."""


def priced_blocks(words: PricedWords) -> Iterator[Block]:
    """Yield the whole argument."""
    yield from claim_blocks(words)
    yield from idea_blocks(words)
    whole, root = words.found.whole, words.argument.root
    yield from counting_blocks(words)
    if whole.guesses:
        yield from _first_guesses(words)
        yield from _lemmas(words)
    yield Paragraph(_end(words, whole.counted >= root.bound), "Conclusion.")


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
    two, paid = len(words.lost) > 1, "lost by it" if not words.argument.rate else "paid for it"
    rows = []
    for guess in whole.guesses[:MOST_ROWS]:
        sums = [words.bound(guess.counted)]
        sums += [words.bound(guess.ahead) if guess.counted < target else ""] * ahead
        sums += [words.bound(guess.known) if guess.ahead < target else ""] * lemmas
        sizes = " ".join(str(len(part.members)) for part in guess.parts)
        like = [f"{guess.equal:,}"] * several
        if two:
            sums.append(words.digits(max(guess.counted, guess.ahead, guess.known)))
        rows.append([words.name(guess.guess), *like, words.cost(guess.paid), sizes or "none", *sums])
    names = [
        f"first {words.guess}",
        *["like it"] * several,
        "paid or lost" if two else paid,
        "parts of two or more",
        "counting",
    ]
    names += ["one step ahead"] * ahead + ["with lemmas"] * lemmas + ["that is"] * two
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
    text += _lost_at_once(words, guess)
    if not guess.parts:
        return f"{text} Nothing has to be asked after it."
    for part in guess.parts:
        text += f" {_part(words, guess, part)}"
    return text


def _lost_at_once(words: PricedWords, guess: PricedGuess) -> str:
    """Return how many secrets are lost by a first guess; empty: none, or none may be."""
    if not words.lost or guess.guess == NO_GUESS:
        return ""
    lost = int((words.argument.price[guess.guess] > (words.found.within or 0)).sum())
    if lost == words.problem.secrets:
        return f" All {words.secrets} are lost by it."
    return f" {words.many(lost)} {'is' if lost == 1 else 'are'} lost by it." if lost else ""


def _part(words: PricedWords, guess: PricedGuess, part: PricedPart) -> str:
    """Return what a part costs, and why."""
    names = words.named(part.members)
    after = f" after the {words.answer} {_answer(words, guess.guess, int(part.members[0]))}"
    which = (
        f"{words.many(len(part.members))} are left{after * (guess.guess != NO_GUESS)}"
        + f" ({names})" * bool(names and not part.lemma)
        + f" and may still pay {words.price(part.left)}" * bool(words.lost)
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
        text = f"So counting alone shows that no strategy costs less than {words.cost(found.bound)}"
        return f"{text}{_lost_end(words)}."
    return f"So {which} costs at least {words.cost(found.bound)}{_lost_end(words)}, which was to be shown."


def _lost_end(words: PricedWords) -> str:
    """Return what a cost says of what is lost, and paid."""
    if not words.lost:
        return ""
    lost, *paid = words.lost
    loss = f"{words.loss(lost) if lost else 'nothing'} lost"
    return f", that is {loss}" + "".join(f" and {words.cost(more)} paid" for more in paid)
