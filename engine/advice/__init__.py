"""Advice in the middle of a game: what is still possible, what each guess tells, what to ask next."""
