"""A typed answer is judged by what the drafter says; what is quoted below it cannot mend a wrong one."""

import pytest

from tasks.judging.anchors.roles import PartPiece, answer_of, role_of_label, role_of_text
from tasks.matter.reasons import Outcome

DATE, LAW, TERM = ("agreement date",), ("governing law",), ("renewal term",)
GOLD = {DATE: ("date", "2004-06-16"), LAW: ("value", "New York"), TERM: ("value", "successive 1 year")}
QUOTED = "“This Agreement is made as of June 16, 2004 by and between the parties.”"
CHOSEN = "“The laws of the State of New York govern this license.”"
RENEWED = "“It renews for successive one (1) year periods.”"


def row(topic, *cells, head=("Answer", "Quotation")):
    lines = (("Document", "Topic", *head), ["---"] * (2 + len(head)), ("Acme", topic, *cells))
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def section(topic, text):
    return f"# Acme\n## {topic}\n{text}"


# (what it shows, topic, deliverable, outcome)
CASES = [
    ("a wrong date, the right one quoted beside it", DATE, row("Agreement date", "June 15, 2004", QUOTED),
     "wrong_value"),
    ("a wrong date, the right one quoted below", DATE, section("Agreement date", f"June 15, 2004.\n{QUOTED}"),
     "wrong_value"),
    ("a wrong date in prose, then the quotation", DATE,
     section("Agreement date", f"The agreement is dated June 15, 2004: {QUOTED}"), "wrong_value"),
    ("a wrong date after its quotation", DATE, section("Agreement date", f"{QUOTED}\nIt is dated June 15, 2004."),
     "wrong_value"),
    ("a wrong date, a short quotation in brackets", DATE,
     section("Agreement date", "June 15, 2004 (“dated June 16, 2004”)"), "wrong_value"),
    ("a wrong date in marks, labelled as the answer", DATE,
     section("Agreement date", f"Answer: “June 15, 2004”\nQuotation: {QUOTED}"), "wrong_value"),
    ("labelled lines without marks", DATE,
     section("Agreement date", "Answer: June 15, 2004\nSource text: made as of June 16, 2004 by the parties"),
     "wrong_value"),
    ("a block quote", DATE, section("Agreement date", "June 15, 2004\n> made as of June 16, 2004"), "wrong_value"),
    ("a column of quotations without marks", DATE,
     row("Agreement date", "June 15, 2004", "made as of June 16, 2004 by the parties"), "wrong_value"),
    ("a comment beside the answer is no answer", DATE,
     row("Agreement date", "June 15, 2004", "notarised on June 16, 2004", head=("Answer", "Comment")), "wrong_value"),
    ("pasted contract text beside the answer", DATE,
     section("Agreement date", "June 15, 2004\n\nThis Agreement is made hereunder as of June 16, 2004."),
     "wrong_value"),
    ("a clause without marks in the column of clauses", DATE,
     row("Agreement date", "June 15, 2004", "This Agreement is dated June 16, 2004", head=("Date", "Clause")),
     "wrong_value"),
    ("the wrong answer in the table, the quotation in its own section", DATE,
     row("Agreement date", "June 15, 2004", "") + "\n\n" + section("Agreement date", QUOTED), "wrong_value"),
    ("the quotation under another topic names this one", DATE,
     section("Agreement date", "June 15, 2004.")
     + "\n## Notices\n“The agreement date is June 16, 2004, and notices are in writing.”", "wrong_value"),
    ("another month", DATE, section("Agreement date", f"August 2004. {QUOTED}"), "wrong_value"),
    ("denied, the date quoted", DATE, row("Agreement date", "Not found", QUOTED), "denied"),
    ("the right date, other dates quoted", DATE,
     row("Agreement date", "June 16, 2004", "“This Agreement of June 15, 2004, as amended on July 1, 2004, is”"),
     "matched"),
    ("the right date in prose, another quoted", DATE,
     section("Agreement date", "Dated June 16, 2004: “as of the fifteenth day of June, 2004, the parties agree”"),
     "matched"),
    ("the quotation is all there is", DATE, row("Agreement date", "", QUOTED), "matched"),
    ("the quotation is introduced", DATE, section("Agreement date", f"Section 1 reads: {QUOTED}"), "matched"),
    ("denied in one part, quoted in another", DATE,
     row("Agreement date", "Not found", "") + "\n\n" + section("Agreement date", QUOTED), "matched"),
    ("a quotation that was cut off is no answer", DATE,
     section("Agreement date", f"{QUOTED}\nNearest: “From: a clerk, June 20, 2004"), "matched"),
    ("yes, and the quotation says when", DATE, row("Agreement date", "Yes", QUOTED), "matched"),
    ("a month that holds the day", DATE, section("Agreement date", f"June 2004. {QUOTED}"), "matched"),
    ("the right date in marks comes first", DATE,
     section("Agreement date", "“June 16, 2004” (countersigned June 20, 2004)"), "matched"),
    ("a sentence that runs on into the quotation, other names after it", LAW,
     section("Governing law", "It is governed by “the laws of the State of New York” and heard in Delaware."),
     "matched"),
    ("a remark after the quotation names others", LAW,
     section("Governing law", f"{CHOSEN} This is a standard clause; see UCC Article 2. Baker LLP agrees."), "matched"),
    ("a rating after the quotation", LAW, section("Governing law", f"{CHOSEN}\n\nRisk: Low. Advice: Accept."),
     "matched"),
    ("a wrong law after its quotation, in brief", LAW, section("Governing law", f"{CHOSEN}\nDelaware."), "wrong_value"),
    ("a wrong law, run on into the right one", LAW,
     section("Governing law", "Delaware, as in “this contract is governed by the laws of New York”"), "wrong_value"),
    ("a wrong law, the right one quoted", LAW, row("Governing law", "Delaware", CHOSEN), "wrong_value"),
    ("a wrong law in prose", LAW, section("Governing law", f"The contract is governed by Delaware law: {CHOSEN}"),
     "wrong_value"),
    ("a wrong law in one word on the line of its quotation", LAW, section("Governing law", f"Delaware: {CHOSEN}"),
     "wrong_value"),
    ("a wrong law in small letters, labelled", LAW, row("Governing law", "the law of Delaware", CHOSEN), "wrong_value"),
    ("a law across", LAW,
     f"| Contract | Governing law | Source text |\n|---|---|---|\n| Acme | Delaware | {CHOSEN} |", "wrong_value"),
    ("the right law, another quoted", LAW,
     row("Governing law", "New York", "“the courts of Delaware, whatever law governs”"), "matched"),
    ("where it stands is no answer", LAW,
     row("Governing law", "§ 9, p. 4 [License Agreement]", CHOSEN, head=("Clause", "Text")), "matched"),
    ("a remark is no answer", LAW, section("Governing law", f"See Section 9 of the Agreement.\n{CHOSEN}"), "matched"),
    ("the contract's own name is no answer", LAW,
     section("Governing law", f"As Northwind Limited agreed with Acme: {CHOSEN}"), "matched"),
    ("a list of tables is no answer", LAW,
     "| No. | Asked | State | Where |\n|---|---|---|---|\n| 4 | Acme | Governing law | Table of answers |\n\n"
     + section("Governing law", CHOSEN), "matched"),
    ("a wrong length, the right one quoted", TERM, row("Renewal term", "2 years", RENEWED), "wrong_value"),
    ("another length of another thing", TERM,
     section("Renewal term", f"It goes on by itself; 90 days to object: {RENEWED}"), "matched"),
    ("a wrong length in prose", TERM, section("Renewal term", f"It renews for six months at a time: {RENEWED}"),
     "wrong_value"),
    ("clause numbers are no length", TERM, section("Renewal term", f"Clause 12 [§ 12, p. 30]: {RENEWED}"), "matched"),
    ("no renewal, and the quotation tells otherwise", TERM, row("Renewal term", "None", RENEWED), "denied"),
    ("a yes is no length", TERM, row("Renewal term", "Yes", RENEWED), "matched"),
    ("a wrong length, the right one of another thing", TERM,
     section("Renewal term", "Two years.") + "\n## Notices\nOn renewal, the renewal term of the licence is one year.",
     "wrong_value"),
    ("only named in passing", TERM, section("Notices", "On renewal, the renewal term is successive one-year periods."),
     "matched"),
]  # fmt: skip


