"""Words no catalogue knows, and papers that belong to a matter."""

from __future__ import annotations

import pytest

from tasks.drafting.extractive.ownership import is_stranger, is_supplement, speaks_of_any_paper
from tasks.drafting.extractive.points import sentences_of
from tasks.drafting.extractive.reading import read
from tasks.harness import packaged
from tasks.sources.records import CanonicalText

LOAN = """TERM LOAN AGREEMENT

This Term Loan Agreement is dated as of September 8, 2022 between Orchard Foods, Inc. and Cobalt River Bank.

2. Maturity

The Loan and all accrued interest are due on September 8, 2027 (the "Maturity Date").

3. Leverage Ratio

Borrower shall not permit the Leverage Ratio at the end of any fiscal year to exceed 3.50 to 1.00.

4. Reporting

Borrower shall deliver audited financial statements within one hundred twenty (120) days after each fiscal year.

5. Revocation

Borrower may revoke this notice within seven (7) days after giving it.

6. Mutual Respect

Neither party shall disparage the other.

7. Deposit

Borrower has deposited with Lender the sum of $27,500.
"""
MAIL = """From: Dana Whitfield <d@orchard.example>
To: Loan Desk <l@bank.example>
Date: Mon, 14 Apr 2025 09:12:00 -0500
Subject: Compliance

Orchard Foods reports a Leverage Ratio of 3.31x and unrestricted cash of $4.1 million.

The maturity date is September 9, 2027. Please confirm.
"""
STRANGER = (
    "# Letter of intent\n\nThe firm Hill Vintners proposes to buy 40 tons of Riesling from Petra Lindqvist at $1,950."
)


def reading(text, name="loan.txt", media="txt"):
    return read(
        CanonicalText(document=name, sha256="0", extractor="t/1", media=media, text=text),
        None,
        None,
        packaged().knowledge,
    )


SPOKEN = [
    ("maturity date", ["The Loan and all accrued interest are due"]),
    ("leverage ratio", ["Borrower shall not permit the Leverage Ratio"]),
    ("reporting deadline", ["Borrower shall deliver audited financial statements"]),
    ("revocation period", ["Borrower may revoke this notice"]),
    ("disparagement", ["Neither party shall disparage the other."]),
    ("security deposit amount", []),
    ("deposit", ["Borrower has deposited"]),
    ("earn-out", []),
]


@pytest.mark.parametrize(("words", "begin"), SPOKEN)
def test_words_are_met_in_bent_forms_in_headings_and_beside_their_figure(words, begin):
    found = list(sentences_of(words, reading(LOAN), 1))
    assert [u.text.startswith(b) for u, b in zip(found, begin, strict=True)] == [True] * len(begin)


def test_the_head_of_a_message_speaks_of_nothing():
    (told,) = sentences_of("compliance", reading(MAIL + "\nCompliance is due.\n", "mail.eml", "eml"), 3)
    assert told.text == "Compliance is due."


def test_a_short_amendment_is_an_instrument_and_a_supplement():
    text = (
        "FIRST AMENDMENT TO LEASE\n\nThis First Amendment to Lease is made on February 17, 2023 between Harrow Ltd. "
        '("Landlord") and Salt Marsh Inc. ("Tenant").\n\n1. Rent\n\nThe monthly rent is $9,650.\n'
    )
    lease = (
        'LEASE\n\nThis Lease is made on June 30, 2021 between Harrow Ltd. ("Landlord") and Salt Marsh Inc. ("Tenant").'
        "\n\nTenant shall pay rent. Tenant shall insure. Tenant shall not assign this Lease.\n"
    )
    amendment, base = reading(text, "amendment.txt"), reading(lease, "lease.txt")
    assert amendment.identity.agreement
    assert is_supplement(amendment, [amendment, base])
    assert not is_supplement(base, [amendment, base])


def test_a_paper_of_another_matter_is_a_stranger_and_a_nameless_one_is_not():
    loan, other = reading(LOAN), reading(STRANGER, "letter.md", "md")
    plan = reading("# Response plan\n\n1. Counsel is told on the same day.\n", "plan.md", "md")
    mail = reading(MAIL, "mail.eml", "eml")
    room = [loan, other, plan, mail]
    assert [r.document for r in room if is_stranger(r, room, "Check the covenants of Orchard Foods.")] == ["letter.md"]


def test_a_brief_on_documents_is_not_a_brief_on_agreements():
    assert speaks_of_any_paper("For each document give the date.")
    assert not speaks_of_any_paper("For each agreement give the date.")
