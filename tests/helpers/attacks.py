"""Certificates of which each is wrong in a way of its own: no checker may accept one.

All begin with a true certificate that has every lemma there is, with its exact cost. Some claim one more for
the whole and change the rest, which must not help; others claim what is true and have one false item.
"""

import random
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from math import inf
from pathlib import Path

from certificates import (
    CODES,
    FOREVER,
    Tiny,
    body,
    certificate,
    cycles,
    mutated,
    renames,
    renamings,
    small_sets,
    some_game,
    some_renaming,
    table_game,
)
from hard_words import START, Hard, some_hard
from priced_tables import COLUMNS, PricedTiny, Secrets, mirrored, some_priced

ODD = [
    ";",
    "/",
    "( = 1 2 ; )",
    "inf",
    "(",
    ")",
    ".",
    "!",
    "=",
    "~",
    "~ 01 01",
    "~ 10 102",
    "-1",
    "1e9",
    "9" * 5000,
    "0" * 4096,
    "1" + "0" * 15,
    str(2**63),
]
NUMBERS = [
    str(2**31),
    str(2**32 + 1),
    str(2**63 - 1),
    str(2**64),
    "9" * 18,
    "9" * 400,
    "0x7",
    "+7",
    "7.0",
    "-7",
]


@dataclass
class Wrong:
    """A true certificate to spoil: game, cost, and body without its parentheses."""

    game: Tiny
    cost: float
    items: str
    chance: random.Random
    folder: Path

    def text(self, items: str, more: int = 0) -> str:
        """Return a certificate with these items for so much more than the true cost."""
        return certificate(self.game, self.cost + more, f"( {items} )")

    def lemma(self, tokens: list[str]) -> int | None:
        """Return where a lemma of some items begins: GUESS SECRET BOUND body; None: there is none."""
        bodies = [i for i in range(3, len(tokens)) if tokens[i] in ("(", ".") and "!" not in tokens[:i]]
        return self.chance.choice(bodies) - 3 if bodies else None


def one_more_for_the_whole(wrong: Wrong) -> str:
    """The false theorem with the most helpful hints: all true lemmas of all sets within reach."""
    return wrong.text(wrong.items, 1)


def tokens_changed(wrong: Wrong) -> str:
    """Some tokens are swapped, left out, repeated, raised or replaced."""
    return wrong.text(" ".join(mutated(wrong.items or ".", wrong.chance, ODD)), 1)


def items_moved(wrong: Wrong) -> str:
    """Whole lines are dropped, repeated and swapped."""
    lines = wrong.items.splitlines()
    for _ in range(wrong.chance.randint(1, 3)):
        i, j = (wrong.chance.randrange(len(lines) + 1) for _ in range(2))
        lines[i : i + 1], lines[j : j + 1] = lines[j : j + 1] * wrong.chance.randint(1, 2), lines[i : i + 1]
    return wrong.text("\n".join(lines), 1)


def one_more_for_a_lemma(wrong: Wrong) -> str | None:
    """A lemma somewhere claims one more than its set costs."""
    tokens = wrong.items.split()
    i = wrong.lemma(tokens)
    if i is None or not tokens[i + 2].isdigit():
        return None
    tokens[i + 2] = wrong.chance.choice([str(int(tokens[i + 2]) + 1), "inf"])
    return wrong.text(" ".join(tokens))


def another_secret(wrong: Wrong) -> str | None:
    """A lemma is about a secret that is not in the set at hand."""
    game = wrong.game
    parts = [(g, part) for g in range(len(game.guesses)) for part in game.parts(game.everything(), g)]
    g, part = wrong.chance.choice(parts)
    outside = sorted({*game.everything()} - {*part})
    if not outside:
        return None
    inner = f"{wrong.chance.choice(game.guesses)} {game.secrets[wrong.chance.choice(outside)]} 0 ."
    return wrong.text(f"{game.guesses[g]} {game.secrets[part[0]]} 0 ( {inner} )\n{wrong.items}")