@pytest.mark.parametrize(("facet", "text", "outcome"), [c[1:] for c in CASES], ids=[c[0] for c in CASES])
def test_a_quotation_does_not_mend_a_wrong_answer(kit, facet, text, outcome):
    kind, gold = GOLD[facet]
    verdict = kit.verdict(
        text, kit.criterion(kind, gold, kit.ACME, facet), kit.criterion("absence", "x", facet=("notices",))
    )
    assert verdict.outcome is Outcome(outcome), verdict.reasoning
    assert verdict.status == ("pass" if outcome == "matched" else "fail")


@pytest.mark.parametrize(
    ("gold", "answer", "outcome"),
    [
        ("$1,500,000", "USD 2 million", "wrong_value"),
        ("$1,500,000", "$1,500,000", "matched"),
        ("$1,500,000", "The 2 parties agreed on 3 caps for 12 months", "matched"),  # no sum is stated
        ("10%", "12 percent", "wrong_value"),
        ("10%", "$4 million", "matched"),
        ("17", "12", "wrong_value"),
        ("17", "See § 12 on page 4.", "matched"),
    ],
)
def test_an_answer_is_one_of_the_kind_asked_for(kit, gold, answer, outcome):
    subject = kit.criterion("value", gold, facet=("liability cap",))
    text = section("Liability cap", f"{answer}\n“The cap under this Agreement is {gold} in all cases whatsoever.”")
    assert kit.verdict(text, subject).outcome is Outcome(outcome)


