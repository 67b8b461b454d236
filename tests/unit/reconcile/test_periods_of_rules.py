"""Periods that a draft says a rule sets: which sentences claim one, of which rule, and what is said of it."""

from __future__ import annotations

import pytest

from knowledge_db.law_texts import load_law_texts
from tasks.legaltext.citations.scan import scan_citations
from tasks.reconcile.law.figures import check_periods, check_statement, claims
from tasks.reconcile.law.library import LawShelf

ANSWER = "Fed. R. Civ. P. 12(a)(1)(A)(i)"
SERVICE = "Fed. R. Civ. P. 4(m)"
NEW_TRIAL = "Fed. R. Civ. P. 59(b)"


@pytest.fixture(scope="module")
def shelf() -> LawShelf:
    return LawShelf({}, load_law_texts())


def claimed(text: str) -> list[tuple[str, str]]:
    found = []
    for claim in claims(text, scan_citations(text)):
        assert text[claim.figure.start : claim.figure.end] == claim.figure.text
        found.append((claim.figure.text, claim.rule.canonical))
    return found


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # the rule behind its period
        (f"An answer is due within 21 days under {ANSWER}.", [("21 days", ANSWER)]),
        (f"The answer must be served in 21 days pursuant to {ANSWER}.", [("21 days", ANSWER)]),
        (f"A motion is due no later than 28 days after judgment ({NEW_TRIAL}).", [("28 days", NEW_TRIAL)]),
        (f"The 21-day period of {ANSWER} runs.", [("21-day", ANSWER)]),
        (f"Service is due within 90 days. {SERVICE}.", [("90 days", SERVICE)]),
        (f"Service is due within 90 days. See {SERVICE}.", [("90 days", SERVICE)]),
        (f"Service is due within 90 days; see {SERVICE}.", [("90 days", SERVICE)]),
        (f"Service is due within 90 days, as required by {SERVICE}.", [("90 days", SERVICE)]),
        # the rule before its period
        (f"{ANSWER} gives 21 days.", [("21 days", ANSWER)]),
        (f"{ANSWER} requires an answer within 21 days.", [("21 days", ANSWER)]),
        (f"Under {ANSWER} the time is 21 days.", [("21 days", ANSWER)]),
        (f"{ANSWER}’s 21-day limit is strict.", [("21-day", ANSWER)]),
        # two rules, each with its own
        (
            f"{ANSWER} gives 21 days; {SERVICE} gives 90 days.",
            [("21 days", ANSWER), ("90 days", SERVICE)],
        ),
        (
            f"An answer is due within 21 days under {ANSWER}. Service is due within 90 days under {SERVICE}.",
            [("21 days", ANSWER), ("90 days", SERVICE)],
        ),
        # what passed, what others set, how it is counted
        (f"The defendant waited 40 days before it moved under {ANSWER}.", []),
        (f"The court extended the time under {ANSWER} to 45 days.", []),
        (f"The parties stipulated to 45 days instead of the time of {ANSWER}.", []),
        (f"By order the time was enlarged by 14 days under {ANSWER}.", []),
        (f"The answer was filed 35 days after service, contrary to {ANSWER}.", []),
        (f"The period of 21 days is computed under {ANSWER}.", []),
        (f"{ANSWER} was argued, but the lease allows 45 days.", []),
        # no period, or none of time
        (f"{ANSWER} requires an answer.", []),
        (f"A fee of $21 is due under {ANSWER}.", []),
        (f"Within 21 pages under {ANSWER}.", []),
        ("An answer is due within 21 days.", []),
        ("An answer is due within 21 days under the Rules of the Club.", []),
        (f"An answer is due within 21 days. The parties met in May. They quarrelled over {ANSWER} at length.", []),
        ("", []),
    ],
)
def test_the_periods_that_a_sentence_ascribes_to_a_rule(text, expected):
    assert claimed(text) == expected


@pytest.mark.parametrize("words", [10, 60])
def test_a_rule_far_from_a_period_does_not_set_it(words):
    text = f"An answer is due within 21 days {'and so on ' * words}under {ANSWER}."
    assert bool(claimed(text)) is (words * 10 < 130)


@pytest.mark.parametrize(
    ("text", "verdict", "where"),
    [
        (f"An answer is due within 21 days under {ANSWER}.", "supported", ANSWER),
        (f"An answer is due within three weeks under {ANSWER}.", "supported", ANSWER),
        (f"An answer is due within twenty-one (21) days under {ANSWER}.", "supported", ANSWER),
        (f"An answer is due within twenty (20) days under {ANSWER}.", "contradicted", ""),
        (f"The defendant shall have thirty (30) days under {ANSWER}.", "contradicted", ""),
        (f"An answer is due within 21 hours under {ANSWER}.", "contradicted", ""),
        (f"An answer is due within 21 months under {ANSWER}.", "contradicted", ""),
        (f"An answer is due within 22 days under {ANSWER}.", "contradicted", ""),
        (f"An answer is due within 60 days under {ANSWER}.", "elsewhere", "Fed. R. Civ. P. 12(a)(1)(A)(ii)"),
        (f"Service is due within 90 days under {SERVICE}.", "supported", SERVICE),
        (f"Service is due within 120 days under {SERVICE}.", "contradicted", ""),
    ],
)
def test_what_the_text_of_the_rule_says_of_it(shelf, text, verdict, where):
    (found,) = check_periods(shelf, text, scan_citations(text))
    assert (found.verdict, found.found_in) == (verdict, where)
    assert text[found.start : found.end] == found.text
    assert found.grounding is not None
    held = shelf.texts[found.grounding.document].text[found.grounding.start : found.grounding.end]
    assert any(ch.isdigit() for ch in held)
    assert "(text of " in found.checked
    if verdict == "contradicted":
        assert "does not set it; it has" in found.checked
    if verdict == "supported":
        assert found.checked.endswith("sets it.")


@pytest.mark.parametrize(
    ("citation", "statement", "verdicts"),
    [
        (ANSWER, "A defendant must answer within 21 days of service.", ["supported"]),
        (ANSWER, "A defendant must answer within 20 days of service.", ["contradicted"]),
        (ANSWER, "It sets 21 days, or 60 days for the United States.", ["supported", "elsewhere"]),
        (ANSWER, "A defendant must answer in time and pay $21.", []),
        ("Fed. R. Civ. P. 99", "A defendant must answer within 21 days.", []),
        ("Fed. R. Civ. P. 12(z)", "A defendant must answer within 21 days.", []),
        ("Fed. R. Evid. 702", "A defendant must answer within 21 days.", []),
        (ANSWER, "", []),
    ],
)
def test_a_statement_of_what_a_rule_says(shelf, citation, statement, verdicts):
    assert [found.verdict for found in check_statement(shelf, citation, statement)] == verdicts


@pytest.mark.parametrize(
    "citation", ["Fed. R. Civ. P. 99", "Fed. R. Civ. P. 12(z)", "Fed. R. App. P. 4(a)(1)(A)", "8 Del. C. § 262(d)"]
)
def test_of_a_rule_that_is_not_held_nothing_is_said(shelf, citation):
    text = f"An answer is due within 77 days under {citation}."
    assert list(check_periods(shelf, text, scan_citations(text))) == []
