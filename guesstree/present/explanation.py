"""The argument of a certificate in words, for a reader who knows no search: paragraphs and tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from guesstree.api.explained import (
    Explained,
    Explanation,
    KitExplanation,
    LyingExplanation,
    NoisyExplanation,
    PricedExplanation,
)
from guesstree.engine.exact import rounded_text
from guesstree.engine.notation import capital
from guesstree.engine.proofs.argument import INFINITE, Account, ShownGuess
from guesstree.trees.export.heading import called
from guesstree.trees.export.paper.blocks import Block, Grid, Heading, Paper, Paragraph
from guesstree.trees.tree import Tree

from .argued import Words, kinds_text, list_text, sum_text, terms_text
from .followed import strategy_blocks
from .kit_explanation import KitWords, kit_blocks, kit_title
from .lemmas import lemma_blocks
from .lying_explanation import LyingWords, lying_blocks, lying_title
from .lying_followed import lying_strategy_blocks
from .noisy_claim import noisy_title
from .noisy_explanation import noisy_blocks
from .noisy_followed import noisy_strategy_blocks
from .noisy_words import NoisyWords
from .priced_claim import priced_title
from .priced_explanation import priced_blocks
from .priced_words import PricedWords

NAMED_IN_ALL = 100
"""Of games with at most so many secrets, the parts of first guesses are named."""
MOST_ROWS, MOST_PARTED = 12, 6
"""First guesses that are in the table of all, and of which each part is shown."""
MOST_SIZES = 8
"""Parts of all secrets of which it is said how large they are at most."""
MOST_COUNTED = 100
"""Secrets of a game of which L is described where it settles all."""
FEW_PARTS = 3
"""So many parts of a guess are told in sentences, more in a table."""


def explanation_paper(explanations: Sequence[Explained]) -> Paper:
    """Return what is explained as a text; of a pair, the second claim follows the first."""
    told, (first, *_) = list(map(_told_by_kind, explanations)), explanations
    title, blocks = told[0]
    if first.strategy is not None:
        blocks += _strategy_blocks(first, first.strategy)
    for heading, more in told[1:]:
        blocks += [Heading(heading), *more]
    return Paper(title, blocks)


def _strategy_blocks(found: Explained, strategy: Tree) -> Iterator[Block]:
    """Return what the strategy does whose value is explained."""
    if isinstance(found, NoisyExplanation):
        return noisy_strategy_blocks(NoisyWords(found), strategy)
    if isinstance(found, LyingExplanation):
        return lying_strategy_blocks(LyingWords(found), strategy)
    return strategy_blocks(found, strategy)


def _told_by_kind(found: Explained) -> tuple[str, list[Block]]:
    """Return the title and the text of one explanation."""
    if isinstance(found, PricedExplanation):
        priced = PricedWords(found)
        return priced_title(priced), list(priced_blocks(priced))
    if isinstance(found, KitExplanation):
        kit = KitWords(found)
        return kit_title(kit), list(kit_blocks(kit))
    if isinstance(found, LyingExplanation):
        lying = LyingWords(found)
        return lying_title(lying), list(lying_blocks(lying))
    if isinstance(found, NoisyExplanation):
        noisy = NoisyWords(found)
        return noisy_title(noisy), list(noisy_blocks(noisy))
    assert isinstance(found, Explanation)
    words = Words(found)
    return _title(words), list(_blocks(words))


def _title(words: Words) -> str:
    """Return what is proved, with the game."""
    found, game = words.found, called(words.found.game)
    first = "" if found.problem.first is None else f" after {words.name(found.problem.first)}"
    if found.bound is None:
        return f"{game}: {_not_enough(words)}{first}"
    within = "" if found.within is None else f", {found.within} at most for each {words.secret}"
    return f"{game}: at least {words.asked(found.bound)} in all{within}{first}"


def _blocks(words: Words) -> Iterator[Block]:
    """Yield the whole argument."""
    yield from _claim(words)
    if words.found.problem.secrets == 1 and not words.wins:
        yield Paragraph(f"There is nothing to ask: one {words.secret} is known already.", "Conclusion.")
        return
    yield from _idea(words)
    yield from _counting(words)
    whole, root = words.found.whole, words.found.argument.root
    if whole.whole < root.bound:
        yield from _first_guesses(words)
        yield from _parts(words)
        yield from lemma_blocks(words)
    yield Paragraph(_end(words), "Conclusion.")


# -- the claim ---------------------------------------------------------------------------------------------


MEANT = {
    "black,white": "A response says how many symbols are in place, and how many others occur elsewhere",
    "bulls,cows": "A response says how many symbols are in place, and how many others occur elsewhere",
    "black pegs": "A response says how many symbols are in place",
}
"""What responses to codes mean."""


def _claim(words: Words) -> Iterator[Block]:
    yield Heading("What is claimed")
    problem, look = words.found.problem, words.found.game.look
    goal = f"until one is the {words.secret}" if words.wins else f"until only one {words.secret} is left"
    text = (
        f"One of {words.many(problem.secrets)} is the right one, and is to be {_done(words)}. "
        f"A strategy says which {words.guess} comes first, and after each {words.answer} which "
        f"{words.guess} comes next, {goal}."
    )
    if problem.candidates_only:
        text += f" Here it may ask only what can still be the {words.secret}."
    if problem.rules is not None:
        text += f" The rules of the game say what may be asked after which {words.answer}s."
    yield Paragraph(text)
    yield Paragraph(_bound(words))
    signs = []
    if look.says:
        means = MEANT.get(look.says, f"{capital(words.answer)}s are written as on the command line")
        signs.append(f"{means} ({look.says}).")
    if problem.codes is not None and not look.symbols.startswith("0"):
        signs.append("Symbols begin with 1, in certificates with 0.")
    if signs:
        yield Paragraph(" ".join(signs))


def _bound(words: Words) -> str:
    """Return what is claimed, and whether a strategy is known that does no better."""
    found, n, first = words.found, words.found.problem.secrets, words.found.problem.first
    begins = "" if first is None else f" that begins with {words.name(first)}"
    if found.bound is None:
        done = (
            f"No strategy{begins} is done with every {words.secret} within {words.asked(found.within or 0)}."
        )
        return done + _known(words)
    last = ", the last one included" * words.wins
    within = f" that takes at most {words.asked(found.within or 0)} for each {words.secret}"
    within *= found.within is not None
    average = rounded_text(Fraction(found.bound, n)) if found.bound % n else f"{found.bound // n}"
    return (
        f"For each {words.secret} a strategy takes a number of {words.guesses}{last}; its cost is what it "
        f"takes for all {words.many(n)} together. Every strategy{begins}{within} costs at least "
        f"{found.bound:,}, which is {average} on average.{_known(words)}"
    )


def _known(words: Words) -> str:
    """Return what the strategy takes that is explained, or that is known."""
    found = words.found
    if found.known is None:
        return ""
    total, worst = found.known
    in_all = found.bound is not None and (found.within is None or worst <= found.within)
    least = "so this is the least" + " of those that begin so" * (found.problem.first is not None)
    if not found.optimal:
        return f" The best strategy that is known costs {total:,}." * in_all
    if in_all:
        return f" {words.best} costs {total:,}, {least}."
    costs = f"costs {total:,} and " * (found.bound is not None)
    return f" {words.best} {costs}takes {words.asked(worst)} at most, {least}."


def _idea(words: Words) -> Iterator[Block]:
    yield Heading("How it is shown")
    n, first = words.found.problem.secrets, words.found.problem.first
    each = f"every first {words.guess}" if first is None else words.name(first)
    parts = (
        f"The {words.answer}s to it divide the {words.secrets} into parts: those with the same "
        f"{words.answer} stay together."
    )
    whole = words.found.whole
    counted = whole.whole >= words.found.argument.root.bound
    some = whole.useless or any(account.useless for _, account in words.found.accounts)
    useless = (
        f" (A {words.guess} to which all {words.secrets} that are left have the same {words.answer} tells "
        "nothing: without it, no strategy would be worse. So none is looked at.)"
    ) * bool(some and first is None and not counted)
    if words.infinite:
        left = (words.found.within or 1) - 1
        how = " at once, by counting" * counted
        yield Paragraph(
            f"Take any first {words.guess}. {parts} Then {words.asked(left)} {'is' if left == 1 else 'are'} "
            f"left for each part. If that is not enough for one of the parts, the first {words.guess} fails. "
            f"This will be shown of {each}{how}.{useless}"
        )
        return
    nothing = f"a part of one {words.secret} costs nothing more"
    if words.wins:
        nothing = f"the {words.guess} itself, where it is the {words.secret}, costs nothing more"
    yield Paragraph(
        f"Every {words.secret} takes the first {words.guess}: that is {n:,}. {parts} Then each part goes on "
        f"by itself. So a strategy costs {n:,} plus what the parts cost; {nothing}. It is enough to know at "
        f"least what each part costs, and to add up: for {each} this will be at least {words.found.bound:,}."
        + f" A {words.guess} of which so much is shown is excluded." * (first is None)
        + useless
    )


# -- counting ----------------------------------------------------------------------------------------------


def _counting(words: Words) -> Iterator[Block]:
    yield Heading("Counting")
    whole, root = words.found.whole, words.found.argument.root
    one = f", the one included that says that the {words.guess} is right" * words.wins
    different = f"{whole.most} different {words.answer}s" if whole.most > 1 else f"1 {words.answer}"
    text = f"No {words.guess} gets more than {different}{one}. "
    if words.infinite:
        yield Paragraph(text + _rooms(words))
        return
    if words.wins:
        left, all_parts = (f"{n} part{'s' * (n != 1)}" for n in (whole.most - 1, whole.most))
        text += (
            f"So, of some {words.secrets}, the first {words.guess} finds 1 at most, and leaves {left} at "
            "most; the next finds 1 at most in each of these; and so on. "
        )
        if not words.found.problem.candidates_only:
            text += (
                f"(A first {words.guess} that is none of them finds none, and leaves {all_parts} at most.) "
            )
        text += f"The least that this adds up to for n {words.secrets}, whichever they are, is L(n): "
    else:
        text += (
            f"Draw a strategy as a tree: a {words.guess}, with a branch for each {words.answer}, and at the "
            f"ends the {words.secrets}. A {words.secret} takes as many {words.guesses} as its end is deep, "
            f"and no {words.guess} has more than {whole.most} branches. So n ends cost at least L(n): n for "
            f"the first {words.guess}, and the least that at most {whole.most} parts of these n cost: "
        )
    shown = [*whole.guesses, *whole.excluded]
    largest = max((len(part.members) for guess in shown for part in guess.parts), default=1)
    if whole.whole >= root.bound:
        largest = len(root.members)
        if largest > MOST_COUNTED or whole.counts[largest] != whole.whole:
            yield Paragraph(f"{text}L({largest:,}) = {whole.whole:,}.")
            return
    yield Paragraph(text + words.described(whole, largest) + _caps(words, whole, largest))


def _rooms(words: Words) -> str:
    """Return how many secrets a number of guesses can settle."""
    argument = words.found.argument
    rooms = [argument.room(d) for d in range(1, argument.root.depth + 1)]
    if not rooms:
        return f"Without any, {'no' if words.wins else 'only one'} {words.secret} can be {_done(words)}."
    every, most, said, summed = words.found.problem.secrets, words.found.whole.most, [], False
    for d, room in enumerate(rooms[: rooms.index(every) + 1] if every in rooms else rooms, 1):
        some = f"perhaps all {room:,}" if room == every else f"at most {room:,}"
        said.append(f"with {words.asked(d)} {some}")
        won, parts = argument.filled(most, rooms[d - 2]) if d > 1 and room < every else (0, [])
        if parts and won + sum(parts) == room:
            summed, said[-1] = True, f"{said[-1]} ({'1 + ' * won}{terms_text(parts)})"
    text = f"So, of any {words.secrets}, {list_text(said)} can be {_done(words)} for certain."
    if summed:
        found = f"1 that the {words.guess} itself finds, and " * words.wins
        text += f" Added up are {found}as many of each part as can be settled with one {words.guess} less."
    sizes = argument.largest_parts(most)
    if sizes and any(room > sizes[-1] for room in rooms[:-1]):
        first = [f"{size:,}" for size in sizes[:MOST_SIZES]]
        named = f"{', '.join(first)}, ..." if len(sizes) > MOST_SIZES else list_text(first)
        text = (
            f"And the parts that one leaves of all {words.secrets} have at most {named} {words.secrets}, the "
            f"largest part first; those that it leaves of some are no larger. {text}"
        )
    if len(rooms) > 1 and rooms[-2] < every:
        text += f" A part of more than {words.many(rooms[-2])} is too large for what is left after the first."
    return text


def _caps(words: Words, account: Account, largest: int) -> str:
    """Return why L is more than the numbers of responses alone say, if it is; see L2 of LEMMAS.md."""
    n = words.found.argument.capped_from(account, largest)
    if not n:
        return ""
    return (
        f" (From L({n}) on this is a little more, because no part is larger than the largest, the second "
        f"largest, ... that a {words.guess} leaves of all {words.secrets}.)"
    )


# -- first guesses -----------------------------------------------------------------------------------------


def _first_guesses(words: Words) -> Iterator[Block]:
    whole, root = words.found.whole, words.found.argument.root
    yield Heading(f"The first {words.guess}")
    if words.found.problem.first is None:
        yield Paragraph(f"{_alike(words, whole)}{words.tally(root, whole)}")
    example = min(whole.excluded, key=lambda guess: guess.counted, default=None)
    if example is not None and not words.infinite:
        sizes = [str(len(part.members)) for part in example.parts]
        parts = f"{len(sizes)} parts, of {list_text(sizes)}" if len(sizes) > 1 else f"a part of {sizes[0]}"
        total = sum_text(len(root.members), [part.counted for part in example.parts])
        yield Paragraph(
            f"For example, {words.name(example.guess)} leaves {parts}: it costs at least {total}."
        )
    yield _table(words, [*whole.guesses, *whole.excluded][:MOST_ROWS])
    if whole.ahead or whole.proved:
        yield Paragraph(_ahead(words), "One step ahead.")


def _alike(words: Words, account: Account) -> str:
    """Return how many kinds of guesses there are, and why."""
    kinds, allowed = account.kinds["allowed"], account.allowed
    if kinds == allowed:
        return f"There are {words.asked(allowed)}. "
    why = f"Some {words.secrets} can change places, and the {words.guesses} with them"
    if words.found.argument.alike.codes is not None:
        why = f"Renaming the symbols, or moving the positions, changes no {words.answer}"
    return (
        f"{why}; so {words.guesses} that turn into one another cost the same: one of each kind is enough. "
        f"The {words.asked(allowed)} are of {kinds_text(kinds)}. "
    )


def _table(words: Words, guesses: Sequence[ShownGuess]) -> Block:
    """Return first guesses, each with its parts and what is known of it."""
    whole = words.found.whole
    several = whole.kinds["allowed"] < whole.allowed
    head, *more = _reasons(words, guesses) if words.infinite else _sums(words, guesses)
    names = [f"first {words.guess}", *(["like it"] * several), f"{words.secrets} in its parts", *head]
    rows = []
    for guess, after in zip(guesses, more, strict=True):
        sizes = " ".join(str(len(part.members)) for part in guess.parts)
        rows.append([words.name(guess.guess), *([f"{guess.equal:,}"] * several), sizes, *after])
    if (left := whole.kinds["allowed"] - len(guesses)) > 0:
        rows.append([f"... and {left:,} more", *[""] * (len(names) - 1)])
    return Grid(names, rows, [1 + several, *([len(names) - 2, len(names) - 1] * words.infinite)])


def _sums(words: Words, guesses: Sequence[ShownGuess]) -> Iterator[list[str]]:
    """Yield the heads of columns, and what first guesses cost, as far as is needed."""
    whole, target = words.found.whole, words.found.argument.root.bound
    columns = 1 + bool(whole.ahead or whole.proved) + bool(whole.proved)
    yield ["counting", "one step ahead", "with lemmas"][:columns]
    for guess in guesses:
        ahead = f"{guess.ahead:,}" * (guess.counted < target)
        known = f"{guess.known:,}" * (max(guess.counted, guess.ahead) < target)
        yield [f"{guess.counted:,}", ahead, known][:columns]


def _reasons(words: Words, guesses: Sequence[ShownGuess]) -> Iterator[list[str]]:
    """Yield the heads of columns, and of first guesses the part for which each fails, and why."""
    yield ["fails for the part", "why"]
    for guess in guesses:
        part = next((one for one in guess.parts if one.known >= INFINITE), None)
        if part is None:
            yield ["", f"leaves {words.small_sets(words.found.argument.root)} together"]
            continue
        lemma = f"{'set' if part.lemma.startswith('S') else 'Lemma'} {part.lemma}"
        why = (
            "too large" if part.counted >= INFINITE else "one step ahead" if part.ahead >= INFINITE else lemma
        )
        yield [
            f"{words.said(part.response)}: {words.named(part.members) or words.many(len(part.members))}",
            why,
        ]


def _ahead(words: Words) -> str:
    """Return what it is to look one step ahead."""
    supposed = "as cheaply as the numbers allow"
    if words.infinite:
        supposed = "into as many parts, and as small ones, as the numbers allow"
    text = (
        f"Counting supposes that each part can be divided {supposed}. Whether it can is seen when every "
        f"{words.guess} is tried on it once. "
    )
    if words.infinite:
        return (
            f"{text}If each leaves again a part that is too large for what is then left, the part cannot be "
            "settled."
        )
    text += (
        "Each costs the size of the part plus L of what it leaves; the least of these sums bounds the part."
    )
    if words.wins and words.found.whole.most > 2:
        text += (
            f" (Up to {words.many(words.found.whole.most)} cost as little as L says only if one of them, "
            "asked first, tells all the others apart.)"
        )
    return text


# -- parts of first guesses --------------------------------------------------------------------------------


def _parts(words: Words) -> Iterator[Block]:
    """Yield the parts of first guesses that counting does not exclude."""
    whole, root = words.found.whole, words.found.argument.root
    for guess in whole.guesses[:MOST_PARTED] if not words.infinite else ():
        lead = f"{words.name(guess.guess)} first."
        if len(guess.parts) <= FEW_PARTS:
            yield Paragraph(_told(words, guess, len(root.members)), lead)
        else:
            yield Paragraph(_lacking(guess, root.bound), lead)
            yield _part_table(words, guess, len(root.members))
    kinds = whole.kinds["ahead"] + whole.kinds["proved"] - MOST_PARTED
    if kinds > 0 and not words.infinite:
        yield Paragraph(f"The {kinds:,} other kinds of first {words.guesses} go the same way.")


def _told(words: Words, guess: ShownGuess, n: int) -> str:
    """Return what a guess costs that leaves few parts, in sentences."""
    text = f"It costs at least {sum_text(n, [part.known for part in guess.parts])}"
    plainly = f", where counting alone says {guess.counted:,}." if guess.counted < guess.known else "."
    text += plainly
    for part in guess.parts:
        names, size = words.named(part.members), len(part.members)
        which = f"{words.many(size)} {'is' if size == 1 else 'are'} left"
        which += f" ({names})" * bool(names and not part.lemma)
        text += f" After the {words.answer} {words.said(part.response)}, {which}"
        they = "it costs" if size == 1 else "they cost"
        if part.known == 0:
            text += "."
        elif part.known == part.counted:
            text += f"; {they} at least L({size}) = {part.counted:,}."
        elif part.lemma:
            text += f"; {they} not {part.counted:,} but at least {part.known:,}, by Lemma {part.lemma}."
        else:
            text += (
                f"; {they} not {part.counted:,} but at least {part.known:,}: of all {words.guesses}, the "
                f"best one to ask next is {words.reason(part)}."
            )
    return text


def _lacking(guess: ShownGuess, target: int) -> str:
    """Return how far counting and a look ahead come."""
    text = f"By counting it costs at least {guess.counted:,}, {target - guess.counted:,} too few. "
    if guess.ahead >= target:
        return f"{text}One step ahead it costs at least {guess.ahead:,}."
    text += f"One step ahead it is {guess.ahead:,}, still {target - guess.ahead:,} too few."
    return f"{text} The lemmas make it {guess.known:,}."


def _part_table(words: Words, guess: ShownGuess, n: int) -> Block:
    """Return what the parts of a guess cost, and why."""
    names, by_lemma = n <= NAMED_IN_ALL, any(part.lemma for part in guess.parts)
    head = [words.answer, words.secrets, *(["which"] * names), "counting", "ahead"]
    head += [*(["lemmas"] * by_lemma), f"best {words.guess}" + ", or lemma" * by_lemma]
    rows = []
    for part in guess.parts:
        row = [words.said(part.response), f"{len(part.members):,}", *([words.named(part.members)] * names)]
        row += [f"{part.counted:,}", f"{part.ahead:,}", *([f"{part.known:,}"] * by_lemma)]
        rows.append([*row, words.reason(part)])
    total = ["together", f"{n:,}", *([""] * names), f"{guess.counted:,}", f"{guess.ahead:,}"]
    rows.append([*total, *([f"{guess.known:,}"] * by_lemma), ""])
    return Grid(head, rows, [2, len(head) - 1] if names else [len(head) - 1])


def _done(words: Words) -> str:
    """Return what has become of a secret at the end."""
    return "found" if words.wins else "known"


def _not_enough(words: Words) -> str:
    within = words.found.within or 0
    return f"{words.asked(within)} {'is' if within == 1 else 'are'} not enough"


def _end(words: Words) -> str:
    found, first = words.found, words.found.problem.first
    unseen = len(found.argument.lemmas) - len(words.told_lemmas)
    rest = (
        f" That rests on {unseen:,} lemma{'s' * (unseen > 1)} more, not shown here: the certificate that the "
        "command prove writes has all."
    ) * (unseen > 0)
    which = f"every first {words.guess}" if first is None else f"{words.name(first)} first"
    if words.infinite:
        enough = _not_enough(words)
        if found.whole.whole >= INFINITE:
            return f"There are {words.many(found.problem.secrets)}, so {enough}."
        return f"So {which} fails, and {enough}.{rest}"
    if found.whole.whole >= found.argument.root.bound:
        return f"So counting alone shows that no strategy costs less than {found.bound:,}."
    return f"So {which} costs at least {found.bound:,}, which was to be shown.{rest}"
