"""Error classes: by what an anchor found, else by words in the order of the paper."""

from itertools import product

import pytest

from tasks.judging.taxonomy import classify, taxonomy
from tasks.matter.reasons import ErrorClass, MatchKind, Outcome

CLASSED = [
    ("States the purchase price", "The amount of $4.2 million is omitted.", "numbers_dates"),
    ("Lists the witnesses", "No citation to the exhibit is given.", "source_grounding"),
    ("Advises on the breach", "The memo spots the risk and makes no recommendation.", "remedial_action"),
    ("Ranks the issues", "Severity is not assessed.", "materiality_impact"),
    ("Compares the two leases", "The conflict between the leases is not seen.", "cross_doc_synthesis"),
    ("Prepares a redline", "A memo was written instead of tracked changes.", "deliverable_format"),
    ("Applies the statute", "The doctrine is misread.", "legal_rule_use"),
    ("Treats the warranty clause", "The clause is not discussed.", "coverage"),
    ("Names the guarantor", "The guarantor is omitted.", "missing_facts"),
    ("Is polite", "It is rude.", "other"),
    # priority: quantities before all others, grounding before remedies
    ("Recommends a cure", "The 30 days are missing.", "numbers_dates"),
    ("Recommends a cure", "The quote is fabricated.", "source_grounding"),
    # what the judge says is lacking goes before what the title is called, and that before everything else said
    ("Identifies the cap of $5 million", "No recommendation is made.", "remedial_action"),
    ("Recommends an escrow of $2M", "The memo is silent.", "remedial_action"),
    ("Names the landlord", "PASS if the lease of $4,000 a month is said to be Mr Reed's.", "missing_facts"),
    # "this ..." points back to the title
    (
        "Identifies the conflict between lease and rider",
        "FAIL if this amount of $50 is not seen.",
        "cross_doc_synthesis",
    ),
    ("Notes the ($5M vs. $6M) discrepancy between invoice and ledger", "", "cross_doc_synthesis"),
    # the number of a criterion is no figure, and no beginning of a title
    ("ISSUE_004b-1: Rejects the fee of $3,000", "", "remedial_action"),
    ("12. Proposes a cap", "", "remedial_action"),
    ("30-day cure period found", "", "numbers_dates"),
    ("15% cap found", "", "numbers_dates"),
    # what a title asks to be done goes before the figures in it, and before what would be lacking
    ("Proposes a cap of $5 million", "FAIL if the amount of $5 million is missing.", "remedial_action"),
    ("§2(a): Restore 'entitlement order' language", "", "remedial_action"),
    ("Cover memo cites 45 CFR § 164.522(b)", "", "source_grounding"),
    ("Quantifies the discrepancy", "", "numbers_dates"),
    ("Memo flags the $5M cap as a HIGH-risk term", "", "materiality_impact"),
    ("Letter addressed to Mr Reed by March 3, 2025", "FAIL if the name is missing.", "deliverable_format"),
    ("Memo lists at least 5 distinct issues", "", "coverage"),
    ("Qualifying letter — Reed, $5 million", "", "coverage"),
    ("Links the omission to Article 17(2)", "", "legal_rule_use"),
    ("Cover letter uses correct docket number 216-847", "", "missing_facts"),
    ("Explains the significance of the notice of 30 days", "", "materiality_impact"),
    ("Each $5 million issue has an explanation of why it is one", "", "materiality_impact"),
    ("Case caption identifies the court by name", "FAIL if the name is missing.", "deliverable_format"),
    ("No remaining placeholders for figures", "", "deliverable_format"),
    ("Coverage — escrow of $5 million", "", "coverage"),
    ("Finds 17 U.S.C. a bar to enforceability, and 12.25 U.S.C. none", "", "legal_rule_use"),
    # and not before what a judge found
    ("Proposes a cap of $5 million", "The amount of $5 million is missing.", "numbers_dates"),
    # a number that only names something is no figure
    ("Reads Section 10.25 as a covenant that is unenforceable", "", "legal_rule_use"),
    # statutes and acronyms as written
    ("Sees that the notice breaks Ohio law", "", "legal_rule_use"),
    ("Governing law found", "", "other"),
    ("Sees the missing GDPR notice", "", "legal_rule_use"),
]


@pytest.mark.parametrize(("title", "reasoning", "expected"), CLASSED)
def test_error_classes_by_words(title, reasoning, expected):
    assert classify(title, reasoning) is ErrorClass(expected)


ACTS = [
    (number, field, place)
    for number, words in enumerate(taxonomy().classes)
    for field in ("acts", "ignores")
    for place in range(len(getattr(words, field)))
]


