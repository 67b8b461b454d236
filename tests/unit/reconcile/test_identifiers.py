"""Numbers that name a thing: found in a draft, and looked up in the papers however their parts are joined."""

from __future__ import annotations

import pytest

from tasks.reconcile.draft_view import DraftView
from tasks.reconcile.names import DocumentNames
from tasks.reconcile.numbers.identifiers import Identifiers, named_things
from tasks.reconcile.records import Finding
from tasks.sources.records import CanonicalText

PAPERS = (
    "UNITED STATES DISTRICT COURT\nCase 1:16-CV-02327 (SH)\nHaddad v. Tamarack County",
    "U.S. Patent No. 9,876,543; policy number HX-4471-0098; Account No. 00481516.",
)


def made_up(draft: str) -> list[str]:
    text = CanonicalText(document="memo.docx", sha256="0" * 64, extractor="test/1", media="docx", text=draft)
    view = DraftView(text, DocumentNames(()))
    return [r.text for r in Identifiers(PAPERS).check("memo.docx", view) if isinstance(r, Finding)]


@pytest.mark.parametrize(
    "draft",
    [
        "In No. 1:16-cv-02327 the county answered.",
        "Case No. 16-cv-2327 is pending.",
        "The patent (US 9876543) is licensed; see Patent No. 9,876,543.",
        "Claims go to policy no. HX44710098, account number 481516.",
    ],
)
def test_a_number_that_a_paper_has_is_grounded_in_whatever_way_it_is_joined(draft: str) -> None:
    assert made_up(draft) == []


@pytest.mark.parametrize(
    ("draft", "number"),
    [
        ("The sister case is 2:16-CV-02328.", "2:16-CV-02328"),
        ("Case No. 16-cv-2329 was dismissed.", "16-cv-2329"),
        ("It infringes Patent No. 9,876,544.", "9,876,544"),
        ("See policy number HX-4471-0089 on this.", "HX-4471-0089"),
        ("It was invoiced as INV-2024-00131X.", "INV-2024-00131X"),
    ],
)
def test_a_number_that_no_paper_has_is_told(draft: str, number: str) -> None:
    assert made_up(draft) == [number]


@pytest.mark.parametrize(
    "text",
    [
        "A 12-month term from 2021-2025, 10,000-20,000 units, 10:30-11:30 on 2024-05-01 and 12/31/2024.",
        "17 C.F.R. § 240.10b-5, Regulation (EU) 2016/679, 29 U.S.C. § 2612(a)(1) and Section 12.04.03(b).",
        "See 01-second-amendment-2019.docx and rents_2024_10001.xlsx.",
        "Form 10-K for 2023, $1,250,000.00, 3.14159 and a ratio of 1.25:1.",
    ],
)
def test_dates_ranges_law_places_files_and_amounts_name_no_thing(text: str) -> None:
    assert [text[a:b] for a, b in named_things(text)] == []