def wrong_renaming(wrong: Wrong) -> str | None:
    """A renaming takes the set of a lemma to another, or is none."""
    game = wrong.game
    none = wrong.chance.choice(
        [
            "= 01 0",
            "= 00 012",
            "= 0 0",
            "= 10 10/10/10",
            "= 01 0/1",
            "= - -",
            "= 012345 01",
            "= ;",
            "= 1 ;",
            "= 1 2",
            "= 1 2 / ;",
            "= / 1 2 ;",
            "= 1 1 ;",
            "= 1 2 1 ;",
            "= 1 2 / 2 3 ;",
            "= 1 99 ;",
            "= 0 1 ;",
            "= 1 2 ; ;",
        ]
    )
    parts = [(g, part) for g in range(len(game.guesses)) for part in game.parts(game.everything(), g)]
    g, part = wrong.chance.choice(parts)
    some = renamings(game, part, wrong.chance, keep=False) or [none]
    return wrong.text(f"{game.guesses[g]} {game.secrets[part[0]]} 0 ( {some[0]} )\n{wrong.items}")


def renames_too_much(wrong: Wrong) -> str | None:
    """A lemma renames another one, and claims more; or is its own proof, or renames what comes later."""
    tokens, game = wrong.items.split(), wrong.game
    bodies = [i for i in range(3, len(tokens)) if tokens[i] in (".", "~") and tokens[i - 1].isdigit()]
    if not bodies or not game.head.startswith(CODES) or "!" in tokens:
        return None
    at = wrong.chance.choice(bodies)
    more = str(int(tokens[at - 1]) + 1)
    words = some_renaming(game, (), wrong.chance)[0]
    if wrong.chance.random() < 0.5:
        words = words if tokens[at] == "." else " ".join(tokens[at + 1 : at + 3])
        rest = tokens[at + 1 if tokens[at] == "." else at + 3 :]
        return wrong.text(" ".join([*tokens[: at - 1], more, "~", words, *rest]))
    lemma = " ".join([*tokens[at - 3 : at - 1], more, "~", words])
    return wrong.text(f"{lemma} {lemma}\n{wrong.items}", 1)


def whole_that_renames(wrong: Wrong) -> str | None:
    """The body of the whole renames, or that of a lemma of a game without codes."""
    game = wrong.game
    words = "01 01"
    if game.head.startswith(CODES):
        return certificate(game, wrong.cost, f"~ {some_renaming(game, (), wrong.chance)[0]}")
    parts = [(g, part) for g in range(len(game.guesses)) for part in game.parts(game.everything(), g)]
    g, part = wrong.chance.choice(parts)
    return wrong.text(f"{wrong.items}\n{game.guesses[g]} {game.secrets[part[0]]} 0 ~ {words}")


def some_true_renaming(wrong: Wrong) -> Secrets | None:
    """Return a renaming of all secrets of a table, as far as one is found."""
    game, everything = wrong.game, wrong.game.everything()
    orders = [tuple(wrong.chance.sample(everything, len(everything))) for _ in range(40)]
    fits = [to for to in orders if game.head.startswith("table") and renames(game, everything, to)]
    return fits[0] if fits else None


def renamed_elsewhere(wrong: Wrong) -> str | None:
    """A renaming of all secrets stands in a lemma about a part that it does not keep."""
    game, to = wrong.game, some_true_renaming(wrong)
    for g in wrong.chance.sample(range(len(game.guesses)), len(game.guesses)) if to else []:
        for part in game.parts(game.everything(), g):
            if to and {to[s] for s in part} != {*part}:
                item = cycles(game.secrets, game.everything(), to)
                return wrong.text(f"{game.guesses[g]} {game.secrets[part[0]]} 0 ( {item} )\n{wrong.items}")
    return None


def cell_changed(wrong: Wrong) -> str | None:
    """A guess gets another response from a secret, or wins elsewhere: a renaming has no image of it."""
    game, to, rows = wrong.game, some_true_renaming(wrong), [[*row] for row in wrong.game.answers]
    row = wrong.chance.choice(rows)
    i, j = (wrong.chance.randrange(len(row)) for _ in range(2))
    row[i], row[j] = (row[j], row[i]) if wrong.chance.random() < 0.5 else ("b", row[j])
    if to is None or sum("win" in row for row in rows) < len(game.everything()) * game.win:
        return None
    other = replace(table_game(wrong.folder, rows), win=game.win)
    if game.only or renames(other, game.everything(), to):
        return None
    return certificate(other, 0, f"( {cycles(game.secrets, game.everything(), to)} )")


