"""What is no error is not flagged: file names, the brief's own figures, comparisons, what introduces a quotation."""

from __future__ import annotations

import pytest
from reconcile_fixtures import LEASE, SUPPLY, matter, run

from tasks.reconcile.citations import check_citations
from tasks.reconcile.comparison import cells_of
from tasks.reconcile.dates.gate import check_dates
from tasks.reconcile.names import DocumentNames
from tasks.reconcile.numbers.gate import check_numbers
from tasks.reconcile.records import GateCheck

SHEET = "LiiON%20NDA%202-27-2015.txt"
TERMS = {
    "terms.txt": (
        "TERMS\n\n1. Amount. Four tranches, the last if it happens by June 30, 2026.\n2. Price. Pre-money valuation of "
        "$36,000,000, fully diluted.\n3. Closing. On May 4, 2026."
    ),
    SHEET: "NDA\n\n1. The term is two (2) years from the date of disclosure.",
}


def flags(check: GateCheck) -> list[tuple[str, str]]:
    return [(f.kind, f.text) for f in check.findings]


def test_a_number_within_the_name_of_a_file_is_no_figure() -> None:
    assert flags(run(check_numbers, f"| {SHEET} | two years |", sources=TERMS)) == []
    assert flags(run(check_dates, f"Compare {SHEET} with the rest.", sources=TERMS)) == []
    assert flags(run(check_numbers, "| another%20NDA.txt | 20504% |", sources=TERMS)) != []


def test_a_date_that_the_brief_gives_may_stand_under_a_document() -> None:
    draft = "## Terms\n\nIt says nothing of the payoff on March 16, 2026 [terms.txt § 2]."
    room = matter("memo.md", documents=("terms.txt",), instructions="What is the payoff on March 16, 2026?")
    assert flags(run(check_dates, draft, sources=TERMS, matter=room)) == []
    assert [k for k, _ in flags(run(check_dates, draft, sources=TERMS))] == ["unsourced"]


@pytest.mark.parametrize(
    "draft",
    [
        "• $36,000,000: “Price. Pre-money valuation of $36,000,000, fully diluted.” [terms.txt § 2]",
        "“The last if it happens by June 30, 2026.” [terms.txt § 1]\n\n• $36,000,000: “Price. Pre-money valuation of "
        "$36,000,000, fully diluted.” [terms.txt § 2]",
    ],
)
def test_a_figure_before_a_quotation_is_not_read_as_part_of_it(draft: str) -> None:
    assert flags(run(check_numbers, draft, sources=TERMS)) == []


def test_an_altered_figure_within_a_quotation_is_still_found() -> None:
    draft = "• $36,000,000: “Price. Pre-money valuation of $63,000,000, fully diluted.” [terms.txt § 2]"
    assert [k for k, _ in flags(run(check_numbers, draft, sources=TERMS))] == ["near_miss"]


def test_a_row_of_a_sheet_quoted_within_a_cell_keeps_its_printed_figures() -> None:
    sheet = {"figures.xlsx": "A1: Selected figures ($ in thousands)\nA7: Total Debt | B7: 44,870 | C7: 41,200\n"}
    cell = "| Topic | Answer |\n|---|---|\n| Interest | “A7: Total Debt / B7: {} / C7: 41,200” [figures.xlsx] |\n"
    assert flags(run(check_numbers, cell.format("44,870"), sources=sheet)) == []
    assert flags(run(check_numbers, cell.format("44,780"), sources=sheet)) != []


def test_a_mark_of_one_letter_opens_no_quotation() -> None:
    row = 'What happens to the "H" mark after the closing of the deal | none found for the "H" mark'
    assert flags(run(check_citations, row, sources=TERMS)) == []
    assert [
        k for k, _ in flags(run(check_citations, 'It says "the moon is made of old green cheese".', sources=TERMS))
    ] == ["fabricated"]


def test_remarks_of_the_draft_on_itself_are_no_figures() -> None:
    assert flags(run(check_numbers, "No figure was found to which two papers give different values.")) == []


@pytest.mark.parametrize(
    "pattern", ["Topic | {} | {}\nrent | a | b", "| Topic | {} | {} |\n|---|---|---|\n| rent | a | b |"]
)
def test_columns_know_their_documents(pattern: str) -> None:
    names = DocumentNames(
        (SUPPLY, LEASE), {"acme supply": SUPPLY, "supply agreement": SUPPLY, "beta lease": LEASE}, {}, {}
    )
    found = cells_of(pattern.format("No. 1: Supply Agreement (Acme)", "Beta Lease"), names)
    told = [(c.document, c.compared) for c in found][-3:]
    assert told == [("", True), (SUPPLY, True), (LEASE, True)]
    alone = cells_of(pattern.format("Supply Agreement", "Remark"), names)
    assert not any(c.compared for c in alone)


