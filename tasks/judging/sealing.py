"""The process that splits a corpus: ``python -m tasks.judging.sealing ROOT SEALED CACHE [LIMIT]``.

Prints one ``Corpus`` as JSON. It is the only process that holds rubric and documents together, so it looks for the
one in the other: in the bytes, and, unless they are plain text, in the canonical text that a solver would be given.
A text without a rubric goes to the solver's cache, where the inventory finds it; one with a rubric is never written.
"""

from __future__ import annotations

import os
import sys
import threading
from dataclasses import dataclass, field
from pathlib import Path

from tasks.judging.checklist.reference import unusable
from tasks.matter.failures import Failure, FailureCause
from tasks.matter.records import DocumentRef
from tasks.matter.seal import seal_corpus
from tasks.sources.pool import ReaderPool
from tasks.sources.records import CanonicalText
from tasks.sources.texts import cached_text, extractor_version, keep_text, read_anew


@dataclass
class SolverEyes:
    """Canonical texts by the solver's own readers. Implements ``Eyes``; safe to use from many threads.

    Attributes:
        cache: The solver's cache; None reads anew and keeps nothing.
    """

    pool: ReaderPool
    cache: Path | None
    version: str = field(default_factory=extractor_version)
    _read: dict[tuple[str, str], CanonicalText] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def text(self, document: DocumentRef) -> str | Failure:
        """Return the canonical text; the failure where it could not be read now but may be another time."""
        kept = cached_text(document, self.cache) if self.cache else None
        if kept is None:
            kept = read_anew(document, self.pool)
            if not kept.sha256 and not _time_failure(kept):
                kept = read_anew(document, self.pool)  # what cannot be looked at is withheld: one more try
            with self._lock:
                self._read[document.name, document.sha256] = kept
        failed = _time_failure(kept) or (None if kept.sha256 else kept.problems[0])
        return failed or kept.text

    def keep(self, document: DocumentRef) -> None:
        """Keep the text for the solver: no rubric is in it."""
        with self._lock:
            read = self._read.pop((document.name, document.sha256), None)
        if read and self.cache:
            keep_text(document, read, self.cache)


def _time_failure(text: CanonicalText) -> Failure | None:
    """Return the failure of a reading that ran out of time: another one may give more."""
    return next((p for p in text.problems if p.cause is FailureCause.TIMEOUT), None)


def main(arguments: list[str]) -> int:
    """Seal ``ROOT`` into ``SEALED`` and print the public corpus."""
    os.umask(0o077)
    root, sealed, cache = (Path(a) if a else None for a in arguments[:3])
    assert root
    assert sealed
    limit = int(arguments[3]) if len(arguments) > 3 else None  # the fourth of the usage above
    pool = ReaderPool(os.cpu_count() or 1)
    try:
        corpus = seal_corpus(root, sealed, SolverEyes(pool, cache), limit, pool.size, unusable)
    finally:
        pool.close()
    sys.stdout.write(corpus.model_dump_json())
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
