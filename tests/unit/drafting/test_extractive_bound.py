"""Whom a restriction binds."""

import pytest

from tasks.drafting.extractive.bound import bound_by


@pytest.mark.parametrize(
    ("sentence", "who"),
    [
        ("Tenant shall not assign this Lease without Landlord's consent.", "Tenant"),
        ("Neither party may assign this Agreement without consent.", "both parties"),
        ("The parties shall not disparage each other.", "both parties"),
        ("Each Party agrees not to solicit the employees of the other.", "both parties"),
        ("During the term and for twelve months after, Consultant agrees not to compete.", "Consultant"),
        ("Seller and its Affiliates will not engage in a Competing Business.", "Seller and its Affiliates"),
        (
            "The Executive shall leave; the Executive shall not, directly or indirectly, compete.",
            "Executive",
        ),
        ("During the Term, CNET will not enter into other agreements.", "CNET"),
        ("This Agreement may not be assigned by either party.", "both parties"),
        ("This Agreement shall not apply to affiliates.", ""),
        ("Supplier shall not be liable for delay.", ""),
        ("Landlord's consent shall not be unreasonably withheld.", ""),
        ("Either party may assign this Agreement.", ""),
    ],
)
def test_who_is_bound_is_the_one_who_shall_not(sentence, who):
    assert bound_by(sentence) == who
