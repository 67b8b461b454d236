"""The defects of B.4 of the paper, as a trace and the work that came of it show them.

The evidence is a sentence of counts: it names no document, party, amount or word of the matter, so that a learner may
see it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from tasks.drafting.mechanisms.history import writes_of
from tasks.legaltext.tokens import terms
from tasks.sources.records import SegmentKind
from tasks.tracing.about import About
from tasks.tracing.measures import Steps, loads_skill
from tasks.tracing.names import trace_names
from tasks.tracing.records import Defect, Served
from tasks.tracing.serving import as_a_name

_HEADING = re.compile(r"^\s{0,3}(?:#{1,6}\s+(?P<hash>[^\n]{1,200})|\*\*(?P<bold>[^*\n]{1,200})\*\*\s*)$", re.MULTILINE)
_LABEL = re.compile(
    r"^\s{0,6}(?:(?P<number>\d{1,3})[.)]|\(?[a-z]\)|[-*•])\s+(?P<label>[^\n:—–|]{1,80}?)(?:\s*[:—–]|\.(?=\s)|$)",
    re.MULTILINE,
)
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
    """D1: sections of an earlier version of a draft are gone from its last one, and nowhere in the work product.

    Where no version has a heading, the items of its lists stand for its sections; where there are no lists, its
    paragraphs, of which one is gone when few are left of the words that it alone has. A version that is not shorter
    than those before it has lost something only where it is a later chunk: its own list goes on behind the first item,
    or none of its paragraphs was there before.
    """
    kept = " ".join(_plain(draft.text) for draft in about.drafts.values())
    gone, before, of = 0, 0, "headings"
    for versions in _versions(steps).values():
        called, planned, lost = _parts_lost(versions, kept)
        gone, before, of = gone + lost, before + planned, called if lost else of
    if not gone:
        return None
    evidence = f"{gone} of {before} {of} of earlier versions are in no later version and not in the work product"
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
    """Return the texts that were written whole, by file name, in order."""
    found: dict[str, list[str]] = {}
    for write in writes_of([step for step in steps if not step.internal]):
        found.setdefault(write.path.rsplit("/", 1)[-1], []).append(write.content)
    return found


def _parts_lost(versions: Sequence[str], kept: str) -> tuple[str, int, int]:
    """Return what the parts of a draft are called, how many its earlier versions have, and how many of these are gone.

    Args:
        versions: The texts written under one name, in order.
        kept: The words of the work product.
    """
    *earlier, last = versions
    shorter = len(last.split()) < max((len(text.split()) for text in earlier), default=0)
    for called, parts_of in (("headings", _headings), ("items", _labels)):
        if any(map(parts_of, versions)):
            planned = {part for text in earlier for part in parts_of(text)}
            lost = {p for p in planned - parts_of(last) if p not in kept} if shorter or _goes_on(last) else set()
            return called, len(planned), len(lost)
    planned_words = {words for text in earlier for words in _own_words(text)}
    left = {*terms(last), *terms(kept)}
    gone = [own for own in planned_words if len(own & left) < trace_names().defects.words_left * len(own)]
    chunk = len(gone) == len(planned_words) and len(last.split()) < sum(len(text.split()) for text in earlier)
    return "paragraphs", len(planned_words), len(gone) if shorter or chunk else 0


def _own_words(text: str) -> Iterator[frozenset[str]]:
    """Yield of each paragraph the words that no other one has; one that has few is not known from its wording."""
    rules = trace_names().defects
    parts = [set(terms(part)) for part in re.split(r"\n\s*\n", text) if len(part.split()) >= rules.stub_words]
    within = Counter(word for words in parts for word in words)
    own = (frozenset(word for word in words if within[word] == 1) for words in parts)
    yield from (words for words in own if len(words) >= rules.own_words)


def _headings(text: str) -> set[str]:
    return _long_enough(match["hash"] or match["bold"] for match in _HEADING.finditer(text))


def _labels(text: str) -> set[str]:
    """Return what the items of the lists of a text are called."""
    return _long_enough(match["label"] for match in _LABEL.finditer(text))


def _goes_on(text: str) -> bool:
    """Tell whether the first numbered item of a text is a later one of its list."""
    first = next((match["number"] for match in _LABEL.finditer(text) if match["number"]), "1")
    return int(first) > 1


def _long_enough(names: Iterable[str]) -> set[str]:
    plain = map(_plain, names)
    return {name for name in plain if len(name) >= trace_names().defects.shortest_heading}


def _plain(text: str) -> str:
    return " ".join(re.findall(r"[^\W\d_]+", text.casefold()))
