"""The graph of a matter on a small deal of our own: an agreement, its amendment, an exhibit and a side letter."""

from __future__ import annotations

import pytest

from tasks.retrieval.clauses import clause_tree
from tasks.retrieval.graph.graph import Graph, build_graph
from tasks.retrieval.graph.store import load_references
from tasks.retrieval.records import Passage
from tasks.sources.records import CanonicalText, Span

SUPPLY = """SUPPLY AGREEMENT

This Supply Agreement is made as of March 4, 2021 between Alder Foundry Inc. (the "Supplier") and Birch Motors LLC
(the "Buyer").

ARTICLE I
DEFINITIONS

1.1 "Affiliate" means any entity that controls or is controlled by a party.

1.2 "Change of Control" means a sale of more than half of the voting shares of a party or of its Affiliates.

1.3 "Net Price" has the meaning set forth in Section 3.2.

ARTICLE II
SUPPLY

2.1 Orders. The Supplier shall fill each order placed under Section 2.2, subject to clause (b) of Section 4.1.

2.2 Forecasts. The Buyer shall give a forecast in the form of Exhibit A. A forecast binds as Schedule 7 says.

ARTICLE III
PRICE

3.1 Price. The Buyer shall pay the Net Price within 30 days.

3.2 Net Price. The price of Exhibit B less rebates (the "Net Price") is reviewed each year under Section 3.9.

ARTICLE IV
TERM

4.1 Termination. Either party may terminate this Agreement:

(a) for breach that is not cured under Sections 2.1 and 2.2; or

(b) upon a Change of Control of the other party.

4.2 Survival. Sections 3.1 through 3.2 and Article IV survive. Section 365(n) of the Bankruptcy Code applies.

EXHIBIT A
FORM OF FORECAST

1. Quantity. The Buyer states its need by month.
"""
AMENDMENT = """FIRST AMENDMENT TO SUPPLY AGREEMENT

This First Amendment amends the Supply Agreement dated as of March 4, 2021 between Alder Foundry Inc. and Birch Motors
LLC (the "Supply Agreement").

1. Price. Section 3.1 of the Supply Agreement is hereby amended so that the Net Price is due within 45 days.

2. Termination. Section 4.1(b) is deleted.
"""
EXHIBIT = """EXHIBIT B

PRICE LIST

1. Castings cost $ 4.10 a pound.
"""
LETTER = """SIDE LETTER

Dear Birch Motors LLC,

We refer to the Supply Agreement dated as of March 4, 2021. A Change of Control of Alder Foundry Inc. is expected. The
Loan Agreement dated May 1, 2019 stays as it is, and Section 5 of the Loan Agreement with it.
"""
STRANGER = """SUPPLY AGREEMENT

This Supply Agreement is made as of June 9, 2015 between Cedar Mills Corp. (the "Seller") and Dogwood Paper Ltd.

1. Term. This Agreement runs for one year.
"""
DEAL = {
    "supply.txt": SUPPLY,
    "first amendment.txt": AMENDMENT,
    "Exhibit B - prices.txt": EXHIBIT,
    "letter.txt": LETTER,
    "other deal.txt": STRANGER,
}


def canonical(name: str, text: str) -> CanonicalText:
    return CanonicalText(document=name, sha256="0" * 64, extractor="test", media="txt", text=text)


def built(**deal: str) -> Graph:
    texts = {name: canonical(name, text) for name, text in deal.items()}
    return build_graph(texts, {name: clause_tree(text) for name, text in texts.items()})


@pytest.fixture(scope="module")
def graph() -> Graph:
    return built(**DEAL)


def words(span: Span) -> str:
    return " ".join(DEAL[span.document][span.start : span.end].split())


def around(graph: Graph, name: str, part: str, **options: object) -> dict[str, str]:
    start = DEAL[name].index(part)
    found = graph.expand(Span(document=name, start=start, end=start + len(part)), **options)  # type: ignore[arg-type]
    return {tie.reason: words(tie.span) for tie in found}


REFERENCES = [
    # document, words that refer, reason, how the target begins
    ("supply.txt", "placed under Section 2.2", "Section 2.2 referred to", "2.2 Forecasts"),
    (
        "supply.txt",
        "subject to clause (b) of Section 4.1",
        "clause (b) of Section 4.1 referred to",
        "(b) upon a Change",
    ),
    ("supply.txt", "in the form of Exhibit A", "Exhibit A referred to", "EXHIBIT A FORM OF"),
    ("supply.txt", "The price of Exhibit B", "Exhibit B of Exhibit B - prices.txt referred to", "EXHIBIT B PRICE LIST"),
    ("supply.txt", "under Sections 2.1 and 2.2", "Section 2.1 referred to", "2.1 Orders"),
    ("supply.txt", "Sections 3.1 through 3.2", "Section 3.2 referred to", "3.2 Net Price"),
    (
        "first amendment.txt",
        "Section 3.1 of the Supply Agreement",
        "Section 3.1 of supply.txt referred to",
        "3.1 Price",
    ),
    (
        "first amendment.txt",
        "Section 4.1(b) is deleted",
        "Section 4.1(b) of supply.txt referred to",
        "(b) upon a Change",
    ),
]


