"""What lawyers write to have a contract changed, in their own words: carried out, or told why not."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from test_extractive_redlining import CUES, attempt, edited, matter

from tasks.asks.changes import read_changes
from tasks.asks.parse import parse_asks
from tasks.drafting.redlines import redlines_of
from tasks.harness import packaged
from tasks.sources.records import MatterState

SERVICES = """MASTER SERVICES AGREEMENT

This Agreement is made as of March 3, 2025 between BELMONT CLINICS, INC. ("Client") and Orrin Data \
Works LLC ("Vendor").

1. Services. Vendor shall perform the services (the "Services"). Client may ask for the removal of any person on five \
(5) business days' notice.

2. Fees and Payment.
2.1 Vendor's hourly rate is $185 per hour.
2.2 Invoices are due net thirty (30) days after receipt. Overdue amounts bear interest at 1.5% per month.
2.3 Vendor may increase its rates once a year by no more than five percent (5%) upon sixty (60) days' written notice.

3. Term. This Agreement continues for two (2) years. It renews automatically for successive terms of one (1) year \
unless either party gives notice of non-renewal at least ninety (90) days before the end of the term.

4. Termination. Either party may terminate this Agreement for convenience on thirty (30) days' written notice. Vendor \
may suspend the Services if an invoice is more than ten (10) days overdue.

5. Confidentiality. Each party shall keep the other's information secret for three (3) years. The recipient may \
disclose it to its affiliates and advisers. Reports on it are made quarterly.

6. Indemnity. Client shall indemnify Vendor from claims arising out of Client's data. Vendor shall indemnify Client \
from claims that the Services infringe a patent or copyright.

7. Insurance. Vendor shall maintain general liability insurance of at least $1,000,000 and professional liability \
insurance of at least $2,000,000.

8. Assignment. Neither party may assign this Agreement without consent. Vendor may subcontract any of the Services.

9. Governing Law; Venue. This Agreement is governed by the laws of the State of Ohio, without regard to the conflict \
of law principles of Ohio. The courts of Franklin County, Ohio have exclusive jurisdiction.
"""


@pytest.mark.parametrize(
    ("ask", "shown"),
    [
        ("In 2.2 make it net 45 instead of net 30.", "net [del]thirty[/del][ins]forty-five[/ins] ([del]30[/del]"),
        ("Knock the interest down to 1% a month.", "interest at [del]1.5[/del][ins]1[/ins]% per month"),
        ("Initial term three years.", "continues for [del]two[/del][ins]three[/ins] ([del]2[/del][ins]3[/ins]) years"),
        ("Section 5 three years -> five years.", "secret for [del]three[/del][ins]five[/ins]"),
        ("Term: 2 -> 4 years.", "continues for [del]two[/del][ins]four[/ins]"),
        ("The hourly rate was agreed at $175.", "is $[del]185[/del][ins]175[/ins] per hour"),
        ("S. 2.1 – rate $170.", "is $[del]185[/del][ins]170[/ins] per hour"),
        ("Reports should be monthly.", "made [del]quarterly[/del][ins]monthly[/ins]"),
        ("Professional liability cover of $3 million.", "at least $[del]2,000,000[/del][ins]3,000,000[/ins]"),
        ("Renewals should be for two-year terms.", "[del]year[/del][ins]years[/ins] unless"),
        ("The notice for removing personnel is 7 days, not five (5) business days.",
         "[del]five[/del][ins]seven[/ins] ([del]5[/del][ins]7[/ins])[del] business[/del] days"),
        ("Delete Vendor's right to suspend in clause 4.", "[del]Vendor may suspend the Services if an invoice"),
        ("Vendor should not subcontract, so take out the last sentence of 8.", "[del]Vendor may subcontract any of"),
        ("The second sentence of the assignment clause should go.", "[del]Vendor may subcontract any of"),
        ("The Vendor's right to suspend the Services must come out.", "[del]Vendor may suspend the Services"),
        ("Delete Client's indemnity in section 6.", "[del]Client shall indemnify Vendor from claims"),
        ("Cl. 3 - the automatic renewal: delete.", "[del]It renews automatically for successive terms"),
        ('Add a new clause 10: "Neither party is liable for delay caused by flood."', "[ins]10. Neither party"),
        ("Governing law to New York.", "State of [del]Ohio[/del][ins]New York[/ins], without"),
        ("In Section 9, New York instead of Ohio law.", "principles of [del]Ohio[/del][ins]New York[/ins]. The courts"),
        ('Substitute "patent" with "trade mark" in 6.', "a [del]patent[/del][ins]trade mark[/ins] or copyright"),
        ("Venue in Cook County, Illinois.", "of [del]Franklin[/del][ins]Cook[/ins] County, [del]Ohio[/del]"),
        ("Belmont is now called Belmont Health, Inc.", "BELMONT [del]CLINICS[/del][ins]HEALTH[/ins], INC"),
    ],
)  # fmt: skip
def test_a_change_is_made_where_it_is_meant(tmp_path, ask, shown):
    _, text, _ = edited(tmp_path, ask, paper=SERVICES)
    assert shown in text


@pytest.mark.parametrize(
    ("ask", "reason"),
    [
        ("Delete the last sentence.", "it is not said of which clause"),
        ("Take out the clause on exclusivity.", "no one clause is"),
        ("Strike the arbitration clause.", "no one clause is"),
        ("The fee for parking should be $20 a week.", "does not stand in a provision on it"),
        ("The interest should be 1.5%.", "it already says"),
        ("Invoices are payable within 60 days.", "it is not said which is meant"),
    ],
)
def test_what_is_not_sure_is_not_made(tmp_path, ask, reason):
    _, text, note = edited(tmp_path, ask, paper=SERVICES)
    assert "[del]" not in text
    assert reason in note


def test_what_is_to_be_left_is_no_change():
    found = read_changes("Redline it: law in 9 to Delaware - the law only, leave the Ohio courts alone.", CUES)
    assert [(c.kind, c.new, c.place) for c in found] == [("replace", "Delaware", "9")]


def test_several_changes_of_one_sentence_go_each_to_its_own_place(tmp_path):
    _, text, _ = edited(
        tmp_path,
        "In 2.2 make it net 45 instead of net 30, cap the increase in 2.3 at 3%, and knock the interest down to 1%.",
        paper=SERVICES,
    )
    assert "no more than [del]five[/del][ins]three[/ins] percent" in text
    assert "interest at [del]1.5[/del][ins]1[/ins]%" in text


def test_what_the_paper_does_not_hold_is_said(tmp_path):
    ask = "strike the arbitration clause"
    (claim,), _, _ = edited(tmp_path, f"Please {ask}.", ask, paper=SERVICES)
    assert claim.state.value == "searched and not found"
    assert not claim.entries[0].certain


MAIL = """From: Ada Yeo <ada@orrin.example>
To: Bo Lund <bo@belmont.example>
Subject: the agreement
Date: Tue, 26 Aug 2025 11:31:00 -0400
Content-Type: text/plain; charset=utf-8