def separable_small_set(wrong: Wrong) -> str | None:
    """A small set that can be settled, is not in order, or stands where only candidates are asked."""
    game = wrong.game
    first, last = game.secrets[0], game.secrets[-1]
    odd = [
        f"! 2 0 {last} {first} .",
        f"! 2 0 {first} {first} .",
        f"! 1 0 {first} .",
        f"! 65 0 {first} {last} .",
    ]
    if game.only:
        odd += [f"! 2 0 {first} {last} ."]
    some = [small_sets(game, wrong.chance, lies=True) or odd[0], wrong.chance.choice(odd)]
    return wrong.text(f"{wrong.chance.choice(some)}\n{wrong.items}")


def cut_short(wrong: Wrong) -> str:
    """The file ends too early."""
    text = wrong.text(wrong.items).rstrip()
    return text[: wrong.chance.randrange(len(text))]


def huge_numbers(wrong: Wrong) -> str | None:
    """A number is too large, or no number."""
    tokens = wrong.items.split()
    i, number = wrong.lemma(tokens), wrong.chance.choice(NUMBERS)
    if i is None:
        return certificate(wrong.game, wrong.cost, ".").replace(f" {wrong.cost} ", f" {number} ")
    if not tokens[i + 2].isdigit():
        return None  # any number is true
    tokens[i + 2] = number
    return wrong.text(" ".join(tokens))


def deep_nesting(wrong: Wrong) -> str:
    """Claims inside claims without an end, or too many."""
    game, depth = wrong.game, wrong.chance.choice([1, 900, 5000])
    return wrong.text(f"( {game.guesses[0]} {game.secrets[0]} 0 " * depth)


def bytes_of_no_text(wrong: Wrong) -> bytes:
    """Bytes that are no ASCII text somewhere in the file."""
    data = wrong.text(wrong.items).encode()
    i = wrong.chance.randrange(len(data))
    return data[:i] + wrong.chance.choice([b"\0", b"\xff", b"\x01", b"\xc3\xa9", b"\x7f"]) + data[i:]


def other_files(wrong: Wrong) -> str | None:
    """The words or the table are not those of the hash, or not there, or not beside the certificate."""
    text, names = wrong.text(wrong.items), re.findall(r"\S+\.(?:txt|csv)", wrong.game.head)
    if not names:
        return None
    name = wrong.chance.choice(names)
    other = wrong.chance.choice([f"../{name}", f"/{name}", f"no-{name}", f"other-{name}", "."])
    (wrong.folder / f"other-{name}").write_bytes((wrong.folder / name).read_bytes() + b"x\n")
    return text.replace(name, other)


def goal_changed(wrong: Wrong) -> str:
    """Another goal, which is none, or costs less."""
    goal = wrong.chance.choice(
        ["lose", "win-", "candidates", "-candidates", "win-candidate", "Win", "identity"]
    )
    return wrong.text(wrong.items).replace(f" {wrong.game.goal} ", f" {goal} ", 1)


ATTACKS: list[Callable[[Wrong], str | bytes | None]] = [
    one_more_for_the_whole,
    tokens_changed,
    items_moved,
    one_more_for_a_lemma,
    another_secret,
    wrong_renaming,
    renames_too_much,
    whole_that_renames,
    renamed_elsewhere,
    cell_changed,
    separable_small_set,
    cut_short,
    huge_numbers,
    deep_nesting,
    bytes_of_no_text,
    other_files,
    goal_changed,
]


def some_wrong(folder: Path, chance: random.Random) -> Wrong:
    """Return a true certificate of a random game."""
    while (game := some_game(folder, chance)) and (cost := game.cost(game.everything())) == inf:
        pass
    proof = body(game, game.everything(), FOREVER, chance, set())
    return Wrong(game, cost, proof.strip("(.)") + small_sets(game, chance), chance, folder)


# -- renamings of games with costs (P9) ------------------------------------------------------------------


@dataclass
class PricedWrong:
    """A game with costs that has a renaming of all its secrets, and may be spoiled so that it is none."""

    game: PricedTiny
    to: Secrets
    chance: random.Random
    folder: Path

    def text(self, game: PricedTiny, proof: str, more: int = 0) -> str:
        """Return a certificate for so much more than the true cost of a game."""
        true = game.cost(game.everything())
        return game.text(game.head(self.folder, self.chance), 0 if true == inf else true + more, proof)

    def spoiled(self, game: PricedTiny) -> str | None:
        """Return a certificate with the renaming, and no false bound, of a game of which it is none."""
        everything = game.everything()
        if game.free(everything) is not None or game.images(everything, self.to) is not None:
            return None
        return self.text(game, f"( {cycles(COLUMNS, everything, self.to)} )", -int(game.cost(everything)))


