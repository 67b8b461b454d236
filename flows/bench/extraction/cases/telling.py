"""How a reference summary tells a value, and what the brief of a made-up matter asks."""

from __future__ import annotations

from importlib.resources import files
from typing import Final

_SENTENCES: Final = {
    "filing_date": "The action was filed on {}.",
    "parties": "A party is named: {}.",
    "class_or_individual": "As to who sues: {}.",
    "counsel": "Of counsel the file says: {}.",
    "cause_of_action": "A claim is brought under {}.",
    "legal_basis": "A violation is alleged of the {}.",
    "remedy_sought": "It is prayed for: {}.",
    "judge_name": "Judge {} had the case.",
    "consolidated_cases": "Case {} was consolidated with it.",
    "related_cases": "Case {} is related.",
    "important_filings": "There was filed: {}.",
    "court_rulings": "The court ruled: {}.",
    "reported_opinions": "An opinion is reported at {}.",
    "trials": "Of a trial the docket records: {}.",
    "appeals": "On appeal: {}.",
    "decree_terms": "The court ordered: {}",
    "decree_dates": "Of decrees the docket records: {}.",
    "decree_duration": "The decree lasts: {}.",
    "settlement_terms": "It was agreed: {}",
    "settlement_date": "Of a settlement the file records: {}.",
    "settlement_duration": "The settlement lasts: {}.",
    "court_enforcement": "Whether the court enforces the settlement: {}.",
    "enforcement_disputes": "It was disputed: {}.",
    "monitor_name": "{} is the monitor.",
    "monitor_reports": "A report says: {}",
    "factual_basis": "It is alleged: {}",
}


def told(item: str, value: str) -> str:
    """Return the sentence of the reference summary that tells a value."""
    return _SENTENCES[item].format(value)


def instructions() -> str:
    """Return the brief: the summary task, and how values are to be written."""
    return files("flows.bench.extraction.cases").joinpath("summary_task.md").read_text(encoding="utf-8").strip()
