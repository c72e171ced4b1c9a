"""A game of two: both hide a secret and ask in turn, and who needs fewer guesses wins."""
