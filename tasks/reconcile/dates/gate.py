"""The date gate: every date and window of the draft, with the source that grounds it or a flag."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from tasks.legaltext.records import DateMention
from tasks.reconcile.check import Check, CheckJob
from tasks.reconcile.dates.claims import DateClaim, read_claims
from tasks.reconcile.dates.counted import miscounted_days
from tasks.reconcile.dates.derive import derive_date, derive_from_shown, from_words
from tasks.reconcile.dates.impossible import altered_passages, impossible_dates
from tasks.reconcile.dates.law import LawAtHand, by_rule, cited_rules
from tasks.reconcile.dates.match import DateKind, DateMatch, by_passage, by_value, by_words, nearest
from tasks.reconcile.dates.sources import Sources, WordRuns
from tasks.reconcile.deadlines.book import book_of
from tasks.reconcile.draft_view import DraftView
from tasks.reconcile.instructed import Instructed
from tasks.reconcile.law.grounds import LawGrounds
from tasks.reconcile.names import DocumentNames
from tasks.reconcile.records import Finding, GateCheck, Grounding

_REMEDY: Final[Mapping[DateKind, str]] = {
    "unsourced": "Cite the provision that states it, show its arithmetic, or strike it.",
    "near_miss": "Compare with the source and correct the component that differs.",
    "unit_mismatch": "State the unit and the kind of days as the source does.",
    "wrong_entity": "Attribute it to the document that states it, or give this document's own.",
}


def check_dates(job: CheckJob) -> GateCheck:
    """Reconcile the dates and windows of the drafts with the sources.

    The brief counts as a source of the dates it states. Every grounded claim carries its source spans; a derived one
    its arithmetic.
    """
    book = book_of(job.harness.knowledge)
    instructed = Instructed(job.matter, job.texts, job.drafts)
    held = LawGrounds(lambda: job.harness.knowledge.law_texts)
    sources = Sources(job.texts, job.state, job.matter.instructions)
    names = DocumentNames.of(job.matter, job.state, extra=job.texts)
    grounded: list[Grounding] = []
    findings: list[Finding] = []
    checked = 0
    for deliverable, draft in job.drafts.items():
        words, view = WordRuns(draft.text), DraftView(draft, names)
        law = LawAtHand(book, cited_rules(draft.text, book.countable), job.harness.gates.date.rule_reach_days)
        claims = read_claims(view)
        matches = [(claim, reconcile(claim, draft.text, words, sources, law)) for claim in claims]
        flagged: list[Finding] = []
        shown = [(c, m) for c, m in matches if c.is_date and m.kind is None and m.derivation]
        for claim, found in matches:
            elsewhere = found.kind is not None and (
                _derived_elsewhere(claim, shown) or derive_from_shown(claim, draft.text, shown, sources)
            )
            match = elsewhere or found
            if match.kind is None:
                grounded.append(_grounding(deliverable, claim, match))
            else:
                flagged.append(_finding(deliverable, draft.text, claim, match))
        given = list(instructed.recheck(view, flagged))
        left = held.recheck(view, [r for r in given if isinstance(r, Finding)])
        results = [*(r for r in given if isinstance(r, Grounding)), *left]
        grounded.extend(r for r in results if isinstance(r, Grounding))
        findings.extend(r for r in results if isinstance(r, Finding))
        unread = [
            *impossible_dates(deliverable, draft.text, sources.texts),
            *miscounted_days(deliverable, draft.text),
            *altered_passages(deliverable, draft.text, words, claims, sources),
        ]
        checked += len(claims) + len(unread)
        findings.extend(unread)
    return GateCheck(gate="date", checked=checked, grounded=tuple(grounded), findings=tuple(findings))


def reconcile(claim: DateClaim, text: str, words: WordRuns, sources: Sources, law: LawAtHand) -> DateMatch:
    """Match one claim by repeated passage, value, derivation, rule of law or words; otherwise say what is wrong."""
    passage = by_passage(claim, words, sources)
    if passage is not None:
        return passage
    value = by_value(claim, sources)
    if value is not None and value.kind is None:
        return value
    derived = derive_date(claim, text, sources, law.book) or from_words(claim, sources)
    ruled = None if derived else by_rule(claim, text, sources, law)
    if ruled is not None and ruled.kind is None:
        return ruled
    return derived or by_words(claim, words, sources) or value or ruled or nearest(claim, sources)


def _derived_elsewhere(claim: DateClaim, shown: Sequence[tuple[DateClaim, DateMatch]]) -> DateMatch | None:
    """Return the derivation of the same day, of the same document, that another line of the draft shows."""
    for other, match in shown:
        same = isinstance(claim.mention, DateMention) and claim.mention.iso == getattr(other.mention, "iso", "")
        if same and (not claim.documents or claim.documents & other.documents):
            return match
    return None


def _grounding(deliverable: str, claim: DateClaim, match: DateMatch) -> Grounding:
    mention = claim.mention
    return Grounding(
        deliverable=deliverable,
        start=mention.start,
        end=mention.end,
        text=mention.text,
        sources=match.sources,
        derivation=match.derivation,
    )


def _finding(deliverable: str, text: str, claim: DateClaim, match: DateMatch) -> Finding:
    kind: DateKind = match.kind or "unsourced"
    mention = claim.mention
    what = "date" if claim.is_date else "window"
    against = f"nearest in the sources: {match.against}" if match.against else "no source states it or leads to it"
    where = ", ".join(sorted(claim.documents)) or "all documents"
    return Finding(
        gate="date",
        kind=kind,
        deliverable=deliverable,
        text=mention.text,
        start=mention.start,
        end=mention.end,
        sentence=text[claim.paragraph[0] : claim.paragraph[1]].strip()[:600],
        checked=f"The {what} “{mention.text}” was checked against {where}; {against}.",
        grounding=match.sources[0] if match.sources else None,
        remedy=_REMEDY[kind],
    )


GATE = Check(
    name="date",
    run=check_dates,
    kinds={
        "unsourced": "not found in the documents",
        "unit_mismatch": "other unit or scale in the documents",
        "near_miss": "close to, but not what the documents say",
        "wrong_entity": "stands in another document, or of another party",
    },
)
