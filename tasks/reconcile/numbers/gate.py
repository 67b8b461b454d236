"""The number gate: every figure of a draft grounded in a source, derived with its arithmetic, or flagged."""

from __future__ import annotations

from collections.abc import Mapping

from tasks.harness import Harness
from tasks.legaltext.numbers.scan import scan_numbers
from tasks.matter.records import Matter
from tasks.reconcile.check import Check
from tasks.reconcile.draft_view import DraftView
from tasks.reconcile.names import DocumentNames
from tasks.reconcile.numbers.context import FigureContexts
from tasks.reconcile.numbers.match import Reconciliation
from tasks.reconcile.passages import PassageIndex
from tasks.reconcile.quantities import BRIEF, SourceFigures
from tasks.reconcile.records import Finding, GateCheck, Grounding
from tasks.retrieval.records import KnowledgePack
from tasks.sources.records import CanonicalText, MatterState


def check_numbers(
    drafts: Mapping[str, CanonicalText],
    texts: Mapping[str, CanonicalText],
    matter: Matter,
    state: MatterState,
    pack: KnowledgePack,
    harness: Harness,
) -> GateCheck:
    """Reconcile the figures of the drafts with the sources.

    The arguments are those of ``tasks.reconcile.check.CheckFunction``.

    Figures of the brief count as given. Citations, headings and counts of the drafting itself are not claims.
    """
    del pack
    plain = {name: text.text for name, text in texts.items()}
    sources = SourceFigures(plain, state)
    sources.extend(BRIEF, scan_numbers(matter.instructions))
    index = PassageIndex(plain)
    contexts = FigureContexts(plain, sources.figures)
    names = DocumentNames.of(matter, state, texts)
    grounded: list[Grounding] = []
    findings: list[Finding] = []
    for deliverable, draft in sorted(drafts.items()):
        view, shortest = DraftView(draft, names), harness.gates.citation.quote_minimum_words
        one = Reconciliation(deliverable, view, sources, index, plain, contexts, harness.gates.number, shortest)
        one.run()
        grounded.extend(one.grounded)
        findings.extend(one.findings)
    return GateCheck(
        gate="number",
        checked=len(grounded) + len(findings),
        grounded=tuple(grounded),
        findings=tuple(findings),
    )


GATE = Check(
    name="number",
    run=check_numbers,
    kinds={
        "unsourced": "not found in the documents",
        "unit_mismatch": "other unit or scale in the documents",
        "near_miss": "close to, but not what the documents say",
        "wrong_entity": "stands in another document, or of another party",
        "wrong_context": "stands there of another thing",
        "pair_disagrees": "words and figures disagree",
        "source_disagrees": "words and figures of the source disagree",
        "silent_choice": "words and figures of the source disagree, and the draft takes one of them",
    },
)