@pytest.mark.parametrize(("number", "field", "place"), ACTS)
def test_every_act_and_what_is_ignored_decides_something(number, field, place):
    classes = taxonomy().classes
    held = getattr(classes[number], field)
    less = classes[number].model_copy(update={field: held[:place] + held[place + 1 :]})
    changed = taxonomy().model_copy(update={"classes": (*classes[:number], less, *classes[number + 1 :])})
    assert [changed.by_words(*one[:2]) for one in CLASSED] != [one[2] for one in CLASSED]


@pytest.mark.parametrize(("field", "without"), [("subject", "(?!)"), ("conditions", ())])
def test_who_acts_and_what_would_be_lacking_decide_something(field, without):
    changed = taxonomy().model_copy(update={field: without})
    assert [changed.by_words(*one[:2]) for one in CLASSED] != [one[2] for one in CLASSED]


def test_the_order_is_that_of_the_paper():
    assert [words.name for words in taxonomy().classes] == [
        "numbers_dates", "source_grounding", "remedial_action", "materiality_impact", "cross_doc_synthesis",
        "deliverable_format", "legal_rule_use", "coverage", "missing_facts", "other",
    ]  # fmt: skip


@pytest.mark.parametrize(("name", "title", "said"), [(c.name, *e) for c in taxonomy().classes for e in c.examples])
def test_each_example_is_of_its_class(name, title, said):
    assert classify(title, said) is name


OUTCOMES = [
    ("document_omitted", "span", "coverage"),
    ("document_omitted", "absence", "coverage"),
    ("document_omitted", "date", "coverage"),
    ("asserted", "absence", "source_grounding"),
    ("not_denied", "absence", "coverage"),
    ("wrong_document", "value", "source_grounding"),
    ("wrong_value", "date", "numbers_dates"),
    ("omitted", "date", "numbers_dates"),
    ("denied", "date", "numbers_dates"),
    ("wrong_value", "value", "missing_facts"),
    ("denied", "span", "missing_facts"),
    ("partial", "span", "legal_rule_use"),
    ("omitted", "span", "coverage"),
]


@pytest.mark.parametrize(("outcome", "kind", "expected"), OUTCOMES)
def test_what_an_anchor_found_goes_before_all_words(outcome, kind, expected):
    title = "Reports the indemnity provision and recommends a cure"
    assert classify(title, "The deadline is omitted.", MatchKind(kind), Outcome(outcome)) is ErrorClass(expected)


def test_a_value_that_its_title_calls_a_period_is_a_number():
    for outcome in (Outcome.WRONG_VALUE, Outcome.OMITTED, Outcome.PARTIAL, Outcome.DENIED):
        of = {
            t: classify(t, "", MatchKind.VALUE, outcome) for t in ("States the notice period", "States the law chosen")
        }
        assert list(of.values()) == [ErrorClass.NUMBERS_DATES, ErrorClass.MISSING_FACTS]


def test_every_failure_that_an_anchor_can_find_has_a_class():
    typed = {"omitted", "document_omitted", "partial", "wrong_value", "wrong_document", "denied"}
    can = {"date": typed, "value": typed, "span": typed - {"wrong_value"}}
    can["absence"] = {"asserted", "not_denied", "document_omitted"}
    assert set.union(*can.values()) == set(Outcome) - {"matched"}
    for kind, outcomes in can.items():
        for outcome in outcomes:
            assert taxonomy().by_outcome("Reports the provision", MatchKind(kind), Outcome(outcome)) is not None


@pytest.mark.parametrize("number", range(len(taxonomy().outcomes)))
def test_every_row_of_outcomes_decides_something(number):
    def table(rows):
        changed = taxonomy().model_copy(update={"outcomes": rows})
        asked = product(("States the notice period", "States the law chosen"), MatchKind, Outcome)
        return [changed.by_outcome(*one) for one in asked]

    rows = taxonomy().outcomes
    assert rows[number].why
    assert table(rows) != table(rows[:number] + rows[number + 1 :])


@pytest.mark.examples(1)
@pytest.mark.parametrize(
    "text",
    ["not " * 30_000, "1" * 100_000, "$1 " * 30_000, "a" * 100_000, "while the " * 10_000, "(" * 50_000, " " * 99_999],
)
def test_words_are_read_in_little_time(text, no_hang):
    classify(text, text)


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ("Missing or failed: rejects the fee of $3,000.", "remedial_action"),
        ("Failed: states the cure period of 30 days", "numbers_dates"),
        ("Missing or failed: model called write.", "other"),  # of the protocol, and of no class
    ],
)
def test_what_is_only_said_to_have_failed_is_read_as_a_title(said: str, name: str) -> None:
    assert classify("Is polite", said) == name
