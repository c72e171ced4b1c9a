"""The argument of a certificate of a kit in words, for a reader who knows no search."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import comb, prod

import numpy as np

from guesstree.api.explained import KitExplanation
from guesstree.engine.exact import exact_text
from guesstree.engine.proofs.kit_argument import (
    COUNTED,
    MUST,
    NEVER,
    PAIR,
    PRICED,
    TRIED,
    KitAccount,
    KitClaim,
    Pair,
    Witness,
)
from guesstree.engine.support import lies_text
from guesstree.trees.export.heading import called
from guesstree.trees.export.paper.blocks import Block, Grid, Heading, Paragraph

from .argued import MOST_NAMED, Names, list_text

MOST_COLUMNS, MOST_ROWS = 8, 16
"""Secrets and questions of a table that is shown in full."""
MOST_TOLD, MOST_CASES = 8, 24
"""Questions that are named in a sentence, and rows of a table of cases, pairs or questions."""
HOW = {PAIR: "by cases", TRIED: "by pairs", COUNTED: "by counting", PRICED: "by prices"}
"""How a case is shown."""


class KitWords(Names):
    """The words of an explanation of a kit."""

    def __init__(self, found: KitExplanation) -> None:
        super().__init__(found)
        self.found, self.argument, self.rules = found, found.argument, found.argument.rules
        self.plain = {*self.rules.costs} == {1}

    def one(self, secret: int) -> str:
        """Return a secret by its name."""
        return self.named(np.array([secret]))

    def two(self, pair: Pair) -> str:
        """Return a pair of secrets as a sentence has it."""
        return f"{self.one(pair[0])} from {self.one(pair[1])}"

    def both(self, pair: Pair) -> str:
        """Return a pair of secrets as its subject."""
        return f"{self.one(pair[0])} and {self.one(pair[1])}"

    def some(self, questions: Sequence[int]) -> str:
        """Return questions by name, those that are many with their number."""
        names = [self.name(g) for g in questions[:MOST_TOLD]]
        more = len(questions) - len(names)
        return list_text(names) if not more else f"{', '.join(names)} and {more:,} more"

    def least(self) -> str:
        """Return what every kit has or costs at least."""
        bound = self.found.bound or 0
        return f"has at least {self.asked(bound)}" if self.plain else f"costs at least {bound:,}"

    def room(self, left: int) -> str:
        """Return that so much is left for what may follow."""
        if self.plain:
            more = f"{left:,} more {self.guess if left == 1 else self.guesses} may follow"
            return more if left else "no more may follow"
        return f"{left:,} {'is' if left == 1 else 'are'} left to pay"


def kit_title(words: KitWords) -> str:
    """Return what is proved, with the game."""
    lies = f", {lies_text(words.rules.lies)}" if words.rules.lies else ""
    return f"{called(words.game)}{lies}: every kit {words.least()}"


def kit_blocks(words: KitWords) -> Iterator[Block]:
    """Yield the whole argument."""
    *cases, (root, whole) = words.found.accounts
    yield from _claim(words)
    yield from _idea(words)
    yield Heading("The proof")
    if root.kit:
        yield Paragraph(_at_first(words, root))
    yield from _shown(words, root, whole)
    if cases:
        yield from _cases(words, cases)
    yield Paragraph(f"So there is no kit that {_less(words)}, which was to be shown.", "Conclusion.")


def _less(words: KitWords) -> str:
    bound = (words.found.bound or 0) - 1
    if bound < 0:
        return "costs less than nothing"
    return f"has {words.asked(bound)} or fewer" if words.plain else f"costs {bound:,} or less"


# -- the claim ---------------------------------------------------------------------------------------------


def _claim(words: KitWords) -> Iterator[Block]:
    yield Heading("What is claimed")
    rules, kinds = words.rules, {*words.rules.kinds}
    apart, several = rules.apart, len(kinds) < words.problem.secrets
    text = (
        f"One of {words.many(words.problem.secrets)} is to be known, and all {words.guesses} are asked "
        f"before any {words.answer} comes. Such {words.guesses} are a kit if they tell every two "
        f"{words.secrets}{' of different kinds' * several} apart: if some {words.guess} of them gets "
        f"different {words.answer}s from the two."
    )
    if several:
        text += f" There are {len(kinds):,} kinds; {words.secrets} of one kind need not be told apart."
    if rules.lies:
        up_to = f"{rules.lies} {words.answer}{'s' * (rules.lies > 1)}"
        text += (
            f" Up to {up_to} may be false. So at least {apart} {words.guesses} of the kit have to tell every "
            f"two apart; the same one may be asked again, and counts again. (If only {apart - 1} did, "
            f"{up_to} that {'is' if rules.lies == 1 else 'are'} false for either of the two would make all "
            f"{words.answer}s the same.)"
        )
    yield Paragraph(text)
    for how, said in ((MUST, "Every kit has to have"), (NEVER, "No kit may have")):
        some = [g for g, use in enumerate(rules.use) if use == how]
        if some:
            yield Paragraph(f"{said} {words.some(some)}.")
    yield from _table(words)
    pays = "" if words.plain else f"A kit costs what its {words.guesses} cost together. "
    yield Paragraph(f"{pays}Every kit {words.least()}.")


def _table(words: KitWords) -> Iterator[Block]:
    """Yield a small table in full; of others what questions cost, if that differs."""
    costs, answers = words.rules.costs, words.argument.answers
    n, many = answers.shape[1], len(answers)
    prices = [[f"{cost:,}"] * (not words.plain) for cost in costs]
    head = [words.game.look.cost] * (not words.plain)
    if n <= MOST_COLUMNS and many <= MOST_ROWS and words.problem.codes is None:
        said = f"These are the {words.answer}s" + f", and what each {words.guess} costs" * (not words.plain)
        yield Paragraph(f"{said}:")
        rows = [
            [words.name(g), *prices[g], *(words.said(words.problem.told(g, r)) for r in row)]
            for g, row in enumerate(answers.tolist())
        ]
        if len({*words.rules.kinds}) < n:
            rows.append(["kind", *[""] * len(head), *words.rules.kinds])
        names = [words.one(s) for s in range(n)]
        yield Grid([words.guess, *head, *names], rows, [0, *range(1 + len(head), 1 + len(head) + n)])
    elif not words.plain:
        yield Paragraph("These are the prices:")
        yield Grid([words.guess, *head], [[words.name(g), *prices[g]] for g in range(many)], [0])


def _idea(words: KitWords) -> Iterator[Block]:
    yield Heading("How it is shown")
    bodies = {claim.body for claim, _ in words.found.accounts}
    text = f"Suppose that some kit {_less(words)}."
    if bodies & {PAIR, TRIED}:
        text += (
            f" Take two {words.secrets} that it has to tell apart. Some {words.guess} of it does so; hence "
            f"one of the {words.guesses} that tell the two apart is in the kit. These are looked at one "
            f"after the other, each with what may follow it; and a {words.guess} that was looked at is left "
            "out from then on, as the kits that have it are done."
        )
    yield Paragraph(text)
    claims = [claim for claim, _ in words.found.accounts]
    if any(claim.images for claim in claims):
        names = "Renaming symbols, or moving positions," if words.problem.codes is not None else "Renamings"
        verb = "takes" if words.problem.codes is not None else f"of the {words.secrets} take"
        yield Paragraph(
            f"{names} {verb} kits to kits that cost the same. Where that keeps the {words.guesses} which are "
            f"in the kit so far, and those that may follow, one of several {words.guesses} that become each "
            "other is enough, and then all of them are left out.",
            "Like it.",
        )
    if TRIED in bodies:
        yield Paragraph(
            f"Where only one {words.guess} may follow, a few pairs of {words.secrets} are named that the kit "
            f"does not tell apart so far; and no {words.guess} tells all of these pairs apart.",
            "Pairs.",
        )
    if COUNTED in bodies:
        yield Paragraph(_counting(words), "Counting.")
    if PRICED in bodies:
        needs = f", each times the {words.guesses} that its pair still needs" * bool(words.rules.lies)
        last = "the last one in part" if not words.rules.lies else "again and again"
        yield Paragraph(
            f"Give prices to some pairs that are to be told apart, and let a {words.guess} collect the "
            f"prices of all pairs that it tells apart. A kit collects all prices{needs}. At best those "
            f"{words.guesses} are taken that collect most for what they cost, {last}. If that is less than "
            "all prices, there is no kit.",
            "Prices.",
        )


def _counting(words: KitWords) -> str:
    """Return how answers are counted (K4)."""
    text = (
        f"{words.secrets.capitalize()} that got the same {words.answer}s so far need different ones from now "
        f"on. So many {words.guesses} have no more combinations of {words.answer}s than their numbers of "
        f"{words.answer}s multiplied."
    )
    if not words.rules.lies:
        return text
    apart = words.rules.apart
    return (
        f"{text} As every two differ in {apart} of them, they differ, too, if any {apart - 1} are left out; "
        f"and the combinations that differ from those of one {words.secret} in {words.rules.lies} at most "
        "belong to no other one."
    )


# -- claims ------------------------------------------------------------------------------------------------


def _at_first(words: KitWords, root: KitClaim) -> str:
    """Return what is in every kit, or may as well be (K1)."""
    free = [g for g in dict.fromkeys(root.kit) if not words.rules.costs[g]]
    must = [g for g in dict.fromkeys(root.kit) if words.rules.costs[g]]
    text = f"The kit has {words.some(must)}, as it has to." if must else ""
    if free:
        often = f" {words.rules.apart} times" * bool(words.rules.lies)
        costs = "costs" if len(free) == 1 else "cost"
        text += f" {words.some(free)} may as well be in it{often}: {costs} nothing."
    return f"{text} Then {words.room(root.left)}.".strip() if root.left >= 0 else text.strip()


def _cases(words: KitWords, cases: Sequence[tuple[KitClaim, KitAccount]]) -> Iterator[Block]:
    """Yield the cases, in the order of the certificate."""
    every = len(words.argument.claims)
    yield Heading("The cases")
    some = f" Of the {every:,} cases, {len(cases):,} are shown." if len(cases) < every else ""
    yield Paragraph(
        f"In each case some {words.guesses} are in the kit; those of the cases before it, beside it and "
        f"around it, are left out.{some}"
    )
    for claim, account in sorted(cases, key=lambda one: [*map(int, one[0].number.split("."))]):
        new = claim.kit[len(words.argument.root.kit) :]
        blocks = list(_shown(words, claim, account))
        begins = f"The kit has {words.some(new)}; {words.room(claim.left)}."
        if claim.left < 0:
            begins = f"The kit has {words.some(new)}."
        first, *more = blocks
        assert isinstance(first, Paragraph)
        yield Paragraph(f"{begins} {first.text}", f"Case {claim.number}.")
        yield from more


def _shown(words: KitWords, claim: KitClaim, account: KitAccount) -> Iterator[Block]:
    """Yield why a claim is true."""
    if claim.body == PAIR:
        yield from _branch(words, claim, account)
    elif claim.body == COUNTED:
        yield Paragraph(_counted(words, claim, account))
    elif claim.body == PRICED:
        yield from _priced(words, claim, account)
    else:
        yield from _tried(words, claim, account)


def _telling(words: KitWords, account: KitAccount) -> str:
    """Return which questions tell the pair of a claim apart."""
    assert account.pair is not None
    count = len(account.telling)
    which = f"{words.both(account.pair)} are told apart by"
    if not count:
        return f"{words.both(account.pair)} are not told apart by any {words.guess} that may follow."
    need = f", and need {account.due} more" * bool(words.rules.lies)
    told = words.some(account.telling) if count <= MOST_TOLD else words.asked(count)
    return f"{which} {told}{need}; so {'it' if count == 1 else 'one of these'} is in the kit."


def _branch(words: KitWords, claim: KitClaim, account: KitAccount) -> Iterator[Block]:
    """Yield the next questions, of which a kit has one (K2, K3)."""
    count, kinds = len(account.telling), len(claim.inside)
    like = ""
    if kinds < count:
        like = f" Renamings leave {kinds} of them that differ." if kinds > 1 else " All of them are alike."
    yield Paragraph(f"{_telling(words, account)}{like}")
    if not claim.inside:
        return
    rows = [
        [
            f"{below.number}",
            words.name(guess),
            *[f"{equal:,}"] * bool(claim.images),
            f"{below.left:,}" if below.left >= 0 else "nothing",
            "costs too much" if below.left < 0 else HOW[below.body],
        ]
        for guess, equal, below in claim.inside[:MOST_CASES]
    ]
    left = "may follow" if words.plain else "left to pay"
    names = ["case", "in the kit", *["like it"] * bool(claim.images), left, "shown"]
    if len(claim.inside) > MOST_CASES:
        rows.append([f"... and {len(claim.inside) - MOST_CASES:,} more", *[""] * (len(names) - 1)])
    yield Grid(names, rows, [1])


def _tried(words: KitWords, claim: KitClaim, account: KitAccount) -> Iterator[Block]:
    """Yield pairs of secrets that the last questions do not tell apart."""
    if claim.left < 0:
        yield Paragraph("That costs too much already.")
        return
    if not account.telling:
        (witness,) = account.witnesses or [Witness([], [])]
        last = account.pair is not None and not witness.pairs
        yield Paragraph(_telling(words, account) if last else _by_pairs(words, claim, witness))
        return
    them = "it" if len(account.telling) == 1 else "each of them"
    yield Paragraph(
        f"{_telling(words, account)} After {them} no {words.guess} that may follow tells all pairs "
        "apart that stand beside it:"
    )
    rows = [
        [words.some(one.questions), "; ".join(map(words.two, one.pairs))]
        for one in account.witnesses[:MOST_CASES]
    ]
    if len(account.witnesses) > MOST_CASES:
        rows.append([f"... and {len(account.witnesses) - MOST_CASES:,} more", ""])
    yield Grid(["in the kit", "not all told apart"], rows, [0, 1])


def _by_pairs(words: KitWords, claim: KitClaim, witness: Witness) -> str:
    """Return why one question more, or none, is not enough."""
    first, *more = witness.pairs
    due, most = words.argument.due(claim.kit, *first), claim.left // words.argument.least
    if due > most:
        more_due = f"{due} more {words.guess if due == 1 else words.guesses}"
        cannot = "more than may follow" if words.plain else "which cannot be paid"
        return f"{words.both(first)} need {more_due} to be told apart, {cannot}."
    if not more:
        return f"No {words.guess} that can be paid tells {words.two(first)}."
    pairs = "; ".join(map(words.two, witness.pairs))
    return f"No {words.guess} that may follow tells all of these apart: {pairs}."


def _counted(words: KitWords, claim: KitClaim, account: KitAccount) -> str:
    """Return that the questions that are left have too few answers (K4)."""
    n, asked, lies = len(account.alike), account.asked, words.rules.lies
    text = f"There are {words.many(n)}."
    if claim.kit or n < words.problem.secrets:
        named = f": {words.named(np.array(account.alike))}" * (n <= MOST_NAMED)
        so_far = f"got the same {words.answer}s so far" if claim.kit else "are of different kinds"
        text = f"{words.many(n)} {so_far}{named}."
    text += f" At most {words.asked(asked)} {'may follow' if words.plain else 'can be paid'}"
    if not lies:
        many = " \u00d7 ".join(f"{one}" for one in account.answers)
        if not account.answers:
            return f"{text}."
        total = f" = {prod(account.answers):,}" * (len(account.answers) > 1)
        return (
            f"{text}; they get at most {many}{total} different combinations of {words.answer}s, which is too "
            "few."
        )
    apart, most = words.rules.apart, account.answers[0]
    if asked < apart:
        return f"{text}, and every two have to differ in {apart}."
    text += f", each with at most {most} {words.answer}s"
    if most ** (asked - apart + 1) < n:
        return (
            f"{text}. With {apart - 1} of them left out, there are at most {most}^{asked - apart + 1} = "
            f"{most ** (asked - apart + 1):,} combinations, which is too few."
        )
    ball = [comb(asked, i) * (most - 1) ** i for i in range(lies + 1)]
    near = " + ".join(f"{one:,}" for one in ball)
    return (
        f"{text}: {most}^{asked} = {most**asked:,} combinations. With each {words.secret} go {near} = "
        f"{sum(ball):,} that differ from its own in {lies} at most; that makes {n:,} \u00d7 {sum(ball):,} = "
        f"{n * sum(ball):,}, which is too many."
    )


def _priced(words: KitWords, claim: KitClaim, account: KitAccount) -> Iterator[Block]:
    """Yield prices of pairs, and what questions collect (K5)."""
    lies, costs = words.rules.lies, words.rules.costs
    dues = [words.argument.due(claim.kit, *pair) for pair, _ in claim.prices]
    terms = [
        f"{price:,}" if due == 1 else f"{due} \u00d7 {price:,}"
        for (_, price), due in zip(claim.prices, dues, strict=True)
    ]
    shown = len(terms) <= MOST_CASES
    total = f"{' + '.join(terms)} = {account.total:,}" if shown and len(terms) > 1 else f"{account.total:,}"
    yield Paragraph(f"The prices add up to {total}; a kit collects at least this.")
    rows = [
        [words.both(pair), f"{price:,}", *[f"{due}"] * bool(lies)]
        for (pair, price), due in list(zip(claim.prices, dues, strict=True))[:MOST_CASES]
    ]
    head = ["pair", "price", *["needs"] * bool(lies)]
    if not shown:
        rows.append([f"... and {len(terms) - MOST_CASES:,} more", *[""] * (len(head) - 1)])
    yield Grid(head, rows, [0])
    some = account.gains[:MOST_CASES]
    bought = [[words.name(g), *[f"{costs[g]:,}"] * (not words.plain), f"{gain:,}"] for g, gain in some]
    names = [words.guess, *[words.game.look.cost] * (not words.plain), "collects"]
    if len(account.gains) > len(some):
        bought.append([f"... and {len(account.gains) - len(some):,} more", *[""] * (len(names) - 1)])
    yield Grid(names, bought, [0])
    yield Paragraph(_collected(words, claim, account))


def _collected(words: KitWords, claim: KitClaim, account: KitAccount) -> str:
    """Return what can be bought for what is left."""
    costs, left, terms, whole = words.rules.costs, claim.left, list[str](), 0
    for g, gain in account.gains:
        if not left or not gain:
            break
        spent = left if words.rules.lies else min(costs[g], left)
        if spent == costs[g]:
            whole += gain
            terms.append(f"{gain:,}")
        else:
            terms.append(f"{Fraction(spent, costs[g])} \u00d7 {gain:,}")
        left -= spent
    if len(terms) > MOST_CASES:
        terms = [f"{whole:,}", *(term for term in terms if "\u00d7" in term)]
    total = exact_text(account.collected)
    said = " + ".join(terms)
    equal = f" = {total}" if len(terms) > 1 or "\u00d7" in said else ""
    room = words.asked(claim.left) if words.plain else f"{claim.left:,}"
    return f"For {room} they collect at most {said or 0}{equal}, which is less than {account.total:,}."
