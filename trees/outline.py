"""`Outline`: a strategy as its reader sees it, for charts, keys, lists and lines of text.

A tree has a leaf for each secret. A reader wants to know what is to be known of it: secrets that share that
(`Game.kinds`, such as the ways to fill the empty cells of a cause) are one cause, and a question that only
tells these apart is not asked. Answers to a question that end with the same cause, or the same decision, are
one branch.

Where tests split weights (`Game.model`) a step also says which causes are possible and how probable each is,
and an end what is decided and at which expected loss.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

import numpy as np

from guesstree.engine.exact import Value, whole_or_part
from guesstree.engine.game import Game, weights_of
from guesstree.engine.notation import MISS
from guesstree.engine.tables.table import table_content

from .language import number_text, paid_text, say
from .noisy import Reach, reach_of
from .tree import Ints, Tree


@dataclass(frozen=True)
class Branch:
    """Where answers to a question lead: their labels, and the number of the step."""

    answers: tuple[str, ...]
    step: int


@dataclass(frozen=True)
class Step:
    """A question with its branches, or an end that names what is known or decides.

    Attributes
    ----------
    node: the strategy's node; of several that are one end, the first.
    question: the label of the guess; empty at an end.
    topic: what the question asks about, where its answers are shown beside it (`Game.topics`), or its label.
    names: what the end says: what it names, or the one label of what it decides, or `DONE` where the answer
        ended the path; empty at a question.
    branches: in the order of the responses; to win, the winning response is one of them.
    causes: how many different things may still be named, here or below; where tests split weights, how many
        are possible at an end.
    needed: questions that are still asked at most, this one included.
    weight: of the secrets that end here or below; where responses may be false, each as often as it ends;
        where a guess may get several, as often as it gets here.
    depth: questions before this one.
    parent: the number of the step above; -1 at the first.
    secrets: the numbers of the causes that are possible here, likeliest first. Empty where every test has one
        answer for each cause (no `Game.model`).
    possible: these causes, or the classes of them where the game has such, each with its probability,
        likeliest first.
    decides: whether the end decides (`Tree.decided`).
    loss: what the decision loses here on average, in units of the game's costs (`Game.cost_text` shows it).
    silent: how many tests on the way failed to answer; where some did, the weight is 0, as nobody says how
        likely that is, but what is possible is as probable as said.
    chance: how probable the answers are that lead here, at the step above; None: nobody says, as that test
        failed to answer.
    setup: how much of the price of the question opens its group, as it is the first of it here; in units.
    """

    node: int
    question: str
    names: tuple[str, ...]
    branches: tuple[Branch, ...]
    causes: int
    needed: int
    weight: Value
    depth: int
    parent: int
    secrets: tuple[int, ...] = ()
    possible: tuple[tuple[str, Fraction], ...] = ()
    decides: bool = False
    loss: Value = 0
    silent: int = 0
    chance: Fraction | None = None
    setup: Value = 0
    topic: str = ""


@dataclass(frozen=True)
class Outline:
    """The steps of a strategy, the first question first, then level by level.

    Where only the first questions are outlined, the last of them have no branches. `reached`: how each node
    of the strategy is reached, for a game with a model.
    """

    game: Game
    strategy: Tree
    steps: Sequence[Step]
    reached: Sequence[Reach] = ()

    def share(self, step: int) -> Fraction:
        """Return the share of all weight that gets to a step."""
        return Fraction(self.steps[step].weight, self.steps[0].weight)

    def price(self, step: int) -> str:
        """Return what the question of a step costs, ``15 minutes``, ``cost 2 to 3`` or ``3 EUR + 5 set-up``.

        Empty at an end, and where costs only count the questions, or some of them.
        """
        if step not in self._paid or not self.priced:
            return ""
        setup = self.steps[step].setup
        least, most = (number_text(self.game.cost_text(paid - setup)) for paid in self._paid[step])
        if least != most:
            least = say("{least} to {most}", least=least, most=most)
        price = paid_text(self.game.look, least)
        if not setup:
            return price
        return say("{price} + {more} set-up", price=price, more=number_text(self.game.cost_text(setup)))

    @cached_property
    def priced(self) -> bool:
        """Whether `price` says anything."""
        return any(most * self.game.cost_unit != 1 for _, most in self._paid.values())

    @cached_property
    def costly(self) -> bool:
        """Whether costs do more than count the questions: the strategy's own, or others that it avoids."""
        game, content = self.game, table_content(self.game)
        if game.model is not None:
            prices = {*game.model.prices, *game.model.later}
        elif game.costs is None:
            prices = set[Value]()
        elif game.kinds is not None and content is not None:  # to name a kind is no test, and costs nothing
            tests = set(content.guesses)
            prices = {
                c for g, row in zip(game.guesses, game.costs, strict=True) if g in tests for c in row.tolist()
            }
        else:
            prices = set(game.costs.ravel().tolist()) if game.kinds is None else set()
        return self.priced or any(price * game.cost_unit != 1 for price in prices)

    def won(self, step: int) -> bool:
        """Return whether a step is where the question above it got the winning response."""
        above = self.steps[step].parent
        return above >= 0 and self.steps[above].node == self.steps[step].node

    def asked(self, step: int) -> int:
        """Return how many questions are asked until an end is reached; to win, a guess that wins is one."""
        return self.steps[step].depth + self.steps[step].needed

    def spent(self, step: int) -> Value:
        """Return the most that is paid for questions until an end is reached, in units."""
        if self.reached:
            return self.reached[self.steps[step].node].paid
        last = [self.game.winning] if self.steps[step].needed and self.game.winning is not None else []
        paid = [
            max(self._costs(above, (self._known[a] for a in answers))) for above, answers in self.path(step)
        ]
        return sum(paid) + sum(self._costs(step, last))

    @cached_property
    def _paid(self) -> Mapping[int, tuple[Value, Value]]:
        """The least and the most that each question costs, by its step; empty where the game has no costs."""
        model = self.game.model
        if model is not None:
            nodes = [(at, step.node) for at, step in enumerate(self.steps) if step.question]
            guess = self.strategy.guess.tolist()
            return {at: (model.price(guess[n], self.reached[n].opened),) * 2 for at, n in nodes}
        if self.game.costs is None:
            return {}
        found = dict[int, tuple[Value, Value]]()
        won = [self.game.winning] if self.strategy.goal == "win" and self.game.winning is not None else []
        for number, step in enumerate(self.steps):
            if step.question:
                answers = self.strategy.response[self.strategy.children(step.node)].tolist()
                last = won if self.strategy.secret[step.node] >= 0 else []
                paid = self._costs(number, (*answers, *last))
                found[number] = min(paid), max(paid)
        return found

    @cached_property
    def _known(self) -> Mapping[str, int]:
        return {label: response for response, label in enumerate(self.game.responses)}

    def _costs(self, step: int, responses: Iterable[int]) -> list[int]:
        """Return what the guess of a step's node costs, by its responses."""
        guess, costs = int(self.strategy.guess[self.steps[step].node]), self.game.costs
        return [1 if costs is None else int(costs[guess, response]) for response in responses]

    @cached_property
    def answers(self) -> Sequence[tuple[str, ...]]:
        """The answers that lead to each step; none to the first."""
        found: list[tuple[str, ...]] = [()] * len(self.steps)
        for step in self.steps:
            for branch in step.branches:
                found[branch.step] = branch.answers
        return found

    def path(self, step: int) -> list[tuple[int, tuple[str, ...]]]:
        """Return the steps that lead to a step, each with the answers that go on."""
        found = []
        while (above := self.steps[step].parent) >= 0:
            found.append((above, self.answers[step]))
            step = above
        return found[::-1]

    @cached_property
    def patterns(self) -> Sequence[str]:
        """What is shown of the secret at each step, as ``_ a _ a``; empty where nothing is certain."""
        game, tree = self.game, self.strategy
        if game.look.answers != "places" or tree.several:
            return [""] * len(self.steps)
        # Of the secrets below a node one stands for all, where they are all of one form.
        some = np.where(tree.secret >= 0, tree.secret, -1).tolist()
        blank = [game.look.pattern((), [game.secrets[s]]) if s >= 0 else "" for s in some]
        for node in reversed(range(1, len(tree))):
            above = int(tree.parent[node])
            if some[above] < 0:
                some[above], blank[above] = some[node], blank[node]
            elif blank[above] != blank[node]:
                blank[above] = ""
        found = []
        for number, step in enumerate(self.steps):
            turns = [
                (self.steps[above].question, answers[0])
                for above, answers in self.path(number)
                if blank[step.node] and len(answers) == 1
            ]
            secrets = [game.secrets[some[step.node]]] if blank[step.node] else []
            found.append(game.look.pattern(turns, secrets))
        return found

    def shown(self, step: int) -> tuple[str, ...]:
        """Return the answers that lead to a step, none to the first; or all that is then known of the secret.

        That is a pattern, if it is more than before; its words are kept together by no-break spaces. A miss
        is shown as such.
        """
        pattern, above = self.patterns[step], self.steps[step].parent
        answers = self.answers[step]
        if answers == (MISS,) or pattern == (self.patterns[above] if above >= 0 else ""):
            return answers
        return (" | ".join(word.replace(" ", "\u00a0") for word in pattern.split(" | ")),)

    def names_below(self, step: int) -> list[str]:
        """Return what may still be named at a step or below it, each once, from the first branch on."""
        found, waiting = dict[str, None](), [step]
        while waiting:
            here = self.steps[waiting.pop()]
            found |= dict.fromkeys(here.names)
            waiting += [branch.step for branch in reversed(here.branches)]
        return list(found)

    def depth_first(self) -> Iterator[int]:
        """Yield the steps, each before those below it, in the order of the answers."""
        waiting = [0]
        while waiting:
            step = waiting.pop()
            yield step
            waiting += [branch.step for branch in reversed(self.steps[step].branches)]


