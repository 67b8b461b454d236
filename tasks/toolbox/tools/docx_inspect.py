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
from tasks.toolbox.views import head, opened, rows

_USED = re.compile(
    r"(?<![.\w])(?:[Tt]he|[Aa]ny|[Ss]uch|[Ee]ach|[Ee]very|[Aa]ll|[Aa]n?|[Ii]ts|[Nn]o|other|said|applicable)\s"
    r"(?P<term>[A-Z][a-z]{2,}(?:[ -](?:(?:of|and|or|for)\s)?[A-Z][a-z]{2,}){0,3})(?![\w’'])"
)
_COMMON = frozenset(
    {
        *(
            "Section",
            "Article",
            "Exhibit",
            "Schedule",
            "Annex",
            "Appendix",
            "Attachment",
            "Clause",
            "Paragraph",
            "Page",
        ),
        *(
            "State",
            "States",
            "United",
            "Commonwealth",
            "Securities",
            "Federal",
            "County",
            "City",
            "District",
            "Internal",
        ),
        *("January", "February", "March", "April", "May", "June", "July", "August", "September", "October"),
        *("November", "December", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"),
        *("American", "English", "European", "Internet", "Act", "Chief", "President", "Secretary", "Board", "Court"),
    }
)


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
        "undefined": undefined_terms(text, set(times)),
    }


def undefined_terms(text: CanonicalText, defined: set[str]) -> list[dict[str, Any]]:
    """Return capitalised phrases that are used like defined terms at least twice but are nowhere defined.

    A phrase counts where an article or a like word stands before it in running text; what is written out in
    capitals, headings, names of parties and of places of the document itself ("Section 2") do not.
    """
    known = {form for term in defined for form in _forms(term)}
    parts = {part for term in defined for part in term.split()}
    headings = [(s.start, s.end) for s in text.segments if s.kind is SegmentKind.HEADING]
    seen: dict[str, list[int]] = {}
    for match in _USED.finditer(text.text):
        if any(a <= match.start() < b for a, b in headings):
            continue
        phrase = re.sub(r"\s+", " ", match["term"])
        if not _forms(phrase) & known and phrase not in parts and phrase.split()[0] not in _COMMON:
            seen.setdefault(phrase, []).append(match.start("term"))
    often = {phrase: at for phrase, at in seen.items() if len(at) > 1}
    return [
        {"term": phrase, "uses": len(at), "start": at[0], "line": text.line_of(at[0])}
        for phrase, at in sorted(often.items(), key=lambda item: (-len(item[1]), item[0]))
    ]


def _forms(term: str) -> set[str]:
    """Return a term in singular and plural."""
    forms = {term, f"{term}s"}
    if term.endswith("ies"):
        forms.add(f"{term[:-3]}y")
    if term.endswith("y"):
        forms.add(f"{term[:-1]}ies")
    if term.endswith("s"):
        forms.add(term[:-1])
    return forms


def _section(clause: Clause) -> dict[str, Any]:
    return {"label": clause.label, **clause.model_dump(include={"number", "heading", "level", "start", "end"})}


def _norm(label: str) -> str:
    return re.sub(r"^(§|section|sec\.|article|clause)\s*", "", label.strip().lower()).rstrip(".")


TOOL = Tool(docx_inspect, stage="intake")
