"""Documents that our infrastructure failed to read, and the criteria that depend on them.

A drafter cannot state what no reader gave it: where the fault is ours, such a criterion is unscored. A file
that was malformed, encrypted or refused from the start is a fact of the matter, and its criteria are judged.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath

from tasks.judging.reading import OUR_FAULT, unscored_verdict
from tasks.judging.records import Verdict
from tasks.matter.failures import Failure
from tasks.matter.reasons import MatchKind
from tasks.matter.rubric import Anchor, Criterion
from tasks.sources.records import CoverageEntry


@dataclass(frozen=True)
class Lost:
    """The documents of the data room that an attempt could not read because of our infrastructure.

    Attributes:
        documents: Names of all documents of the data room.
        unread: The failure of each document that was not read at all.
        partly: The failure of each document that was read only in part.
        blind: Whether nothing at all was read.
        unseen: Names of the documents that were not read at all, for any reason.
    """

    documents: frozenset[str]
    unread: Mapping[str, Failure]
    partly: Mapping[str, Failure]
    blind: bool
    unseen: frozenset[str] = frozenset()

    @classmethod
    def of(cls, coverage: Iterable[CoverageEntry]) -> Lost:
        """Select our failures from the coverage that an attempt recorded."""
        entries = tuple(coverage)
        ours = [(e, next((f for f in e.failures if f.cause in OUR_FAULT), None)) for e in entries]
        return cls(
            frozenset(e.document for e in entries),
            {e.document: f for e, f in ours if f and e.status == "unread"},
            {e.document: f for e, f in ours if f and e.status == "partial"},
            all(e.status == "unread" for e in entries),
            frozenset(e.document for e in entries if e.status == "unread"),
        )

    def foregone(self, criterion: Criterion) -> Verdict | None:
        """Return the verdict on a criterion that depends on an unread document; None on any other.

        A criterion that names no document rests on the whole data room: it is judged unless nothing of that was read.
        """
        named = self._named(criterion) or (self.documents if self.blind else frozenset())
        name = next((n for n in sorted(named) if n in self.unread), None)
        return None if name is None else _unscored(criterion, name, "was not read", self.unread[name])

    def everything(self) -> Failure | None:
        """Return why nothing of the data room was read, where the fault is ours; else None."""
        return next(iter(self.unread.values()), None) if self.blind else None

    def excused(self, criterion: Criterion, verdict: Verdict) -> Verdict:
        """Return the verdict; unscored where it is a fail that depends on a document read only in part."""
        name = next((n for n in sorted(self._named(criterion)) if n in self.partly), None)
        if name is None or verdict.status != "fail":
            return verdict
        kept = {"match_kind": verdict.match_kind, "votes": verdict.votes, "usage": verdict.usage}
        return _unscored(criterion, name, "was read only in part", self.partly[name]).model_copy(update=kept)

    def unearned(self, criterion: Criterion, verdict: Verdict) -> Verdict:
        """Return the verdict; a fail where it passed a denial about a document that was not read."""
        if verdict.status != "pass":
            return verdict
        denied = [self._entry(document_of(a)) for a in criterion.anchors if a.match.kind is MatchKind.ABSENCE]
        name = next((n for n in denied if n in self.unseen or (not n and self.unseen and self.blind)), None)
        if name is None:
            return verdict
        # No anchor decided this: what the work product says matched, and rests on no source.
        reason = f"Unsupported: denies what {name or 'the data room'} holds, of which nothing was read."
        return verdict.model_copy(update={"status": "fail", "reasoning": reason, "outcome": ""})

    def _named(self, criterion: Criterion) -> frozenset[str]:
        if not self.unread and not self.partly:
            return frozenset()
        anchored = {self._entry(document_of(anchor)) for anchor in criterion.anchors} & self.documents
        sourced = {d for d in self.documents if any(_names(source, d) for source in criterion.sources)}
        return frozenset(anchored | sourced)

    def _entry(self, document: str) -> str:
        """Return the name under which a document stands: its own, or that of the folder that could not be listed."""
        if document in self.documents:
            return document
        return next((d for d in sorted(self.documents) if d.endswith("/") and document.startswith(d)), document)


def document_of(anchor: Anchor) -> str:
    """Return the document that an anchor is about; empty where it names none."""
    return anchor.document or (anchor.scope[0] if anchor.scope else "")


def _names(source: str, document: str) -> bool:
    """Tell whether a source of a criterion names a document: by its path in the data room or by its file name."""
    said = source.casefold().replace("\\", "/")
    whole, bare = document.casefold(), PurePosixPath(document).name.casefold()
    path = rf"(?<![\w-]){re.escape(whole)}(?![\w-])"
    return bool(re.search(path, said) or re.search(rf"(?<![\w/-]){re.escape(bare)}(?![\w-])", said))


def _unscored(criterion: Criterion, document: str, how: str, failure: Failure) -> Verdict:
    return unscored_verdict(criterion, failure.cause, f"Rests on {document}, which {how}: {failure.line()}")
