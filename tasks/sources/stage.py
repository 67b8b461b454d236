"""The inventory of a matter: what each document is, who and what it speaks of, and what could not be read."""

from __future__ import annotations

from pathlib import Path

from tasks.matter.failures import FailureCause
from tasks.matter.records import Matter
from tasks.sources.records import CanonicalText, CoverageEntry, DocumentState, MatterState
from tasks.sources.texts import read_all


def inventory(matter: Matter, cache: Path) -> MatterState:
    """Read every document and describe it; never raises for a bad document."""
    texts = read_all(matter.documents, cache)
    states = tuple(DocumentState(document=t.document, sha256=t.sha256, media=t.media) for t in texts if t.text.strip())
    return MatterState(matter_id=matter.matter_id, documents=states, coverage=coverage(matter, texts))


def coverage(matter: Matter, texts: list[CanonicalText]) -> tuple[CoverageEntry, ...]:
    """Return one entry a document, then one for each thing that was withheld at load."""
    entries = [_entry(text) for text in texts]
    known = {text.document for text in texts}
    for failure in matter.problems:
        if failure.subject not in known:
            entries.append(CoverageEntry(document=failure.subject, status="unread", characters=0, failures=(failure,)))
    return tuple(entries)


def _entry(text: CanonicalText) -> CoverageEntry:
    """Notes about how a document was cleaned (cause policy) do not make it partial."""
    lost = any(p.cause is not FailureCause.POLICY for p in text.problems)
    status = "unread" if not text.text.strip() else "partial" if lost else "read"
    return CoverageEntry(
        document=text.document,
        status=status,
        characters=len(text.text),
        failures=text.problems,
    )
