"""The part of a query that asks, apart from the part that names a document."""

import pytest

from tasks.retrieval.routing import Router

HEADS = {
    "a.txt": "SUPPLY AGREEMENT between Zorblax Industries, Inc. (Seller) and Quentrix Retail Ltd (Buyer)",
    "b.txt": "LEASE between Hallowbrook Estates and Pemberly Foods",
    "notes-2019.txt": "Minutes of a meeting",
}


@pytest.mark.parametrize(
    ("query", "document", "kept", "dropped"),
    [
        (
            'Consider the supply agreement (Zorblax Industries, Inc. ("Seller"; formerly Zorb); Quentrix Retail Ltd); '
            "Is there a cap on liability?",
            "a.txt",
            "cap on liability",
            "Seller",
        ),
        ("Under the lease with Pemberly Foods, who pays the rates and taxes?", "b.txt", "who pays the rates", "lease"),
        ("Who pays the rates and taxes? Consider Hallowbrook.", "b.txt", "rates and taxes", "Hallowbrook"),
        ('Consider "notes-2019"; what was resolved at the meeting?', "notes-2019.txt", "what was resolved", "notes"),
    ],
)
def test_the_name_chooses_the_document_and_the_rest_asks(query: str, document: str, kept: str, dropped: str) -> None:
    routed = Router(HEADS).route(query)
    assert routed.documents == (document,)
    assert kept in routed.question
    assert dropped not in routed.question


def test_a_query_that_only_names_is_asked_as_it_is() -> None:
    assert Router(HEADS).route("Zorblax Industries").question.strip()


CONCEPTS = ("source code escrow", "IP ownership", "supply", "New York")
CLAUSES = {
    "escrow.txt": "The Source is the code. Acme Escrow holds it.",
    "york.txt": "LEASE of Hallowbrook Estates, a New York corporation. IP, Supply.",
    "c.txt": "Minutes",
    "d.txt": "Minutes",
    "e.txt": "Minutes",
}


@pytest.mark.parametrize(
    ("query", "documents"),
    [
        ("A Source Code Escrow", ()),  # everybody writes the names of clauses with capitals
        ("third party IP infringement", ()),
        ("a New York governing law clause", ()),
        ("the escrow of Acme", ("escrow.txt",)),
        ("what does the Supply say", ("york.txt",)),  # one word alone may be the name of a paper
        ("what does Hallowbrook lease", ("york.txt",)),
    ],
)
def test_the_name_of_a_concept_names_no_document(query: str, documents: tuple[str, ...]) -> None:
    routed = Router(CLAUSES, CONCEPTS).route(query)
    assert routed.documents == documents
    if not documents:
        assert routed.question == query
        assert Router(CLAUSES).route(query).documents
