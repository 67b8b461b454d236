"""The settings of the release gates: each is changed, and a draft that depends on it is checked and released again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from pydantic import BaseModel, ValidationError

from flows.bench.liveness.prompts import skill_card
from flows.bench.liveness.records import Leaf, moved
from skills_repo.release_gates import GateSettings
from tasks.harness import Harness
from tasks.matter.records import Deliverable, DocumentRef, Matter
from tasks.reconcile.check import CheckJob
from tasks.reconcile.records import Finding, GateCheck
from tasks.reconcile.registry import CHECKS, run_check
from tasks.release.gates import gate_results
from tasks.retrieval.records import KnowledgePack, Skeleton, SkeletonSection
from tasks.sources.inventory import describe
from tasks.sources.records import CanonicalText, CoverageEntry, MatterState, Segment, SegmentKind

_SOURCE = """LEASE

The rent is $1,200 and the area 4,000 square feet. The complaint was served on March 4, 2024. The tenant shall keep the
premises in good and tenantable repair at all times during the whole of the term.
"""
# A draft for each threshold: what it decides stands in it.
_DRAFTS = MappingProxyType(
    {
        "number.rounding_least": "The rent is about $1,180 a month.",
        "number.rounding_most": "The rent is more than $1,150 a month.",
        "date.rule_reach_days": (
            "The complaint was served on March 4, 2024; under Fed. R. Civ. P. 12(a)(1)(A)(i) the answer is due on "
            "April 2, 2024."
        ),
        "skeleton.heading_likeness": "# Memo\n\n## Recomendation\n\nPay the rent.\n",
        "citation.quote_minimum_words": "It says “the moon is made of cheese”.",
        "citation.fabricated_words": "It says “the moon is made of old green cheese”.",
    }
)


def gates(harness: Harness) -> Iterator[Leaf]:
    """Move each severity, threshold and bound of ``gates.toml``."""
    settings = harness.gates
    turned = settings.model_copy(update={"order": settings.order[::-1]})
    yield Leaf("gates", "order", gate_results([], settings) != gate_results([], turned))
    for name, flags in (("findings_per_gate", 300), ("block_from", settings.block_from)):

        def outcome(other: GateSettings, flags: int = flags) -> Any:
            return _released(other, "number", "unsourced", flags, flags)

        yield Leaf("gates", name, _moves(settings, "", name, outcome))
    for gate in CHECKS:
        of = settings.gate(gate)
        for name in type(of).model_fields:
            where = f"{gate}.{name}"
            if name in of.kinds():
                alive = _severity(settings, gate, name)
            else:
                alive = _moves(settings, gate, name, _outcome(harness, gate, name))
            yield Leaf("gates", where, alive)


def _outcome(harness: Harness, gate: str, name: str) -> Callable[[GateSettings], Any]:
    """Return what a threshold decides: whether a gate blocks by share, or what its check finds in a draft."""
    if name == "block_share":
        kind = harness.gates.gate(gate).kinds()[0]
        return lambda settings: _released(settings, gate, kind, 6, 8)
    draft = _DRAFTS.get(f"{gate}.{name}", "")
    return lambda settings: _checked(harness, settings, gate, draft)


def _moves(settings: GateSettings, gate: str, name: str, outcome: Callable[[GateSettings], Any]) -> bool:
    """Tell whether another value of a setting changes the outcome or is refused."""
    before = outcome(settings)
    part = settings.gate(gate) if gate else settings
    for value in (*moved(getattr(part, name)), *_bounds(part, name)):
        try:
            other = type(part).model_validate({**part.model_dump(), name: value})
        except ValidationError:
            continue  # out of range: another value decides
        changed = settings.model_copy(update={gate: other}) if gate else other
        if isinstance(changed, GateSettings) and outcome(changed) != before:
            return True
    return False


def _bounds(part: BaseModel, name: str) -> Iterator[Any]:
    """Yield the least and the greatest value that a threshold may have."""
    kind = type(getattr(part, name))
    for rule in type(part).model_fields[name].metadata:
        for bound in (getattr(rule, "ge", None), getattr(rule, "le", None)):
            if bound is not None:
                yield kind(bound)


def _severity(settings: GateSettings, gate: str, kind: str) -> bool:
    """Say whether each other severity of a kind is refused or changes the release."""
    before = _released(settings, gate, kind, 1, 9)
    part = settings.gate(gate)
    outcomes = []
    for severity in {"block", "flag", "note"} - {part.severity(kind)}:
        try:
            other = type(part).model_validate({**part.model_dump(), kind: severity})
        except ValidationError:
            outcomes.append(True)
            continue
        outcomes.append(_released(settings.model_copy(update={gate: other}), gate, kind, 1, 9) != before)
    return all(outcomes)


def _released(settings: GateSettings, gate: str, kind: str, flags: int, checked: int = 400) -> Any:
    found = tuple(Finding(gate=gate, kind=kind, start=n) for n in range(flags))
    results = gate_results([GateCheck(gate=gate, checked=checked, findings=found)], settings)
    return [(g.gate, g.status, len(g.findings), [f.severity for f in g.findings[:1]]) for g in results]


def _checked(harness: Harness, settings: GateSettings, gate: str, draft: str) -> Any:
    """Return what the check of a gate finds in a draft under other settings."""
    source = _text("lease.txt", _SOURCE)
    state = MatterState(
        matter_id="bench/liveness",
        documents=(describe(source),),
        coverage=(CoverageEntry(document="lease.txt", status="read", characters=len(_SOURCE)),),
    )
    matter = Matter(
        matter_id="bench/liveness",
        title="Lease",
        area="",
        instructions="Report.",
        deliverables=(Deliverable(name="memo", filename="memo.md"),),
        documents=(DocumentRef(name="lease.txt", path=harness.knowledge.folder, sha256="0" * 64, size=1),),
    )
    sections = (SkeletonSection(title="Recommendations"),)
    pack = KnowledgePack(
        harness_version=harness.version,
        skill=skill_card(harness.skills[0]),
        skeletons={"memo.md": Skeleton(deliverable_type="memorandum", sections=sections)},
    )
    drafts = {"memo.md": _text("memo.md", draft)}
    under = replace(harness, gates=settings)
    found = run_check(gate, CheckJob(drafts, {"lease.txt": source}, matter, state, pack, under))
    return [(f.kind, f.severity) for f in found.findings], len(found.grounded), found.checked


def _text(name: str, text: str) -> CanonicalText:
    headings, at = [], 0
    for line in text.split("\n"):
        if line.startswith("#"):
            headings.append(Segment(kind=SegmentKind.HEADING, label=line, start=at, end=at + len(line)))
        at += len(line) + 1
    return CanonicalText(
        document=name, sha256="0" * 64, extractor="txt/0", media="txt", text=text, segments=tuple(headings)
    )
