"""The form of a check of a draft. Each release gate is one check, registered in ``registry.py``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from tasks.asks.records import AskAnswer, Asks
from tasks.harness import Harness
from tasks.matter.records import Matter
from tasks.reconcile.records import GateCheck
from tasks.retrieval.records import KnowledgePack, Searcher
from tasks.sources.records import CanonicalText, MatterState


@dataclass(frozen=True)
class CheckJob:
    """A draft to be checked. Every check takes one, so that they can run side by side.

    Attributes:
        drafts: Canonical texts of the deliverables by file name.
        texts: Canonical texts of the data room by document name.
        matter: The matter; what its brief states counts as given.
        state: Its inventory, whose figures, dates and windows are used as scanned.
        pack: The knowledge the draft started from.
        harness: The harness, whose settings of the gate are in force.
        asks: What the brief asks; nothing where there is no brief.
        answers: What the runtime claims of each ask; a runtime that claims nothing is read by its table of asks.
        index: Search over the data room; without it a denial is checked against the provision catalogue alone.
    """

    drafts: Mapping[str, CanonicalText]
    texts: Mapping[str, CanonicalText]
    matter: Matter
    state: MatterState
    pack: KnowledgePack
    harness: Harness
    asks: Asks = field(default_factory=lambda: Asks(brief="", asks=()))
    answers: tuple[AskAnswer, ...] = ()
    index: Searcher | None = None


@dataclass(frozen=True)
class Check:
    """One gate of the release.

    Attributes:
        name: Name of the gate, in ``gates.toml``, in findings and in reports.
        run: What it does.
        kinds: Every kind of finding it can give, with the words of the release report for it. ``gates.toml``
            sets a severity for each.
    """

    name: str
    run: Callable[[CheckJob], GateCheck]
    kinds: Mapping[str, str]
