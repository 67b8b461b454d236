"""The study itself: gather the questions, fit the scorer, report its quality, write its weights."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from flows.bench.requests.gold import OPEN, requests_of
from flows.settings import Settings
from flows.studies.answers.gathering import of_annotated, of_request
from flows.studies.answers.measuring import Scorer, fitted, held_back, told
from flows.studies.answers.records import SENTENCE, SURE, Labelled, Rows

_FOLDS = 5  # each matter is held out once in five fittings
_HEAD = """\
# How likely a sentence answers a question, and how sure that is: a scorer fitted on answered questions, by
# `solon study answers DATA --to FILE`. What each signal is stands in knowledge_db/answers.py.
"""


def fit_answers(data: Path, to: Path, settings: Settings) -> list[str]:
    """Fit the scorer on the open requests and the annotated papers below ``data``; returns what it is worth.

    Args:
        data: The folder of the shared data.
        to: The file that is written.
        settings: What is in force.
    """
    found = gathered(data, settings)
    to.write_text(as_toml(fitted(found, _FOLDS)), encoding="utf-8")
    return [*told(list(held_back(found, _FOLDS))), f"written: {to}"]


def gathered(data: Path, settings: Settings) -> list[Labelled]:
    """Return the questions with marked answers; requests whose papers are not there are left out."""
    found: list[Labelled] = []
    for half in sorted(OPEN):
        with TemporaryDirectory() as place:
            for request in requests_of(half, Path(place)):
                if all(p.is_file() for p in request.paths(data)):
                    found += of_request(request, data, settings)
    annotated = data / "legalbench_rag"
    return [*found, *(of_annotated(annotated, settings) if annotated.is_dir() else ())]


def as_toml(scorer: Scorer) -> str:
    """Return the weights as the harness holds them."""
    sentence = _lines(("nothing", *SENTENCE), np.append(scorer.choice.nothing, scorer.choice.weights))
    sure = _lines(("base", *SURE), np.append(scorer.base, scorer.sure))
    return "\n".join([_HEAD, "[sentence]", *sentence, "", "[sure]", *sure, ""])


def _lines(names: Sequence[str], weights: Rows) -> list[str]:
    return [f"{name} = {weight:.3f}" for name, weight in zip(names, weights, strict=True)]