def one_more_with_renamings(wrong: PricedWrong) -> str | None:
    """The false theorem with all true renamings, and lemmas for one guess of each orbit."""
    game = wrong.game
    proof = game.body(game.everything(), 0, wrong.chance, set(), renaming=True)
    return wrong.text(game, proof, 1) if game.cost(game.everything()) < inf else None


def renamings_changed(wrong: PricedWrong) -> str | None:
    """Tokens of renamings and lemmas are swapped, left out, repeated or replaced, for the false theorem."""
    game = wrong.game
    proof = game.body(game.everything(), 0, wrong.chance, set(), renaming=True)
    odd = ["=", ";", "/", "1", "2", "3", "-", "inf", "9" * 5000, "0", "( = 1 2 ; )"]
    spoiled = " ".join(mutated(proof, wrong.chance, odd))
    return wrong.text(game, spoiled, 1) if game.cost(game.everything()) < inf else None


def weight_changed(wrong: PricedWrong) -> str | None:
    """A secret weighs more than its image."""
    weights = [*wrong.game.weights]
    weights[wrong.chance.randrange(len(weights))] += wrong.chance.randint(1, 3)
    return wrong.spoiled(replace(wrong.game, weights=weights, found={}))


def price_changed(wrong: PricedWrong) -> str | None:
    """A guess costs more for a response than all its images."""
    price = [{**some} for some in wrong.game.price]
    guess = wrong.chance.randrange(len(price))
    price[guess][wrong.chance.choice(wrong.game.answers[guess])] += 1
    return wrong.spoiled(replace(wrong.game, price=price, found={}))


def response_changed(wrong: PricedWrong) -> str | None:
    """A guess gets another response from a secret, which its images do not get, or wins elsewhere."""
    rows = [[*row] for row in wrong.game.answers]
    row = wrong.chance.choice(rows)
    i, j = (wrong.chance.randrange(len(row)) for _ in range(2))
    row[i], row[j] = row[j], row[i]
    return wrong.spoiled(replace(wrong.game, answers=rows, found={}))


def set_not_kept(wrong: PricedWrong) -> str | None:
    """A renaming of all secrets stands in a lemma about a part that it does not keep."""
    game = wrong.game
    for g in wrong.chance.sample(range(len(game.answers)), len(game.answers)):
        for part, _ in game.sets(game.everything(), 0, g):
            if {wrong.to[s] for s in part} != {*part}:
                item = cycles(COLUMNS, game.everything(), wrong.to)
                return wrong.text(
                    game, f"( {g + 1} {part[0] + 1} 0 ( {item} ) )", -int(game.cost(game.everything()))
                )
    return None


def candidates_for_all(wrong: PricedWrong) -> str | None:
    """What is true of strategies that ask candidates only is claimed of all."""
    game = wrong.game
    proof = game.body(game.everything(), 0, wrong.chance, set(), renaming=True)
    every = replace(game, only=False, found={})
    if every.cost(game.everything()) == game.cost(game.everything()):
        return None
    return wrong.text(game, proof).replace(f" {game.goal} ", f" {every.goal} ", 1)


PRICED_ATTACKS: list[Callable[[PricedWrong], str | None]] = [
    one_more_with_renamings,
    renamings_changed,
    weight_changed,
    price_changed,
    response_changed,
    set_not_kept,
    candidates_for_all,
]


def some_priced_wrong(folder: Path, chance: random.Random) -> PricedWrong:
    """Return a random game with costs and a renaming of it."""
    while True:
        game = replace(mirrored(some_priced(chance, 5, 2, only=True), chance), limit=inf, counts="paid")
        everything = game.everything()
        orders = [tuple(chance.sample(everything, len(everything))) for _ in range(30)]
        fits = [to for to in orders if to != everything and game.images(everything, to) is not None]
        if fits and game.free(everything) is None and game.cost(everything) < inf:
            return PricedWrong(game, fits[0], chance, folder)


# -- words in hard mode (L10) ----------------------------------------------------------------------------


