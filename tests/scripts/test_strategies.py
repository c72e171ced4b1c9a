"""Strategy files written as text: the checkers count in them what the search says."""

from pathlib import Path

import pytest
from fast_checker import SANITIZED, built
from slow_checker import both
from strategies_text import main, strategy_text
