"""The games that come with the project, one file per game or family; importing this registers them."""

from . import blackpeg, bulls, coins, hangman, mastermind, table, wordle

__all__ = ["blackpeg", "bulls", "coins", "hangman", "mastermind", "table", "wordle"]