Bo,

(1) Rate: we can do $160 instead of $185 in clause 2.1.

(2) We need thirty (30) days of notice instead of sixty in clause 2.3.

Ada
"""


def test_the_points_of_a_message_are_taken_in_or_refused(tmp_path):
    paper, mail = tmp_path / "services.md", tmp_path / "yeo.eml"
    paper.write_text(SERVICES, "utf-8")
    mail.write_text(MAIL, "utf-8")
    brief = "Redline the services agreement:\n- take in her point (1)\n- point (2) is refused\n- point (7) is fine"
    _, text, note = attempt(tmp_path, brief, paper, also=[mail])
    assert "is $[del]185[/del][ins]160[/ins] per hour" in text
    assert "upon sixty (60) days' written notice" in text
    assert "left as it is" in note
    assert "point (7) is fine: needs drafting" in note.casefold()


def test_what_is_told_as_a_change_is_an_ask():
    told = "The price list may be changed only on ninety days' notice"
    asked = matter(f"Please redline the agreement: rent to $900. {told}.", "a-redline.docx")
    asks = parse_asks(asked, MatterState(matter_id="m/one", documents=(), coverage=()), packaged())
    assert any(told in a.words for a in asks.asks)


def test_the_last_word_of_a_name_tells_a_redline_from_a_note_on_one():
    assert redlines_of(matter("Please put these in.", "barge-note-redline.docx")) == ("barge-note-redline.docx",)
    assert redlines_of(matter("Redline the note.", "redline-note.docx")) == ()


def test_numbers_that_are_points_and_numbers_that_are_not():
    found = read_changes("Redline it: accept her points 1, 3 and 5 to 7; the fee for point 2 services to $5.", CUES)
    assert [(c.kind, c.points) for c in found] == [("take", (1, 3, 5, 6, 7)), ("replace", ())]


TERMS = """TERMS OF HIRE

Hirer: Oxley Formwork Pty Ltd

1. Hire
The hire runs for ten weeks. The Owner may end the hire if an invoice is late.

2. Law
These terms are governed by the law of Queensland.
"""


def test_a_paper_as_a_whole_is_no_clause_that_is_struck(tmp_path):
    _, text, _ = edited(tmp_path, "The terms of hire must come out.", paper=TERMS)
    assert "[del]TERMS" not in text
    assert "[del]2. Law" not in text


def test_a_law_is_known_by_its_words_where_its_country_is_in_no_table(tmp_path):
    _, text, _ = edited(tmp_path, "Law to be New South Wales law.", paper=TERMS)
    assert "law of [del]Queensland[/del][ins]New South Wales[/ins]" in text


def test_fractions_and_capitals_of_figures_in_words_are_kept(tmp_path):
    paper = (
        "NOTE\n\n1. Sum. The sum is Two Hundred Forty Thousand Dollars ($240,000).\n\n2. Interest. The rate is seven \
and one-half percent (7.5%) a year.\n"
    )
    _, text, _ = edited(tmp_path, "Sum: $240,000 -> $215,000; rate: 6.25%, not 7.5.", paper=paper)
    assert "Fifteen[/ins] Thousand Dollars" in text
    assert "[del]seven[/del][ins]six[/ins] and one-[del]half[/del][ins]quarter[/ins] percent" in text


FEE = """SPONSORSHIP AGREEMENT

