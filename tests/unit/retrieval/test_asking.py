"""What a query asks of a clause beside its kind, and whether a passage has it."""

from __future__ import annotations

from pathlib import Path

import pytest

from knowledge_db.records import BriefCue
from tasks.harness import packaged
from tasks.matter.base import content_hash
from tasks.retrieval.asking import Facet, QueryGrammar, grammar_of, units
from tasks.retrieval.evidence import PassageRead, QueryEvidence
from tasks.retrieval.index import MatterIndex
from tasks.retrieval.indexed_documents import IndexProfile
from tasks.sources.records import CanonicalText


@pytest.fixture(scope="module")
def grammar() -> QueryGrammar:
    return grammar_of(packaged().knowledge)


NONE = Facet("no_quality", "exception")


@pytest.mark.parametrize(
    ("query", "head", "facets"),
    [
        ("late payment interest", "late payment interest", []),
        ("Covenant not to sue", "Covenant not to sue", []),
        ("termination without cause", "termination without cause", []),
        ("gross negligence exception to the price cap", "the price cap", [Facet("excepted", "gross negligence")]),
        ("price cap with carve-outs for tax", "price cap", [Facet("excepted", "tax")]),
        ("price cap carveouts", "price cap", [Facet("excepted")]),
        ("Are there any exceptions to the price cap?", "the price cap", [Facet("excepted", "Are there any")]),
        ("price cap without any exceptions", "price cap", [NONE]),
        ("unqualified price cap", "price cap", [NONE]),
        ("audit clauses that do not require notice", "audit clauses", [Facet("lacking", "notice")]),
        ('"best efforts" covenant', '"best efforts" covenant', [Facet("phrase", "best efforts")]),
        ("mutual price cap", "price cap", [Facet("quality", "mutual")]),
        ("one-way price cap", "price cap", [Facet("no_quality", "mutual")]),
        ("price cap subject to applicable law", "price cap", [Facet("quality", "law")]),
    ],
)
def test_a_query_is_parted_into_its_kind_and_what_qualifies_it(
    grammar: QueryGrammar, query: str, head: str, facets: list[Facet]
) -> None:
    understood = grammar.understand(query)
    assert (understood.head, list(understood.facets)) == (head, facets)


@pytest.mark.parametrize(
    ("query", "qualified"),
    [
        ("supplier-friendly cap on damages", False),  # a cap protects the supplier
        ("cap on damages in favour of the customer", True),
        ("buyer-favorable indemnity", False),  # an indemnity protects the buyer
        ("indemnity favouring the licensor", True),
    ],
)
def test_what_protects_a_side_favours_it_when_unqualified(grammar: QueryGrammar, query: str, qualified: bool) -> None:
    facets = grammar.understand(query).facets
    assert (Facet("excepted") in facets, NONE in facets) == (qualified, not qualified)
    assert Facet("quality" if qualified else "no_quality", "mutual") in facets


def test_the_side_alone_qualifies_nothing(grammar: QueryGrammar) -> None:
    assert grammar.understand("buyer-favorable choice of law").facets == ()


@pytest.mark.parametrize(
    ("query", "question"),
    [("Who pays the freight?", True), ("does the cap bind both", True), ("freight", False), ("cap on damages", False)],
)
def test_a_sentence_that_asks_is_a_question(grammar: QueryGrammar, query: str, question: bool) -> None:
    assert grammar.understand(query).question is question


def test_words_to_be_lacking_are_not_wanted(grammar: QueryGrammar) -> None:
    assert grammar.understand("audit clauses that do not require notice").wanted == "audit clauses"
    assert grammar.understand("tax exception to the price cap").wanted == "the price cap tax"


def test_units_are_what_stands_between_small_words() -> None:
    assert list(units("cap on liability for fraud, gross negligence or tort")) == [
        "cap",
        "liability",
        "fraud",
        "gross negligence",
        "tort",
    ]


CAP = "In no event shall the liability of the supplier exceed the fees paid."
CARVED = f"{CAP} The foregoing cap shall not apply to fraud or gross negligence."
BEFORE = "Except for fraud, in no event shall the liability of the supplier exceed the fees paid for gross negligence."
SUBJECT = "Claims for death do not apply here, and claims for wages shall not apply."


def weight(query: str, text: str, beside: tuple[str, ...] = (), headings: str = "") -> float:
    knowledge = packaged().knowledge
    grammar = grammar_of(knowledge)
    evidence = QueryEvidence(grammar.understand(query), grammar, knowledge, lambda stem: 1.0)

    def read(part: str) -> PassageRead:
        return PassageRead(part, headings, grammar.says["exception"])

    return evidence.weigh(read(text), map(read, beside))


