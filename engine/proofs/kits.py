"""Writes certificates of kits: no questions that cost less tell all secrets apart (K1 to K5 of KITS.md)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import comb, prod

import numpy as np
from numpy.typing import NDArray

from ..game import Game
from ..games.blackpeg import BlackPeg
from ..games.codes import CodeGame
from ..kits.bounds import prices_of_pairs
from ..kits.cover import CoverProblem
from ..kits.pairs import Pairs, bits, mask_of
from ..problem import Problem
from ..state import Ints, everything
from ..stopping import heed
from ..symmetry.groups import Permutation, orbits
from .items import body_of
from .renaming import CodeRenamings, SetRenamings, set_renamings
from .statement import FORMAT, GameName, certificate_names, is_table, require_small, ruled_game, table_name
from .table import kit_table, table_labels
from .writer import ProofError, enough

Items = Callable[[Ints], list[str]]
"""How a certificate says which of some questions are equal."""

DEEP = 4
"""Questions after which renamings are not looked for."""
MOST_PRICED = 600
"""Open pairs that have prices, the hardest."""
NEAR = 2
"""Prices are tried where those of the claim above bounded it within this factor."""
SUMS = (50, 200, 2000)
"""What the prices of a claim add up to, about: the least with which it is shown."""
FEW = 24
"""Pairs among which the one of the fewest orbits is taken."""


def nothing(weak: Ints) -> list[str]:  # noqa: ARG001 - as `Items`
    """Return what is said where no questions are equal."""
    return []


@dataclass(frozen=True)
class KitProof:
    """A certificate of a kit: its text, the files that it names, and how many claims are in it."""

    text: str
    files: dict[str, bytes]
    bound: int
    lemmas: int


@dataclass(frozen=True)
class Node:
    """The claim that no questions of those allowed, for what is left, make a kit together with those asked.

    Attributes
    ----------
    kit: the questions asked.
    allowed: those that may follow, as a mask.
    left: what they may cost.
    labels: equal for secrets that were answered alike.
    near: whether prices may show it.
    symmetric: whether renamings may keep what was asked.
    """

    kit: tuple[int, ...]
    allowed: int
    left: int
    labels: NDArray[np.int64]
    near: bool
    symmetric: bool


def kit_proof(game: Game, problem: Problem | None, cover: CoverProblem, bound: int) -> KitProof:
    """Return the certificate that every kit costs at least the bound.

    `problem`: the game as arrays, if it is a game with one answer to each question. Raises ProofError where
    the bound is false, and GuesstreeError for a game that is too large for the checker.
    """
    require_small(game)
    name, secrets, questions = names_of(game, problem, cover)
    writer = KitWriter(problem, cover, secrets, questions, ruled=not name.files)
    body = writer.proof(bound)
    text = f"{FORMAT} kit {cover.apart // 2} {name.words} identify - - {bound} {body}\n"
    return KitProof(text, dict(name.files), bound, writer.claims)


def names_of(
    game: Game, problem: Problem | None, cover: CoverProblem
) -> tuple[GameName, Sequence[str], Sequence[str]]:
    """Return a game as a certificate names it, its secrets and questions: by rules where they say all."""
    plain = cover.distinct and not cover.must and not cover.never and bool((cover.costs == 1).all())
    if problem is not None and plain and not is_table(game):
        questions, secrets = certificate_names(problem)
        return ruled_game(game), secrets, questions
    labels, shown = table_labels(game)
    if cover.sets is not None:  # completions have no labels
        shown = [f"<{s + 1}>" for s in range(cover.secrets)]
    table = table_name("table", kit_table(labels, shown, game.responses, cover))
    secrets, questions = ([str(i + 1) for i in range(n)] for n in (cover.secrets, cover.questions))
    return table, secrets, questions


class KitWriter:
    """Writes what shows that no kit costs less.

    Attributes
    ----------
    claims: how many claims about kits that begin with some question there are.
    """

    def __init__(
        self,
        problem: Problem | None,
        cover: CoverProblem,
        secrets: Sequence[str],
        questions: Sequence[str],
        *,
        ruled: bool,
    ) -> None:
        self._problem, self._cover, self._secrets, self._questions = problem, cover, secrets, questions
        self._pairs = Pairs(cover)
        self._pairs.begin()
        self._costs = cover.costs.tolist()
        self._least = min((cost for cost in self._costs if cost), default=1)
        self._codes: CodeRenamings | None = None
        game = None if problem is None else problem.game
        if ruled and isinstance(game, CodeGame):
            self._codes = CodeRenamings(game.codes.digits, separate=isinstance(game, BlackPeg))
        self._ruled = ruled
        self.claims = 0

    def proof(self, bound: int) -> str:
        """Return the body of the claim that every kit costs at least the bound; raise ProofError."""
        cover = self._cover
        free = [g for g, cost in enumerate(self._costs) if not cost and g not in cover.never]
        asked = {*cover.must, *free} if cover.apart == 1 else {*free}
        usable = np.array([g not in cover.never and g not in asked for g in range(cover.questions)])
        start = (*cover.must, *free * cover.apart)
        left = bound - 1 - cover.cost(cover.must)
        node = Node(start, mask_of(usable), left, cover.labels(start), near=True, symmetric=True)
        return self._body(node)

    def _body(self, node: Node) -> str:
        """Return the body of a claim."""
        heed()
        if node.left < 3 * self._least:
            return "."
        if self._counted(node):
            return "#"
        opened = self._open(node)
        rows = self._pairs.rows
        hardest = min(opened, key=lambda pair: (rows[pair] & node.allowed).bit_count())
        if not rows[hardest] & node.allowed:
            return f"( {self._pair(hardest)} )"
        least, prices = self._priced(node, opened) if node.near else (0, "")
        return prices or self._branch(node, opened, near=NEAR * least > node.left)

    def _branch(self, node: Node, opened: list[int], *, near: bool) -> str:
        """Return a body that asks all questions that tell a pair apart, one of each orbit."""
        rows, costs = self._pairs.rows, self._costs
        images, items = self._images(node)
        orbit = np.arange(len(costs)) if not images else orbits(len(costs), images)
        masks = {int(one): mask_of(orbit == one) for one in np.unique(orbit)} if images else {}
        some = sorted(opened, key=lambda pair: (rows[pair] & node.allowed).bit_count())[
            : FEW if images else 1
        ]
        choices = {pair: [*bits(rows[pair] & node.allowed)] for pair in some}
        pair = min(some, key=lambda pair: len(set(orbit[choices[pair]].tolist())))
        asked = [g for _, g in {int(orbit[g]): g for g in reversed(choices[pair])}.items()]
        told = {g: sum(rows[p] >> g & 1 for p in opened) for g in asked}
        asked.sort(key=lambda g: (costs[g], -told[g]))
        children, allowed = list[str](), node.allowed
        for g in asked:
            left = node.left - costs[g]
            if left >= 3 * self._least:
                self.claims += 1
                again = allowed if self._cover.apart > 1 else allowed & ~(1 << g)
                labels = self._cover.split(node.labels, g)
                symmetric = bool(images) and len(node.kit) + 1 < DEEP
                child = Node((*node.kit, g), again, left, labels, near, symmetric)
                children.append(f"{self._questions[g]} {self._body(child)}")
            allowed &= ~masks.get(int(orbit[g]), 1 << g)
        said = items(everything(len(costs))) if len(asked) < len(choices[pair]) else []
        return body_of([*said, self._pair(pair), *children])

    def _pair(self, pair: int) -> str:
        """Return the names of the secrets of a pair."""
        return " ".join(self._secrets[secret] for secret in self._pairs.ends[pair])

    def _open(self, node: Node) -> list[int]:
        """Return the pairs made so far that need more questions, with some that are made for it."""
        self._pairs.add_untold(node.kit, node.labels)
        found = [pair for pair in range(len(self._pairs)) if self._due(node, pair) > 0]
        if not found:
            raise ProofError(f"a kit that costs {node.left} less than was claimed tells all secrets apart")
        return found

    def _due(self, node: Node, pair: int) -> int:
        """Return in how many more questions the secrets of a pair have to differ."""
        row = self._pairs.rows[pair]
        return self._cover.apart - sum(row >> g & 1 for g in node.kit)

    def _counted(self, node: Node) -> bool:
        """Return whether the checker shows a claim by counting answers (K4)."""
        cover = self._cover
        (cells, _), first = np.unique(np.stack([node.labels, cover.kinds]), axis=1, return_index=True)
        sizes = np.bincount(cells)[node.labels]
        some = first[cells == node.labels[sizes.argmax()]]  # as the checker chooses: the first of the largest
        useful = [g for g in bits(node.allowed) if self._costs[g] <= node.left]
        if not useful:
            return len(some) > 1
        answers = np.sort(cover.answers[useful][:, some].astype(np.int64), axis=1)
        parts = np.sort((np.diff(answers, axis=1) > 0).sum(axis=1) + 1)[::-1].tolist()
        if cover.apart == 1:
            paid = np.cumsum(sorted(self._costs[g] for g in useful))
            return prod(parts[: int((paid <= node.left).sum())]) < len(some)
        most, asked, lies = parts[0], node.left // self._least, cover.apart // 2
        if asked < cover.apart or most ** (asked - cover.apart + 1) < len(some):
            return len(some) > 1
        return len(some) * sum(comb(asked, i) * (most - 1) ** i for i in range(lies + 1)) > most**asked

    def _priced(self, node: Node, opened: list[int]) -> tuple[float, str]:
        """Return at least what prices say that the rest costs, and prices that show the claim, or "" (K5)."""
        rows, costs = self._pairs.rows, self._costs
        useful = mask_of(np.array([cost <= node.left for cost in costs])) & node.allowed
        opened = sorted(opened, key=lambda pair: (rows[pair] & useful).bit_count())[:MOST_PRICED]
        if not rows[opened[0]] & useful:
            return 0, ""
        found = prices_of_pairs([rows[pair] & useful for pair in opened], costs, useful)
        if self._cover.apart == 1 and NEAR * found.least <= node.left:
            return float(found.least), ""
        each = np.array(found.each, dtype=np.float64)
        for most in SUMS:
            prices = np.rint(each * (most / each.sum())).astype(np.int64).tolist()
            named = [(pair, price) for pair, price in zip(opened, prices, strict=True) if price]
            if self._shown(node, useful, named):
                said = (f"{self._pair(pair)} {price}" for pair, price in named)
                return float(found.least), f"$ {' '.join(said)} ;"
        return float(found.least), ""

    def _shown(self, node: Node, useful: int, named: Sequence[tuple[int, int]]) -> bool:
        """Return whether questions collect less than is due, as the checker has it."""
        rows, costs = self._pairs.rows, self._costs
        due = sum(price * self._due(node, pair) for pair, price in named)
        gains = {g: sum(price for pair, price in named if rows[pair] >> g & 1) for g in bits(useful)}
        left, scale = node.left, 1
        collected = 0
        for g in sorted(gains, key=lambda g: -gains[g] / costs[g]):
            spent = left if self._cover.apart > 1 else min(costs[g], left)
            if spent < costs[g] or self._cover.apart > 1:
                scale = costs[g]
                return collected * scale + gains[g] * spent < due * scale
            collected, left = collected + gains[g], left - spent
        return collected < due

    # -- renamings --------------------------------------------------------------------------------------

    def _images(self, node: Node) -> tuple[list[Permutation], Items]:
        """Return where renamings take questions that keep what was asked and is allowed (K3), and items."""
        if not node.symmetric:
            return [], nothing
        if self._codes is not None:
            named = self._codes.after(node.kit)
            named = {item: image for item, image in named.items() if self._keeps(node, image)}
            return [*named.values()], (lambda weak: enough(weak, named)) if named else nothing
        if self._ruled or self._problem is None:
            return [], nothing
        members = everything(self._cover.secrets)
        alike = node.labels
        if not self._cover.distinct:
            alike = np.unique(np.stack([alike, self._cover.kinds]), axis=1, return_inverse=True)[1].ravel()
        those = SetRenamings(members, self._secrets, self._image)
        found = map(those.of, set_renamings(self._problem, members, alike.astype(np.int32)))
        some = [one for one in found if one is not None and self._keeps(node, one.image)]
        return [one.image for one in some], lambda weak: those.fewer(weak, some)

    def _keeps(self, node: Node, image: Permutation) -> bool:
        allowed = [*bits(node.allowed)]
        kept = sorted(image[list(node.kit)].tolist()) == sorted(node.kit)
        return kept and mask_of(np.isin(np.arange(len(image)), image[allowed])) == node.allowed

    def _image(self, members: Ints, moved: Sequence[Ints]) -> Ints | None:
        """Return where a renaming of all secrets takes each question, or None if it is none."""
        to = np.empty(len(members), dtype=np.int64)
        to[members] = moved[0]
        here, there = self._shapes(members), self._shapes(to)
        image = np.full(self._cover.questions, -1, dtype=np.int32)
        for shape, some in here.items():
            if len(there.get(shape, ())) != len(some):
                return None
            image[some] = there[shape]
        return image

    def _shapes(self, order: NDArray[np.integer]) -> dict[bytes, list[int]]:
        """Return questions by how they part the secrets in an order, with their costs and uses."""
        found: dict[bytes, list[int]] = {}
        cover = self._cover
        for g, row in enumerate(cover.answers[:, order]):
            _, first, number = np.unique(row, return_index=True, return_inverse=True)
            used = (self._costs[g], g in cover.must, g in cover.never)
            shape = np.argsort(np.argsort(first))[number.ravel()].astype(np.int32)
            found.setdefault(shape.tobytes() + repr(used).encode(), []).append(g)
        return found
