"""The settings of the release gates: each is changed, and a draft that depends on it is checked and released again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from pydantic import BaseModel, ValidationError

from flows.bench.liveness.records import Leaf, moved, without
from skills_repo.release_gates import GateSettings
from tasks.harness import Harness
from tasks.matter.records import Deliverable, DocumentRef, Matter
from tasks.reconcile.check import CheckJob
from tasks.reconcile.records import Finding, GateCheck
from tasks.reconcile.registry import CHECKS, run_check
from tasks.release.gates import gate_results
from tasks.retrieval.knowledge import card_of
from tasks.retrieval.records import KnowledgePack, Skeleton, SkeletonSection
from tasks.sources.inventory import describe
from tasks.sources.records import CanonicalText, CoverageEntry, MatterState, Segment, SegmentKind

_SOURCE = """LEASE

The rent is $1,200 and the area 4,000 square feet. The complaint was served on March 4, 2024. The tenant shall keep the
premises in good and tenantable repair at all times during the whole of the term.

1. Premises. The tenant shall keep the premises in good repair and heated at all times during the term.

2. Notices. Notices go by courier to the landlord at its registered office.

3. Roof. The landlord shall mend the roof and the gutters every autumn and clear the drains of leaves.

4. Cover. The tenant shall carry liability insurance with a limit of not less than one million dollars for each claim.

5. Garden. A blue gnome stands in the garden.

6. Deposit. The tenant shall pay the deposit after the signature of the lease by both parties.

7. Leaving. The tenant shall vacate the house before the wedding of the daughter in the autumn.
"""
# A draft for each list of words, with a place for one of them.
_SENTENCES = MappingProxyType(
    {
        "negations": "The tenant shall {} keep the premises in good repair and heated [lease.txt § 1].",
        "idle_negations": "The tenant shall {} keep the premises in good repair and heated [lease.txt § 1].",
        "before": "The tenant shall pay the deposit {} the signature of the lease by both parties [lease.txt § 6].",
        "after": "The tenant shall vacate the house {} the wedding of the daughter in the autumn [lease.txt § 7].",
        # One sentence for each pattern.
        "denials": (
            "No insurance provision was found [lease.txt].\n\nIt contains no insurance clause [lease.txt].\n\n"
            "There is no provision on insurance in [lease.txt].\n\nIt is silent on insurance [lease.txt].\n\n"
            "It does not address insurance [lease.txt].\n\nInsurance: none seen.\n\n"
            "On insurance, none seen in lease.txt.\n\nNo provision was found in lease.txt on insurance."
        ),
    }
)
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
        "citation.support_words": "The tenant shall not keep the premises heated [lease.txt § 1].",
        "citation.support_alike": "The tenant shall not keep premises in repair and heated, we say [lease.txt § 1].",
        "citation.support_least": "The landlord mends roof and gutters every autumn [lease.txt § 2].",
        "citation.support_elsewhere": "A landlord mends roof and gutters each autumn for the tenant [lease.txt § 2].",
        "citation.denial_margin": "The lease contains no insurance clause [lease.txt].",
        "citation.denial_words": "The lease contains no blue painted garden gnome provision [lease.txt].",
        "completeness.prompt_words": "The reply was cut off.",
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
            if isinstance(getattr(of, name), tuple):
                yield from _items(harness, gate, name)
                continue
            if name in of.kinds():
                alive = _severity(settings, gate, name)
            else:
                alive = _moves(settings, gate, name, _outcome(harness, gate, name))
            yield Leaf("gates", where, alive)


def _items(harness: Harness, gate: str, name: str) -> Iterator[Leaf]:
    """Leave out each item of a list of words."""
    part = harness.gates.gate(gate)
    for position, item in enumerate(getattr(part, name)):
        draft = _SENTENCES[name].format(item)
        other = part.model_copy(update={name: without(getattr(part, name), position)})
        before, after = (_checked(harness, s, gate, draft) for s in (
            harness.gates, harness.gates.model_copy(update={gate: other})
        ))  # fmt: skip
        yield Leaf("gates", f"{gate}.{name}: {item}", before != after)


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
    for value in (*moved(getattr(part, name)), *bounds(part, name)):
        try:
            other = type(part).model_validate({**part.model_dump(), name: value})
        except ValidationError:
            continue  # out of range: another value decides
        changed = settings.model_copy(update={gate: other}) if gate else other
        if isinstance(changed, GateSettings) and outcome(changed) != before:
            return True
    return False


def bounds(part: BaseModel, name: str) -> Iterator[Any]:
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
        skill=card_of(harness.skills[0]),
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
