"""Explicit strategy trees: build, check, export."""
