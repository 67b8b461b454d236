"""Chunks, index and search: exact spans, the same answers every time, persistence, routing."""

import pickle
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from tasks.matter.failures import SolonError
from tasks.matter.records import DocumentRef, Matter
from tasks.models.access import ModelAccess
from tasks.models.vectors import unit_rows
from tasks.retrieval.chunks import ChunkPolicy, chunk_document
from tasks.retrieval.clauses import clause_tree
from tasks.retrieval.fusion import fuse, ranking
from tasks.retrieval.index import MatterIndex
from tasks.retrieval.indexed_documents import IndexProfile, indexed_document_key
from tasks.retrieval.lexical import LexicalIndex
from tasks.retrieval.routing import Router
from tasks.retrieval.stage import build_index
from tasks.sources.records import CanonicalText, Segment, SegmentKind

SUPPLY = """SUPPLY AGREEMENT

This Supply Agreement is made between Acme Widgets, Inc. and Bolt Fasteners LLC.

1. Supply. Bolt shall supply the fasteners that Acme orders, at the prices of Exhibit A.

2. Term. This Agreement begins on March 3, 2019 and runs for three (3) years.

3. Assignment. Neither party may assign this Agreement without the prior written consent of the other party.

4. Governing Law. This Agreement is governed by the laws of the State of Ohio.
"""
LEASE = """LEASE

Granite Holdings LP leases the premises to Corner Bakery Co.

1. Rent. Tenant pays $4,000 a month on the first day of each month.

2. Assignment and Subletting. Tenant shall not sublet the premises without Landlord's consent.

3. Governing Law. The laws of Nevada govern this Lease.
"""


def canonical(name: str, text: str, segments: tuple[Segment, ...] = ()) -> CanonicalText:
    return CanonicalText(document=name, sha256="0" * 64, extractor="t", media="txt", text=text, segments=segments)


@pytest.fixture
def texts() -> dict[str, CanonicalText]:
    return {name: canonical(name, text) for name, text in {"supply.txt": SUPPLY, "lease.txt": LEASE}.items()}


@pytest.fixture
def index(texts, tmp_path) -> MatterIndex:
    return MatterIndex(texts, tmp_path)


@pytest.mark.parametrize("query", ["governing law", "assignment", "rent", "Bolt", "consent of the other party"])
def test_passages_are_exact_spans(index, texts, query):
    found = index.search(query, 10)
    assert found
    for passage in found:
        assert texts[passage.span.document].text[passage.span.start : passage.span.end] == passage.text
        assert 0 < passage.score <= 1
    assert [p.score for p in found] == sorted((p.score for p in found), reverse=True)


def test_the_right_clause_comes_first_with_its_label(index):
    best = index.search("Which state's law governs the supply agreement between Acme and Bolt?", 1)[0]
    assert (best.span.document, best.label, best.heading) == ("supply.txt", "§ 4", "Governing Law")


def test_synonyms_of_the_knowledge_widen_a_question(tmp_path):
    filler = "What is said here goes on for some while and serves to fill the page with words. " * 4
    words = f"1. Survival. {filler}\n\n2. Transfer. No party shall novate or delegate. {filler}\n\n3. Fee. {filler}"
    found = {}
    for weight in (0.0, 0.7):
        profile = IndexProfile(embedder="none", synonym_weight=weight)
        found[weight] = MatterIndex({"a.txt": canonical("a.txt", words)}, tmp_path, profile).search(
            "anti-assignment", 1
        )
    assert found[0.0] == []
    assert found[0.7][0].heading == "Transfer"


def test_search_is_restricted_to_the_documents_asked_for(index):
    assert {p.span.document for p in index.search("governing law", 20, ["lease.txt"])} == {"lease.txt"}
    assert index.search("governing law", 20, []) == []
    assert index.search("governing law", 20, ["absent.txt"]) == []


@pytest.mark.parametrize("query", ["", "   ", "the of and", "§", "\x00", "x" * 20_000, "zzzzqqqq"])
def test_odd_queries_never_raise(index, query):
    assert len(index.search(query, 3)) <= 3


