"""The parser of briefs: every item of an explicit list is a topic, prose yields none."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tasks.asks.cues import cues_of
from tasks.drafting.extractive.brief import topics
from tasks.harness import packaged
from tasks.retrieval.provisions import catalogue_of

CUES = cues_of(packaged().knowledge)
LISTS = [
    (
        "Check the covenants. For each document give the agreement date, maturity date, leverage ratio, minimum "
        "liquidity and governing law, and compare the figures reported by email with the spreadsheet.",
        ["agreement date", "maturity date", "leverage ratio", "minimum liquidity", "governing law"],
    ),
    (
        "For each lease give the following:\n- Rent escalations\n- Security deposit\n- Permitted use\n- Parking",
        ["rent escalations", "security deposit", "permitted use", "parking"],
    ),
    (
        "Prepare a chart. For every loan document: maturity date; interest rate; prepayment premium; and events of "
        "default.",
        ["maturity date", "interest rate", "prepayment premium", "events of default"],
    ),
    (
        "List the purchase price, escrow amount, survival period and basket of each purchase agreement.",
        ["purchase price", "escrow amount", "survival period", "basket"],
    ),
    (
        "For each document, state:\n  1. the parties\n  2. closing conditions; and\n  3. the drop-dead date.",
        ["parties", "closing conditions", "drop-dead date"],
    ),
    (
        "Extract the following from each employment agreement: base salary, bonus target, garden leave and restrictive "
        "covenants.",
        ["base salary", "bonus target", "garden leave", "restrictive covenants"],
    ),
    (
        "Identify the governing law, assignment and change of control provisions of the license agreements.",
        ["governing law", "assignment", "change of control"],
    ),
    (
        "Review the target's contracts for change-of-control provisions and prepare a report. Output: `r.docx`.",
        ["change-of-control"],
    ),
    (
        "Review each agreement for exclusivity, note its governing law, and set out what is required to close.",
        ["exclusivity", "governing law"],
    ),
    (
        "Prepare a risk memorandum on these agreements: for each, cap on liability, insurance and audit rights.",
        ["cap on liability", "insurance", "audit rights"],
    ),
]

PROSE = [
    "Recalculate all financial covenants from the attached credit agreement and financials, flag deviations from the "
    "borrower's compliance certificate, and prepare a full default analysis with recommended next steps.",
    "Review the attached bylaws, amendments, board resolution, indemnification agreement, and demand letter; prepare a "
    "comprehensive indemnification summary memo. Output: `indemnification-summary-memo.docx`.",
    "For each deviation, state the policy standard and maximum, quantify the risk and recommend a course of action.",
    "For each term, provide (a) one party's last position, (b) compromise clause language and (c) a rationale.",
    "Review the attached employee handbook for legal compliance issues and litigation risks, and prepare a memorandum.",
    "Using the provided template, draft a complete first-version agreement by populating all placeholders; ensure the "
    "insurance, exclusivity and termination provisions match the term sheet.",
    "Review the attached agreements for gaps in liability protection and insurance coverage, and prepare a memo.",
    "Review the attached TCP and supporting compliance documents for the ITAR license renewal and prepare a memo.",
    "",
    "Output: `governing law, insurance and rent.docx`",
]


@pytest.fixture(scope="module")
def known():
    return catalogue_of(packaged().knowledge)


@pytest.mark.parametrize(("brief", "expected"), LISTS)
def test_every_item_of_a_list_is_a_topic_in_its_order(brief, expected, known):
    assert [t.words for t in topics(brief, known, CUES)] == expected


@pytest.mark.parametrize("brief", PROSE)
def test_prose_is_not_chopped_into_topics(brief, known):
    assert topics(brief, known, CUES) == ()


def test_a_part_of_a_longer_item_is_not_taken_for_the_item(known):
    # "date" alone names the agreement date; "maturity date" is another thing.
    (topic,) = [t for t in topics("For each loan give the agreement date and maturity date.", known, CUES)][1:]
    assert (topic.words, topic.provision.known) == ("maturity date", False)


def test_the_briefs_of_the_contract_matters_name_catalogue_topics_only(known):
    root = Path(__file__).resolve().parents[3] / ".." / "shared" / "data" / "cuad_matters"
    if not root.exists():
        pytest.skip("no ../shared/data/cuad_matters beside the project")
    briefs = {json.loads(p.read_text(encoding="utf-8"))["instructions"] for p in root.glob("*/*/task.json")}
    assert {len(topics(b, known, CUES)) for b in briefs} == {10, 7, 12}
    assert all(t.provision.known for b in briefs for t in topics(b, known, CUES))
