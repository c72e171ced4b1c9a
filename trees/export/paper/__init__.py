"""Texts of paragraphs and tables, to be read or printed: one file for each format."""
