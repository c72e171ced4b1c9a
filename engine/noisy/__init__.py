"""Noisy tests: each splits the weight of a cause over the answers that it may get."""
