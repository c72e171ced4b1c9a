"""Files that hold tables, read as rows of text: what a row or a cell means is for `engine.games` to say."""

from .read import read_sheet
from .sheet import Placed, Sheet

__all__ = ["Placed", "Sheet", "read_sheet"]
