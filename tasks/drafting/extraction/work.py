"""What every method of an extraction works with: its documents, its limits, its trace, and the state that it keeps."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tasks.drafting.agent.limits import Clock
from tasks.drafting.extraction.papers import Papers
from tasks.drafting.extraction.records import Parts
from tasks.drafting.extraction.sheet import Sheet
from tasks.drafting.mechanisms.records import Repair
from tasks.drafting.trace import Trace, write_json
from tasks.harness import Harness
from tasks.legaltext.checklists.definition import Checklist, Item
from tasks.legaltext.checklists.entering import Texts
from tasks.legaltext.checklists.records import Entry
from tasks.matter.base import content_hash
from tasks.matter.failures import Failure, FailureCause, SolonError
from tasks.matter.usage import Usage
from tasks.models.client import ModelClient

KEPT = "draft/extraction.json"


@dataclass(frozen=True)
class ItemPart:
    """Items that are looked for together."""

    name: str
    items: Mapping[str, Item]


def parts_of(checklist: Checklist, parts: Parts) -> list[ItemPart]:
    """Return a checklist in parts: item by item, group by group, or as one."""
    if parts == "items":
        return [ItemPart(item.id, {item.id: item}) for item in checklist.items()]
    if parts == "groups":
        return [ItemPart(group.id, {item.id: item for item in group.items}) for group in checklist.groups]
    return [ItemPart("all", {item.id: item for item in checklist.items()})]


@dataclass
class Work:
    """One extraction under way.

    Attributes:
        folder: Where the trace and the state are kept.
        repairs: Mechanisms that put calls right which cannot be understood.
        kept: The state of each part, as it is on disk.
        notes: What a reader should know.
        failures: What ended parts of it.
    """

    checklist: Checklist
    papers: Papers
    texts: Texts
    client: ModelClient
    harness: Harness
    clock: Clock
    trace: Trace
    folder: Path
    key: str
    repairs: Sequence[Repair] = ()
    kept: dict[str, Any] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)
    entries: dict[str, Entry] = field(default_factory=dict)
    dropped: tuple[int, int] = (0, 0)

    def resume(self) -> None:
        """Continue work with the same key; what it spent still counts."""
        try:
            found = json.loads((self.folder / KEPT).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            found = None
        if not isinstance(found, dict) or found.get("key") != self.key:
            self.trace = Trace.anew(self.folder)
            return
        self.kept = dict(found["parts"])
        self.trace.turn, self.trace.usage = int(found["turn"]), Usage.model_validate(found["usage"])
        self.trace.seconds = float(found["seconds"])
        for name, spans in found["viewed"].items():
            self.papers.view(name, spans)

    def save(self, part: str, state: Mapping[str, Any]) -> None:
        """Save the state of a part atomically: after a kill, either the new or the old state is there."""
        self.kept[part] = {"before": self.clock.before, **state}
        kept = {
            "key": self.key,
            "turn": self.trace.turn,
            "usage": self.trace.usage.model_dump(mode="json"),
            "seconds": self.trace.seconds + self.clock.seconds,
            "viewed": self.papers.served.spans(),
            "parts": self.kept,
        }
        write_json(self.folder / KEPT, kept)

    def saw(self, papers: Papers) -> None:
        """Take note of what one agent was shown."""
        for name, spans in papers.served.spans().items():
            self.papers.view(name, spans)

    def sheet(self, part: ItemPart) -> Sheet:
        """Return an empty sheet for a part."""
        return Sheet(self.checklist, part.items, self.papers, self.texts)

    def took(self, sheet: Sheet) -> None:
        """Take over the findings of a part."""
        self.entries.update(sheet.filled().entries)
        self.dropped = (
            self.dropped[0] + sheet.intake.dropped_values,
            self.dropped[1] + sheet.intake.dropped_evidence,
        )

    def failed(self, part: ItemPart, sheet: Sheet, error: SolonError) -> bool:
        """Take note of what ended a part, and say whether the others are still worth a try.

        Items of it that nothing was found to carry the cause: nobody knows whether they apply.
        """
        failure = error.failure
        self.failures.append(failure)
        self.notes.append(f"{part.name}: {failure.message}")
        for item in sheet.empty():
            self.entries[item.id] = Entry(cause=failure.cause, message=failure.message)
        return failure.cause is FailureCause.CAPACITY or (failure.cause is FailureCause.BUDGET and not self._spent())

    def leave(self, parts: Sequence[ItemPart]) -> None:
        """Leave parts that were not begun; their items carry the cause that ended the work."""
        for item in (item for part in parts for item in part.items.values()):
            failure = self.failures[-1]
            self.entries[item.id] = Entry(cause=failure.cause, message=failure.message)

    def _spent(self) -> bool:
        """Tell whether tokens or dollars are used up, rather than the turns of one part."""
        try:
            self.client.ledger.check()
        except SolonError:
            return True
        return False

    def begin(self, part: ItemPart) -> Mapping[str, Any]:
        """Begin a part, or go on with it; return its state. Each part has the turns of the limits for itself."""
        state: Mapping[str, Any] = self.kept.get(part.name, {})
        self.clock.before = int(state.get("before", self.trace.turn))
        return state

    def client_now(self) -> ModelClient:
        """Return the client with the time that is left.

        Raises:
            SolonError: Turns or time are used up.
        """
        self.clock.check(self.trace.turn)
        left = self.clock.left
        return self.client.within(left) if left < self.client.profile.timeout_seconds else self.client


def key_of(checklist: Checklist, texts: Mapping[str, str], *more: str) -> str:
    """Return the key of the work: it differs with the checklist, the documents and the method."""
    return content_hash([checklist.model_dump(mode="json"), [[n, content_hash(t)] for n, t in texts.items()], *more])
