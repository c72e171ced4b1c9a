"""The argument of a certificate with lies in words, for a reader who knows no search."""

from __future__ import annotations

from collections.abc import Iterator

from guesstree.api.explained import LyingExplanation
from guesstree.engine.notation import capital
from guesstree.engine.proofs.lying_argument import LyingAccount, LyingGuess, LyingLemma, by_lies
from guesstree.engine.search.lying import LieState
from guesstree.engine.support import lies_text
from guesstree.trees.export.heading import called
from guesstree.trees.export.paper.blocks import Block, Grid, Heading, Paragraph

from .argued import Names, kinds_text, list_text

MOST_ROWS, MOST_TOLD = 20, 12
"""First guesses that are in the table, and guesses of a lemma that are told one by one."""


class LyingWords(Names):
    """The words of an explanation with lies."""

    def __init__(self, found: LyingExplanation) -> None:
        super().__init__(found)
        self.found, self.argument, self.lies = found, found.argument, found.lies

    def left(self, state: LieState) -> str:
        """Return what is left, by the lies that may still be told."""
        said = []
        for lies, some in by_lies(state):
            names = self.named(some)
            said.append(f"with {lies_left(lies)} {f'{names}' if names else self.many(len(some))}")
        return "; ".join(said)

    def sizes(self, state: LieState) -> str:
        """Return how many secrets are left, by the lies that may still be told."""
        return ", ".join(f"{len(some):,} with {lies_left(lies)}" for lies, some in by_lies(state))


def lies_left(lies: int) -> str:
    """Return so many lies."""
    return "no lie" if lies == 0 else f"{lies} lie{'s' * (lies > 1)}"


def lying_title(words: LyingWords) -> str:
    """Return what is proved, with the game."""
    within = words.found.within or 0
    first = "" if words.problem.first is None else f" after {words.name(words.problem.first)}"
    enough = f"{words.asked(within)} {'is' if within == 1 else 'are'} not enough"
    return f"{called(words.game)}, {lies_text(words.lies)}: {enough}{first}"


def lying_blocks(words: LyingWords) -> Iterator[Block]:
    """Yield the whole argument."""
    yield from _claim(words)
    yield from _idea(words)
    yield from _volume(words)
    whole = words.found.whole
    if whole.guesses:
        yield from _first_guesses(words, whole)
        yield from _lemmas(words)
    yield Paragraph(_end(words, whole), "Conclusion.")


def _claim(words: LyingWords) -> Iterator[Block]:
    yield Heading("What is claimed")
    may = "1 response may" if words.lies == 1 else f"Up to {words.lies} {words.answer}s may"
    may = may.replace("response", words.answer)
    win = f" That a {words.guess} is right is always said truly, and never falsely." if words.wins else ""
    done = "found" if words.wins else "known for certain"
    yield Paragraph(
        f"One of {words.many(words.problem.secrets)} is to be {done}. {may} be false: one that the "
        f"{words.guess} gets from another {words.secret}.{win}"
    )
    first = "" if words.problem.first is None else f" that begins with {words.name(words.problem.first)}"
    within = words.asked(words.found.within or 0)
    text = f"No strategy{first} is sure to be done within {within}: some {words.answer}s keep it going."
    if words.found.optimal and words.found.known is not None:
        most = words.asked(words.found.known[1])
        text += f" {words.best} takes {most} at most, so this is the least."
    yield Paragraph(text)


def _idea(words: LyingWords) -> Iterator[Block]:
    yield Heading("How it is shown")
    left = (words.found.within or 1) - 1
    first = words.problem.first
    each = f"every first {words.guess}" if first is None else words.name(first)
    yield Paragraph(
        f"After each {words.answer}, every {words.secret} of which it would be true stays, with as many lies "
        "as before; each other one stays with one lie less, if it had one. So what is known is which "
        f"{words.secrets} are left, and how many lies each has left. Of each {words.guess} it is enough to "
        f"find one {words.answer} after which the {words.guesses} that follow are too few: whoever answers "
        f"may give it. At first that is {left:,} more, and it will be shown of {each}."
    )


# -- volume ------------------------------------------------------------------------------------------------


def _volume(words: LyingWords) -> Iterator[Block]:
    yield Heading("Counting")
    k, right = words.argument.branches, ", besides that it is right" * words.wins
    first, power = ("the first d - 1 of them", "K^(d - 1)") if words.wins else ("them", "K^d")
    yield Paragraph(
        f"No {words.guess} gets more than {k} different {words.answer}s{right}. Suppose that d more "
        f"{words.guesses} are to be enough. The {words.answer}s to {first} are one of K \u00d7 K \u00d7 ... "
        f"= {power} sequences, K = {k}. A {words.secret} fits several of these: those with no more false "
        f"{words.answer}s than it has lies left. How many it fits at least is its volume, and all volumes "
        "add up to the volume of what is left."
    )
    if words.wins:
        yield Paragraph(
            f"Each {words.secret} has to be asked in all sequences that it fits. With d {words.guesses} at "
            f"most this much of the volume can be found: by the first {words.guess} that of one "
            f"{words.secret}, and after each of K {words.answer}s what d - 1 {words.guesses} can find. If "
            f"there is more, d {words.guesses} are not enough."
        )
    else:
        yield Paragraph(
            f"In the end each sequence may fit one {words.secret} alone. So if the volume of what is left is "
            f"more than K^d, d {words.guesses} are not enough."
        )
    yield _volumes(words)


