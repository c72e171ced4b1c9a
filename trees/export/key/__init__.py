"""Strategies as numbered keys: text, Markdown, HTML, Word and PDF."""