def test_k_bounds_the_answer(index):
    assert index.search("agreement", 0) == []
    assert index.search("agreement", -1) == []
    assert len(index.search("agreement", 2)) == 2


def test_same_inputs_same_answers_across_instances_and_pickling(texts, tmp_path):
    one = MatterIndex(texts, tmp_path / "a")
    two = MatterIndex(dict(reversed(texts.items())), tmp_path / "b")
    expected = one.search("assign consent", 8)
    assert two.search("assign consent", 8) == expected
    assert pickle.loads(pickle.dumps(one)).search("assign consent", 8) == expected


def test_pickle_leaves_the_loaded_index_behind(index):
    index.prepare()
    assert len(pickle.dumps(index)) < 20_000


def test_pieces_are_stored_once_and_shared_by_content(texts, tmp_path):
    MatterIndex(texts, tmp_path).prepare()
    stored = sorted((tmp_path / "index").rglob("*.zip"))
    assert len(stored) == 2
    before = [p.stat().st_mtime_ns for p in stored]
    other = {"renamed/copy.txt": canonical("renamed/copy.txt", SUPPLY)}
    again = MatterIndex(other, tmp_path)
    assert again.search("Ohio", 1)[0].span.document == "renamed/copy.txt"
    assert again.clauses("renamed/copy.txt")[0].document == "renamed/copy.txt"
    assert sorted((tmp_path / "index").rglob("*")) == sorted({*stored, *(p.parent for p in stored)})
    assert [p.stat().st_mtime_ns for p in stored] == before


@pytest.mark.parametrize("damage", [b"", b"not a zip", b"PK\x03\x04 cut off"])
def test_damaged_pieces_are_rebuilt(texts, tmp_path, damage):
    expected = MatterIndex(texts, tmp_path).search("rent", 3)
    for path in (tmp_path / "index").rglob("*.zip"):
        path.write_bytes(damage)
    assert MatterIndex(texts, tmp_path).search("rent", 3) == expected


def test_pieces_are_the_same_bytes_every_time(texts, tmp_path):
    for folder in ("a", "b"):
        MatterIndex(texts, tmp_path / folder).prepare()
    one, two = (sorted((tmp_path / f / "index").rglob("*.zip")) for f in ("a", "b"))
    assert [p.name for p in one] == [p.name for p in two]
    assert [p.read_bytes() for p in one] == [p.read_bytes() for p in two]


def key_of(text, profile=None, segments=(), name="a", models=None):
    return indexed_document_key(canonical(name, text, segments), profile or IndexProfile(), models or ModelAccess({}))


def test_the_key_follows_content_and_settings_not_the_name():
    key = key_of(SUPPLY)
    assert key == key_of(SUPPLY, name="b")
    assert key != key_of(SUPPLY + " ")
    assert key != key_of(SUPPLY, IndexProfile(embedder="none"))
    assert key != key_of(SUPPLY, segments=(Segment(kind=SegmentKind.HEADING, label="h", start=0, end=5),))


@pytest.mark.parametrize(
    ("changed", "same"),
    [
        ({"model": "openai/f"}, False),
        ({"version": "2"}, False),
        ({"dimensions": 8}, False),
        ({"batch": 8}, True),
        ({"prices": {"input_uncached": 1.0}}, True),
    ],
)
def test_the_key_follows_the_digest_of_the_embedding_profile(changed, same):
    fields = {"kind": "embeddings", "model": "openai/e"}
    one, two = (ModelAccess({"e": found}) for found in (fields, {**fields, **changed}))
    keys = [key_of(SUPPLY, IndexProfile(embedder="e"), models=models) for models in (one, two)]
    digests = [models.profile("e", "embeddings").digest for models in (one, two)]
    assert (keys[0] == keys[1]) is (digests[0] == digests[1]) is same


def test_build_index_takes_only_the_documents_of_the_matter(texts, tmp_path):
    ref = DocumentRef(name="lease.txt", path=Path("lease.txt"), sha256="0" * 64, size=1)
    matter = Matter(matter_id="a/b", title="t", area="a", instructions="i", documents=(ref,))
    searcher = build_index(matter, texts, tmp_path)
    assert {p.span.document for p in searcher.search("governing law", 20)} == {"lease.txt"}
    assert searcher.clauses("supply.txt") == ()