def outline(game: Game, strategy: Tree, most: int | None = None) -> Outline:
    """Return the steps of a valid strategy (see `guesstree.trees.check`), at most the first so many deep."""
    names, weights = _Names(game, strategy), weights_of(game)
    waiting: list[tuple[tuple[int, ...], int, int]] = [((0,), -1, 0)]
    steps: list[Step] = []
    for nodes, parent, depth in waiting:
        if not nodes:  # the guess of the step above got the winning response
            node = steps[parent].node
            secret = int(strategy.secret[node])
            won = (game.secrets[secret],)
            steps.append(Step(node, "", won, (), 1, 0, int(weights[secret]), depth, parent))
            continue
        node, below = nodes[0], sum(names.below[same] for same in nodes)
        needed = int(names.deepest[node]) - depth
        known = names.known(node)
        branches = []
        if not known and depth + 1 != most:
            for answers, children in _branches(game, strategy, names, node):
                branches.append(Branch(answers, len(waiting)))
                waiting.append((children, len(steps), depth + 1))
        question = "" if known else game.guesses[int(strategy.guess[node])]
        many = len(known) if known else int(names.many[node])
        topic = game.topics[int(strategy.guess[node])] if question and game.topics else question
        step = Step(node, question, known, tuple(branches), many, needed, below, depth, parent, topic=topic)
        steps.append(_split(step, nodes, strategy, names.reached) if names.reached else step)
    return Outline(game, strategy, steps, names.reached)


