"""The defects of B.4 of the paper, as a trace and the work that came of it show them.

The evidence is a sentence of counts: it names no document, party, amount or word of the matter, so that a learner may
see it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from tasks.sources.records import SegmentKind
from tasks.tracing.about import About
from tasks.tracing.measures import Steps, loads_skill
from tasks.tracing.names import trace_names
from tasks.tracing.records import Defect, Served
from tasks.tracing.serving import as_a_name
from tasks.tracing.steps import TracedStep

_HEADING = re.compile(r"^\s{0,3}(?:#{1,6}\s+(?P<hash>[^\n]{1,200})|\*\*(?P<bold>[^*\n]{1,200})\*\*\s*)$", re.MULTILINE)
_PATHS = ("path", "file_path", "filePath", "filename", "file")
_CONTENTS = ("content", "markdown", "file_text", "text")
_SILENT = frozenset({"dropped_ask", "missing_section"})


def defects(steps: Steps, opened: int | None, served: Sequence[Served], about: About) -> tuple[Defect, ...]:
    """Return the defects of an attempt, each once, in the order of their numbers.

    Args:
        steps: The steps of the trace.
        opened: Place of the first that showed words of a document.
        served: How much of each document was shown.
        about: What is known of the attempt beside its trace.
    """
    found = (
        _collision(steps, about),
        _named_and_not_read(steps, served, about),
        _wrong_shape(steps, about),
        _left_out(about),
        _single_turn(about),
        _startup(steps, opened),
        _no_citation_gate(about),
    )
    return tuple(defect for defect in found if defect is not None)


def _collision(steps: Steps, about: About) -> Defect | None:
    """D1: sections of an earlier version of a draft are gone from its last one, and nowhere in the work product."""
    kept = " ".join(_plain(draft.text) for draft in about.drafts.values())
    gone, before = 0, 0
    for versions in _versions(steps).values():
        *earlier, last = [_headings(text) for text in versions]
        planned = {heading for headings in earlier for heading in headings}
        shorter = len(versions[-1].split()) < max((len(v.split()) for v in versions[:-1]), default=0)
        lost = {h for h in planned - last if h not in kept} if shorter else set()
        gone, before = gone + len(lost), before + len(planned)
    if not gone:
        return None
    evidence = f"{gone} of {before} headings of earlier versions are in no later version and not in the work product"
    return Defect(defect="D1", evidence=evidence)


def _named_and_not_read(steps: Steps, served: Sequence[Served], about: About) -> Defect | None:
    """D2: the work product names documents of which no word was shown; nothing is said of a trace without steps."""
    drafted = "\n".join(draft.text for draft in about.drafts.values())
    if not steps or not drafted:
        return None
    unread = [one.document for one in served if one.characters and not one.served]
    named = [name for name in unread if re.search(as_a_name(name), drafted)]
    if not named:
        return None
    tables = sum(name.lower().endswith(tuple(trace_names().defects.tables)) for name in named)
    evidence = f"{len(named)} of {len(served)} documents are named in the work product and were never opened"
    return Defect(defect="D2", evidence=f"{evidence}, {tables} of them tables")


def _wrong_shape(steps: Steps, about: About) -> Defect | None:
    """D3: something was drafted, and a deliverable is not there by its name, is a stub, or is not marked up."""
    if not about.drafts and not any(step.drafts for step in steps):
        return None
    absent = [name for name in about.wanted if name not in about.drafts]
    there = {name: about.drafts[name] for name in about.wanted if name in about.drafts} or about.drafts
    least = trace_names().defects.stub_words
    stubs = [name for name, draft in there.items() if len(draft.text.split()) < least]
    unmarked = [name for name, draft in there.items() if name in about.redlines and not _is_marked(draft.segments)]
    if not (absent or stubs or unmarked):
        return None
    told = ((absent, "not there by name"), (stubs, "stubs"), (unmarked, "without tracked changes"))
    evidence = ", ".join(f"{len(names)} {how}" for names, how in told if names)
    return Defect(defect="D3", evidence=f"of {len(about.wanted or about.drafts)} deliverables {evidence}")


def _is_marked(segments: Sequence[object]) -> bool:
    return any(getattr(segment, "kind", None) is SegmentKind.REVISION for segment in segments)


def _left_out(about: About) -> Defect | None:
    """D4: the draft says nothing of asks of the brief, or lacks sections that its kind requires."""
    gates = about.report.gates if about.report else ()
    kinds = [finding.kind for gate in gates for finding in gate.findings if finding.kind in _SILENT]
    if not kinds:
        return None
    asks, sections = kinds.count("dropped_ask"), kinds.count("missing_section")
    return Defect(defect="D4", evidence=f"{asks} asks of the brief and {sections} required sections are left out")


def _single_turn(about: About) -> Defect | None:
    """D5: the release report cannot reopen the draft."""
    if about.revise:
        return None
    return Defect(defect="D5", by_construction=True, evidence="the cell allows no pass of revision after the report")


def _startup(steps: Steps, opened: int | None) -> Defect | None:
    """D6: before the first document was opened a skill was, or more was done than to look for files."""
    if opened is None:
        return None
    before = [step for step in steps[:opened] if not (step.internal or step.looks_only)]
    skills = sum(loads_skill(step) for step in before)
    if not skills and len(before) < trace_names().defects.startup_actions:
        return None
    evidence = f"{len(before)} actions before the first document was opened, {skills} of them to open a skill"
    return Defect(defect="D6", evidence=evidence)


def _no_citation_gate(about: About) -> Defect | None:
    """D7: no gate looks whether citations stand in the sources or in the law."""
    if about.report is None or any(gate.gate == "citation" for gate in about.report.gates):
        return None
    return Defect(defect="D7", by_construction=True, evidence="no gate checks citations against the sources")


def _versions(steps: Steps) -> Mapping[str, list[str]]:
    """Return the texts that were written whole, by path, in order."""
    found: dict[str, list[str]] = {}
    for step in steps:
        if step.drafts and not step.internal:
            for path, content in _written(step):
                found.setdefault(path, []).append(content)
    return found


def _written(step: TracedStep) -> Iterator[tuple[str, str]]:
    path = next((v for key in _PATHS if isinstance(v := step.arguments.get(key), str)), None)
    content = next((v for key in _CONTENTS if isinstance(v := step.arguments.get(key), str)), None)
    if path is not None and content is not None:
        yield path.rsplit("/", 1)[-1], content


def _headings(text: str) -> set[str]:
    found = {_plain(match["hash"] or match["bold"]) for match in _HEADING.finditer(text)}
    return {heading for heading in found if len(heading) >= trace_names().defects.shortest_heading}


def _plain(text: str) -> str:
    return " ".join(re.findall(r"[^\W\d_]+", text.casefold()))