@pytest.mark.parametrize(("name", "part", "reason", "begins"), REFERENCES)
def test_a_reference_leads_to_its_clause(graph, name, part, reason, begins):
    found = around(graph, name, part)
    assert reason in found
    assert found[reason].startswith(begins)


def test_terms_lead_to_their_definitions(graph):
    found = around(graph, "supply.txt", "upon a Change of Control of the other party")
    assert found["defines 'Change of Control' used here"].startswith('"Change of Control" means a sale')


def test_a_definition_that_points_elsewhere_gives_way_to_the_one_that_defines(graph):
    found = around(graph, "supply.txt", "pay the Net Price within")
    assert found["defines 'Net Price' used here"].startswith("The price of Exhibit B less rebates")


def test_a_definition_goes_on_through_its_list():
    text = '1. "Lien" means:\n\n(a) a pledge;\n\n(b) a mortgage; or\n\n(c) a charge.\n\n2. Fee. A Lien secures the fee.'
    graph = built(a=text)
    found = graph.definition("a", "Lien")
    assert found is not None
    assert text[found.span.start : found.span.end].endswith("(c) a charge.")


def test_a_document_uses_the_terms_of_the_one_it_names(graph):
    found = around(graph, "letter.txt", "A Change of Control of Alder Foundry Inc. is expected")
    assert found["defines 'Change of Control' used here, in supply.txt"].startswith('"Change of Control" means')


def test_a_clause_brings_its_amendment(graph):
    found = around(graph, "supply.txt", "3.1 Price. The Buyer shall pay")
    assert any(reason.startswith("Section 3.1 amended or affected by first amendment.txt") for reason in found)
    untouched = around(graph, "supply.txt", "2.2 Forecasts. The Buyer shall give")
    assert not any("amended" in reason for reason in untouched)


def test_the_date_and_the_parties_choose_between_two_of_one_title(graph):
    found = graph.expand(Span(document="letter.txt", start=0, end=len(LETTER)))
    named = {tie.span.document for tie in found if tie.relation == "names"}
    assert named == {"supply.txt"}


def test_a_title_tells_what_is_amended():
    lease = """LEASE OF 12 QUAY STREET

THIS LEASE is dated June 30, 2021 between Harrow Pike Ltd. ("Landlord") and Salt Marsh Inc. ("Tenant").

1. Rent

The rent is $ 900.
"""
    change = """FIRST AMENDMENT TO LEASE

This First Amendment to Lease is made on February 17, 2023 between Harrow Pike Ltd. and Salt Marsh Inc. It amends the
Lease of 12 Quay Street.

1. Rent

Section 1 is changed to $ 950.
"""
    graph = built(**{"lease": lease, "change": change})
    amended = {e.target.document for e in graph.edges() if e.relation == "amends" and e.source.document == "change"}
    assert amended == {"lease"}
    strangers = change.replace("Harrow Pike", "Other").replace("Salt Marsh", "Stranger")
    graph = built(**{"lease": lease, "change": strangers})
    assert not [e for e in graph.edges() if e.relation == "amends"]


def test_two_hops_follow_what_was_found(graph):
    near = around(graph, "supply.txt", "subject to clause (b) of Section 4.1")
    far = around(graph, "supply.txt", "subject to clause (b) of Section 4.1", hops=2)
    assert "defines 'Change of Control' used here" not in near
    assert "defines 'Change of Control' used here" in far


def test_hits_are_followed_by_what_they_depend_on(graph):
    start = SUPPLY.index("(b) upon a Change")
    hit = Passage(
        span=Span(document="supply.txt", start=start, end=start + 50), text=SUPPLY[start : start + 50], score=1
    )
    found = graph.with_related([hit])
    assert found[0] == hit
    assert [p.reason for p in found[1:] if "Change of Control" in p.reason] == ["defines 'Change of Control' used here"]
    assert all(DEAL[p.span.document][p.span.start : p.span.end] == p.text for p in found)
    assert graph.with_related([hit], characters=0) == [hit]
    spans = [(p.span.document, p.span.start) for p in graph.with_related(found)]
    assert len(spans) == len(set(spans))


def test_an_attachment_that_the_clause_tree_does_not_know_is_found_by_its_heading():
    text = "1. Price. As in Schedule 1.1(e).\n\n2. Term. One year.\n\n9 Schedule 1.1(e) - Prices\n\nTen dollars."
    one = canonical("a", text)
    graph = build_graph({"a": one}, {"a": clause_tree(one)})
    assert graph.dangling() == []
    span = Span(document="a", start=0, end=30)
    assert [text[t.span.start :][:14] for t in graph.expand(span)] == ["Schedule 1.1(e"]


