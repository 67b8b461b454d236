"""The three studies of a harness that is grown again, as ``solon study`` asks for them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from flows.settings import Settings
from flows.studies.regrow.drawing import Drawn

STUDIES: Final = {
    "empty": "write the empty harness: one skill, no provisions, no inference, prompts of one line, gates that note",
    "apart": "write the harness in force, less the empty one, as a catalogue of edits with planted ones among them",
    "regrown": "what a learning run made of such a catalogue: the climb, planted edits kept, the held-out figures",
}
NOTHING: Final = (
    "the run promoted nothing: nothing of the shipped gain came back, and its held-out side was not looked at"
)


@dataclass(frozen=True)
class RegrowRequest:
    """What is asked.

    Attributes:
        name: One of ``STUDIES``.
        of: The learning run (``regrown``).
        to: The folder that is written (``empty``, ``apart``).
        drawn: How planted edits are drawn (``apart``).
        without: Prefixes of paths whose edits are left out of a catalogue.
        labels: What was planted (``regrown``).
        corpus: What none of its matters calls for is left out (``apart``); nothing is where it is None.
        shipped: The corpus of the learning run, on whose held-out side the shipped harness is run (``regrown``); it is
            not where this is None.
    """

    name: str
    settings: Settings
    of: Sequence[str] = ()
    to: Path | None = None
    drawn: Drawn = field(default_factory=Drawn)
    without: Sequence[str] = ()
    labels: Path | None = None
    corpus: Path | None = None
    shipped: Path | None = None

    @property
    def lacking(self) -> str:
        """Say what the request does not name; empty where it can be answered."""
        if self.name == "regrown":
            named = len(self.of) == 1 and (self.labels or self.shipped) is not None
            return "" if named else "name one learning run, and --labels FILE, --shipped CORPUS or both"
        if self.drawn.spoilt < 1 or self.drawn.rounds < 1:
            return "--spoilt and --rounds are 1 at the least"
        return "" if self.to else "name the new folder with --to DIR"


def answer(ask: RegrowRequest) -> tuple[dict[str, Any], list[str]]:
    """Return the answer for machines, and the lines of it for a reader.

    Raises:
        SolonError: A folder is there already, a file cannot be read, or there is no such learning run (``input``).
    """
    from flows.runs.plan import open_harness

    if ask.name == "regrown":
        return _regrown(ask)
    to, shipped = ask.to or Path(), open_harness(ask.settings)
    if ask.name == "empty":
        from flows.studies.regrow.empty import empty_harness

        made = empty_harness(shipped, to)
        return {"harness": str(to), "version": made.version}, [f"empty harness {made.version[:12]} at {to}"]
    from flows.studies.regrow.written import take_apart
    from tasks.matter.loading import load_corpus

    at = ask.settings
    matters = load_corpus(ask.corpus, at.sealed, None, at.cache).matters if ask.corpus else None
    counted, labels = take_apart(shipped, to, ask.drawn, ask.without, matters)
    told = ", ".join(f"{count} {label}" for label, count in counted.items())
    said = [f"{told} at {to}", f"labels, for no learner to read: {labels}"]
    return {"catalogue": str(to), "labels": str(labels), "edits": counted}, said


def _regrown(ask: RegrowRequest) -> tuple[dict[str, Any], list[str]]:
    from flows.studies.regrow.measure import ledger_of, lines, read_labels, regrown

    learn_id = ask.of[0]
    rows = ledger_of(ask.settings.home, learn_id)
    result = regrown(rows, read_labels(ask.labels) if ask.labels else {})
    told = lines(result)
    if ask.shipped:
        from flows.studies.regrow.shipped import shipped_share
        from tasks.learning import share

        found = shipped_share(learn_id, rows, ask.shipped, ask.settings)
        result["share"] = found.model_dump(mode="json") if found else None
        told += share.lines(found) if found else [NOTHING]
    return result, told
