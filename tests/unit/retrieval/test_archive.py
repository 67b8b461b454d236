"""The archivist: chunks by the nodes of the tree, summaries of documents, and what is missing to work on them."""

from pathlib import Path

import pytest

from tasks.harness import packaged
from tasks.matter.base import content_hash
from tasks.matter.failures import Failure, FailureCause
from tasks.retrieval.archive.dialogue import Missing, missing
from tasks.retrieval.archive.summary import summary_of
from tasks.retrieval.chunks import ChunkPolicy, chunk_document
from tasks.retrieval.clauses import clause_tree
from tasks.retrieval.graph.graph import build_graph
from tasks.retrieval.index import MatterIndex
from tasks.retrieval.indexed_documents import IndexProfile, indexed_text
from tasks.sources.inventory import describe, typed
from tasks.sources.records import CanonicalText, CoverageEntry, MatterState

SUPPLY = """SUPPLY AGREEMENT

This Supply Agreement is made as of March 3, 2024 between Alder Mills Inc. ("Supplier") and Birch Foods LLC ("Buyer").

1. Supply

1.1 Orders. The Buyer orders flour in writing, at the prices that are listed in Schedule 1.

1.2 Remedies. If the flour does not conform, the Buyer may:

(a) reject the consignment within ten days of its delivery at the mill;

(b) demand another consignment at the cost of the Supplier.

2. Law

2.1 Governing law. This Agreement is governed by and construed in accordance with the laws of the State of Ohio.
"""


def paper(name: str, text: str) -> CanonicalText:
    return CanonicalText(document=name, sha256=content_hash(text), extractor="txt/1", media="txt", text=text)


def chunked(kind: str, text: str = SUPPLY) -> list[str]:
    source = paper("supply.txt", text)
    return [indexed_text(text, c) for c in chunk_document(source, clause_tree(source), ChunkPolicy(kind=kind))]


def holding(chunks: list[str], *words: str) -> int:
    return sum(all(word in chunk for word in words) for chunk in chunks)


def test_a_node_is_a_clause_by_itself() -> None:
    assert holding(chunked("node"), "reject the consignment") == 1
    assert holding(chunked("node"), "reject the consignment", "does not conform, the Buyer") == 0


def test_ancestors_are_read_with_a_clause_and_are_no_part_of_it() -> None:
    source = paper("supply.txt", SUPPLY)
    chunks = chunk_document(source, clause_tree(source), ChunkPolicy(kind="ancestors"))
    assert holding(chunked("ancestors"), "reject the consignment", "does not conform, the Buyer") == 1
    (item,) = [c for c in chunks if SUPPLY[c.start : c.end].startswith("(a)")]
    assert SUPPLY[item.start : item.end].endswith("at the mill;")


def test_sub_clauses_are_a_part_of_their_clause_and_chunks_of_their_own() -> None:
    chunks = chunked("descendants")
    assert holding(chunks, "does not conform", "reject the consignment", "demand another") >= 1
    assert any(chunk.endswith("at the mill;") and "demand another" not in chunk for chunk in chunks)


def test_all_kinds_together_hold_nothing_twice() -> None:
    source = paper("supply.txt", SUPPLY)
    chunks = chunk_document(source, clause_tree(source), ChunkPolicy(kind="all"))
    assert len({(c.start, c.end, c.above) for c in chunks}) == len(chunks)
    alone = [chunk_document(source, clause_tree(source), ChunkPolicy(kind=k)) for k in ("node", "descendants")]
    assert {(c.start, c.end) for part in alone for c in part} <= {(c.start, c.end) for c in chunks}
    repeated = f"{SUPPLY}\n3. Law again\n\n3.1 Same words.\n\n4. Law again\n\n4.1 Same words.\n"
    assert holding(chunked("node", repeated), "Same words") <= 2


