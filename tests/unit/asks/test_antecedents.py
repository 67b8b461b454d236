"""Asks that lean on what stands before them are understood alone."""

from __future__ import annotations

import pytest
from asks_fixtures import read


@pytest.mark.parametrize(
    ("brief", "subject"),
    [
        (
            "Can Lifeway assign without asking Ms. Smolyansky, and may she say no without a reason?",
            "may Ms. Smolyansky say no without a reason (Can Lifeway assign without asking Ms. Smolyansky)",
        ),
        ("Is there an audit right? How often may it be used?", "How often may the audit right be used"),
        ("Does the Veltra lease renew, and when does it end?", "when does the Veltra lease end"),
        ("What must the CRO report to us, may it use subcontractors?", "may the CRO use subcontractors"),
        ("When were the photographs out, and how many of them are on it?", "how many of the photographs are on it"),
        ("When is Krenn's answer due?\nSame for Nordwall.", "Same for Nordwall (When is Krenn's answer due)"),
        ("Who bears the loss from the phones? By when?", "By when (Who bears the loss from the phones)"),
        ("What is owed on the portals, on hosting, and on the rewards?", "What is owed on the rewards"),
        ("What does the lease say about fees? And the LPA?", "And the LPA (What does the lease say about fees)"),
        ("On the lease: who insures?", "On the lease: who insures"),
        ("Please pull out for me:\n(a) the governing law,\n(b) how long the deal runs.", "how long the deal runs"),
        ("May the recipient (a) copy it, (b) reverse engineer it?", "May the recipient reverse engineer it"),
        ("Does the cap hold? Tell me if it makes sense to sue.", "Tell me if it makes sense to sue"),
    ],
)  # fmt: skip
def test_the_last_ask_is_understood_alone(brief: str, subject: str) -> None:
    assert read(brief).asks[-1].subject == subject


def test_a_pronoun_that_its_own_clause_explains_stays() -> None:
    first = read("If the buyer breaks the contract, must it pay? Who signs?").asks[0]
    assert first.subject == first.words


def test_he_goes_on_with_the_one_who_was_meant_before() -> None:
    brief = "Mr. Luciani signed with Mr. Moskona. When does his period end? Could he buy shares?"
    assert [a.subject for a in read(brief).asks] == [
        "When does Mr. Luciani's period end",
        "Could Mr. Luciani buy shares",
    ]
