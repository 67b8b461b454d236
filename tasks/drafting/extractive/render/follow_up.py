"""What follows from the findings: recommended actions, and the figures and dates with their arithmetic."""

from __future__ import annotations

import re

from tasks.drafting.extractive.render.names import listed
from tasks.drafting.extractive.render.told import Point, Told
from tasks.legaltext.markdown import cell, verbatim

_GATE = re.compile(r"\bbefore (?:closing|signing|approval)\b", re.I)
_FIGURE = re.compile(r"\d")
_HEAD = ("| What | Value | Source | How |", "|---|---|---|---|")


def actions(told: Told) -> str:
    """Return the recommended actions on what was found, one per provision, with their owners."""
    if not told.settings.recommend_actions:
        return ""
    by_topic: dict[str, list[str]] = {}
    for point in told.found:
        by_topic.setdefault(point.entry.topic, []).append(told.name(point.entry.document))
    rows = []
    for topic, documents in by_topic.items():
        known = told.catalogue.get(topic)
        if known is not None and known.action:
            gating = bool(_GATE.search(known.owner))
            rate = ("**High.** " if gating else "**Medium.** ") if told.settings.severity_ratings else ""
            names = verbatim(listed(list(dict.fromkeys(documents))))
            rows.append((not gating, f"- {rate}{topic} ({names}): {known.action} Owner: {known.owner}."))
    ordered = sorted(rows, key=lambda r: r[0]) if told.settings.severity_ratings else rows
    lines = [said for _, said in ordered]
    if lines and told.settings.severity_ratings:
        lines.append("\nHigh: to be settled before closing, signing or approval. Medium: to be managed afterwards.")
    return "\n".join(lines) + "\n" if lines else ""


def ledger(told: Told) -> str:
    """Return the figures and dates that the answers rest on, with their source and how they were reached.

    Those that the table of answers gives as the papers state them are not repeated.
    """
    if not told.settings.ledger:
        return ""
    rows = [f"| {' | '.join(map(cell, row))} |" for p in told.found if (row := _figure(told, p))]
    lines = [f"- Recomputed: {verbatim(c)}" for c in told.computed]
    blocks = ["\n".join([*_HEAD, *rows])] * bool(rows) + ["\n".join(lines)] * bool(lines)
    return "\n\n".join(blocks) + "\n" if blocks else ""


def _figure(told: Told, point: Point) -> tuple[str, ...]:
    entry = point.entry
    how = told.days.prose(entry.basis or entry.note)
    figure = _FIGURE.search(entry.answer) and "“" not in entry.answer  # a sentence is quoted above already
    if not (entry.day or entry.basis or figure) or (told.tabled and point.ask.each and not how):
        return ()
    units = told.units(point)
    source = (told.where(point) if entry.basis else told.citation(units[0])) if units else "–"
    return told.label(point.ask), told.said(entry), source, how or ("as stated" if entry.certain else "to be verified")
