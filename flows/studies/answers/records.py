"""What a question of the fit holds: its sentences with their signals, and which of them answer it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from knowledge_db.answers import SentenceWeights, SureWeights

SENTENCE: tuple[str, ...] = tuple(n for n in SentenceWeights.model_fields if n != "nothing")
STANDING: tuple[str, ...] = tuple(n for n in SureWeights.model_fields if n not in ("base", "chance"))
SURE = (*STANDING, "chance")
Rows = NDArray[np.float64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True)
class Labelled:
    """A part of a question put to some papers.

    Attributes:
        group: The request or paper that it is of; questions of one group are never on both sides of a fold.
        rows: The signals of its sentences, a row each, in the order of ``SENTENCE``.
        standing: The signals that each answers rightly, in the order of ``STANDING``.
        said: What each answers: the same number where it is the same.
        answers: Whether each answers it.
        carried: Whether each may be stated: it carries what a lawyer insists on, at least in part.
        stated: Whether it is a question whose answer one sentence may give.
        natural: Whether it is in the words of a request.
        weight: What it counts in the fit.
    """

    group: str
    rows: Rows
    standing: Rows
    said: tuple[int, ...]
    answers: Flags
    carried: Flags
    stated: bool
    natural: bool
    weight: float
