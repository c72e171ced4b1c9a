"""Trees that other programs made, as strategies for a game."""
