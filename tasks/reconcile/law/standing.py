"""Notes on law that a draft takes from the knowledge and that nobody has read in its official text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from knowledge_db import KnowledgeBase
from knowledge_db.records import Authority, WindowRule, wider_citations
from knowledge_db.standing import Standings
from tasks.legaltext.citations.scan import scan_citations
from tasks.legaltext.fold import fold
from tasks.legaltext.records import CitationMention
from tasks.reconcile.draft_view import DraftView
from tasks.reconcile.law.library import same_provision
from tasks.reconcile.records import Finding

_READ = "official text"


class HeldLaw:
    """The rows of the whole catalogue by what they cite: a draft may use law that its matter did not begin with."""

    def __init__(self, knowledge: KnowledgeBase) -> None:
        """Index the authorities and the periods."""
        self._rows: dict[str, list[Authority | WindowRule]] = {}
        for window in knowledge.windows:
            for one in (window.authority, *window.also_cited):
                self._rows.setdefault(fold(one), []).append(window)
        for row in knowledge.authorities:
            self._rows.setdefault(fold(row.citation), []).append(row)

    def cited(self, mentions: Iterable[CitationMention]) -> list[dict[str, Any]]:
        """Return the rows that citations name: those of the provision itself, else those of what contains it."""
        rows = {id(row): row for mention in mentions for row in self._of(mention.text)}
        return [row.model_dump(mode="json") for row in rows.values()]

    def _of(self, citation: str) -> Sequence[Authority | WindowRule]:
        return next((self._rows[key] for one in wider_citations(citation) if (key := fold(one)) in self._rows), ())


@lru_cache(maxsize=4)
def held_law(knowledge: KnowledgeBase) -> HeldLaw:
    """Return the index of a knowledge: one for each knowledge object, whose rows never change."""
    return HeldLaw(knowledge)


class UncheckedLaw:
    """The rows of a matter's knowledge that were not read in their official text, or whose law has changed since."""

    def __init__(
        self, authorities: Sequence[Mapping[str, Any]], windows: Sequence[Mapping[str, Any]], standings: Standings
    ) -> None:
        """Ask of each row how far it can be relied on."""
        self._rows: list[tuple[frozenset[str], str, str, bool]] = []
        for row in (*windows, *authorities):
            name, found = row.get("citation") or row.get("authority", ""), standings.of(row)
            if found.verified != _READ or found.changed_since:
                said = "; ".join((name, *row.get("also_cited", ())))
                cited = frozenset(m.canonical for m in scan_citations(said)) or frozenset({name})
                self._rows.append((cited, f"{name}{_period(row)}", found.said, "n" in row))

    def marked(
        self, deliverable: str, view: DraftView, known: Sequence[CitationMention], held: Sequence[CitationMention]
    ) -> Iterator[Finding]:
        """Yield one note for each such row that a draft cites, at its first citation.

        Args:
            deliverable: File name of the draft.
            view: The draft.
            known: Its citations that the papers, the brief or the knowledge have: a paper that cites a section says
                nothing of its period, so that a window is marked at any of them.
            held: Those that the knowledge alone has; an authority is marked at these.
        """
        for cited, name, said, timed in self._rows:
            at = next(
                (m for m in (known if timed else held) if any(same_provision(one, m.canonical) for one in cited)), None
            )
            if at is not None:
                yield Finding(
                    gate="citation",
                    kind="unchecked_law",
                    deliverable=deliverable,
                    text=at.text,
                    start=at.start,
                    end=at.end,
                    sentence=view.sentence_text(at.start),
                    checked=f"{name}: {said}.",
                    remedy="Read it in its official text before relying on it.",
                )


def _period(row: Mapping[str, Any]) -> str:
    return f" ({row['n']} {row['unit']}s)" if "n" in row else ""
