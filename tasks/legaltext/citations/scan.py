"""Legal citations: cases, statutes, regulations, rules, administrative material, neutral citations, Id. and supra.

Every form is guarded by cheap literal tests, so that a contract without citations costs almost nothing.
"""

from __future__ import annotations

from tasks.legaltext.citations.back import resolve, resolve_short
from tasks.legaltext.citations.bare_rules import name_bare_rules
from tasks.legaltext.citations.cases import case_citations, date_cases
from tasks.legaltext.citations.forms import templates
from tasks.legaltext.citations.parts import Ground, run
from tasks.legaltext.dates.blanks import scan_squeezed
from tasks.legaltext.records import CitationMention


def scan_citations(text: str) -> list[CitationMention]:
    """Find the citations of a text, in order.

    Args:
        text: Canonical text.

    Returns:
        Mentions without overlaps; of two that overlap the longer is kept. A contract's own "Section 8.2(a)" is not
        a citation of law. ``Id.`` and ``supra`` resolve only to what is literally cited before them.
    """
    return scan_squeezed(text, _scan)


def _scan(text: str) -> list[CitationMention]:
    ground = Ground(text)
    found = [mention for template in templates() for mention in run(ground, template)]
    found.extend(case_citations(text))
    found = resolve_short(text, date_cases(text, name_bare_rules(text, _without_overlaps(found))))
    found.extend(resolve(text, found))
    return _without_overlaps(found)


def _without_overlaps(found: list[CitationMention]) -> list[CitationMention]:
    found.sort(key=lambda m: (m.start, -m.end))
    kept: list[CitationMention] = []
    for mention in found:
        if kept and mention.start < kept[-1].end:
            if mention.end - mention.start > kept[-1].end - kept[-1].start:
                kept[-1] = mention
            continue
        kept.append(mention)
    return kept