def _split(step: Step, nodes: Sequence[int], strategy: Tree, reached: Sequence[Reach]) -> Step:
    """Return a step with what is to be said where tests split weights."""
    game, model = strategy.game, strategy.game.model
    assert model is not None
    node, mass, loss = step.node, Fraction(), Fraction()
    masses = dict.fromkeys(range(len(game.secrets)), Fraction())
    for same in nodes:
        mass += reached[same].mass
        for secret, part in reached[same].masses.items():
            masses[secret] += part
            if model.losses is not None and same in strategy.decided:
                loss += part * (model.losses[strategy.decided[same]][secret] or 0)
    likely = sorted((s for s in masses if masses[s]), key=lambda s: -masses[s])
    by_label_sums = dict[str, Fraction]()
    for s in likely:
        label = (game.classes or game.secrets)[s]
        by_label_sums[label] = by_label_sums.get(label, Fraction()) + masses[s]
    by_label = sorted(by_label_sums.items(), key=lambda one: -one[1])
    above = reached[int(strategy.parent[node])] if node else reached[0]
    silent = reached[node].failures
    counted = silent == above.failures and above.mass
    guess = int(strategy.guess[node])
    first = guess >= 0 and bool(model.group(guess) - reached[node].opened)
    return replace(
        step,
        causes=len(likely) if step.names else step.causes,
        secrets=tuple(likely),
        possible=tuple((label, part / mass) for label, part in by_label),
        decides=node in strategy.decided,
        loss=whole_or_part(loss / mass) if mass else 0,
        silent=silent,
        chance=mass / above.mass if counted else None,
        setup=model.prices[guess] - model.later[guess] if first else 0,
    )


