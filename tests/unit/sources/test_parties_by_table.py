"""Who a document is between: the openings of agreements, forms, lists, captions, signatures and letters."""

from __future__ import annotations

import pytest

from tasks.sources.parties import parties_of
from tasks.sources.records import CanonicalText, Segment, SegmentKind


def parties(words: str, media: str = "txt", *segments: Segment) -> list[tuple[str, tuple[str, ...]]]:
    read = CanonicalText(document="d", sha256="0", extractor="t/1", media=media, text=words, segments=segments)
    found = parties_of(read)
    for party in found:
        for span in party.spans:
            assert 0 <= span.start < span.end <= len(words)
    return [(party.name, party.aliases) for party in found]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        # between X ("A") and Y ("B")
        (
            'This Agreement is made on 4 May 2020 between Alder Mills, Inc. ("Alder") and Birch LLC ("Birch").',
            [("Alder Mills, Inc.", ("Alder",)), ("Birch LLC", ("Birch",))],
        ),
        (
            'This Lease is entered into by and among Alder Inc., a Utah corporation (the "Landlord"), Birch LLC, a '
            'Maine limited liability company (the "Tenant"), and Cedar Ltd, a company of England (the "Guarantor").',
            [("Alder Inc.", ("Landlord",)), ("Birch LLC", ("Tenant",)), ("Cedar Ltd", ("Guarantor",))],
        ),
        (
            'This Guarantee is made between Barrow Bank plc (the "Bank") and Oak Group PLC (the "Guarantor").',
            [("Barrow Bank plc", ("Bank",)), ("Oak Group PLC", ("Guarantor",))],
        ),
        (
            "This Deed is made between Alder Inc. (“Alder”) and Birch LLC (“Birch”) (each a “Party”).",
            [("Alder Inc", ("Alder",)), ("Birch LLC", ("Birch",))],
        ),
        (
            'This Agreement is made between Hale and Sons, Inc. ("Hale") and Birch LLC ("Buyer").',
            [("Hale and Sons, Inc.", ("Hale",)), ("Birch LLC", ("Buyer",))],
        ),
        (
            'This Agreement is made between Hale & Sons, Inc. ("Hale") and Birch LLC ("Buyer").',
            [("Hale & Sons, Inc.", ("Hale",)), ("Birch LLC", ("Buyer",))],
        ),
        (
            'This Agreement is made between Alder Inc. d/b/a Mill House ("Seller") and Birch LLC ("Buyer").',
            [("Alder Inc.", ("Mill House", "Seller")), ("Birch LLC", ("Buyer",))],
        ),
        (
            'This Agreement is made between Jane Q. Doe, an individual ("Executive"), and Birch LLC (the "Company").',
            [("Jane Q. Doe", ("Executive",)), ("Birch LLC", ("Company",))],
        ),
        # a form with blanks: the role is all the name there is
        (
            'This Agreement is made between ____________ ("Seller") and Birch LLC ("Buyer").',
            [("Seller", ()), ("Birch LLC", ("Buyer",))],
        ),
        # labelled lines
        (
            "LICENSE\n\nLicensor: Alder Inc.\nLicensee: Birch LLC\n",
            [("Alder Inc.", ("Licensor",)), ("Birch LLC", ("Licensee",))],
        ),
        # a heading with a list
        (
            "DEED\n\nPARTIES\n\n(1) Alder Limited (the “Lender”)\n\n(2) Birch plc (the “Borrower”)\n\nBACKGROUND\n",
            [("Alder Limited", ("Lender",)), ("Birch plc", ("Borrower",))],
        ),
        # signatures as the last resort
        (
            "TERMS\n\nWe agree.\n\nALDER INC.\nBy: ____\n\nBIRCH LLC\nBy: ____\n",
            [("ALDER INC.", ()), ("BIRCH LLC", ())],
        ),
        # none
        ("The parties agree that nothing is due between them and us.", []),
        ("The road between Alder and Birch is long.", []),
        ("", []),
    ],
)
def test_the_parties_of_a_document(words, expected):
    found = [(name.rstrip("."), aliases) for name, aliases in parties(words)]
    assert found == [(name.rstrip("."), aliases) for name, aliases in expected]


@pytest.mark.parametrize("media", ["xlsx", "csv", "json"])
def test_data_has_no_parties(media):
    assert parties('This Agreement is between Alder Inc. ("A") and Birch LLC ("B").', media) == []


def test_the_correspondents_of_a_message_once_each():
    lines = [
        ("From", 'From: "Jane Doe" <jane@alder.example>'),
        ("To", "To: John Roe <john@birch.example>, legal@birch.example"),
        ("Cc", "Cc: Jane Doe <jane@alder.example>"),
        ("Subject", "Subject: Re: Max Moe <max@birch.example>"),
    ]
    body, segments = "", []
    for label, line in lines:
        segments.append(Segment(kind=SegmentKind.MAIL_HEADER, label=label, start=len(body), end=len(body) + len(line)))
        body += f"{line}\n"
    assert parties(body, "eml", *segments) == [
        ("Jane Doe", ("jane@alder.example",)),
        ("John Roe", ("john@birch.example",)),
        ("legal@birch.example", ()),
    ]


@pytest.mark.parametrize(
    "description",
    [
        "a Delaware corporation",
        "a company organized under the laws of England",
        "with its principal office at 1 Main Street, Austin, Texas",
        "having its registered office at 2 High Street, London",
    ],
)
def test_a_description_is_no_part_of_the_name(description):
    words = f'This Agreement is made between Alder Inc., {description} ("Alder"), and Birch LLC ("Birch").'
    assert [(n.rstrip("."), a) for n, a in parties(words)] == [("Alder Inc", ("Alder",)), ("Birch LLC", ("Birch",))]
