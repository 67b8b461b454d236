"""Which documents a question names, and what is left of it to ask."""

from __future__ import annotations

import pytest

from tasks.retrieval.routing import Routed, Router

HEADS = {
    "docs/AcmeSupply_2019-03.pdf": "SUPPLY AGREEMENT between Acme Robotics, Inc. and Bolt Logistics LLC.",
    "docs/harbor-lease.docx": "LEASE between Harbor Point Holdings LP and Northwind Fabrication LLC at Pier 9.",
    "docs/northwind_credit.docx": "CREDIT AGREEMENT: Northwind Fabrication LLC and Calder Trust Company, agent.",
    "docs/side.txt": "Letter of Orchard Dairy Cooperative about the freezer at Mill Road.",
    "docs/contract 12345.pdf": "Master terms of Velvet Harp Studios with Quill Press.",
}
ACME, LEASE, CREDIT, SIDE, MASTER = HEADS
ROUTER = Router(HEADS)


@pytest.mark.parametrize(
    ("query", "documents"),
    [
        # parties
        ("Who bears the freight between Acme and Bolt?", (ACME,)),
        ("What rent is owed to Harbor Point?", (LEASE,)),
        ("What fee does Calder Trust Company get?", (CREDIT,)),
        ("When does Orchard Dairy Cooperative pay?", (SIDE,)),
        ("What does Velvet Harp record for Quill Press?", (MASTER,)),
        ("Under what law does NORTHWIND act?", (LEASE, CREDIT)),
        ("What do Northwind and Calder owe each other?", (CREDIT,)),
        ("What do Northwind and Harbor owe each other?", (LEASE,)),
        # file names
        ("Who may terminate AcmeSupply_2019-03.pdf?", (ACME,)),
        ("Who may terminate harbor-lease?", (LEASE,)),
        ("Who may terminate Harbor Lease?", (LEASE,)),
        ("Who may terminate side.txt?", (SIDE,)),
        ("Who may terminate “side”?", (SIDE,)),
        ("Who may terminate 'side'?", (SIDE,)),
        ("Who may terminate contract 12345?", (MASTER,)),
        # nothing is named
        ("Which side may terminate?", ()),
        ("Who may assign this agreement?", ()),
        ("Is there a cap on liability?", ()),
        ("What does the Landlord owe the Tenant?", ()),
        ("harborleases and sides", ()),
        ("What did Zephyr Mining promise?", ()),
    ],
)
def test_a_question_points_to_the_documents_that_it_names(query, documents):
    assert ROUTER.route(query).documents == tuple(sorted(documents))


@pytest.mark.parametrize(
    ("query", "question"),
    [
        ("Under the Acme lease, who pays the rates?", "who pays the rates?"),
        ("In the agreement between Acme and Bolt, who bears the freight?", "who bears the freight?"),
        ("Consider the Harbor Point papers; who pays the rates?", "who pays the rates?"),
        ("Consider the papers of Harbor Point: who pays the rates?", "who pays the rates?"),
        ("We act for Calder Trust. When is the commitment fee due?", "When is the commitment fee due?"),
        ("When is the commitment fee due? We act for Calder Trust.", "When is the commitment fee due?"),
        ("According to AcmeSupply_2019-03.pdf, who bears the freight?", "who bears the freight?"),
        ("side.txt: who keeps the freezer cold?", "who keeps the freezer cold?"),
        ("Who keeps the freezer cold in side.txt", "Who keeps the freezer cold in"),
        ("Who may assign this agreement?", "Who may assign  ?"),
        ("Harbor", "Harbor"),
    ],
)
def test_what_is_left_of_a_question_asks(query, question):
    assert ROUTER.route(query).question == question


def test_a_restriction_keeps_other_documents_out():
    query = "What does Northwind Fabrication owe?"
    assert ROUTER.route(query, [LEASE]).documents == (LEASE,)
    assert ROUTER.route(query, [ACME]).documents == ()
    assert ROUTER.route("Who may terminate harbor-lease?", [ACME]).documents == ()
    assert ROUTER.route("Who may terminate harbor-lease?", []).documents == ()


def test_of_two_file_names_the_longer_counts():
    router = Router({"notes/term loan.txt": "a", "notes/term loan amended.txt": "b"})
    assert router.route("Who signed the term loan amended?").documents == ("notes/term loan amended.txt",)
    assert router.route("Who signed the term loan?").documents == ("notes/term loan.txt",)


def test_copies_of_one_file_are_all_named():
    router = Router({"a/term loan.txt": "x", "b/term_loan.txt": "y", "c/other paper.txt": "z"})
    assert router.route("Who signed the term loan?").documents == ("a/term loan.txt", "b/term_loan.txt")


def test_a_name_that_most_heads_bear_names_nothing():
    router = Router(
        {f"{n}.txt": f"Agreement of Northwind and {other}" for n, other in enumerate(("Alder", "Birch", "Cedar"))}
    )
    assert router.route("What does Northwind owe?").documents == ()
    assert router.route("What does Northwind owe Birch?").documents == ("1.txt",)


def test_only_the_head_of_a_document_names_it():
    router = Router({"a.txt": "Deed of Alder. " + "words " * 400 + " Birch", "b.txt": "Deed of Cedar."})
    assert router.route("What does Alder owe?").documents == ("a.txt",)
    assert router.route("What does Birch owe?").documents == ()


@pytest.mark.parametrize("query", ["", "?", "the", "…", "A", "(", "the agreement", "“"])
def test_a_query_of_nothing_is_given_back(query):
    assert ROUTER.route(query) == Routed(query, ())


def test_no_documents_name_nothing():
    assert Router({}).route("What does Acme owe Bolt?").documents == ()
