"""Tiny games of words in hard mode with their true costs by trying all, and certificates made of them.

Shares nothing with the checkers, nor with the engine: the rules are written here once more, clue by clue.
"""

import random
from collections import Counter
from dataclasses import dataclass, field
from math import inf
from pathlib import Path

from certificates import FOREVER, Secrets, Tiny, colours_of_letters, word_game

Clue = tuple[int, str]
"""A guess and its answer."""
History = frozenset[Clue]
START: History = frozenset()
FIGHT = ["fight", "light", "might", "night", "right", "sight", "tight"]
SPLIT = ["farms", "flint", "lemon", "stern"]


def refuses(mode: str, asked: str, answer: str, new: str) -> bool:
    """Return whether a clue forbids a guess: not all that was marked is used; ultra: it is not the secret."""
    if mode == "ultra":
        return colours_of_letters(asked, new) != answer
    marked = Counter(letter for letter, mark in zip(asked, answer, strict=True) if mark != "-")
    moved = any(mark == "G" and new[i] != asked[i] for i, mark in enumerate(answer))
    return moved or bool(marked - Counter(new))


@dataclass
class Hard:
    """A game of words, and how its guesses are limited: ``hard`` or ``ultra``."""

    game: Tiny
    mode: str
    costs: dict[tuple[Secrets, History, int], float] = field(default_factory=dict)
    may: dict[Clue, frozenset[int]] = field(default_factory=dict)

    @property
    def everything(self) -> Secrets:
        """All secrets."""
        return self.game.everything()

    def allowed(self, members: Secrets, history: History) -> list[int]:
        """Return the guesses that may be asked after a history."""
        found = {*self.game.allowed(members)}
        for asked, answer in history:
            if (asked, answer) not in self.may:
                words = enumerate(self.game.guesses)
                before = self.game.guesses[asked]
                fits = frozenset(g for g, new in words if not refuses(self.mode, before, answer, new))
                self.may[asked, answer] = fits
            found &= self.may[asked, answer]
        return sorted(found)

    def parts(self, members: Secrets, history: History, guess: int) -> list[tuple[Secrets, History]]:
        """Return the parts that a guess leaves with the history that leads there, but the one that wins."""
        parts = self.game.parts(members, guess)
        return [(part, history | {(guess, self.game.answers[guess][part[0]])}) for part in parts]

    def asking(self, members: Secrets, history: History, guess: int, depth: int) -> float:
        """Return what the secrets cost if this guess is asked first."""
        return len(members) + sum(self.cost(*part, depth - 1) for part in self.parts(members, history, guess))

    def cost(self, members: Secrets, history: History = START, depth: int = FOREVER) -> float:
        """Return the least cost of the secrets after a history within so many guesses, by trying all."""
        if len(members) == 1 and not self.game.win:
            return 0
        if depth <= 0:
            return inf
        key = members, history, min(depth, len(members))
        if key not in self.costs:
            useful = [g for g in self.allowed(members, history) if self.game.parts(members, g) != [members]]
            self.costs[key] = min(
                (self.asking(members, history, g, key[2]) for g in useful),
                default=inf,
            )
        return self.costs[key]

    def body(
        self,
        members: Secrets,
        history: History,
        depth: int,
        chance: random.Random,
        lies: float = 0,
        proved: set[tuple[Secrets, History, int]] | None = None,
    ) -> str:
        """Return lemmas for the parts of all guesses with their true costs, some one too high as `lies` says.

        Some are for guesses that are refused, which says as much of their parts.
        """
        guesses, proved = self.allowed(members, history), set() if proved is None else proved
        guesses += [g for g in range(len(self.game.guesses)) if g not in guesses and chance.random() < 0.1]
        items = []
        for g in chance.sample(guesses, len(guesses)):
            for part, after in self.parts(members, history, g):
                if len(part) in (1, len(members)) or (part, after, depth) in proved:
                    continue
                proved.add((part, after, depth))
                bound = self.cost(part, after, depth - 1) + (chance.random() < lies)
                below = self.body(part, after, depth - 1, chance, lies, proved)
                name = self.game.secrets[chance.choice(part)]
                items.append(f"{self.game.guesses[g]} {name} {bound} {below}\n")
        return f"( {''.join(items)})" if items else "."


def hard_game(folder: Path, answers: list[str], others: list[str], mode: str, win: bool = True) -> Hard:
    """Return a game of words in hard mode, whose lists are written to the folder."""
    game = word_game(folder, answers, others, win)
    game.head = game.head.replace("wordle ", f"wordle-{mode} ", 1)
    return Hard(game, mode)


def some_hard(folder: Path, chance: random.Random, most: int = 7, win: bool | None = None) -> Hard:
    """Return random words of three letters, some unlike in one place alone; in one of five candidates only.

    Such words are hard: who asks one of them may ask none that tells the others apart.
    """
    letters, alike = chance.choice(["abc", "abcd", "abcde"]), chance.random() < 0.7
    answers = {"".join(chance.choices(letters, k=3)) for _ in range(chance.randint(2, most))}
    others = {
        "".join(chance.choices("abcdefz" if alike else letters, k=3)) for _ in range(chance.randint(1, 7))
    }
    if alike:
        ends = chance.sample(["zz", "za", "bz", "yx"], 2)
        many = chance.choice([(3, 4), (4, 4), (most - 1, 1), (5, 2)])
        both = zip(ends, many, strict=True)
        answers = {letter + end for end, some in both for letter in chance.sample("abcdef", some)}
        others |= {*chance.sample(["ggg", f"gg{ends[0][1]}", "abc", "def", f"{ends[1][0]}cf"], 3)}
    goal = chance.random() < 0.7 if win is None else win
    hard = hard_game(folder, sorted(answers), sorted(others), chance.choice(["hard", "ultra"]), goal)
    hard.game.only = chance.random() < 0.2
    return hard


def trap(folder: Path, mode: str) -> Hard:
    """Return seven words that differ in one letter, which four others would tell apart."""
    return hard_game(folder, FIGHT, SPLIT, mode)


def asked(hard: Hard, chance: random.Random) -> tuple[str, int, float]:
    """Return a first guess or none, a limit or none, and what the whole game costs so."""
    within = chance.choice([FOREVER, FOREVER, chance.randint(1, 4)])
    useful = [
        g
        for g in hard.allowed(hard.everything, START)
        if hard.game.parts(hard.everything, g) != [hard.everything]
    ]
    if not useful or len(hard.everything) == 1 or chance.random() < 0.5:
        return "-", within, hard.cost(hard.everything, START, within)
    first = chance.choice(useful)
    return hard.game.guesses[first], within, hard.asking(hard.everything, START, first, within)
