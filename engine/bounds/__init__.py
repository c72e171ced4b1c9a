"""Admissible lower bounds, each with its proof."""
