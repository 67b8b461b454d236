"""Line-numbered briefs of documents."""

from __future__ import annotations

import re
from typing import Any

from tasks.sources.records import CanonicalText, DocumentState
from tasks.toolbox.desk import Desk
from tasks.toolbox.registry import Tool

_OPERATIVE = re.compile(
    r"\b(shall|must|may not|will not|agrees? to|is entitled|terminat\w+|indemnif\w+|warrant\w*|represent\w*|liab\w+|"
    r"notice|consent|assign\w*|govern\w+|confidential\w*|provided that|notwithstanding|subject to)\b",
    re.I,
)


def summarize_docs(desk: Desk, paths: list[str], *, share: float = 0.25) -> dict[str, Any]:
    """Brief documents by their own lines: parties, operative terms, figures and dates, about a quarter of the source.

    Every line is verbatim with its number, so that it can be checked in one step.

    Args:
        desk: What the caller may look at.
        paths: Names of documents of the matter, or paths of files.
        share: Part of each source's characters to keep, from 0.02 to 1.
    """
    from tasks.sources.inventory import describe

    share = min(1.0, max(0.02, share))
    briefs = [_brief(text, describe(text), share) for text in (desk.text(p) for p in paths)]
    return {"briefs": briefs, "text": "\n\n".join(_prose(b) for b in briefs)}


def _brief(text: CanonicalText, state: DocumentState, share: float) -> dict[str, Any]:
    lines = text.text.split("\n")
    starts = [m.start for m in state.figures] + [m.start for m in state.dates] + [m.start for m in state.windows]
    anchors = {text.line_of(start) for start in starts}
    terms = {text.line_of(t.span.start) for t in state.defined_terms}
    parties = {text.line_of(s.start) for e in state.parties for s in e.spans[:1]}
    scored = sorted(
        (-_weight(n, line, anchors, terms, parties), n, line) for n, line in enumerate(lines, 1) if line.strip()
    )
    budget, kept = int(len(text.text) * share), list[tuple[int, str]]()
    for weight, number, line in scored:
        if weight == 0 or len(line) > budget:
            continue
        budget -= len(line)
        kept.append((number, line))
    return {
        "document": text.document,
        "type": state.document_type,
        "title": state.title,
        "parties": [{"name": e.name, "aliases": list(e.aliases)} for e in state.parties],
        "defined_terms": [t.term for t in state.defined_terms],
        "figures": len(state.figures),
        "dates": sorted({d.iso for d in state.dates}),
        "windows": len(state.windows),
        "characters": len(text.text),
        "lines": [{"line": n, "text": line} for n, line in sorted(kept)],
        "problems": [p.line() for p in text.problems],
    }


def _weight(number: int, line: str, anchors: set[int], terms: set[int], parties: set[int]) -> float:
    operative = len(_OPERATIVE.findall(line))
    fixed = 3.0 * (number in parties) + 2.0 * (number in anchors) + 1.5 * (number in terms)
    return round((fixed + min(operative, 4)) / (1 + len(line) / 400), 4)


def _prose(brief: dict[str, Any]) -> str:
    top = f"## {brief['document']}" + (f" ({brief['type']})" if brief["type"] else "")
    parties = "; ".join(p["name"] for p in brief["parties"])
    body = [f"{row['line']:>6}  {row['text']}" for row in brief["lines"]]
    return "\n".join([top, *([f"Parties: {parties}"] if parties else []), *body])


TOOL = Tool(summarize_docs, stage="intake", prose="text", seconds=300.0)