@pytest.mark.parametrize(
    ("query", "better", "worse"),
    [
        ("fraud exception to cap on liability", CARVED, CAP),
        ("fraud exception to cap on liability", BEFORE, f"{CAP} Fraud is a crime."),
        ("gross negligence exception to cap on liability", CARVED, BEFORE),  # there it is capped, not excepted
        ("wages exception to claims", SUBJECT, "Claims for wages shall be paid."),  # the subject stands before
        ("cap on liability without carve-outs", CAP, CARVED),
        ("cap on liability with carve-outs", CARVED, CAP),
        ("liability clauses that do not include fees", "The liability of the supplier is his.", CAP),
        ("one-way liability", CAP, CAP.replace("the supplier", "either party")),
        ("mutual liability", CAP.replace("the supplier", "either party"), CAP),
        ('"fees paid" liability', CAP, CAP.replace("fees paid", "fees that were paid")),
        ("liability subject to law", f"To the extent permitted by law, {CAP}", CAP),
        ("liability for fees", "The liability is for fees.", "There is liability. There are fees."),  # one sentence
        ("indemnity", "The seller shall hold harmless the buyer.", "The seller shall deliver to the buyer."),
    ],
)
def test_a_passage_that_has_what_is_asked_weighs_more(query: str, better: str, worse: str) -> None:
    assert weight(query, better) > weight(query, worse)


def test_an_exception_next_door_counts_less_than_one_within_and_more_than_none() -> None:
    query, next_door = "fraud exception to cap on liability", "The foregoing shall not apply to fraud."
    within, near, none = weight(query, CARVED), weight(query, CAP, (next_door,)), weight(query, CAP)
    assert within > near > none


def test_another_name_does_not_make_lacking_words_present() -> None:
    """To indemnify and to hold harmless are one concept; a query that parts them means the words."""
    query = "indemnity clauses that do not include hold harmless"
    assert weight(query, "He shall indemnify her.") > weight(query, "He shall indemnify and hold harmless her.")


def test_headings_speak_for_the_first_sentence() -> None:
    assert weight("audit", "He may come.", headings="Audit") > weight("audit", "He may come.")


def test_a_weight_lies_between_nought_and_one() -> None:
    assert weight("fraud exception to cap on liability", CARVED) <= 1.0
    assert weight("zebra", CARVED) == 0.0
    assert weight('"the"', "") == 0.0


def matter(tmp_path: Path, texts: dict[str, str], **profile: object) -> MatterIndex:
    own = {
        name: CanonicalText(document=name, sha256=content_hash(text), extractor="t", media="txt", text=text)
        for name, text in texts.items()
    }
    return MatterIndex(own, tmp_path, IndexProfile.model_validate({"embedder": "none", **profile}))


CAPS = {
    "plain.txt": "9. Limitation of liability. In no event shall the liability of Acme exceed the fees paid to Acme.",
    "carved.txt": "9. Limitation of liability. Except for fraud, in no event shall the liability of Bolt exceed fees.",
    "fraud.txt": "3. Fraud. Fraud, fraud and liability for fraud are to be reported. A cap is a cap on liability.",
}


@pytest.mark.parametrize(
    ("query", "first"),
    [("fraud exception to cap on liability", "carved.txt"), ("cap on liability without carve-outs", "plain.txt")],
)
def test_search_ranks_by_what_is_asked_of_the_clause(tmp_path: Path, query: str, first: str) -> None:
    assert matter(tmp_path, CAPS).search(query, 3)[0].span.document == first


def test_what_reads_like_the_best_is_raised(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    best = "Each tenant shall keep the premises insured against fire and shall show the policy to the landlord."
    texts = {f"{i}.txt": f"{best} Fire insurance of unit {i}." for i in range(3)}
    texts |= {"like.txt": best.replace("insured against fire", "covered"), "other.txt": "Policy of the board: insured."}

    def ahead(query: str) -> float:
        found = {p.span.document: p.score for p in index.search(query, 5)}
        return found["like.txt"] - found["other.txt"]

    index = matter(tmp_path, texts, embedder="wordllama")
    phrase, question = ahead("fire insurance policy"), ahead("is there a fire insurance policy?")
    monkeypatch.setattr("tasks.retrieval.closeness._ALIKE", 0.0)
    assert phrase > ahead("fire insurance policy")
    assert question == ahead("is there a fire insurance policy?")


def test_documents_that_are_not_named_stay_below_the_one_that_is(tmp_path: Path) -> None:
    texts = {
        "acme.txt": "AGREEMENT of Acme Corp.\n\n1. Rent. The rent is due.\n\n2. Seat. The seat of the tenant is Rome.",
        "bolt.txt": "LEASE\n\n1. Insurance. The tenant shall maintain fire insurance and show the insurance policy.",
    }
    found = matter(tmp_path, texts).search("insurance of the tenant of Acme", 8)
    assert found[0].span.document == "acme.txt"
    assert found[-1].span.document == "bolt.txt"
    assert [p.score for p in found] == sorted((p.score for p in found), reverse=True)


@pytest.mark.parametrize("use", ["quality", "no_quality", "side", "protects"])
def test_a_quality_or_a_side_without_a_name_or_its_words_is_refused(use: str) -> None:
    with pytest.raises(ValueError, match="needs a name"):
        BriefCue.model_validate({"use": use, "patterns": ("x",), "says": "x" if use == "quality" else ""})
    with pytest.raises(ValueError, match="a quality needs it"):
        BriefCue.model_validate({"use": use, "name": "x", "patterns": ("x",), "says": "" if use == "quality" else "x"})
