"""Exact search, bounds that improve, and what stops them."""
