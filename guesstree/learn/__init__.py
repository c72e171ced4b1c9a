"""Strategies learned from examples, with the interface of scikit-learn."""