This Agreement is made as of February 4, 2005 between Larch Trust (the "Trust") and Fescue Advisers LLC (the "Sponsor").

1. Compensation. The Trust shall pay the Sponsor a fee at an annual rate equal to 0.50% of its average net assets.

2. Liability. The Sponsor shall not be liable for any error of judgment.

3. Termination. This Agreement may be terminated at any time by the Trust or by the Sponsor on 60 days' written notice.
"""


def test_a_short_noun_names_what_changes_and_a_figure_keeps_its_decimals(tmp_path):
    _, text, _ = edited(tmp_path, "Bring the fee down to 0.40%.", paper=FEE)
    assert "equal to [del]0.50[/del][ins]0.40[/ins]% of its" in text


def test_a_question_beside_the_changes_is_answered_and_changes_nothing(tmp_path):
    paper = tmp_path / "terms.md"
    paper.write_text(FEE, "utf-8")
    question = "tell me in the cover note what the Sponsor is not liable for, and by when notice must be out"
    brief = f"Redline the terms: bring the fee down to 0.40%. Also {question}."
    product, text, _ = attempt(tmp_path, brief, paper)
    change, asked, *_ = product.answers
    assert change.answer.startswith("marked up")
    assert "any error of judgment" in asked.entries[0].answer
    assert text.count("[ins]") == 1


def test_a_change_that_is_not_bound_to_its_condition_is_to_be_verified(tmp_path):
    ask = "make the notice 90 days instead of 60 where the Sponsor ends it"
    (claim,), _, _ = edited(tmp_path, f"Please {ask}.", ask, paper=FEE)
    assert not claim.entries[0].certain
    assert "not bound to “where the Sponsor ends it”" in claim.entries[0].note


def test_a_place_behind_the_new_value_is_no_condition(tmp_path):
    ask = "bring the fee down to 0.40% where it is stated"
    (claim,), _, _ = edited(tmp_path, f"Please {ask}.", ask, paper=FEE)
    assert claim.answer.startswith("marked up")
    assert "not bound" not in claim.entries[0].note


@pytest.mark.parametrize(
    ("ask", "shown"),
    [
        (
            "Add to section 2.3 that any increase needs Client's written consent.",
            "written notice.[ins] Any increase requires Client's written consent.[/ins]",
        ),
        (
            "Add that professional liability insurance must be kept for two years after the end.",
            "[ins] Professional liability insurance shall be kept for two years after the end.[/ins]",
        ),
        ("In section 5 add that Vendor must return all records.", "[ins] Vendor shall return all records.[/ins]"),
        (
            "Include in section 4 a sentence saying that Vendor may not remove data.",
            "[ins] Vendor may not remove data.[/ins]",
        ),
        ("Delete the sentence that lets Vendor suspend the Services.", "[del]Vendor may suspend the Services if an"),
        ("Take out the sentence which allows Vendor to subcontract.", "[del]Vendor may subcontract any of the Serv"),
    ],
)
def test_a_rule_that_is_told_is_added_and_a_sentence_is_struck_by_what_it_lets_do(tmp_path, ask, shown):
    _, text, _ = edited(tmp_path, ask, paper=SERVICES)
    assert shown in text
    assert text.count("[ins]") + text.count("[del]") == 1


@pytest.mark.parametrize(
    ("ask", "reason"),
    [
        ("Add that parking must be free.", "no one clause speaks of it"),
        ("Add that Vendor must return all records.", "no one clause speaks of it"),
        ("Add that an assignment needs our approval.", "not done"),
    ],
)
def test_a_told_rule_without_a_place_or_a_name_is_left_to_a_lawyer(tmp_path, ask, reason):
    _, text, note = edited(tmp_path, ask, paper=SERVICES)
    assert "[ins]" not in text
    assert reason in note.lower()


def test_what_is_added_to_a_clause_of_markdown_stands_before_the_next_heading(tmp_path):
    paper = "# TERMS\n\n## 1. Secrecy\n\nVendor shall keep the data secret.\n\n## 2. Law\n\nThe law of Ohio governs.\n"
    _, text, _ = edited(tmp_path, "Add in section 1 that Vendor must return the data.", paper=paper)
    assert "keep the data secret.[ins] Vendor shall return the data.[/ins]" in text