def test_no_documents_no_answers(tmp_path):
    empty = MatterIndex({"blank.txt": canonical("blank.txt", " \n ")}, tmp_path)
    assert empty.search("anything") == []
    assert list(empty.clauses("blank.txt")) == []


def test_an_unknown_profile_is_a_typed_failure(texts, tmp_path):
    with pytest.raises(SolonError, match="No such embeddings profile"):
        MatterIndex(texts, tmp_path, IndexProfile(embedder="gpt-9")).prepare()


# -- chunks ----------------------------------------------------------------------------------------------------------


def chunks_of(text: str, **policy: int):
    source = canonical("d", text)
    return chunk_document(source, clause_tree(source), ChunkPolicy(**policy))


@pytest.mark.parametrize(
    "text",
    [
        SUPPLY,
        LEASE,
        "word " * 3000,
        "x" * 9000,
        "1. A. " + "Sentence here. " * 500,
        "\n\n".join(f"{i}. Short." for i in range(1, 90)),
    ],
)
def test_chunks_are_ordered_cover_the_text_and_keep_to_the_limit(text):
    policy = ChunkPolicy()
    chunks = chunks_of(text)
    assert all(left.end <= right.start for left, right in pairwise(chunks))
    assert all(0 < c.end - c.start <= policy.limit for c in chunks)
    kept = "".join("".join(text[c.start : c.end].split()) for c in chunks)
    assert kept == "".join(text.split())


def test_a_clause_that_fits_is_one_chunk_and_long_ones_split_between_sentences():
    long = "2. Duties. " + " ".join(f"The supplier performs duty number {i} in full." for i in range(60))
    chunks = chunks_of(f"1. Term. {'It runs for three years. ' * 20}\n\n{long}")
    assert chunks[0].label == "§ 1"
    rest = [c for c in chunks if c.label == "§ 2"]
    assert len(rest) > 1
    assert all("Duties" in c.context or "Duties" in c.heading for c in rest)


def test_headings_travel_with_their_clauses():
    text = (
        "ARTICLE II\nLICENSE\n2.1 Grant. " + "Licensor grants a licence to use the software. " * 12 + "\n2.2 Limits. "
    )
    chunks = chunks_of(text + "Licensee shall not sublicense the software. " * 12)
    assert chunks[-1].context == "ARTICLE II LICENSE"
    assert chunks[-1].label == "§ 2.2"


def test_rows_of_a_sheet_stay_whole():
    rows = [f"Row {i}\tvalue {i * 100}\n" for i in range(50)]
    text, offset, segments = "".join(rows), 0, []
    for i, row in enumerate(rows):
        segments.append(Segment(kind=SegmentKind.ROW, label=f"Sheet1!{i + 1}", start=offset, end=offset + len(row)))
        offset += len(row)
    source = canonical("d.xlsx", text, tuple(segments))
    chunks = chunk_document(source, clause_tree(source), ChunkPolicy())
    assert "".join(text[c.start : c.end] for c in chunks).replace("\n", "") == text.replace("\n", "")
    for chunk in chunks:
        assert text[chunk.start : chunk.end].startswith("Row ")
        assert chunk.end == len(text.rstrip()) or text[chunk.end] == "\n"


# -- rankings --------------------------------------------------------------------------------------------------------


def test_fusion_rewards_agreement_and_breaks_ties_by_position():
    assert fuse([[3, 1], [3, 2]])[0] == (3, 1.0)
    assert [i for i, _ in fuse([[5, 4], [4, 5]])] == [4, 5]
    assert fuse([[], []]) == []
    assert fuse([[1], [2]], [1.0, 0.5])[0][0] == 1


def test_ranking_leaves_out_what_is_not_allowed():
    scores = np.array([1.0, -np.inf, 3.0, 0.0, 3.0], dtype=np.float32)
    assert ranking(scores, 9) == [2, 4, 0, 3]
    assert ranking(scores, 9, positive=True) == [2, 4, 0]


