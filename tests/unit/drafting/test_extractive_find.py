"""Each provision known by the way such clauses are drafted: labelled sentences of our own."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from extractive_samples import reading, settings

from tasks.drafting.extractive.answers import answer
from tasks.drafting.extractive.brief import Topic
from tasks.harness import packaged
from tasks.retrieval.provisions import catalogue_of

KNOWN = {p.name: p for p in catalogue_of(packaged().knowledge)}

PRESENT = [
    (
        "restriction on assignment",
        "Assignment. Tenant may not assign this Lease without Landlord's prior written consent.",
    ),
    (
        "change of control",
        "Assignment. A change of control of Licensee shall be deemed an assignment requiring consent.",
    ),
    (
        "right of first refusal",
        "Seller grants Buyer a right of first refusal on any bona fide third party offer for the plant.",
    ),
    (
        "third party beneficiary",
        "The Lender is an intended third party beneficiary of this Agreement and may enforce it.",
    ),
    (
        "non-compete",
        "During the term, Consultant shall not, directly or indirectly, engage in any business that"
        " competes with Client.",
    ),
    (
        "exclusivity",
        "Appointment. Principal hereby appoints Agent as its sole and exclusive distributor in the Territory.",
    ),
    (
        "no-solicit of employees",
        "For two years after termination neither party shall solicit or hire any employee of the other.",
    ),
    (
        "no-solicit of customers",
        "During the term Agent shall not directly or indirectly solicit any customers of"
        " Principal for its own business.",
    ),
    ("non-disparagement", "Neither party shall disparage the other."),
    (
        "most favored nation",
        "Supplier shall not charge Customer prices higher than the lowest price charged to any other customer.",
    ),
    ("license grant", "License. Owner hereby grants to User a non-exclusive, worldwide license to use the Software."),
    ("irrevocable or perpetual license", "Owner grants User a perpetual, irrevocable license to use the Data."),
    (
        "IP ownership assignment",
        "Work Product. Contractor hereby irrevocably assigns to Client all right, title and"
        " interest in the inventions.",
    ),
    ("joint IP ownership", "Joint Inventions shall be jointly owned by both parties."),
    (
        "covenant not to sue",
        "Trademarks. Licensee shall not contest or challenge the validity or ownership of the Marks.",
    ),
    ("source code escrow", "The source code shall be deposited in escrow with the escrow agent."),
    (
        "revenue or profit sharing",
        "Royalties. Publisher shall pay Author a royalty equal to ten percent (10%) of Net Sales.",
    ),
    ("minimum commitment", "Buyer shall purchase a minimum of 500 units in each contract year."),
    (
        "audit rights",
        "Audit. Owner may inspect the books and records of Licensee on reasonable notice during business hours.",
    ),
    (
        "cap on liability",
        "Limitation of Liability. Neither party's aggregate liability shall exceed the fees paid hereunder.",
    ),
    (
        "uncapped liability",
        "Liability. The limitations in this Section shall not apply to gross negligence or wilful misconduct.",
    ),
    ("liquidated damages", "Contractor shall pay $500 per day as liquidated damages and not as a penalty."),
    (
        "warranty duration",
        "Warranty. Seller warrants the goods against defects for a period of twelve months from delivery.",
    ),
    (
        "insurance",
        "Insurance. Contractor shall maintain commercial general liability insurance of $1,000,000 per occurrence.",
    ),
    (
        "termination for convenience",
        "Termination. Either party may terminate this Agreement at any time without cause on 30 days notice.",
    ),
    (
        "post-termination services",
        "Effect of Termination. Upon termination Distributor may continue to sell its"
        " inventory for a sell-off period of 90 days.",
    ),
    ("indemnification", "Vendor shall indemnify, defend and hold harmless Client from third party claims."),
]

ABSENT = [
    ("restriction on assignment", "Employee assigns to Company all inventions made during employment."),
    ("right of first refusal", "The parties shall first attempt to resolve any dispute by negotiation in good faith."),
    ("third party beneficiary", "There are no third party beneficiaries of this Agreement."),
    ("third party beneficiary", "Nothing herein shall make any person a third party beneficiary of this Agreement."),
    ("exclusivity", "The courts of New York shall have exclusive jurisdiction over any claim."),
    ("exclusivity", "Licensor grants Licensee a non-exclusive license to use the Marks."),
    ("most favored nation", "Each party shall protect Confidential Information with no less than reasonable care."),
    ("minimum commitment", "Either party may terminate on at least thirty days notice."),
    (
        "termination for convenience",
        "Either party may terminate this Agreement if the other fails to cure a material breach.",
    ),
    ("insurance", "Agent is licensed by the insurance commissioner to sell insurance products."),
    ("license grant", "Each party has obtained the licenses and permits needed to carry on its business."),
    ("liquidated damages", "The Board may terminate this Agreement at any time without penalty."),
    ("audit rights", "Borrower has delivered its audited financial statements."),
    ("revenue or profit sharing", "Overdue amounts bear interest at one percent per month."),
    ("covenant not to sue", "Each party waives trial by jury."),
]


def ask(topic, text):
    head, _, body = text.partition(". ")
    text = f"7.1 {text}" if len(head.split()) < 5 and body else f"7.1 General. {text}"
    return answer(Topic(topic, KNOWN[topic]), reading(text), settings())


@pytest.mark.parametrize(("topic", "text"), PRESENT)
def test_present(topic, text):
    got = ask(topic, text)
    assert got.value.startswith("Yes")
    assert got.support


@pytest.mark.parametrize(("topic", "text"), ABSENT)
def test_absent(topic, text):
    assert not ask(topic, text).found


def test_an_express_exclusion_is_cited():
    got = ask("third party beneficiary", "Nothing in this Agreement confers rights or benefits on any third party.")
    assert not got.found
    assert got.denials


def test_what_a_clause_provides_is_said():
    got = ask("restriction on assignment", PRESENT[0][1])
    assert got.value == "Yes: consent required"


def test_a_sentence_that_the_document_repeats_is_quoted_once():
    text = "7.1 Audit. Owner may inspect the books and records of Licensee on notice.\n\n" * 3
    assert len(answer(Topic("audit rights", KNOWN["audit rights"]), reading(text), settings()).support) == 1


def test_a_clause_is_quoted_on_to_its_proviso_unless_exceptions_are_not_wanted():
    text = (
        "7.1 Assignment. Neither party may assign this Agreement without consent. Notwithstanding the foregoing,"
        " either "
        "party may move it to an affiliate."
    )
    topic = Topic("restriction on assignment", KNOWN["restriction on assignment"])
    assert len(answer(topic, reading(text), settings()).support) == 2
    assert len(answer(topic, reading(text), settings(include_exceptions=False)).support) == 1


def test_the_skill_bounds_how_many_sentences_are_served():
    text = "\n\n".join(
        f"{n}.1 Audit. Owner may audit the books and records of store {n} on notice." for n in range(1, 9)
    )
    topic = Topic("audit rights", KNOWN["audit rights"])
    assert len(answer(topic, reading(text), settings(passages_per_topic=1)).support) == 1
    assert not answer(topic, reading(text), settings(min_score=2.0)).found


@pytest.mark.parametrize(
    ("topic", "text"),
    [
        ("termination for convenience", "Customer shall have no right to terminate this Agreement without cause."),
        ("termination for convenience", "Termination. This Lease may not be terminated at any time for convenience."),
        ("audit rights", "Neither party may inspect or audit the records of the other."),
        ("right of first refusal", "Nothing in this Agreement grants Buyer a right of first refusal."),
        ("minimum commitment", "Customer is under no obligation to purchase any minimum quantity."),
        ("change of control", "A change of control of Tenant does not require Landlord's consent."),
        ("joint IP ownership", "There shall be no joint ownership of any Intellectual Property."),
        ("restriction on assignment", "This Agreement may be assigned without the consent of the other party."),
    ],
)
def test_a_provision_that_is_ruled_out_is_not_given(topic, text):
    got = ask(topic, text)
    assert got.value == "None: expressly ruled out"
    assert got.support


@pytest.mark.parametrize(
    ("topic", "text"),
    [
        ("restriction on assignment", "Neither party may assign this Agreement without the other's written consent."),
        ("audit rights", "Customer may audit the books and records not more than once per year."),
        (
            "termination for convenience",
            "Supplier may terminate at any time without cause on 30 days' notice, but Customer may not.",
        ),
    ],
)
def test_a_negation_of_something_else_rules_nothing_out(topic, text):
    assert ask(topic, text).value.startswith("Yes")


def test_what_is_ruled_out_with_an_exception_is_to_be_verified():
    got = ask("audit rights", "Neither party may inspect or audit the records of the other except after a breach.")
    assert got.value == "None: expressly ruled out"
    assert not got.certain


@pytest.mark.parametrize(
    ("text", "cap"),
    [
        ("Supplier's aggregate liability shall not exceed $250,000 (two hundred fifty thousand).", "$250,000"),
        (
            "The total liability of Provider is limited to the fees paid in the preceding twelve months.",
            "the fees paid in the preceding twelve months",
        ),
    ],
)
def test_a_cap_is_told_with_its_amount(text, cap):
    assert f"amount capped at {cap}" in ask("cap on liability", text).value
