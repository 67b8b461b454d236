"""Papers of one deal that say the same thing differently: what governs, what it changed, what contradicts it."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from ways_room import room

from tasks.asks.records import AskState
from tasks.drafting.extractive.differing.contrast import Standing, contrast_of
from tasks.drafting.extractive.differing.kin import Role, deal_of
from tasks.drafting.extractive.render.memo import memorandum
from tasks.drafting.extractive.render.plan import Craft, told_in
from tasks.drafting.extractive.ways.registry import answer_ask, answer_asks

LEASE = """LEASE AGREEMENT

This Lease Agreement (the "Lease") is made as of January 15, 2023 between Harbour Mills LLC ("Landlord") and \
Brightloaf Bakery, Inc. ("Tenant").

1. Term. The term of this Lease begins on February 1, 2023 and ends on January 31, 2028.

2. Rent. Tenant shall pay Landlord monthly rent of $4,200.

3. Accounts. Tenant shall deliver its annual accounts to Landlord within 120 days after December 31 of each year.

4. Lateness. Tenant shall pay interest of 5 percent on rent that is late.
"""
FORMAL = "\n5. Amendment. This Lease may be amended only by a written instrument signed by both parties.\n"
AMENDMENT = """FIRST AMENDMENT TO LEASE AGREEMENT

This First Amendment is made as of March 1, 2024 between Harbour Mills LLC ("Landlord") and Brightloaf Bakery, Inc. \
("Tenant") and amends the Lease Agreement dated January 15, 2023.

1. Rent. Section 2 of the Lease is amended so that monthly rent is $4,650.
"""
POTTERY = LEASE.replace("Brightloaf Bakery, Inc.", "Cinder Pottery Co.").replace("$4,200", "$2,900")
RENT = ("What is the monthly rent", "fact")


def mail(words, day="Mon, 3 Jun 2024"):
    head = f"From: Dana Reyes <dana@harbourmills.example>\nTo: Otto Lund <otto@brightloaf.example>\nDate: {day}"
    return f"{head}\nSubject: Rent\n\n{words}\n"


def contrasts(papers, words, kind="fact"):
    made = room(papers, f"{words}?", (words, kind))
    ask = made.job.asks.asks[0]
    return contrast_of(ask, answer_ask(ask, made), made)


def standings(papers, words, kind="fact"):
    found = contrasts(papers, words, kind)
    return {b.said.unit.document: (b.standing, b.said.value.shown) for c in found for b in c.others}


def test_a_later_amendment_governs():
    papers = {"lease.txt": LEASE, "amendment.txt": AMENDMENT}
    found = contrasts(papers, *RENT)
    assert [c.governing.value.shown for c in found] == ["$4,650"]
    assert found[0].settled
    assert standings(papers, *RENT) == {"lease.txt": (Standing.CHANGED, "$4,200")}


@pytest.mark.parametrize(
    ("lease", "day", "standing"),
    [
        (LEASE + FORMAL, "Mon, 3 Jun 2024", Standing.UNFORMAL),
        (LEASE, "Mon, 3 Jun 2024", Standing.OPEN),
        (LEASE + FORMAL, "Tue, 3 Jan 2023", Standing.EARLIER),
    ],
)
def test_a_message_changes_no_contract_by_itself(lease, day, standing):
    papers = {"lease.txt": lease, "mail.eml": mail("As discussed, the monthly rent is $4,500.", day)}
    found = contrasts(papers, *RENT)
    assert found[0].governing.value.shown == "$4,200"
    assert standings(papers, *RENT) == {"mail.eml": (standing, "$4,500")}
    assert (found[0].others[0].rule is not None) is (standing is Standing.UNFORMAL)


def test_a_day_that_is_counted_is_the_day_it_leads_to():
    papers = {"lease.txt": LEASE, "mail.eml": mail("Your annual accounts are due on April 30.")}
    found = contrasts(papers, "When are the annual accounts due")
    assert not found[0].differs
    assert found[0].others[0].standing is Standing.SAME
    assert "April 30 or, in a leap year, April 29" in found[0].governing.value.shown
    other = {"lease.txt": LEASE, "mail.eml": mail("Your annual accounts are due on May 2.")}
    assert contrasts(other, "When are the annual accounts due")[0].differs


def test_a_sum_a_year_is_the_same_as_its_twelfth_a_month():
    papers = {"lease.txt": LEASE, "mail.eml": mail("Remember that the rent is $50,400 per year.")}
    assert standings(papers, "What is the rent") == {"mail.eml": (Standing.SAME, "$50,400")}


def test_two_leases_each_have_their_own_rent():
    papers = {"a.txt": LEASE, "b.txt": POTTERY}
    assert contrasts(papers, *RENT) == ()
    assert all(len(deal) == 1 for deal in room(papers, "Rent?", ("Rent", "fact")).deals)


def test_a_message_speaks_of_the_deal_whose_party_it_names():
    papers = {"a.txt": LEASE, "b.txt": POTTERY, "mail.eml": mail("The monthly rent is $2,700.")}
    deals = room(papers, "Rent?", ("Rent", "fact")).deals
    assert [p.reading.document for p in deal_of("a.txt", deals)] == ["a.txt", "mail.eml"]
    neither = {**papers, "mail.eml": "From: A <a@x.example>\nTo: B <b@x.example>\n\nThe monthly rent is $2,700.\n"}
    assert deal_of("mail.eml", room(neither, "Rent?", ("Rent", "fact")).deals) == ()


def test_another_instrument_leaves_it_open_with_the_clause_on_conflicts():
    first = LEASE + "\n6. Precedence. If a side letter conflicts with this Lease, this Lease prevails.\n"
    side = AMENDMENT.replace("FIRST AMENDMENT TO LEASE AGREEMENT", "LETTER AGREEMENT").replace("amends", "accompanies")
    side = side.replace("This First Amendment is", "This Letter Agreement is").replace(" is amended so that", ":")
    found = contrasts({"lease.txt": first, "side.txt": side}, *RENT)
    assert [(b.said.paper.role, b.standing) for b in found[0].others] == [(Role.BESIDE, Standing.OPEN)]
    assert "this Lease prevails" in found[0].others[0].rule.text


def told(papers, *asked):
    made = room(papers, " ".join(f"{words}?" for words, _ in asked), *asked)
    return told_in(made, answer_asks(made), Craft())


def test_the_answer_says_what_counts_and_what_stood_before():
    made = told({"lease.txt": LEASE, "amendment.txt": AMENDMENT}, RENT)
    got = made.answers["1"]
    assert got.state is AskState.ANSWERED
    assert got.answer.startswith("$4,650 [First Amendment")
    assert "before: $4,200 [Lease Agreement § 2]" in got.answer
    assert got.entries[0].document == "amendment.txt"
    assert all(e.certain for e in got.entries)


def test_a_message_that_says_otherwise_is_shown_and_makes_the_answer_doubtful():
    papers = {"lease.txt": LEASE + FORMAL, "mail.eml": mail("As discussed, the monthly rent is $4,500.")}
    made = told(papers, RENT)
    assert "to be verified" in made.answers["1"].answer
    memo = memorandum(made)
    differ = memo.partition("## Where the papers differ")[2].partition("\n## ")[0]
    assert "$4,500 [mail.eml" in differ
    assert "amended only by a written instrument" in differ
    assert not [name for name, _ in made.set_aside if name == "mail.eml"]