def test_lexical_index_survives_emptiness():
    assert LexicalIndex([]).scores(["x"]).shape == (0,)
    assert LexicalIndex([[], []]).scores(["x"]).tolist() == [0.0, 0.0]
    assert LexicalIndex([["rent"], ["law"]]).scores(["unknown"]).tolist() == [0.0, 0.0]


def test_default_embeddings_are_unit_rows_and_do_not_depend_on_the_batch():
    embedder = ModelAccess().client("wordllama", "embeddings")
    batch = ["The tenant pays rent.", "Governing law: Ohio.", "", "rent"]
    together = embedder.embed(batch)
    alone = np.vstack([embedder.embed([text]) for text in batch])
    assert np.array_equal(together, alone)
    assert np.allclose(np.linalg.norm(together, axis=1), [1, 1, 0, 1], atol=1e-5)
    assert together[3] @ together[0] > together[3] @ together[1]


def test_unit_rows_of_zeros_stay_zero():
    assert unit_rows(np.zeros((2, 3), dtype=np.float32)).tolist() == [[0, 0, 0], [0, 0, 0]]


# -- routing ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("query", "documents", "gone"),
    [
        ("Who bears the freight in the agreement between Acme Widgets and Bolt Fasteners?", ("supply.txt",), "Acme"),
        ("What rent does Corner Bakery pay?", ("lease.txt",), "Bakery"),
        ("Is there a non-compete?", (), ""),
        ("What is the Term of this Agreement?", (), ""),
    ],
)
def test_names_choose_documents(query, documents, gone):
    router = Router({"supply.txt": SUPPLY, "lease.txt": LEASE, "other.txt": "NOTICE\n\nTo whom it may concern."})
    routed = router.route(query)
    assert routed.documents == documents
    assert not gone or gone not in routed.question


def test_a_file_name_in_the_question_chooses_the_document():
    router = Router({"Acme_Supply-2019.pdf": SUPPLY, "Corner Lease.docx": LEASE})
    routed = router.route('In "Acme Supply 2019", who pays?')
    assert routed.documents == ("Acme_Supply-2019.pdf",)
    assert router.route("corner lease.docx: rent?").documents == ("Corner Lease.docx",)
    plain = Router({"lease.txt": LEASE, "supply.txt": SUPPLY})
    assert plain.route("who pays under a lease?").documents == ()
    assert plain.route("who pays under lease.txt?").documents == ("lease.txt",)
    assert plain.route('who pays under "lease"?').documents == ("lease.txt",)


def test_a_question_of_names_alone_is_left_whole():
    router = Router({"supply.txt": SUPPLY})
    assert "Bolt" in router.route("Bolt Fasteners").question


# -- real documents --------------------------------------------------------------------------------------------------


def test_real_contracts_round_trip(shared_data, tmp_path):
    paths = sorted((shared_data / "legalbench_rag" / "corpus" / "cuad").iterdir())[:6]
    texts = {p.name: canonical(p.name, p.read_bytes().decode()) for p in paths}
    index = MatterIndex(texts, tmp_path)
    for query in ("governing law", "cap on liability", "assignment without consent", "expiration of the term"):
        for passage in index.search(query, 16):
            assert texts[passage.span.document].text[passage.span.start : passage.span.end] == passage.text


def test_span_recall_beats_fixed_chunks_on_real_contracts(shared_data, tmp_path):
    from flows.bench.retrieval.measure import SYSTEMS, load_benchmark, measure

    tests, texts = load_benchmark(shared_data / "legalbench_rag", "cuad")
    chosen = {name: texts[name] for name in sorted(texts)[:12]}
    asked = [t for t in tests if {s["file_path"] for s in t["snippets"]} <= set(chosen)][:80]
    recall, wrong = {}, {}
    for system in ("fixed500", "solon"):
        found = measure(MatterIndex(chosen, tmp_path / system, SYSTEMS[system]), asked, "corpus", (8,))
        recall[system], wrong[system] = found["recall"][8], found["wrong_document_rate"]
    assert recall["solon"] > 2 * recall["fixed500"]
    assert wrong["solon"] < 0.25  # two of the twelve are versions of one contract
