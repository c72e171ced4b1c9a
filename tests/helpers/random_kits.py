"""Small random problems that some kit of questions solves."""

import random

import numpy as np

from guesstree.engine.kits.cover import CoverProblem


def random_cover(dice: random.Random) -> CoverProblem:
    """Return a small random problem that some kit solves."""
    lies = dice.choice([0, 0, 0, 1])
    questions, secrets = dice.randint(1, 5 if lies else 8), dice.randint(1, 5 if lies else 9)
    answers, full = dice.randint(2, 3), dice.choice([0.5, 0.5, 0.2, 0.8])
    cells = [
        [dice.randrange(answers) if dice.random() < full else 0 for _ in range(secrets)]
        for _ in range(questions)
    ]
    kinds = [dice.randrange(secrets) if dice.random() < 0.3 else s for s in range(secrets)]
    least, most = dice.choice([(1, 1), (1, 6), (0, 6)])
    costs = [dice.randint(least, most) * dice.choice([1, 1, 3] if most > 1 else [1]) for _ in cells]
    must = tuple(dice.sample(range(questions), 1)) if dice.random() < 0.2 else ()
    never = frozenset(g for g in range(questions) if dice.random() < 0.05 and g not in must)
    cover = CoverProblem(
        np.array(cells, dtype=np.uint8),
        np.array(kinds, dtype=np.int64),
        np.array(costs, dtype=np.int64),
        2 * lies + 1,
        must,
        never,
    )
    usable = [question for question in range(questions) if question not in never]
    return cover if cover.undivided(usable) is None else random_cover(dice)