def test_inbound_references_are_given_where_asked_for(graph):
    found = around(graph, "supply.txt", "2.2 Forecasts. The Buyer shall give", inbound=True)
    sources = [text for reason, text in found.items() if reason == "refers to Section 2.2"]
    assert sources
    assert "refers to Section 2.2" not in around(graph, "supply.txt", "2.2 Forecasts. The Buyer shall give")


def test_what_leads_nowhere(graph):
    lost = {(d.span.document, d.said) for d in graph.dangling()}
    assert lost == {("supply.txt", "Section 3.9"), ("supply.txt", "Schedule 7")}  # the loan agreement is another deal


@pytest.mark.parametrize(
    ("label", "begins"),
    [
        ("4.1(b)", "(b) upon"),
        ("§ 3.1", "3.1 Price"),
        ("Section 2.2", "2.2 Forecasts"),
        ("Article IV", "ARTICLE IV"),
        ("ARTICLE 4", "ARTICLE IV"),
        ("Exhibit A", "EXHIBIT A"),
        ("Survival", "4.2 Survival"),
    ],
)
def test_a_clause_by_what_a_lawyer_calls_it(graph, label, begins):
    span = graph.clause_span("supply.txt", label)
    assert span is not None
    assert words(span).startswith(begins)


@pytest.mark.parametrize("label", ["9.9", "Exhibit Q", "", "Indemnity", "((("])
def test_a_clause_that_is_not_there(graph, label):
    assert graph.clause_span("supply.txt", label) is None
    assert graph.clause_span("no such document", "1.1") is None


def test_parties_and_edges(graph):
    assert graph.parties()["alder foundry"] == ("first amendment.txt", "supply.txt")
    edges = list(graph.edges())
    assert {"refers", "defines", "amends", "names"} <= {edge.relation for edge in edges}
    for edge in edges:
        for span in (edge.source, edge.target):
            assert 0 <= span.start <= span.end <= len(DEAL[span.document])


def test_the_graph_is_the_same_whatever_the_order():
    again = built(**dict(reversed(DEAL.items())))
    assert list(again.edges()) == list(built(**DEAL).edges())


def test_readings_are_kept_beside_the_index(tmp_path):
    texts = {name: canonical(name, text) for name, text in DEAL.items()}
    clauses = {name: clause_tree(text) for name, text in texts.items()}
    first = build_graph(texts, clauses, tmp_path)
    kept = sorted(tmp_path.rglob("*.graph.json"))
    assert len(kept) == len(DEAL)
    again = build_graph(texts, clauses, tmp_path)
    assert list(again.edges()) == list(first.edges()) == list(build_graph(texts, clauses).edges())
    assert again.dangling() == first.dangling()


@pytest.mark.parametrize(
    "damage", ["", "{", "[]", '{"references": [], "definitions": [], "head": {}}', '{"references": [[1]]}', "null"]
)
def test_a_damaged_reading_is_read_anew(tmp_path, damage):
    text = canonical("a", "1. Fee. The fee of Section 2 is due.\n\n2. Due. Now.")
    fresh = load_references(text, tmp_path)
    (path,) = tmp_path.rglob("*.graph.json")
    beyond = path.read_text().replace("[[", "[[9", 1)
    for content in (damage, beyond):
        path.write_text(content)
        assert load_references(text, tmp_path) == fresh
    assert load_references(text.model_copy(update={"document": "b"}), tmp_path) == fresh


def test_an_empty_matter_and_documents_without_clauses():
    assert build_graph({}, {}).dangling() == []
    alone = build_graph({"a": canonical("a", "See Section 9 and Exhibit Z."), "b": canonical("b", "")}, {})
    assert [d.said for d in alone.dangling()] == ["Section 9", "Exhibit Z"]
    assert alone.expand(Span(document="a", start=0, end=28)) == []
    assert alone.expand(Span(document="nowhere", start=0, end=1)) == []


@pytest.mark.examples(1)
@pytest.mark.parametrize(
    "text",
    [
        '"A" means b. ' * 2_000,
        "1.1 Section 1.1 " * 3_000,
        "the Big Long Name Of An Agreement " * 2_000,
        "(the \"Term\") " * 4_000,
        "(a) (b) (c) Section 1(a)(b)(c) clause (c) " * 1_000,
    ],
)  # fmt: skip
def test_hostile_text_takes_bounded_time(text, no_hang):
    hostile = canonical("h", text)
    clauses = clause_tree(hostile)
    graph = build_graph({"h": hostile}, {"h": clauses})
    graph.dangling()
    graph.expand(Span(document="h", start=0, end=2_000))