@dataclass
class HardWrong:
    """A true certificate of words in hard mode to spoil: what it costs, and all true lemmas."""

    hard: Hard
    cost: float
    items: str
    chance: random.Random
    folder: Path

    def text(self, items: str, more: int = 0, first: str = "-") -> str:
        """Return a certificate with these items for so much more than the true cost."""
        return certificate(self.hard.game, self.cost + more, f"( {items} )", first)


def one_more_in_hard_mode(wrong: HardWrong) -> str:
    """The false theorem with all true lemmas within reach, also behind guesses that are refused."""
    return wrong.text(wrong.items, 1)


def hard_tokens_changed(wrong: HardWrong) -> str:
    """Some tokens are swapped, left out, repeated, raised or replaced, for the false theorem."""
    return wrong.text(" ".join(mutated(wrong.items or ".", wrong.chance, ODD)), 1)


def lemmas_of_more_demands(wrong: HardWrong) -> str | None:
    """A guess is fixed, and lemmas of the same sets behind other guesses, which demand more, come first."""
    hard, everything = wrong.hard, wrong.hard.everything
    behind = [
        (g, *part) for g in hard.allowed(everything, START) for part in hard.parts(everything, START, g)
    ]
    for g, part, after in wrong.chance.sample(behind, len(behind)):
        for h, same, other in behind:
            more = hard.cost(part, other) - hard.cost(part, after)
            if same == part and more > 0:
                bound, name = hard.cost(part, other), hard.game.secrets[part[0]]
                item = (
                    f"{hard.game.guesses[h]} {name} {bound} {hard.body(part, other, FOREVER, wrong.chance)}"
                )
                claimed = hard.asking(everything, START, g, FOREVER) + 1
                own = hard.body(everything, START, FOREVER, wrong.chance).strip("(.)")
                return certificate(hard.game, claimed, f"( {item} {own} )", hard.game.guesses[g])
    return None


def rules_changed(wrong: HardWrong) -> str | None:
    """The game of the statement has other rules, and costs less after a first guess."""
    hard, everything = wrong.hard, wrong.hard.everything
    for mode in wrong.chance.sample(["", "hard", "ultra"], 3):
        for g in hard.allowed(everything, START):
            true, other = hard.asking(everything, START, g, FOREVER), Hard(hard.game, mode)
            free = hard.game.asking(everything, g, FOREVER)
            if (other.asking(everything, START, g, FOREVER) if mode else free) < true < inf:
                text = certificate(hard.game, true, f"( {wrong.items} )", hard.game.guesses[g])
                return text.replace(f"wordle-{hard.mode} ", f"wordle-{mode} ".replace("- ", " "), 1)
    return None


def no_such_rules(wrong: HardWrong) -> str:
    """The rules are none, or stand where no checker takes them."""
    own = f"wordle-{wrong.hard.mode} "
    names = ["wordle-", "wordle-Hard", "wordle-easy", "hard-wordle", "mastermind-hard", "lies 0 wordle-hard"]
    return wrong.text(wrong.items).replace(own, f"{wrong.chance.choice(names)} ", 1)


def renamed_in_hard_mode(wrong: HardWrong) -> str | None:
    """A renaming keeps responses, but not what may be asked."""
    hard = wrong.hard
    if len(hard.everything) < 2:
        return None
    to = (hard.everything[1], hard.everything[0], *hard.everything[2:])
    return wrong.text(f"{cycles(hard.game.secrets, hard.everything, to)} {wrong.items}")


def other_words(wrong: HardWrong) -> str | None:
    """The words are not those of the hash."""
    text = wrong.text(wrong.items)
    name = wrong.chance.choice(re.findall(r"\S+\.txt", wrong.hard.game.head))
    (wrong.folder / f"other-{name}").write_bytes((wrong.folder / name).read_bytes() + b"zzz\n")
    return text.replace(name, f"other-{name}")


HARD_ATTACKS: list[Callable[[HardWrong], str | None]] = [
    one_more_in_hard_mode,
    hard_tokens_changed,
    lemmas_of_more_demands,
    rules_changed,
    no_such_rules,
    renamed_in_hard_mode,
    other_words,
]


def some_hard_wrong(folder: Path, chance: random.Random) -> HardWrong:
    """Return a true certificate of random words in hard mode."""
    while (hard := some_hard(folder, chance, most=6)) and (cost := hard.cost(hard.everything)) == inf:
        pass
    return HardWrong(
        hard, cost, hard.body(hard.everything, START, FOREVER, chance).strip("(.)"), chance, folder
    )