def test_a_value_of_a_comparison_is_sought_in_the_document_of_its_column() -> None:
    table = "Topic | 01-acme-supply-agreement | 02-beta-lease\npayment | $1,204,000 [§ 9.2] | $8,500 [§ 4.1]"
    assert flags(run(check_numbers, table)) == []
    swapped = table.replace("$1,204,000 [§ 9.2] | $8,500", "$8,500 [§ 9.2] | $1,204,000")
    assert [k for k, _ in flags(run(check_numbers, swapped))] == ["wrong_entity", "wrong_entity"]


def test_a_place_may_be_a_heading_of_the_document_in_context() -> None:
    source = {"reseller.txt": "RESELLER AGREEMENT\n\nTERMINATION\n\nEither party may end it at any time on notice.\n"}
    assert flags(run(check_citations, "## reseller.txt\n\nAt any time [TERMINATION, p. 5].", sources=source)) == []
    wrong = run(check_citations, "## reseller.txt\n\nAt any time [ARBITRATION, p. 5].", sources=source)
    assert [k for k, _ in flags(wrong)] == ["unresolved_citation"]


TERM = {"deal.txt": "AGREEMENT dated January 26, 1998\n\n4. Term. It ends on the first anniversary of its date."}


def test_a_derivation_that_one_line_shows_holds_for_the_others() -> None:
    body = "1999-01-26. Derived: 1 year from the date of the agreement, 1998-01-26 [deal.txt § 4]."
    told = "• The agreement: 1999-01-26 [deal.txt § 4]."
    assert flags(run(check_dates, f"{told}\n\n{body}", sources=TERM)) == []
    assert flags(run(check_dates, told, sources=TERM)) == [("near_miss", "1999-01-26")]
    other = told.replace("26", "27")
    assert flags(run(check_dates, f"{other}\n\n{body}", sources=TERM)) == [("unsourced", "1999-01-27")]


NOTE = {"note.txt": "Note of March 24, 2026\n\nRusk has served a document subpoena on us. Served on them March 20."}
RULE = (
    "Fed. R. Civ. P. 33(a): “(a) IN GENERAL. (1) Number. Unless otherwise stipulated or ordered by the court, a party "
    "may serve on any other party no more than 25 written interrogatories, including all discrete subparts.”"
)
COUNT = "The subpoena was served on March 20, 2026; objections are due on {} [Fed. R. Civ. P. 45(d)(2)(B)]."


@pytest.mark.parametrize("check", [check_citations, check_numbers])
def test_the_words_and_figures_of_a_rule_that_is_cited_before_them_are_its_own(check: object) -> None:
    assert flags(run(check, RULE, sources=NOTE)) == []
    assert flags(run(check, RULE.replace("25", "30"), sources=NOTE)) != []
    assert flags(run(check, RULE.replace("33(a)", "34(a)"), sources=NOTE)) != []


def test_a_period_and_the_day_of_the_text_of_a_cited_rule_are_no_unsourced_ones() -> None:
    draft = "The answer is due within 30 days (Fed. R. Civ. P. 33(b)(2), text of December 1, 2022)."
    assert flags(run(check_dates, draft, sources=NOTE)) == []
    assert flags(run(check_dates, draft.replace("30 days", "31 days"), sources=NOTE)) == [("unsourced", "31 days")]
    later = draft.replace("December 1, 2022", "December 2, 2022")
    assert flags(run(check_dates, later, sources=NOTE)) == [("unsourced", "December 2, 2022")]


@pytest.mark.parametrize(
    ("draft", "wrong"),
    [
        (COUNT.format("April 3, 2026"), []),  # by a rule that only the draft cites, from a day without a year
        (COUNT.format("April 6, 2026"), ["April 6, 2026"]),
        (COUNT.format("April 3, 2026, since day 1 is March 21, 2026"), []),
        (COUNT.format("April 3, 2026, since day 2 is March 21, 2026"), ["March 21, 2026"]),
        (
            COUNT.format("April 3, 2026").replace("March 20, 2026", "March 20, 2025"),
            ["March 20, 2025", "April 3, 2026"],
        ),
    ],
)
def test_a_count_by_a_rule_that_the_draft_cites_is_followed(draft: str, wrong: list[str]) -> None:
    assert [text for _, text in flags(run(check_dates, draft, sources=NOTE))] == wrong


