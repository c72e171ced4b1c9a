"""Strategies bred: random ones, populations of them, and their evolution."""