@pytest.mark.parametrize("kind", ["node", "ancestors", "descendants", "all"])
def test_a_text_without_a_tree_is_cut_as_before(kind: str) -> None:
    plain = (
        "We thank you for your letter of the third of March.\n\nThe flour was good and the mill is content with it.\n"
    )
    assert chunked(kind, plain) == chunked("contiguous", plain)


def test_what_lies_within_a_better_passage_is_not_found_again(tmp_path: Path) -> None:
    profile = IndexProfile(embedder="none", policy=ChunkPolicy(kind="all"))
    found = MatterIndex({"supply.txt": paper("supply.txt", SUPPLY)}, tmp_path, profile).search("reject consignment", 20)
    for at, passage in enumerate(found):
        for better in found[:at]:
            assert not (better.span.start <= passage.span.start and passage.span.end <= better.span.end)


def test_a_summary_says_what_a_document_is() -> None:
    source, knowledge = paper("supply.txt", SUPPLY), packaged().knowledge
    found = summary_of(typed(describe(source), source, knowledge), source, knowledge)
    assert found.title == "SUPPLY AGREEMENT"
    assert set(found.parties) == {"Alder Mills Inc.", "Birch Foods LLC"}
    assert found.day == "2024-03-03"
    (law,) = found.laws
    assert law.law == "Ohio"
    assert "governed by" in SUPPLY[law.span.start : law.span.end]
    assert "Ohio" in found.line


def asked(brief: str, *papers: CanonicalText, unread: str = "") -> dict[str, Missing]:
    knowledge = packaged().knowledge
    texts = {p.document: p for p in papers}
    states = tuple(typed(describe(p), p, knowledge) for p in papers)
    read = [CoverageEntry(document=p.document, status="read", characters=len(p.text)) for p in papers]
    lost = Failure(cause=FailureCause.READER, stage="sources", subject=unread, message="It is encrypted.")
    entries = [CoverageEntry(document=unread, status="unread", characters=0, failures=(lost,))] if unread else []
    state = MatterState(matter_id="m", documents=states, coverage=(*read, *entries))
    graph = build_graph(texts, {name: clause_tree(text) for name, text in texts.items()})
    return {m.about: m for m in missing(brief, (brief,), state, texts, graph, knowledge)}


def test_the_client_is_asked_for_where_the_brief_takes_no_side() -> None:
    found = asked("May the Buyer reject flour?", paper("supply.txt", SUPPLY))
    assert set(found["client"].choices) == {"Alder Mills Inc.", "Birch Foods LLC"}
    assert "Birch Foods LLC" in found["client"].question
    assert "client" not in asked("We act for the Buyer. May it reject flour?", paper("supply.txt", SUPPLY))


def test_the_law_is_asked_for_where_a_question_needs_one_and_nothing_tells_it() -> None:
    question = "Is a sale of spoiled flour lawful under the statutes?"
    other = paper("other.txt", SUPPLY.replace("State of Ohio", "State of Texas"))
    bare = paper("bare.txt", SUPPLY.partition("2. Law")[0])
    assert asked(question, bare)["law"].choices == ()
    assert asked(question, paper("supply.txt", SUPPLY), other)["law"].choices == ("Ohio", "Texas")
    assert "law" not in asked(question, paper("supply.txt", SUPPLY))
    assert "law" not in asked(f"{question} We are in Ohio.", bare)
    assert "law" not in asked("May the Buyer reject flour?", bare)


def test_an_unread_document_and_a_schedule_that_is_not_there_are_asked_for() -> None:
    found = asked("May the Buyer reject flour?", paper("supply.txt", SUPPLY), unread="annex.pdf")
    assert found["document"].documents == ("annex.pdf",)
    assert "It is encrypted." in found["document"].question
    assert found["attachment"].choices == ("Schedule 1",)
    (span,) = found["attachment"].spans
    assert SUPPLY[span.start : span.end] == "Schedule 1"
    there = paper("schedule-1.txt", "SCHEDULE 1\n\nPrices of flour: ten dollars a sack.\n")
    assert "attachment" not in asked("May the Buyer reject flour?", paper("supply.txt", SUPPLY), there)
