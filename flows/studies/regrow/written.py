"""A catalogue on disk; which edits were planted is written where no loop looks."""

from __future__ import annotations

import json
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from flows.studies.regrow.apart import taken_apart
from flows.studies.regrow.asked import called_for
from flows.studies.regrow.drawing import Drawn
from flows.studies.regrow.empty import empty_harness
from flows.studies.regrow.planted import planted
from tasks.harness import HarnessRef, parsed
from tasks.learning.proposers.catalogue import CatalogueEdit
from tasks.matter.failures import Failure, FailureCause, SolonError
from tasks.matter.records import Matter


def take_apart(
    shipped: HarnessRef, to: Path, drawn: Drawn, without: Sequence[str] = (), matters: Sequence[Matter] | None = None
) -> tuple[dict[str, int], Path]:
    """Write what parts a harness from the empty one as a catalogue, with planted edits among them.

    Args:
        shipped: The harness that is taken apart.
        to: The folder, which must not be there.
        drawn: How the planted edits are drawn.
        without: Prefixes of paths whose edits are left out; what is planted does not depend on them.
        matters: Where given, what none of them calls for is left out, and nothing is planted for it.

    Returns:
        How many edits of each label, and the file of the labels.

    Raises:
        SolonError: The folder is there (``input``).
    """
    if to.exists():
        remedy = "name a new folder with --to DIR"
        failure = Failure(
            cause=FailureCause.INPUT, stage="study", subject=to.name, message="is there already", remedy=remedy
        )
        raise SolonError(failure)
    with tempfile.TemporaryDirectory(prefix="solon-empty-") as folder:
        empty = empty_harness(shipped, Path(folder) / "empty")
        apart = taken_apart(shipped, empty)
        if matters is not None:
            apart = called_for(apart, parsed(shipped), matters)
        plants = planted(empty, apart, drawn)
    kept = [one for one in apart if not one.path.startswith(tuple(without))]
    labels = write_catalogue(to, kept, plants)
    return dict(Counter([*("shipped" for _ in kept), *(label for label, _ in plants)])), labels


def write_catalogue(to: Path, apart: Sequence[CatalogueEdit], plants: Sequence[tuple[str, CatalogueEdit]]) -> Path:
    """Write a catalogue to a new folder, and what was planted beside it: the loop is given the folder alone.

    Returns:
        The file of the labels: ``shipped``, ``harmful`` or ``nothing`` by rationale.
    """
    to.mkdir(parents=True)
    labelled = [*(("shipped", one) for one in apart), *plants]
    labelled.sort(key=lambda pair: (pair[1].path, pair[1].rationale))
    for number, (_, one) in enumerate(labelled):
        (to / f"{number:03}.json").write_text(one.model_dump_json(indent=1), "utf-8")
    labels = to.with_name(f"{to.name}.labels.json")
    labels.write_text(json.dumps({one.rationale: label for label, one in labelled}, indent=1), "utf-8")
    return labels
