"""Inspect a Word document."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

from tasks.retrieval.records import Clause
from tasks.sources.records import CanonicalText, SegmentKind
from tasks.toolbox.desk import Desk
from tasks.toolbox.registry import Tool
from tasks.toolbox.tools.redline import document_path, tracked_changes
from tasks.toolbox.undefined_terms import defined_elsewhere, undefined_terms
from tasks.toolbox.views import head, opened, rows


def docx_inspect(desk: Desk, path: str, *, section: str | None = None) -> dict[str, Any]:
    """Show a Word document by article and section, with defined terms, tracked changes, comments and footnotes.

    Defined terms come with those defined twice, never used, and used but not defined.

    Args:
        desk: What the caller may look at.
        path: Name of a document of the matter, or path of a file.
        section: Number of a section ("9.2", "ARTICLE IV"): return its full text with its sub-sections.
    """
    from tasks.retrieval.clauses import clause_tree

    text = opened(desk, path, "docx")
    tree = clause_tree(text)
    if section is not None:
        wanted = _norm(section)
        found = [c for c in tree if wanted in {_norm(c.number), _norm(c.label)}]
        return {**head(text), "sections": [{**_section(c), "text": text.text[c.start : c.end]} for c in found]}
    return {
        **head(text),
        "sections": [_section(c) for c in tree],
        "headings": rows(text, SegmentKind.HEADING),
        "tables": rows(text, SegmentKind.TABLE),
        "comments": rows(text, SegmentKind.COMMENT),
        "footnotes": rows(text, SegmentKind.FOOTNOTE),
        "headers": rows(text, SegmentKind.HEADER, SegmentKind.FOOTER),
        "tracked_changes": tracked(desk, path),
        "defined_terms": term_table(text),
    }


def tracked(desk: Desk, path: str) -> list[dict[str, Any]]:
    """Return the tracked changes of a Word file with author, day and place in the text that shows them."""
    from tasks.sources.texts import read_file

    text = read_file(document_path(desk, path), path, redlines=True)
    return tracked_changes(text)


def term_table(text: CanonicalText) -> dict[str, Any]:
    """Return the defined terms with where and how often; duplicates, unused ones, and capitalised words undefined."""
    from tasks.sources.terms import definitions

    found = definitions(text)
    times = Counter(t.term for t in found)
    uses = {term: len(re.findall(rf"(?<!\w){re.escape(term)}(?!\w)", text.text)) for term in times}
    return {
        "terms": [
            {
                "term": t.term,
                "start": t.span.start,
                "end": t.span.end,
                "line": text.line_of(t.span.start),
                "uses": uses[t.term],
            }
            for t in found
        ],
        "defined_twice": sorted(term for term, n in times.items() if n > 1),
        "unused": sorted(term for term, n in uses.items() if n <= times[term]),
        "undefined": undefined_terms(text, times),
        "defined_elsewhere": defined_elsewhere(text),
    }


def _section(clause: Clause) -> dict[str, Any]:
    return {"label": clause.label, **clause.model_dump(include={"number", "heading", "level", "start", "end"})}


def _norm(label: str) -> str:
    return re.sub(r"^(§|section|sec\.|article|clause)\s*", "", label.strip().lower()).rstrip(".")


TOOL = Tool(docx_inspect, stage="intake", example="agreement.docx --section 4.2")
