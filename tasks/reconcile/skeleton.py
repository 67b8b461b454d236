"""The skeleton gate: the sections that a type of deliverable requires, found and filled."""

from __future__ import annotations

import re
from dataclasses import dataclass

from rapidfuzz import fuzz

from skills_repo.release_gates import SkeletonGate
from tasks.legaltext.names import name_words
from tasks.reconcile.check import Check, CheckJob
from tasks.reconcile.data_quotes import MEDIA as DATA
from tasks.reconcile.draft_view import DraftView
from tasks.reconcile.names import DocumentNames
from tasks.reconcile.records import Finding, GateCheck, Grounding
from tasks.retrieval.records import Skeleton, SkeletonSection
from tasks.sources.records import SegmentKind

_NUMBERING = re.compile(r"^[\s#*]*(?:(?:part|section|article)\s+)?(?:[0-9]+(?:\.[0-9]+)*|[ivxlc]+|[a-z])?[.):]?\s+")
_LABEL_LINE = re.compile(r"(?m)^\s*(?:[•*-] )?(?:\*\*)?([A-Z][^\n:|]{1,60}?)(?:\*\*)?:(?:\*\*)?\s")
_FORMS = frozenset({"docx", "odt", "md", "txt", "pdf", "eml", "html"})
_MISSPELT = 6  # characters up to which a name that is much like another is another word ("facts", "acts")


@dataclass(frozen=True)
class _Heading:
    start: int
    end: int
    body_end: int
    text: str


def check_skeleton(job: CheckJob) -> GateCheck:
    """Check each deliverable against the skeleton of its type, which the knowledge has by file name."""
    names = DocumentNames.of(job.matter, job.state, job.texts)
    checked = 0
    grounded: list[Grounding] = []
    findings: list[Finding] = []
    for deliverable, draft in sorted(job.drafts.items()):
        view = DraftView(draft, names)
        headings = _headings(view)
        skeleton = job.pack.skeletons.get(deliverable)
        if skeleton is not None and draft.media != DATA:  # data has no sections
            checked += len(skeleton.sections)
            _sections(deliverable, view, headings, skeleton, job.harness.gates.skeleton, grounded, findings)
        if draft.media in _FORMS or not draft.media:
            named = {g.start for g in grounded if g.deliverable == deliverable}
            hollow = _hollow(headings, view, named)
            checked += len(hollow)
            findings.extend(_empty(deliverable, h) for h in hollow)
    return GateCheck(gate="skeleton", checked=checked, grounded=tuple(grounded), findings=tuple(findings))


def _headings(view: DraftView) -> list[_Heading]:
    spans = view.headings
    ends = [*(start for start, _ in spans), len(view.text)][1:]
    return [_Heading(a, b, end, view.text[a:b]) for (a, b), end in zip(spans, ends, strict=True)]


def _sections(
    deliverable: str,
    view: DraftView,
    headings: list[_Heading],
    skeleton: Skeleton,
    settings: SkeletonGate,
    grounded: list[Grounding],
    findings: list[Finding],
) -> None:
    columns = _column_names(view)
    for section in skeleton.sections:
        wanted = [_normal(n) for n in (section.title, *section.aliases) if _normal(n)]
        heading = next((h for h in headings if _matches(_normal(h.text), wanted, settings.heading_likeness)), None)
        place = (heading.start, heading.end) if heading else _labelled(view, wanted, columns)
        if place:
            title = view.text[place[0] : place[1]]
            grounded.append(Grounding(deliverable=deliverable, start=place[0], end=place[1], text=title, sources=()))
        elif section.required:
            findings.append(_missing(deliverable, section, skeleton))


def _normal(title: str) -> str:
    bare = _NUMBERING.sub("", f" {title.lower().strip()}")
    return " ".join(name_words(bare))


def _matches(heading: str, wanted: list[str], likeness: float) -> bool:
    if not heading:
        return False
    for name in wanted:
        if name == heading or f" {name} " in f" {heading} ":
            return True
        if len(name) > _MISSPELT and fuzz.ratio(heading, name) >= likeness:
            return True
    return False


def _column_names(view: DraftView) -> list[tuple[str, int, int]]:
    """Return the first row of each table: a matrix shows its sections as columns."""
    rows = [s for s in view.draft.segments if s.kind in (SegmentKind.ROW,)]
    found = []
    for row in rows[:60]:
        at = row.start
        for cell in view.text[row.start : row.end].split(" | "):
            found.append((_normal(re.sub(r"^[A-Z]{1,3}[0-9]+: ", "", cell)), at, at + len(cell)))
            at += len(cell) + 3
    return found


def _labelled(view: DraftView, wanted: list[str], columns: list[tuple[str, int, int]]) -> tuple[int, int] | None:
    """Find a section that is a bold label ("To: …") or a column instead of a heading."""
    for match in _LABEL_LINE.finditer(view.text):
        if _normal(match[1]) in wanted:
            return match.span(1)
    return next(((start, end) for name, start, end in columns if name in wanted), None)


def _missing(deliverable: str, section: SkeletonSection, skeleton: Skeleton) -> Finding:
    aliases = f" (also: {', '.join(section.aliases[:4])})" if section.aliases else ""
    return Finding(
        gate="skeleton",
        kind="missing_section",
        deliverable=deliverable,
        text=section.title,
        checked=f"A {skeleton.deliverable_type} needs this section; no heading matches it{aliases}.",
        remedy=f"Add “{section.title}”, or say plainly why there is none.",
    )


def _hollow(headings: list[_Heading], view: DraftView, sections: set[int]) -> list[_Heading]:
    """Return headings without content: another heading of the same or a higher level follows at once.

    Two required sections (``sections``: where their headings start) are never one below the other.
    """
    hollow = []
    for n, heading in enumerate(headings):
        if any(c.isalnum() for c in view.text[heading.end : heading.body_end]):
            continue
        following = headings[n + 1] if n + 1 < len(headings) else None
        siblings = following is not None and {heading.start, following.start} <= sections
        if n == 0 or (following and not siblings and _deeper(heading, following)):
            continue  # a title, or a heading over its first sub-heading
        hollow.append(heading)
    return hollow


def _deeper(heading: _Heading, following: _Heading) -> bool:
    first, second = (len(h.text) - len(h.text.lstrip("#")) for h in (heading, following))
    return second > first if first and second else True


def _empty(deliverable: str, heading: _Heading) -> Finding:
    return Finding(
        gate="skeleton",
        kind="missing_section",
        deliverable=deliverable,
        text=heading.text.strip("# "),
        start=heading.start,
        end=heading.end,
        checked="The section has a heading but no content.",
        remedy="Write the section or remove its heading.",
    )


GATE = Check(
    name="skeleton",
    run=check_skeleton,
    kinds={
        "missing_section": "section missing",
    },
)
