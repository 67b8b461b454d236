"""Builders of checklists, values and scripted examiners."""

import json
from types import SimpleNamespace

import pytest

from tasks.judging.checklist.asking import Examiner
from tasks.legaltext.checklists.definition import Checklist
from tasks.legaltext.checklists.records import Entry, Evidence, Filled, Value
from tasks.models.client import ModelClient
from tasks.models.profile import ModelProfile
from tasks.models.transports.scripted import ScriptedModel

SMALL = Checklist.model_validate(
    {
        "name": "small",
        "title": "Small",
        "alpha": 0.9,
        "groups": [
            {
                "id": "when",
                "title": "When",
                "items": [{"id": "filing_date", "title": "Filing date", "asks": "The day of filing."}],
            },
            {
                "id": "who",
                "title": "Who",
                "items": [
                    {"id": "judge_name", "title": "Judge name", "names": ["Name of judge"], "asks": "Who decides."},
                    {"id": "filings", "title": "Filings", "asks": "Each motion."},
                    {"id": "appeals", "title": "Appeals", "asks": "Who appealed."},
                ],
            },
        ],
    }
)


def filled(**items):
    """A filled checklist of bare texts."""
    return Filled(entries={item: Entry(values=tuple(Value(text=v) for v in values)) for item, values in items.items()})


def evidenced(text, value, *quotations, document="memo.md"):
    """A value with evidence in a text."""
    places = [(text.index(q), text.index(q) + len(q)) for q in quotations]
    evidence = tuple(Evidence(document=document, start=s, end=e, text=text[s:e]) for s, e in places)
    return Value(text=value, evidence=evidence)


def examiner(*replies, window=100_000, **told):
    """An examiner on a scripted model, and the model."""
    model = ScriptedModel([r if isinstance(r, str | Exception) else json.dumps(r) for r in replies])
    profile = ModelProfile(
        name="reader", model="scripted", retries=0, context_window=window, max_output_tokens=100, **told
    )
    return Examiner(ModelClient(profile, transport=model, wait=lambda seconds: None)), model


@pytest.fixture(scope="session")
def gavel():
    items = {item.id: item for item in SMALL.items()}
    return SimpleNamespace(checklist=SMALL, items=items, filled=filled, evidenced=evidenced, examiner=examiner)
