"""A case checklist filled from the papers of a case, without a model."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from knowledge_db.records import LitigationCue
from tasks.drafting.extraction.scanning import parties as sides
from tasks.drafting.extraction.scanning import people, pleadings, proceedings, terms
from tasks.drafting.extraction.scanning.cues import Cues
from tasks.drafting.extraction.scanning.docket import docket_of
from tasks.drafting.extraction.scanning.papers import bundle_of
from tasks.legaltext.checklists.definition import Checklist
from tasks.legaltext.checklists.entering import Intake, Texts
from tasks.legaltext.checklists.records import Evidence, Filled

Said = tuple[str, Evidence]


def scan_case(checklist: Checklist, texts: Mapping[str, str], rows: Iterable[LitigationCue]) -> Filled:
    """Fill a checklist from the documents of a case.

    Every value has its words in a document, and is looked up there once more as it enters. An item that no scanner
    reads stays empty, as does every item of a checklist that is not the case checklist's.

    Args:
        checklist: What is looked for.
        texts: The documents by name.
        rows: How the papers of a lawsuit say it (``KnowledgeBase.litigation``).
    """
    said = _said(texts, Cues(tuple(rows)))
    intake = Intake(Texts(texts))
    entries = {
        item.id: intake.entry((words, [evidence]) for words, evidence in said[item.id])
        for item in checklist.items()
        if item.id in said
    }
    return Filled(entries=entries, dropped_values=intake.dropped_values, dropped_evidence=intake.dropped_evidence)


def _said(texts: Mapping[str, str], cues: Cues) -> dict[str, list[Said]]:
    bundle = bundle_of(texts, cues)
    docket = docket_of(bundle, cues)
    parties = sides.parties_of(bundle, docket, cues)
    found: dict[str, Iterable[Said]] = {
        "filing_date": proceedings.filed_on(bundle, docket, cues),
        "parties": ((f"{p.side}: {p.name}", p.evidence) for p in parties),
        "class_or_individual": pleadings.class_of(bundle, docket, cues),
        "counsel": people.counsel_of(bundle, parties, cues),
        "cause_of_action": pleadings.claims_of(bundle, cues, "vehicle"),
        "legal_basis": pleadings.claims_of(bundle, cues, "basis"),
        "remedy_sought": pleadings.remedies_of(bundle, cues),
        "judge_name": people.judges_of(bundle, docket, cues),
        "consolidated_cases": proceedings.linked_cases(bundle, docket, cues, "consolidated"),
        "related_cases": proceedings.linked_cases(bundle, docket, cues, "related"),
        "important_filings": proceedings.filings_of(bundle, docket, cues),
        "court_rulings": proceedings.rulings_of(docket, cues),
        "reported_opinions": pleadings.opinions_of(bundle, parties),
        "trials": proceedings.trials_of(docket, cues),
        "appeals": proceedings.appeals_of(docket, parties, cues),
        "decree_terms": terms.terms_of(bundle, cues, "decree"),
        "decree_dates": proceedings.decree_dates_of(docket, cues),
        "decree_duration": terms.durations_of(bundle, cues, "decree"),
        "settlement_terms": terms.terms_of(bundle, cues, "settlement"),
        "settlement_date": proceedings.settlement_dates_of(bundle, docket, cues),
        "settlement_duration": terms.durations_of(bundle, cues, "settlement"),
        "court_enforcement": terms.enforcement_of(bundle, docket, cues),
        "enforcement_disputes": proceedings.disputes_of(docket, parties, cues),
        "monitor_name": people.monitors_of(bundle, docket, cues),
        "monitor_reports": terms.reports_of(bundle, cues),
        "factual_basis": pleadings.facts_of(bundle, cues),
    }
    return {item: list(values) for item, values in found.items()}
