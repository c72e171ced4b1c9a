"""The lemmas of an argument in words, each with its proof."""

from __future__ import annotations

from collections.abc import Iterator

from guesstree.engine.notation import capital
from guesstree.engine.proofs.argument import INFINITE, Account, Lemma, ShownGuess
from guesstree.engine.state import Ints
from guesstree.trees.export.paper.blocks import Block, Grid, Heading, Paragraph

from .argued import Words, kinds_text, list_text, sum_text

MOST_GAINS = 4
"""Parts of a guess of which it is said what they cost."""
MOST_MOVED = 12
"""Secrets of which it is said where a renaming takes them."""


def lemma_blocks(words: Words) -> Iterator[Block]:
    """Yield the small sets and the lemmas that are explained."""
    argument = words.found.argument
    small = [pair for pair in words.found.accounts if pair[0].small]
    others = sorted(words.told_lemmas, key=lambda pair: _place(pair[0]))
    if small:
        yield Heading("Small sets")
        text = (
            f"None of these sets can be settled by so few {words.guesses}, and so no part that holds one "
            "of them."
        )
        yield Paragraph(text + _shown(len(small), len(argument.small), "sets"))
        rows = [
            [one.number, words.named(one.members), str(one.depth), _why(words, one, account)]
            for one, account in small
        ]
        yield Grid(["set", words.secrets, words.guesses, "why"], rows, [1, 3])
    if others:
        yield Heading("The lemmas")
        yield Paragraph(
            f"A lemma is about the {words.secrets} that are left after some {words.guesses}. It is proved "
            f"as the whole is, by a look at every {words.guess}; what is not shown here, a computer has "
            f"looked at in the same way.{_shown(len(others), len(argument.lemmas), 'lemmas')}"
        )
        for lemma, account in others:
            yield Paragraph(_lemma(words, lemma, account), f"Lemma {lemma.number}.")


def _shown(some: int, every: int, what: str) -> str:
    if some == every:
        return ""
    return f" Of the {every:,} {what}, {some:,} {'is' if some == 1 else 'are'} shown (--lemmas N shows more)."


def _place(lemma: Lemma) -> list[int]:
    """Return where a lemma stands in the certificate; those inside small sets stand first."""
    first, *more = lemma.number.split(".")
    return [-1 if first.startswith("S") else 0, *map(int, (first.lstrip("S"), *more))]


def _lemma(words: Words, lemma: Lemma, account: Account) -> str:
    """Return a lemma with its proof."""
    n, names = len(lemma.members), words.named(lemma.members)
    steps = [f"{words.name(guess)} is answered {words.said(response)}" for guess, response in lemma.path]
    these = "these " * bool(names and n > 1)
    those = f" of the set {lemma.number.partition('.')[0]}" * lemma.number.startswith("S")
    text = f"If {', then '.join(steps)}, {these}{words.many(n)}{those} {'is' if n == 1 else 'are'} left"
    text += f": {names}." if names else "."
    they = "It" if n == 1 else "They"
    if lemma.bound >= INFINITE:
        text += f" {they} cannot be settled within {words.asked(lemma.depth)}."
    else:
        text += f" {they} cost{'s' * (n == 1)} at least {lemma.bound:,}."
    return f"{text} {_why(words, lemma, account)}"


def _why(words: Words, lemma: Lemma, account: Account) -> str:
    """Return why a lemma is true, guess by guess, or which one it renames."""
    if lemma.image is not None:
        return _image(words, lemma, *lemma.image)
    divided = _divided(words, lemma, account)
    if account.whole >= lemma.bound:
        return divided if account.most < words.found.whole.most else "Counting alone says so."
    kinds = account.kinds["allowed"]
    alike = f", of {kinds_text(kinds)} by renamings that keep the set" if kinds < account.allowed else ""
    text = f"{divided} There are {words.asked(account.allowed)}{alike}. {words.tally(lemma, account)}"
    shown = [g for g in account.guesses if any(p.lemma for p in g.parts)] or account.guesses
    if shown and lemma.bound < INFINITE:
        text += f" {_example(words, lemma, min(shown, key=lambda guess: guess.known))}"
    return text.strip()


def _image(words: Words, lemma: Lemma, proved: Lemma, to: Ints) -> str:
    """Return which lemma another one renames, with where its secrets go."""
    game, those = words.found.game, f"{'set' if proved.small else 'Lemma'} {proved.number}"
    moved = zip(lemma.members[:MOST_MOVED].tolist(), to[:MOST_MOVED].tolist(), strict=True)
    told = [f"{game.secrets[s]} to {game.secrets[t]}" for s, t in moved]
    told += ["and so on"] * (len(to) > MOST_MOVED)
    return f"A renaming takes them to those of {those}, which cost as much: {', '.join(told)}."


def _divided(words: Words, lemma: Lemma, account: Account) -> str:
    """Return into how many parts a set is divided at most, and L by that, if it is another one."""
    if account.most >= words.found.whole.most:
        return ""
    counted = f", a right {words.guess} counted" if words.wins else ""
    text = f"No {words.guess} divides them into more than {account.most} parts{counted}"
    if lemma.bound >= INFINITE:
        return f"{text}, which are too few." if account.whole >= lemma.bound else f"{text}."
    if account.whole >= lemma.bound:
        n = len(lemma.members)
        if account.counts[n] == account.whole:
            return f"{text}; so here {words.described(account, n)}"
        return f"{text}, so that L({n}) is {account.whole:,} here."
    largest = max((len(part.members) for guess in account.guesses for part in guess.parts), default=1)
    return f"{text}; so here {words.described(account, largest)}"


def _example(words: Words, lemma: Lemma, guess: ShownGuess) -> str:
    """Return what a guess costs that comes near, as a sum."""
    total = sum_text(len(lemma.members), [part.known for part in guess.parts])
    gains = [part for part in guess.parts if part.known > part.counted]
    told = [
        f"{part.known} instead of {part.counted} for the part of {len(part.members)}"
        + (f" (Lemma {part.lemma})" if part.lemma else " (one step ahead)")
        for part in gains[:MOST_GAINS]
    ] + ["so on"] * (len(gains) > MOST_GAINS)
    extra = f", with {list_text(told)}" if told else ""
    return f"{capital(words.name(guess.guess))}, for example, costs at least {total}{extra}."
