"""The inventory of a matter: the type, parties and content of each document, and what could not be read."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from knowledge_db import KnowledgeBase
from tasks.matter.code import code_version
from tasks.matter.failures import FailureCause
from tasks.matter.records import DocumentRef, Matter
from tasks.sources.inventory import describe, renamed, typed
from tasks.sources.records import CanonicalText, CoverageEntry, DocumentState, MatterState
from tasks.sources.texts import load_entry, read_all, store_entry, text_path


def inventory(matter: Matter, cache: Path, knowledge: KnowledgeBase, memory: Path | None = None) -> MatterState:
    """Read every document and describe it; never raises for a bad document.

    Args:
        matter: The matter.
        cache: Root of the content-addressed cache.
        knowledge: The knowledge of the harness, whose cues tell what each document is.
        memory: Folder of the attempt that reads; see :func:`tasks.sources.texts.read_document`.
    """
    texts = read_all(matter.documents, cache, memory)
    states = described(matter, texts, cache)
    by_name = {text.document: text for text in texts}
    told = tuple(typed(state, by_name[state.document], knowledge, matter.area) for state in states)
    return MatterState(matter_id=matter.matter_id, documents=told, coverage=coverage(matter, texts))


def described(matter: Matter, texts: Sequence[CanonicalText], cache: Path) -> tuple[DocumentState, ...]:
    """Return what the readable documents hold, before any harness says of what type they are."""
    pairs = zip(matter.documents, texts, strict=True)
    return tuple(_state(ref, text, cache) for ref, text in pairs if text.text.strip())


def coverage(matter: Matter, texts: Sequence[CanonicalText]) -> tuple[CoverageEntry, ...]:
    """Return one entry per document, then one for each file that was withheld at load."""
    entries = [_entry(text) for text in texts]
    known = {text.document for text in texts}
    for failure in matter.problems:
        if failure.subject not in known:
            entries.append(CoverageEntry(document=failure.subject, status="unread", characters=0, failures=(failure,)))
    return tuple(entries)


def _entry(text: CanonicalText) -> CoverageEntry:
    """Notes about how a document was cleaned (cause policy) do not make it partial."""
    if not text.text.strip():
        return CoverageEntry(document=text.document, status="unread", characters=0, failures=text.problems)
    lost = any(p.cause is not FailureCause.POLICY for p in text.problems)
    return CoverageEntry(
        document=text.document,
        status="partial" if lost else "read",
        characters=len(text.text),
        failures=text.problems,
    )


def _state(ref: DocumentRef, text: CanonicalText, cache: Path) -> DocumentState:
    """Describe a document once for its content, whatever it is called and whatever the harness knows of its kind."""
    kept = text_path(ref, cache)
    path = cache / "inventory" / kept.parent.name / kept.name.replace(".json", f"-{describer_version()}.json")
    state = load_entry(path, DocumentState)
    if state is None:
        state = describe(text)
        store_entry(path, renamed(state, ""))
    return renamed(state, ref.name)


def describer_version() -> str:
    """Return a hash over the code that describes documents, so that results of an older scanner are never reused."""
    return code_version("tasks.sources.inventory")
