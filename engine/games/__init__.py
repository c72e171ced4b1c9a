"""The games that come with the project, one file per game or family; loading a file registers its family."""

FILES = {
    "balance": ".balance",
    "blackpeg": ".blackpeg",
    "bulls": ".bulls",
    "coins": ".coins",
    "hangman": ".hangman",
    "mastermind": ".mastermind",
    "table": "..tables.family",
    "wordle": ".wordle",
}
"""The file of each family."""
