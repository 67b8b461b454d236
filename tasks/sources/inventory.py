"""The typed description of one document, from its canonical text alone."""

from __future__ import annotations

from tasks.sources.parties import parties_of
from tasks.sources.records import CanonicalText, DocumentState
from tasks.sources.terms import defined_terms
from tasks.sources.titles import title_of, type_of


def describe(text: CanonicalText) -> DocumentState:
    """Describe a document: its type, its parties, and its figures, dates and citations."""
    # Imported here: the scanners compile large tables of patterns.
    from tasks.legaltext.citations.scan import scan_citations
    from tasks.legaltext.dates.scan import scan_dates
    from tasks.legaltext.numbers.scan import scan_numbers
    from tasks.legaltext.windows.scan import scan_windows

    title = title_of(text)
    return DocumentState(
        document=text.document,
        sha256=text.sha256,
        media=text.media,
        document_type=type_of(text, title),
        title=title,
        parties=parties_of(text),
        defined_terms=defined_terms(text),
        figures=tuple(scan_numbers(text.text)),
        dates=tuple(scan_dates(text.text)),
        windows=tuple(scan_windows(text.text)),
        citations=tuple(scan_citations(text.text)),
    )


def renamed(state: DocumentState, name: str) -> DocumentState:
    """Return the state under another document name, spans included; cached states are nameless."""
    return state.model_copy(
        update={
            "document": name,
            "parties": tuple(
                p.model_copy(update={"spans": tuple(s.model_copy(update={"document": name}) for s in p.spans)})
                for p in state.parties
            ),
            "defined_terms": tuple(
                t.model_copy(update={"span": t.span.model_copy(update={"document": name})}) for t in state.defined_terms
            ),
        }
    )
