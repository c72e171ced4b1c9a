"""Replay a small game's strategy: `strategy.py FILE.strategy`. 0: it takes what it says; 1: not; 2: none."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from checking import FREE, Demands, need, run

import verify

MOST_DEPTH = 1000  # guesses one after the other


class Checker(verify.Checker):
    """A strategy, token by token, and how many guesses it takes: of all secrets together, of one at most."""

    total, worst = 0, 0

    def settle(self, members: list[int], under: Demands, depth: int) -> None:
        """Play on with these secrets; `depth` is the number of the next guess."""
        if len(members) > 1:
            self.ask(members, under, depth, self.place(self.guesses))
        elif self.win < 0:
            self.worst = max(self.worst, depth - 1)
        else:
            need(members[0] in self.guess_of, "a secret that no guess wins for is left")
            self.ask(members, under, depth, self.guess_of[members[0]])

    def ask(self, members: list[int], under: Demands, depth: int, guess: int) -> None:
        """Ask a guess, and play on with the parts that are not won, in the order of their first secrets."""
        need(depth <= MOST_DEPTH, "too many guesses one after the other")
        need(guess in self.allowed(under), f"{self.named(guess)} may not be asked after these responses")
        need(
            not self.candidates or self.secret_of.get(guess) in members, f"{self.named(guess)}: no candidate"
        )
        self.total += len(members)
        row = self.rows[guess]
        for answer in dict.fromkeys(row[s] for s in members):
            part = [s for s in members if row[s] == answer]
            if answer == self.win:
                self.worst = max(self.worst, depth)
            else:
                self.settle(part, self.after(under, guess, part[0]), depth + 1)

    def check(self) -> str:
        """Return what the strategy takes."""
        need([self.take(), self.take()] == ["guesstree-proof/1", "strategy"], "no guesstree-proof/1 strategy")
        self.read_game()
        self.guess_of = {s: g for g, s in self.secret_of.items()}
        fixed, within, cost = self.first(self.guesses), self.number(100_000), self.number()
        need(self.take() == "(", "no ( before the guesses")
        sys.setrecursionlimit(max(sys.getrecursionlimit(), 4 * MOST_DEPTH))
        everything = list(range(len(self.secrets)))
        if fixed is None:
            self.settle(everything, FREE, 1)
        else:
            need(self.place(self.guesses) == fixed, "another guess is asked first")
            self.ask(everything, FREE, 1, fixed)
        need(self.take() == ")" and next(self.tokens, None) is None, "more guesses than are due")
        need(self.worst <= within, f"it takes up to {self.worst} guesses, not {within}")
        need(self.total <= cost, f"it takes {self.total} guesses in all, not {cost}")
        said = f"verified: a strategy for {len(self.secrets)} secrets takes {self.total} guesses in all"
        return f"{said}, at most {self.worst} ({len(self.names)} guesses, 0 lemmas)"


if __name__ == "__main__":
    run(Checker)
