"""The title of a work product is made of what the request is about."""

from __future__ import annotations

import pytest
from asks_fixtures import read
from test_parse import PAPERS


@pytest.mark.parametrize(
    ("brief", "title"),
    [
        (
            "We act for the tenant of the mill lease. What is the monthly rent, and who repairs the roof?",
            "Mill lease: monthly rent and roof",
        ),
        ("Achebe v. Quillfeather: when was the complaint made?", "Achebe v. Quillfeather: complaint"),
        ("Redline the NDA: term 2 years, not 5. Delete clause 7.", "Changes to the NDA"),
        ("May the recipient copy it?", "Recipient"),
        ("Where is it?", ""),
    ],
)  # fmt: skip
def test_a_title_names_the_papers_and_the_first_topics(brief: str, title: str) -> None:
    assert read(brief).title == title


def test_several_papers_are_counted_and_compared() -> None:
    brief = "There are four leases. Compare: governing law, the notice period, the residuals and the deposit."
    assert read(brief, PAPERS).title == "Four leases compared: governing law, notice period and residuals"


def test_a_title_is_short() -> None:
    long = "What is the " + ", the ".join(f"{w} fee of the supplier" for w in ("annual", "monthly", "weekly")) + "?"
    assert 0 < len(read(long * 5).title) <= 90
