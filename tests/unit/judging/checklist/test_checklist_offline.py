"""What the comparison without a model calls equal, a part, or different."""

from dataclasses import replace

import pytest

from tasks.judging.checklist import offline
from tasks.judging.checklist.definition import rules
from tasks.judging.checklist.offline import OfflineComparator
from tasks.judging.checklist.records import Relation
from tasks.legaltext.checklists.definition import Item, open_checklist

ITEMS = {item.id: item for item in open_checklist("case").items()}

EQUAL = [
    ("filing_date", "August 2, 2022", "08/02/22"),
    ("filing_date", "August 2, 2022", "2022-08-02"),
    ("filing_date", "2 August 2022.", "The 2nd of August, 2022"),
    ("remedy_sought", "two million dollars", "$2,000,000"),
    ("remedy_sought", "$1.5 million", "USD 1,500,000"),
    ("judge_name", "Judge Eldon E. Fallon", "Eldon Fallon"),
    ("judge_name", "JUDGE SMITH", "Judge Smith"),
    ("counsel", "Private counsel", "private"),
    ("parties", "Denka Performance Elastomer, LLC", "Denka Performance Elastomer LLC"),
    ("parties", "Acme Corp.", "Acme Corporation"),
    ("reported_opinions", "2020 WL 4218003", "2020 W.L. 4218003"),
    ("cause_of_action", "42 U.S.C. § 1983", "42 USC 1983"),
    ("court_enforcement", "No", "no."),
    (
        "court_rulings",
        "The court denied the motion to stay on June 23, 2025.",
        "June 23, 2025: Court denied motion to stay",
    ),
]
PART = [
    ("filing_date", "August 2022", "August 2, 2022"),
    (
        "parties",
        "Florida Division of Emergency Management",
        "Executive Director of the Florida Division of Emergency Management",
    ),
    ("legal_basis", "First Amendment – retaliation", "First Amendment (free speech restrictions and retaliation)"),
    ("decree_dates", "September 4, 2024", "September 4, 2024: order granting summary judgment in part"),
]
DIFFERENT = [
    ("filing_date", "August 2, 2022", "August 3, 2022"),
    ("remedy_sought", "$1.5 million", "$15 million"),
    ("remedy_sought", "1.5", "15"),
    ("court_enforcement", "Yes", "No"),
    ("court_rulings", "The motion was granted", "The motion was not granted"),
    ("parties", "Acme sued Beta", "Beta sued Acme"),
    ("settlement_terms", "The licensor pays the licensee", "The licensee pays the licensor"),
    ("settlement_terms", "Acme may renew", "Acme shall renew"),
    ("settlement_terms", "Acme pays $5 and Beta pays $10", "Acme pays $10 and Beta pays $5"),
    ("decree_dates", "Entered 1 May 2020, ended 2 June 2021", "Entered 2 June 2021, ended 1 May 2020"),
    ("judge_name", "Ann Bell", "Ann Bull"),
    ("judge_name", "", "Ann Bull"),
]


def relation(item, ours, theirs):
    return OfflineComparator().relation(ITEMS[item], ours, theirs)


@pytest.mark.parametrize(("item", "ours", "theirs"), EQUAL)
def test_the_same_in_other_words_is_equal(item, ours, theirs):
    assert relation(item, ours, theirs) is relation(item, theirs, ours) is Relation.EQUAL


@pytest.mark.parametrize(("item", "part", "whole"), PART)
def test_a_part_is_contained(item, part, whole):
    assert relation(item, part, whole) is Relation.CONTAINED
    assert relation(item, whole, part) is Relation.CONTAINS


@pytest.mark.parametrize(("item", "ours", "theirs"), DIFFERENT)
def test_what_differs_is_never_equal(item, ours, theirs):
    assert relation(item, ours, theirs) is relation(item, theirs, ours) is Relation.DIFFERENT


def test_a_part_is_told_without_regard_to_order():
    # A limit: half a point is given here, never a whole one.
    assert relation("parties", "Acme sued Beta", "Acme was sued by Beta") is Relation.CONTAINED


def test_lists_match_where_values_are_equal_alone():
    ours = ["Motion to stay", "08/02/22", "Motion to dismiss the complaint of Acme"]
    theirs = ["August 2, 2022", "Motion to dismiss", "The motion to stay"]
    assert OfflineComparator().match(ITEMS["important_filings"], ours, theirs).pairs == ((0, 1), (2, 0))


@pytest.mark.parametrize(
    ("change", "item", "ours", "theirs"),
    [
        ({"contained_share": 0.3}, "parties", "city council members", "city and state"),
        ({"negations": frozenset()}, "court_rulings", "motion never granted", "motion not granted"),
        ({"fillers": frozenset()}, "court_rulings", "The motion granted", "motion granted"),
    ],
)
def test_every_word_and_share_of_the_rules_decides(monkeypatch, change, item, ours, theirs):
    before = relation(item, ours, theirs)
    altered = rules().model_copy(update=change)
    offline.read.cache_clear()
    monkeypatch.setattr(offline, "rules", lambda: altered)
    after = relation(item, ours, theirs)
    offline.read.cache_clear()
    assert before is not after


def test_what_the_item_says_counts_for_nothing_unless_nothing_else_is_said():
    item = Item(id="term", title="Term of years", asks="How long.")
    by = OfflineComparator()
    assert by.relation(item, "a term of five years", "5 years") is Relation.EQUAL
    assert by.relation(item, "years", "term") is Relation.DIFFERENT


def test_no_model_is_paid():
    assert OfflineComparator().usage.calls == 0
    assert replace(offline.read("No")) == offline.read("no")


@pytest.mark.examples(4)
@pytest.mark.parametrize("run", ["A. ", "1 ", "$1 ", "May ", "v. ", "not ", "§ ", ". ", "(", "U.S.C. ", "1/1/"])
def test_hostile_values_are_read_in_little_time(run, no_hang):
    offline.read((run * 8_000)[:8_000])


@pytest.mark.parametrize("word", sorted(rules().negations))
def test_every_negation_turns_a_statement_round(word):
    assert relation("court_rulings", f"motion {word} granted", "motion granted") is Relation.DIFFERENT
    assert "not" in offline.read(f"motion {word} granted").firm


@pytest.mark.parametrize("word", sorted(rules().fillers))
def test_every_filler_adds_nothing(word):
    assert relation("court_rulings", f"motion {word} stay", "motion stay") is Relation.EQUAL