def _volumes(words: LyingWords) -> Grid:
    """Return volumes of one secret, and how much so many guesses settle."""
    counting, lies = words.argument.counting, range(words.lies + 1)
    rows = []
    for depth in range((words.found.within or 0) + 1):
        rooms = [counting.most_volume(depth, left) for left in (lies if words.wins else [0])]
        volumes = counting.volume(depth)[1:].tolist()
        rows.append([f"{n:,}" for n in (depth, *volumes, *rooms)])
    head = [f"{words.guesses} left", *(f"volume with {lies_left(left)}" for left in lies)]
    if not words.wins:
        return Grid([*head, "can be settled"], rows)
    return Grid([*head, *(f"found with {lies_left(left)}" for left in lies)], rows)


# -- guesses -----------------------------------------------------------------------------------------------


def _first_guesses(words: LyingWords, whole: LyingAccount) -> Iterator[Block]:
    yield Heading(f"The first {words.guess}")
    if words.problem.first is None:
        alike = len(whole.guesses) < whole.allowed - whole.useless
        why = (
            "Some can be renamed into each other, and leave the same but for names; there are "
            f"{kinds_text(len(whole.guesses))}, and one of each is enough. "
        ) * alike
        yield Paragraph(f"There are {words.asked(whole.allowed)}. {why}{_tally(whole)}")
    several = any(guess.equal > 1 for guess in whole.guesses)
    rows = []
    for guess in whole.guesses[:MOST_ROWS]:
        like = [f"{guess.equal:,}"] * several
        numbers = [f"{guess.volume:,}", f"{guess.room:,}"]
        rows.append(
            [
                words.name(guess.guess),
                *like,
                words.said(guess.response),
                words.sizes(guess.state),
                *numbers,
                _why(guess),
            ]
        )
    head = [f"first {words.guess}", *["like it"] * several, words.answer, f"{words.secrets} left"]
    if len(whole.guesses) > MOST_ROWS:
        dots = f"... and {len(whole.guesses) - MOST_ROWS:,} more"
        rows.append([dots, *[""] * (len(head) + 2)])
    yield Grid([*head, "volume", "at most", "why"], rows, [2 + several])
    if any(guess.why != "volume" for guess in whole.guesses) or words.found.accounts[:-1]:
        yield Paragraph(
            f"What is left may be too much though its volume is not. It is if each {words.guess} gets again "
            f"some {words.answer} that leaves too large a volume for the {words.guesses} after it.",
            "One step ahead.",
        )


def _tally(account: LyingAccount) -> str:
    """Return how many guesses are excluded for which reason."""
    said = []
    for number, one, more in (
        (account.useless, "tells nothing", "tell nothing"),
        (account.large, "leaves too large a volume", "leave too large a volume"),
        (account.ahead, "is excluded one step ahead", "are excluded one step ahead"),
        (account.proved, "needs a lemma", "need lemmas"),
    ):
        if number:
            said.append(f"{number:,} {one if number == 1 else more}")
    return f"Of these, {list_text(said)}."


def _why(guess: LyingGuess) -> str:
    return {"volume": "volume", "ahead": "one step ahead"}.get(guess.why, f"Lemma {guess.why}")


def _lemmas(words: LyingWords) -> Iterator[Block]:
    told, every = words.found.accounts[:-1], len(words.argument.lemmas)
    if not told:
        return
    yield Heading("The lemmas")
    some = f" Of the {every:,} lemmas, {len(told):,} are shown." * (len(told) < every)
    yield Paragraph(
        f"A lemma is about what is left after some {words.answer}s. It is proved as the whole is, by a look "
        f"at every {words.guess}.{some}"
    )
    for lemma, account in sorted(told, key=lambda pair: [*map(int, pair[0].number.split("."))]):
        yield Paragraph(_lemma(words, lemma, account), f"Lemma {lemma.number}.")


def _lemma(words: LyingWords, lemma: LyingLemma, account: LyingAccount) -> str:
    """Return a lemma with its proof."""
    steps = [f"{words.name(guess)} is answered {words.said(response)}" for guess, response in lemma.path]
    depth = lemma.state.depth
    text = (
        f"If {', then '.join(steps)}, these are left: {words.left(lemma.state)}. {words.asked(depth)} more "
        f"{'is' if depth == 1 else 'are'} not enough."
    )
    if not account.guesses:
        return f"{text} The volume is {account.volume:,}, and {account.room:,} at most can be settled."
    text += f" There are {words.asked(account.allowed)}. {_tally(account)}"
    if len(account.guesses) > MOST_TOLD:
        return text
    return f"{text} {capital('; '.join(_told(words, guess) for guess in account.guesses))}."


def _told(words: LyingWords, guess: LyingGuess) -> str:
    """Return which response to a guess leaves too much, and why."""
    why = f"a volume of {guess.volume:,}, at most {guess.room:,}" if guess.why == "volume" else _why(guess)
    like = f" and {guess.equal - 1:,} like it" * (guess.equal > 1)
    return f"{words.name(guess.guess)}{like}, answered {words.said(guess.response)}: {why}"


def _end(words: LyingWords, whole: LyingAccount) -> str:
    within, first = words.found.within or 0, words.problem.first
    enough = f"{words.asked(within)} {'is' if within == 1 else 'are'} not enough"
    if not whole.guesses:
        return (
            f"The volume of all {words.secrets} is {whole.volume:,}, more than {whole.room:,}; so {enough}."
        )
    which = f"every first {words.guess}" if first is None else f"{words.name(first)} first"
    return f"So {which} may get some {words.answer} that leaves too much, and {enough}."
