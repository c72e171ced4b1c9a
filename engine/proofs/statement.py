"""What a certificate says: its first line, which names the game so that a stranger can make it again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from math import ceil, prod

from ..errors import GameError, GuesstreeError
from ..exact import Number
from ..game import Game
from ..games.blackpeg import BlackPeg
from ..games.bulls import BullsAndCows
from ..games.codes import CodeGame
from ..games.mastermind import Mastermind
from ..games.wordle import WordleGame
from ..noisy.integer_model import IntegerModel
from ..noisy.model import Model
from ..notation import plural
from ..problem import Problem
from .renaming import symbols_of
from .table import noisy_table, noisy_unit, plain_table, priced_table, whole_weights

FORMAT = "guesstree-proof/1"
CODES = {Mastermind: "mastermind", BlackPeg: "blackpeg", BullsAndCows: "bulls"}
MOST_NUMBER, MOST_PEGS, MOST_CELLS = 100_000, 14, 1 << 30
"""What the checker takes: secrets or guesses, pegs of a code, and responses, rows of whole `ROUND`."""
MOST_RESPONSES, MOST_WITH_COSTS = 254, 4096
"""Responses to a guess that the checkers take, beside that which wins."""
MOST_BITS, MOST_TESTS = 4000, 1000
"""Of the number by which masses are multiplied, and tests, where these may get several answers."""
ROUND = 64

Goal = int | tuple[int, ...] | None
"""At least so much in all; (lost,) or (lost, paid by others) at least; None: no strategy keeps the limit."""


@dataclass(frozen=True)
class GameName:
    """A game as a certificate names it.

    Attributes
    ----------
    words: KIND A B, behind ``lies`` and their number where responses may be false.
    files: what the game is read from, by the name of each file: the SHA-256 of its bytes.
    """

    words: str
    files: Mapping[str, bytes] = field(default_factory=dict)

    @property
    def content(self) -> tuple[str, ...]:
        """The words, with the SHA-256 of what a file holds for its name: two are the same for one game."""
        files = self.files
        return tuple(
            sha256(files[word]).hexdigest() if word in files else word for word in self.words.split()
        )


@dataclass(frozen=True)
class Statement:
    """What is claimed of a game, but for the bound.

    Attributes
    ----------
    goal: ``win`` or ``identify``, with ``-candidates`` where only what may be the secret is asked.
    first: the first guess as a certificate names it, or ``-``.
    within: the guesses allowed, or None.
    scale: by what bounds are multiplied, so that they are integers.
    coin: the same for what is paid within a limit.
    """

    game: GameName
    goal: str
    first: str = "-"
    within: int | None = None
    scale: int = 1
    coin: int = 1

    def text(self, bound: Goal, body: str) -> str:
        """Return a certificate of a bound."""
        if bound is not None and not isinstance(bound, tuple):
            bound = self.scaled(bound)
        return f"{FORMAT} {self.words} {cost_text(bound)} {body}\n"

    def scaled(self, bound: Number) -> int:
        """Return a bound as the certificate counts it."""
        return ceil(bound * self.scale)

    def limit(self, within: Number) -> int:
        """Return a limit as the certificate counts it: a worst case of more is one of 1 more, at least."""
        return ceil((within + 1) * self.coin) - 1

    @property
    def words(self) -> str:
        """The game, GOAL FIRST WITHIN."""
        limit = "-" if self.within is None else self.limit(self.within)
        return f"{self.game.words} {self.goal} {self.first} {limit}"


def cost_text(bound: Goal) -> str:
    """Return the bound of the whole as a certificate has it."""
    if isinstance(bound, tuple):
        return ":".join(["lost", *map(str, bound)])
    return "inf" if bound is None else str(bound)


def statement_of(problem: Problem, lies: int = 0) -> Statement:
    """Return what a certificate of a problem with lies is about, without a limit.

    Raises GuesstreeError for a game that the checkers do not take.
    """
    game, first = problem.game, problem.first
    if game.model is not None:
        return noisy_statement(problem, game.model)
    require_small(game)
    require_few_responses(problem)
    named = table_name("priced", priced_table(problem)) if problem.priced else named_game(problem)
    goal = problem.goal + ("-candidates" if problem.candidates_only else "")
    if lies:
        named = GameName(f"lies {lies} {named.words}", named.files)
    if goal == "identify-candidates" and is_table(game):
        require_named(problem)
    return Statement(named, goal, "-" if first is None else certificate_names(problem)[0][first])


def noisy_statement(problem: Problem, model: Model) -> Statement:
    """Return what a certificate of a game with a model is about; raise GuesstreeError for one too large."""
    integers, game = IntegerModel(model), problem.game
    unit = noisy_unit(model)
    most = max(map(len, ({a for cell in row for a in cell} for row in model.chances)))
    if unit.bit_length() > MOST_BITS or most > MOST_WITH_COSTS or len(game.guesses) > MOST_TESTS:
        raise GuesstreeError(
            f"{game.spec}: {plural(len(game.guesses), 'test')}, odds that come to numbers of "
            f"{unit.bit_length()} bits, up to {plural(most, 'answer')}; certificates are checked up to "
            f"{MOST_TESTS}, {MOST_BITS} and {MOST_WITH_COSTS}"
        )
    named = table_name("noisy", noisy_table(game, integers))
    first = "-" if problem.first is None else str(problem.first + 1)
    scale = unit * integers.coin * whole_weights(model)
    return Statement(named, "identify", first, scale=scale, coin=integers.coin)


def require_named(problem: Problem) -> None:
    """Raise GuesstreeError where a guess is another secret than that of its label, which a table tells."""
    game = problem.game
    labels = dict.fromkeys(game.guesses, -1) | {label: s for s, label in enumerate(game.secrets)}
    if [labels[label] for label in game.guesses] != problem.own.tolist():
        raise GuesstreeError(
            f"{game.spec}: a {game.look.guess} names another {game.look.secret} than that of its label; a "
            "certificate for candidates only needs the same labels"
        )


def require_small(game: Game) -> None:
    """Raise GuesstreeError for a game that is too large for the checker of certificates."""
    secrets, guesses = len(game.secrets), len(game.guesses)
    cells = prod(-(-count // ROUND) * ROUND for count in (secrets, guesses))
    if max(secrets, guesses) > MOST_NUMBER or cells > MOST_CELLS:
        raise GuesstreeError(
            f"{game.spec} has {plural(secrets, game.look.secret)} and {plural(guesses, game.look.guess)}; "
            f"certificates are checked up to {MOST_NUMBER} of each and {MOST_CELLS} responses in all: "
            "use a smaller game"
        )
    if type(game) in CODES and isinstance(game, CodeGame) and game.codes.positions > MOST_PEGS:
        raise GuesstreeError(
            f"{game.spec} has {game.codes.positions} pegs; certificates are checked up to {MOST_PEGS}: "
            "use a smaller game"
        )


def require_few_responses(problem: Problem) -> None:
    """Raise GuesstreeError for a guess with more responses than the checker of the game takes."""
    game, most = problem.game, MOST_WITH_COSTS if problem.priced else MOST_RESPONSES
    if len(game.responses) <= most:
        return
    for g, row in enumerate(problem.table.tolist()):
        if (count := len({*row} - {problem.winning})) > most:
            raise GuesstreeError(
                f"{game.spec}: {game.look.guess} {game.guesses[g]!r} has {plural(count, 'response')}; "
                f"certificates are checked up to {most}: use one with fewer"
            )


def is_table(game: Game) -> bool:
    """Return whether a certificate names a game as a table: the checker does not know its rules."""
    if type(game) is WordleGame:
        return not game.latin
    return type(game) not in CODES or game.look.own_letters


def certificate_names(problem: Problem) -> tuple[Sequence[str], Sequence[str]]:
    """Return guesses and secrets as a certificate names them: codes from 0, words, or numbers from 1."""
    game = problem.game
    if problem.priced or is_table(game):
        guesses, secrets = ([str(i + 1) for i in range(n)] for n in (len(problem.own), problem.secrets))
        return guesses, secrets
    if isinstance(game, CodeGame):
        names = [symbols_of(code) for code in game.codes.digits.tolist()]
        return names, names
    return game.guesses, game.secrets


def named_game(problem: Problem) -> GameName:
    """Return a game as a certificate names it: by its rules where the checker knows them, else as a table."""
    if not is_table(problem.game):
        return ruled_game(problem.game)
    return table_name("table", plain_table(problem))


def ruled_game(game: Game) -> GameName:
    """Return the name of a game by its rules; raise GameError for a game of which no checker knows them."""
    if type(game) in CODES and isinstance(game, CodeGame):
        return GameName(f"{CODES[type(game)]} {game.codes.positions} {len(game.codes.symbols)}")
    if type(game) is not WordleGame or not game.latin:
        raise GameError(f"{game.spec} is not known by its rules")
    lists = ("".join(f"{word}\n" for word in sorted(some)).encode() for some in (game.secrets, game.guesses))
    files = {f"{sha256(data).hexdigest()}.txt": data for data in lists}
    names = [*files, *files][:2]  # the same file twice, where all may be guessed
    kind = f"wordle-{game.mode}" if game.mode else "wordle"
    return GameName(f"{kind} {' '.join(names)}", files)


def table_name(kind: str, table: bytes) -> GameName:
    """Return the name of a game that is a file."""
    digest = sha256(table).hexdigest()
    return GameName(f"{kind} {digest} {digest}.csv", {f"{digest}.csv": table})
