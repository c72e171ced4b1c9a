"""The games that come with the project, one file per game or family; importing this registers them."""

from . import blackpeg, bulls, coins, csvfile, hangman, mastermind, wordle

__all__ = ["blackpeg", "bulls", "coins", "csvfile", "hangman", "mastermind", "wordle"]
