"""Strategies as web pages."""
