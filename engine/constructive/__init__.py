"""Strategies that are programs: for sizes where no tree can be written down."""
