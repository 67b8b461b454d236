"""Quotations against a room: where the words stand, to whom they are ascribed, and how far they were altered."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reconcile_fixtures import matter, run

from tasks.reconcile.citations import check_citations

LEASE = "01-harbor-lease.docx"
SALE = "02-mill-sale.docx"
ROOM = {
    LEASE: (
        "LEASE\n\n1. Rent. The Tenant shall pay the rent on the first day of each month without a deduction.\n\n"
        "2. Repair. The Tenant shall keep the roof, the walls and the drains in good and substantial repair.\n\n"
        "3. Assignment. The Tenant shall not assign this Lease without the Landlord’s prior written con-\nsent.\n"
    ),
    SALE: (
        "SALE\n\n1. Price. The Buyer shall pay the price at the closing in immediately available funds.\n\n"
        "2. Repair. The Seller shall keep the mill in good and substantial repair until the closing has taken place.\n"
    ),
}  # fmt: skip


def check(draft: str):
    return run(check_citations, draft, sources=ROOM, matter=matter("memo.md", documents=tuple(ROOM)))


def places(draft: str) -> list[tuple[str, str]]:
    found = check(draft)
    assert [f for f in found.findings if f.severity != "note"] == []
    return [(s.document, ROOM[s.document][s.start : s.end]) for g in found.grounded for s in g.sources]


@pytest.mark.parametrize(
    ("quote", "document", "words"),
    [
        ("keep the roof, the walls and the drains in good", LEASE, "keep the roof, the walls and the drains in good"),
        ("keep the roof, the walls and the DRAINS in good", LEASE, "keep the roof, the walls and the drains in good"),
        ("without the Landlord's prior written consent", LEASE, "without the Landlord’s prior written con-\nsent"),
        ("[t]he Buyer shall pay the price at the closing", SALE, "The Buyer shall pay the price at the closing"),
    ],
)  # fmt: skip
def test_a_quotation_is_grounded_where_its_words_stand(quote, document, words):
    assert (document, words) in places(f"It says “{quote}” [{document}].")
    assert (document, words) in places(f"It says “{quote}”.")


def test_the_parts_around_an_ellipsis_follow_one_another():
    draft = f"It says “The Tenant shall keep the roof … in good and substantial repair” [{LEASE}]."
    assert places(draft)[:2] == [
        (LEASE, "The Tenant shall keep the roof"),
        (LEASE, "in good and substantial repair"),
    ]
    turned = f"It says “in good and substantial repair … The Tenant shall keep the roof” [{LEASE}]."
    assert [f.kind for f in check(turned).findings if f.severity != "note"] == ["misquoted"]


def test_the_second_part_is_looked_for_behind_the_first():
    draft = f"It says “2. Repair. … The Tenant shall not assign this Lease” [{LEASE}]."
    assert (LEASE, "The Tenant shall not assign this Lease") in places(draft)
    draft = f"It says “keep the mill in good … The Seller shall keep the mill” [{SALE}]."  # said once only
    assert [f.kind for f in check(draft).findings if f.severity != "note"] == ["misquoted"]


@pytest.mark.parametrize(
    ("draft", "kind", "document"),
    [
        (f"“The Buyer shall pay the price at the closing in immediately” [{LEASE}].", "misattributed", SALE),
        (f"“The Tenant shall keep the roof, the walls and the drains in good” [{SALE}].", "misattributed", LEASE),
        (f"“The Tenant shall keep the roof, the floors and the drains in good” [{LEASE}].", "misquoted", LEASE),
        (f"“The Tenant need not keep the roof, the walls and the drains in good” [{LEASE}].", "misquoted", LEASE),
        (f"“Any purple unicorn might graze happily upon seven distant meadows forever” [{LEASE}].", "fabricated", None),
    ],
)  # fmt: skip
def test_a_quotation_that_is_off_is_shown_beside_its_source(draft, kind, document):
    (found,) = [f for f in check(draft).findings if f.severity != "note"]
    assert found.kind == kind
    assert draft[found.start : found.end] == found.text
    assert (found.grounding.document if found.grounding else None) == document


@settings(max_examples=25, deadline=None)
@given(start=st.integers(0, 8), length=st.integers(9, 12), swap=st.integers(0, 8))
def test_any_run_of_words_is_verbatim_and_none_with_a_word_exchanged_is(start, length, swap):
    words = ROOM[LEASE].split("\n\n")[1].split()[2:]
    run_of = words[start : start + length]
    (place,) = [p for p in places(f"It says “{' '.join(run_of)}” [{LEASE}].") if p[0] == LEASE][:1]
    assert place[1].split() == run_of or place[1] == " ".join(run_of).strip(".")
    run_of[swap % len(run_of)] = "heliotrope"
    flagged = [f.kind for f in check(f"It says “{' '.join(run_of)}” [{LEASE}].").findings if f.severity != "note"]
    assert flagged in (["misquoted"], ["fabricated"])


SCAN = "03-first-amendment-scan.pdf"
MORE = {**ROOM, SCAN: ""}
ROOF = "The Tenant shall keep the roof, the walls and the drains in good and substantial repair."


@pytest.mark.parametrize(
    ("draft", "kinds"),
    [
        # what is named in a clause of its own behind the quotation is not what is quoted
        (f"| No. | Answer |\n|---|---|\n| 4 | “{ROOF}”; {SCAN} was not read |\n", []),
        (f"“{ROOF}” ({SALE})\n", ["misattributed"]),
        # the citation of the next row is none of this one
        (f"| {LEASE} | Repair | “{ROOF}” |\n| – | Price | left open; nearest: [{SALE} § 1] |\n", []),
        (f"| {LEASE} | Repair | “{ROOF}” [{SALE} § 1] |\n| – | Price | left open |\n", ["misattributed"]),
        # the nearest passages that are shown carry nothing, but stand where they are cited
        (f"- Nearest: “{ROOF}” [{LEASE} § 2]\n", []),
        (f"- Nearest: “{ROOF}” [{LEASE} § 1]\n", ["unsupported_statement"]),
        (f"The Tenant repairs: “{ROOF}” [{LEASE} § 1]\n", ["unsupported_statement"]),
    ],
)
def test_a_quotation_is_held_to_what_it_is_attributed_to_and_to_nothing_beside_it(draft, kinds):
    found = run(check_citations, draft, sources=MORE, matter=matter("memo.md", documents=tuple(MORE)))
    assert [f.kind for f in found.findings if f.severity != "note"] == kinds
