"""The least plan of several stages: each kit is chosen by the answers to all kits before it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from ..game import Game
from ..notation import plural
from ..objective import WORST
from ..registry import game_of
from ..search.deadline import Deadline, Progress
from ..support import Request, require
from .cover import CoverProblem
from .kit import chosen, planned, searched
from .pairs import bits
from .stages import Round, Stages


@dataclass(frozen=True)
class Stage:
    """A kit that is asked of some secrets, and what follows each combination of answers.

    Attributes
    ----------
    questions: the kit, by index.
    secrets: those that are left before it.
    parts: for each combination of answers the secrets that are left, and the next kit; None: they are of one
        kind, and nothing more is asked.
    """

    questions: tuple[int, ...]
    secrets: tuple[int, ...]
    parts: tuple[tuple[tuple[int, ...], tuple[int, ...], Stage | None], ...]


@dataclass(frozen=True)
class StagedKit:
    """A plan of several stages, and bounds of what the least one costs in the worst case.

    Attributes
    ----------
    goal: ``identify``, or ``win``: then one guess more is made, which wins.
    stages: how many there may be.
    root: the first kit.
    lower: at least what each plan costs in the worst case, in units of the game; `upper`: what this one does.
    stopped, nodes, seconds, cover, symmetry: as those of `Kit`.
    """

    game: Game
    goal: str
    stages: int
    root: Stage
    lower: int
    stopped: str
    nodes: int
    seconds: float
    cover: CoverProblem
    symmetry: str = ""

    @cached_property
    def ways(self) -> tuple[tuple[tuple[Stage, tuple[int, ...]], ...], ...]:
        """For each secret, the kits that it meets and its answers to them, by playing it."""
        return tuple(tuple(self._way(secret)) for secret in range(self.cover.secrets))

    def _way(self, secret: int) -> Iterator[tuple[Stage, tuple[int, ...]]]:
        stage: Stage | None = self.root
        while stage is not None:
            answers = tuple(int(self.cover.answers[question][secret]) for question in stage.questions)
            yield stage, answers
            stage = next(after for given, _, after in stage.parts if given == answers)

    def paid(self, secret: int) -> int:
        """Return what a secret pays."""
        return sum(self.cover.cost(stage.questions) for stage, _ in self.ways[secret])

    @cached_property
    def upper(self) -> int:
        """What the plan costs in the worst case."""
        return max(map(self.paid, range(self.cover.secrets)), default=0)

    @property
    def most_questions(self) -> int:
        """How many questions it asks at most."""
        return max((sum(len(stage.questions) for stage, _ in way) for way in self.ways), default=0)

    @property
    def optimal(self) -> bool:
        """Whether no plan costs less in the worst case."""
        return self.lower == self.upper

    def tells_apart(self) -> bool:
        """Return whether the plan does what it has to, by playing every secret through it."""
        kinds, ends = self.cover.kinds.tolist(), dict[str, int]()
        for secret, way in enumerate(self.ways):
            end = str([(stage.questions, answers) for stage, answers in way])
            if len(way) > self.stages or ends.setdefault(end, kinds[secret]) != kinds[secret]:
                return False
        asked = {question for way in self.ways for stage, _ in way for question in stage.questions}
        return not asked & self.cover.never and {*self.cover.must} <= {*self.root.questions}

    def labels(self, questions: Sequence[int]) -> list[str]:
        """Return the labels of questions."""
        return [self.game.guesses[question] for question in questions]

    def __repr__(self) -> str:
        found = f"at least {self.lower}, at most {self.upper}" if not self.optimal else f"{self.upper} proven"
        return f"StagedKit({self.game.spec}, {plural(self.stages, 'stage')}, cost {found})"


def staged_kit(
    game: Game | str,
    stages: int,
    *,
    goal: str | None = None,
    lies: int = 0,
    must: Sequence[int | str] = (),
    never: Sequence[int | str] = (),
    time_limit: float | None = None,
    symmetry: bool = True,
    progress: Callable[[Progress], None] | None = None,
) -> StagedKit:
    """Return the plan of several stages that costs least in the worst case, and tells secrets apart.

    In each stage several questions are asked at once, chosen by the answers to all stages before it. With one
    stage it is the least kit, with as many as there are questions a strategy that adapts to every answer.

    Parameters
    ----------
    stages: how many, at least 1.
    must: guesses that the first kit has to have.
    goal, never, time_limit, symmetry, progress: as those of `least_kit`; `lies` has to be 0.

    Raises as `least_kit` does.
    """
    game = game_of(game)
    require(
        Request(
            game,
            WORST.name,
            goal=goal or "",
            lies=lies,
            time_limit=time_limit,
            planned=True,
            stages=stages,
        )
    )
    deadline = Deadline(time_limit)
    asked = chosen(game, "must", must), chosen(game, "never", never)
    search, aim, renamings = searched(
        game,
        deadline,
        progress,
        lambda: planned(game, goal, 0, *asked, symmetry=symmetry),
        lambda cover, classes: Stages(cover, stages, classes, deadline.late),
    )
    assert search.best is not None
    root = _stage(search.problem, search.best, tuple(range(search.problem.secrets)))
    stopped = deadline.stopped if search.lower < search.upper else ""
    plan = StagedKit(
        game,
        aim,
        stages,
        root,
        search.lower,
        stopped,
        search.nodes,
        deadline.seconds,
        search.problem,
        renamings,
    )
    assert plan.tells_apart() and plan.upper == search.upper
    return plan


def _stage(cover: CoverProblem, found: Round, secrets: tuple[int, ...]) -> Stage:
    """Return a kit with what follows each combination of answers, in the order of responses."""
    parts: dict[tuple[int, ...], list[int]] = {}
    for secret in secrets:
        answers = tuple(int(cover.answers[question][secret]) for question in found.questions)
        parts.setdefault(answers, []).append(secret)
    after = {tuple(bits(part)): follows for part, follows in found.after.items()}
    return Stage(
        found.questions,
        secrets,
        tuple(
            (
                answers,
                tuple(some),
                _stage(cover, after[tuple(some)], tuple(some)) if tuple(some) in after else None,
            )
            for answers, some in sorted(parts.items())
        ),
    )
