"""A folder with files that somebody else has written, such as that of downloads."""

from __future__ import annotations

import os
from pathlib import Path

FOREIGN = ("selectors", "json", "click", "numpy", "random", "socket", "networkx", "scipy", "colorama", "ray")
"""Names of Python's modules, of libraries that are there, and of some that may not be."""
OWN = """
from itertools import product
from guesstree import Game, Look, register

class Lock(Game):
    look = Look("pegs", "keys", says="right", symbols="ABC", secret="setting")

    def __init__(self, wheels):
        self.spec = f"lock:{wheels}"
        self.secrets = self.guesses = ["".join(code) for code in product("ABC", repeat=wheels)]
        self.responses = [str(right) for right in range(wheels + 1)]
        self.winning = wheels

    def respond(self, guess, secret):
        return sum(a == b for a, b in zip(self.guesses[guess], self.guesses[secret]))

register("lock", example="lock:2", about="wheels", reference="none")(lambda text: Lock(int(text)))
"""
"""A module ``lock`` of a user, with a game of its own."""


def write_foreign(folder: Path) -> None:
    """Write modules that tell when they are run."""
    for name in FOREIGN:
        text = f"open({str(folder / name)!r} + '.ran', 'a').write('ran\\n')\nraise RuntimeError({name!r})\n"
        (folder / f"{name}.py").write_text(text)


def foreign_that_ran(folder: Path) -> list[str]:
    """Return which of the modules were run."""
    return sorted(path.stem for path in folder.glob("*.ran"))


def unsafe_environment() -> dict[str, str]:
    """Return this environment as it is where nobody has thought of safety."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONSAFEPATH"}