@pytest.mark.parametrize(
    ("gold", "answer", "outcome"),
    [("Yes", "No.", "wrong_value"), ("Yes", "Yes.", "matched"), ("No", "Yes.", "wrong_value"), ("Yes", "", "matched")],
)
def test_a_yes_or_no_is_judged_by_the_answer(kit, gold, answer, outcome):
    subject = kit.criterion("value", gold, facet=("auto-renewal",))
    text = row("Auto-renewal", answer, f"“The answer here is {gold}, unless the Board says otherwise in writing.”")
    assert kit.verdict(text, subject).outcome is Outcome(outcome)


def test_the_quotation_of_a_verdict_on_a_wrong_answer_is_the_answer(kit):
    verdict = kit.verdict(row("Governing law", "Delaware", CHOSEN), kit.criterion("value", "New York"))
    assert verdict.quote == "Delaware"


@pytest.mark.parametrize(
    ("label", "text", "role"),
    [
        ("Answer", "“x y z”", "answer"),
        ("Contract language", "x", "quoted"),
        ("Excerpt", "x", "quoted"),
        ("Topic", "> x", "quoted"),
        ("Topic", "“x y z”", "quoted"),
        ("Topic", "It says “x y z” there.", "own"),
        ("Date", "x", "own"),
    ],
)
def test_roles(label, text, role):
    assert role_of_text(text, role_of_label(label)) == role


def test_an_answer_is_looked_for_where_it_is_given_first():
    def answers(text):
        return "7" in text

    pieces = [
        PartPiece("“7 of them”", "quoted"),
        PartPiece("about 17"),
        PartPiece("hereby 27"),
        PartPiece("it is 37", "answer"),
    ]
    assert answer_of(pieces, answers) == "it is 37"
    assert answer_of(pieces[:3], answers) == "about 17"
    assert answer_of([pieces[0], pieces[2]], answers) == "hereby 27"
    assert answer_of(pieces[:1], answers) == ""