def test_what_a_quoted_document_denies_the_draft_does_not() -> None:
    mail = {"mail.txt": "1. Counsel says he does not have to give the e-mails back."}
    quoted = "Nearest: “Counsel says he does not have to give the e-mails back.” [mail.txt]"
    own = "He does not have to give the e-mails back [mail.txt]."
    assert "false_denial" not in {kind for kind, _ in flags(run(check_citations, quoted, sources=mail))}
    assert "false_denial" in {kind for kind, _ in flags(run(check_citations, own, sources=mail))}


def test_a_rule_in_brackets_is_no_document_of_the_room() -> None:
    draft = "Objections are due in 14 days [{}]."
    assert flags(run(check_citations, draft.format("Fed. R. Civ. P. 45(d)(2)(B)"), sources=NOTE)) == []
    assert flags(run(check_citations, draft.format("Loan Agreement § 4"), sources=NOTE)) != []


SALE = {
    "sale.docx": "SALE\n\n16. Claims. Within 7 days after arrival the Buyer may claim.\n\n18. Cap. At most 5% of price."
}
CHANGED = "16. Claims. Within {} after arrival the Buyer may claim.\n\n18. Cap. At most {} of price."
THIRTY = "Redline it: 30 days to claim rather than 7, and a cap of 8%."


@pytest.mark.parametrize(
    ("file", "brief", "percent", "wrong"),
    [
        ("sale-redline.docx", THIRTY, "8%", set()),
        ("sale-redline.docx", THIRTY, "9%", {"9%"}),
        ("memo.docx", "Report the terms. I recall 30 days to claim and a cap of 8%.", "8%", {"30 days"}),
    ],
)
def test_what_a_redline_is_told_to_write_is_no_slip(file: str, brief: str, percent: str, wrong: set[str]) -> None:
    given = {"sources": SALE, "matter": matter(file, documents=("sale.docx",), instructions=brief), "name": file}
    draft = CHANGED.format("30 days", percent)
    assert {t for check in (check_numbers, check_dates) for _, t in flags(run(check, draft, **given))} == wrong


@pytest.mark.parametrize(
    ("days", "percent", "wrong"),
    [
        ("30 days", "30%", {"30%"}),  # the figure of the one change in the place of the other
        ("8 days", "8%", {"8 days"}),
        ("7 days", "8%", set()),  # not done, and no slip
    ],
)
def test_a_figure_of_the_brief_in_another_clause_is_not_what_was_instructed(
    days: str, percent: str, wrong: set[str]
) -> None:
    room = matter("sale-redline.docx", documents=("sale.docx",), instructions=THIRTY)
    draft = CHANGED.format(days, percent)
    given = {"sources": SALE, "matter": room, "name": "sale-redline.docx"}
    assert {t for check in (check_numbers, check_dates) for _, t in flags(run(check, draft, **given))} == wrong


LOAN = {
    "loan.docx": "LOAN\n\n2. Interest. Interest is due in 10 days.\n\n9. Default. A default is cured within 5 days."
}


@pytest.mark.parametrize(
    ("draft", "wrong"),
    [
        (LOAN["loan.docx"].replace("5 days", "20 days"), set()),
        (LOAN["loan.docx"].replace("10 days", "20 days"), {"20 days"}),
    ],
)
def test_a_figure_is_written_into_the_clause_that_the_brief_speaks_of(draft: str, wrong: set[str]) -> None:
    room = matter(
        "loan-redline.docx", documents=("loan.docx",), instructions="Redline it. Give us 20 days to cure a default."
    )
    given = {"sources": LOAN, "matter": room, "name": "loan-redline.docx"}
    assert {t for _, t in flags(run(check_dates, draft, **given))} == wrong


@pytest.mark.parametrize(
    ("note", "wrong"),
    [
        ("marked up, § 5: “thirty (30)” instead of “sixty (60)”", set()),
        ("marked up, § 5: “thirty (30)” instead of “ninety (90)”", {"ninety", "90"}),
        ("marked up, § 5: “thirty (30)” instead of “forty (40)”", {"forty", "40"}),  # of a clause that was left alone
    ],
)
def test_the_words_that_a_note_on_a_redline_quotes_are_looked_up(note: str, wrong: set[str]) -> None:
    brief = "Redline it: Section 5 - notice down to thirty (30) days from sixty."
    room = matter("sale-redline.docx", "note.md", documents=("sale.docx",), instructions=brief)
    sale = {
        "sale.docx": "5. Term. It may be ended on sixty (60) days' notice.\n\n6. Cure. It is cured in forty (40) days."
    }
    drafts = {"sale-redline.docx": sale["sale.docx"].replace("sixty (60)", "thirty (30)")}
    found = run(check_numbers, note, sources=sale, matter=room, name="note.md", drafts=drafts)
    assert {t for _, t in flags(found)} == wrong
