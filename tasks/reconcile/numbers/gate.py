"""The number gate: every figure of a draft grounded in a source, derived with its arithmetic, or flagged."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tasks.legaltext.numbers.scan import scan_numbers
from tasks.reconcile.check import Check, CheckJob
from tasks.reconcile.draft_view import DraftView
from tasks.reconcile.instructed import Instructed
from tasks.reconcile.law.grounds import LawGrounds
from tasks.reconcile.names import DocumentNames
from tasks.reconcile.numbers.context import FigureContexts
from tasks.reconcile.numbers.identifiers import Identifiers
from tasks.reconcile.numbers.match import Reconciliation
from tasks.reconcile.numbers.shown import ShownSums
from tasks.reconcile.passages import PassageIndex
from tasks.reconcile.quantities import BRIEF, SourceFigures
from tasks.reconcile.records import Finding, GateCheck, Grounding


def check_numbers(job: CheckJob) -> GateCheck:
    """Reconcile the figures of the drafts with the sources.

    Figures of the brief count as given, and those of a rule of law that is held and cited beside them.
    Citations, headings and counts of the drafting itself are not claims.
    """
    plain = {name: text.text for name, text in job.texts.items()}
    sources = SourceFigures(plain, job.state)
    sources.extend(BRIEF, scan_numbers(job.matter.instructions))
    index = PassageIndex(plain)
    contexts = FigureContexts(plain, sources.figures)
    names = DocumentNames.of(job.matter, job.state, job.texts)
    instructed = Instructed(job.matter, job.texts, job.drafts)
    identifiers = Identifiers(_known(job, plain))
    law = LawGrounds(lambda: job.harness.knowledge.law_texts)
    grounded: list[Grounding] = []
    findings: list[Finding] = []
    for deliverable, draft in sorted(job.drafts.items()):
        view, shortest = DraftView(draft, names), job.harness.gates.citation.quote_minimum_words
        one = Reconciliation(deliverable, view, sources, index, plain, contexts, job.harness.gates.number, shortest)
        one.run()
        given = list(instructed.recheck(view, one.findings))
        shown = list(ShownSums(draft.text, sources).recheck([r for r in given if isinstance(r, Finding)]))
        left = law.recheck(view, [r for r in shown if isinstance(r, Finding)])
        things = identifiers.check(deliverable, view)
        results = [*one.grounded, *(r for r in (*given, *shown) if isinstance(r, Grounding)), *left, *things]
        grounded.extend(r for r in results if isinstance(r, Grounding))
        findings.extend(r for r in results if isinstance(r, Finding))
    return GateCheck(
        gate="number",
        checked=len(grounded) + len(findings),
        grounded=tuple(grounded),
        findings=tuple(findings),
    )


def _known(job: CheckJob, plain: Mapping[str, str]) -> Iterator[str]:
    """Yield what may hold the number of a thing: papers, their names, the brief, the law of the draft."""
    yield from plain
    yield from plain.values()
    yield job.matter.instructions
    for row in (*job.pack.authorities, *job.pack.windows):
        yield str(row)


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
        "unknown_identifier": "names a case, a patent, an account or the like that no document has",
    },
)
