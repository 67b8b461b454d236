"""What a bench is asked to measure."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from flows.settings import Settings
from tasks.matter.failures import Failure, FailureCause, SolonError
from tasks.models.loading import MODELS_VARIABLE

SHARED = Path("../shared/data")
"""Where the shared data lie, beside the project."""


@dataclass(frozen=True)
class BenchRequest:
    """What a bench is asked to measure.

    Attributes:
        rerank: Questions a data set that the retrieval bench asks with the cross-encoder; its default when None.
        embedder: Embedding profile that the retrieval bench gives Solon; the default profile when empty.
        filter: Model profile that chooses sentences in the retrieval bench; none when empty.
        quick: The short part of the fault or the sandbox bench alone.
        only: Words of the cases that the bench tries; all when empty.
        held_out: The held-out set of requests, or of questions of law, of which totals alone are told; none when empty.
        labels: File of labels (taxonomy; the project's own when None) or of people's votes (geval).
        questions: The questions of law of the law bench.
        model: Chat profile that the nli, gavel, geval and extraction benches ask; none when empty.
        trials: How often it is asked by each strategy.
        pairs: Pairs of agreement and statement that the nli bench asks a model; all when None.
        longest: Characters of the longest agreement of the nli bench; any length when None.
        items: Items of the checklist that the extraction bench fills; all when empty.
        seconds: That a model has for each case and method of the extraction bench.
        run: Id of the stored run whose reports geval marks, or that ablation goes on with; none when empty.
        size: How large the made-up warehouse is: small, or that of the paper.
        chunks: Kinds of chunks that the retrieval bench gives Solon, a row each, beside those of the harness.
        exemplars: Labelled documents in ContractNLI's form that the research bench learns from.
        make: Folder into which long cases are written instead of measured (extraction).
        seed: Of these cases.
        bins: Their length bins; all when empty.
        methods: What fills the checklists (extraction); the scanners, and the methods of a model that is named.
        titles: Titles with their classes, for the router bench.
        sample: So many of the requests, the first by the hash of their names; all when None.
        planted: Errors planted by hand in stored drafts, which the gates bench tries instead of its own.
    """

    settings: Settings
    data: Path | None
    limit: int | None
    cells: Sequence[str]
    rerank: int | None = None
    embedder: str = ""
    filter: str = ""
    quick: bool = False
    only: Sequence[str] = ()
    held_out: str = ""
    labels: Path | None = None
    questions: Path | None = None
    size: str = "small"
    titles: Path | None = None
    planted: Path | None = None
    model: str = ""
    trials: int = 1
    pairs: int | None = None
    longest: int | None = None
    items: Sequence[str] = ()
    seconds: float | None = None
    run: str = ""
    chunks: Sequence[str] = ()
    exemplars: Path | None = None
    make: Path | None = None
    seed: int = 1
    bins: Sequence[str] = ()
    methods: Sequence[str] = ()
    sample: int | None = None

    def folder(self) -> Path:
        """Return the data.

        Raises:
            SolonError: None was named, or it is not there.
        """
        if self.data is None or not self.data.exists():
            raise misuse(str(self.data or "bench"), "has no data to measure on", "name it with --data DIR")
        return self.data


@contextmanager
def models_in_force(settings: Settings) -> Iterator[None]:
    """Let the stages that a bench runs in this process find the models of the settings; afterwards those of before."""
    before = os.environ.get(MODELS_VARIABLE)
    if settings.models_file is not None:
        os.environ[MODELS_VARIABLE] = str(settings.models_file)
    try:
        yield
    finally:
        if before is None:
            os.environ.pop(MODELS_VARIABLE, None)
        else:
            os.environ[MODELS_VARIABLE] = before


def say(line: str) -> None:
    """Say how far a bench has come."""
    print(line, file=sys.stderr, flush=True)


def misuse(subject: str, message: str, remedy: str) -> SolonError:
    """Return the error of a bench that was asked for what it cannot measure."""
    return SolonError(Failure(cause=FailureCause.INPUT, stage="bench", subject=subject, message=message, remedy=remedy))
