"""The Python API as a person meets it: specs, solutions with their trees, reprs, pickles, help, notebooks."""

from __future__ import annotations

import copy
import inspect
import pickle
import pydoc
import subprocess
import sys
import textwrap
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from ruled import RuledGame  # a game whose questions depend on what came before

import guesstree
from guesstree import Game, GuesstreeError, Infeasible, Look, Method, Position, Strategy
from guesstree.engine.games.table import TableGame
from guesstree.engine.search.watch import PLAYED, Progress
from guesstree.progress import progress_bar
from guesstree.trees.tree import Claims, TreeError