class _Names:
    """What may be named at each node of a strategy or below: how many, what they weigh, and their labels."""

    def __init__(self, game: Game, strategy: Tree) -> None:
        self.strategy = strategy
        self.labels: list[str] = list(game.secrets if game.kinds is None else dict.fromkeys(game.kinds))
        kinds = np.arange(len(self.labels))
        if game.kinds is not None:
            number = {label: i for i, label in enumerate(self.labels)}
            kinds = np.array([number[label] for label in game.kinds])
        named = strategy.secret >= 0
        own = np.where(named, kinds[strategy.secret], -1)
        self.ends: list[tuple[str, ...]] = [(label,) for label in self.labels]
        numbers = {end: i for i, end in enumerate(self.ends)}
        if game.facts.noisy:  # what leaves decide, or several secrets; where it is the same it is one end
            for node in np.flatnonzero(strategy.guess < 0).tolist():
                own[node] = numbers.setdefault(strategy.endings(node), len(numbers))
            self.ends = list(numbers)
        self.last = strategy.most_below(own)
        self.first = -strategy.most_below(np.where(named, -own, -len(self.ends)))
        self.reached = reach_of(strategy) if game.facts.noisy else []
        self.below = self._weights()
        self.many = self._different(own.tolist()) if game.facts.by_kind else strategy.secrets_below()
        last_asked = np.diff(strategy.first_child) == 0
        # A question may tell apart no more than ways to fill empty cells; any other of a file is asked.
        ways = game.facts.by_kind and strategy.goal == "identify"
        self.sure = (self.first == self.last) & (last_asked | ways)
        if game.facts.noisy:  # what is asked costs, and may end the path, whatever is said in the end
            self.sure = strategy.guess < 0
        # What follows where all is known is not asked.
        over = self.sure[strategy.parent] & (strategy.depth > 0)
        self.deepest = strategy.most_below(np.where(over, 0, strategy.depth + (strategy.goal == "win")))

    def _weights(self) -> list[Value]:
        """Return what the secrets that end in each subtree weigh, 1 each without weights.

        Where guesses may get several responses, a secret counts as often as it gets there, and not at all
        where a guess on the way failed to respond.
        """
        if self.reached:
            return [Fraction(0) if at.failures else at.mass for at in self.reached]
        weights = np.append(weights_of(self.strategy.game), 0)  # -1 names no secret
        return list(self.strategy.sum_below(weights[self.strategy.secret]).tolist())

    def _different(self, own: list[int]) -> Ints:
        found: list[frozenset[int]] = [frozenset()] * len(own)
        for node in reversed(range(len(own))):
            found[node] = frozenset(own[node : node + 1] if own[node] >= 0 else ()).union(
                *(found[child] for child in self.strategy.children(node))
            )
        return np.array(list(map(len, found)))

    def known(self, node: int) -> tuple[str, ...]:
        """Return what is known at a node; empty where a question is still to be asked."""
        return self.ends[self.last[node]] if self.sure[node] else ()


def _branches(
    game: Game, strategy: Tree, names: _Names, node: int
) -> Iterator[tuple[tuple[str, ...], tuple[int, ...]]]:
    """Yield answers and the nodes that they lead to, ends that name the same together; no node: it is won."""
    found: dict[object, list[tuple[int, int]]] = {}
    for child in strategy.children(node):
        if names.last[child] < 0 or (names.reached and not names.reached[child].masses):
            continue  # no secret gets there
        same: object = names.known(child) or child
        if names.reached:  # what was answered and what was not are two branches
            same = same, names.reached[child].failures
        found.setdefault(same, []).append((int(strategy.response[child]), child))
    together = [list(zip(*pairs, strict=True)) for pairs in found.values()]
    if strategy.secret[node] >= 0 and strategy.goal == "win" and game.facts.winnable:
        together.append([(game.winning,), ()])
    split = game.model.splits[int(strategy.guess[node])] if game.model and game.model.splits else None
    rank = {answer: i for i, answer in enumerate(split.parts)} if split else {}
    for answers, nodes in sorted(together, key=lambda one: [rank.get(a, a) for a in one[0]]):
        yield tuple(game.responses[a] for a in answers), nodes
