"""The researcher: how it looks, what it answers, and how it says that nothing answers."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from tasks.harness import packaged
from tasks.matter.base import content_hash
from tasks.matter.failures import Failure, FailureCause, SolonError
from tasks.retrieval.index import MatterIndex
from tasks.retrieval.indexed_documents import IndexProfile
from tasks.retrieval.records import Clause, Passage
from tasks.retrieval.research.records import Answer, Method, Question, Researcher
from tasks.retrieval.research.researcher import open_researcher
from tasks.sources.records import CanonicalText

LEASE = """LEASE AGREEMENT between Harbour Estates LLC (the "Landlord") and Alder Books Inc. (the "Tenant").

1. Definitions

"Permitted Use" means the sale of books and stationery.

2. Use

The Tenant shall use the Premises for the Permitted Use only.

3. Assignment

The Tenant shall not assign this Lease or sublet the Premises without the prior written consent of the Landlord.

4. Freight

The Tenant bears the freight of all goods that are returned to the warehouse.
"""


def paper(name: str, text: str) -> CanonicalText:
    return CanonicalText(document=name, sha256=content_hash(text), extractor="txt/1", media="txt", text=text)


@pytest.fixture
def researcher(tmp_path: Path) -> Researcher:
    texts = {"lease.txt": paper("lease.txt", LEASE)}
    return open_researcher(MatterIndex(texts, tmp_path, IndexProfile(embedder="none")), texts, packaged())


def quoted(answer: Answer) -> list[str]:
    return [LEASE[s.start : s.end] for statement in answer.statements for s in statement.spans]


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ("May the tenant assign the lease without consent?", "shall not assign this Lease"),
        ("Who pays the freight of returned goods?", "bears the freight"),
    ],
)
def test_an_answer_is_a_sentence_of_the_papers_at_its_place(researcher: Researcher, asked: str, words: str) -> None:
    answer = researcher.answer(Question(text=asked))
    assert answer.state == "answered"
    assert words in quoted(answer)[0]
    assert [" ".join(q.split()) for q in quoted(answer)] == [s.text for s in answer.statements]


def test_what_a_clause_uses_is_looked_up_where_the_question_speaks_of_a_meaning(researcher: Researcher) -> None:
    answer = researcher.answer(Question(text="What does Permitted Use mean?"))
    assert "sale of books" in quoted(answer)[0]
    assert answer.searches[1].passages[0].text.startswith('"Permitted Use" means')
    assert {s.method for s in answer.searches} == {Method.HYBRID, Method.GRAPH}
    assert "mean" in answer.searches[1].reason


def test_nothing_found_names_the_searches_behind_it(researcher: Researcher) -> None:
    answer = researcher.answer(Question(text="Is there a dress code for employees?"))
    assert (answer.state, answer.statements) == ("not_found", ())
    assert "Is there a dress code" in answer.note
    assert answer.searches


@pytest.mark.slow
def test_the_law_is_looked_up_where_the_question_asks_for_it(researcher: Researcher) -> None:
    answer = researcher.answer(Question(text="How long do we have to answer a complaint in federal court?"))
    held = [s for s in answer.statements if s.method is Method.KNOWLEDGE]
    assert any(s.authority.startswith("Fed. R. Civ. P. 12") for s in held)
    assert all(s.authority and s.verification and not s.spans for s in held)
    assert [s.method for s in answer.searches] == [Method.HYBRID, Method.KNOWLEDGE]


@pytest.mark.parametrize("question", [Question(text="Should we sign this lease?"), Question(text="x", kind="judgment")])
def test_a_judgment_is_left_to_a_lawyer_with_what_bears_on_it(researcher: Researcher, question: Question) -> None:
    answer = researcher.answer(question)
    assert (answer.state, answer.statements) == ("not_attempted", ())
    assert "judgment" in answer.note


def test_a_kind_that_is_known_counts_more_than_the_words(researcher: Researcher) -> None:
    asked = "Is it fair that the tenant may not assign the lease?"
    assert researcher.answer(Question(text=asked)).state == "not_attempted"
    assert researcher.answer(Question(text=asked, kind="yes_no")).state == "answered"


def test_papers_that_could_not_be_read_are_not_said_to_lack_anything(researcher: Researcher, tmp_path: Path) -> None:
    asked = Question(text="Who pays the freight of returned goods?", documents=("annex.pdf",))
    answer = researcher.answer(asked)
    assert (answer.state, answer.note) == ("not_attempted", "no paper that the question is about could be read")
    empty = open_researcher(MatterIndex({}, tmp_path / "none", IndexProfile(embedder="none")), {}, packaged())
    assert empty.answer(Question(text="Who pays the freight?")).state == "not_attempted"


def test_an_index_that_fails_is_a_failure_and_no_denial() -> None:
    class Broken:
        def search(self, query: str, k: int = 8, documents: Sequence[str] | None = None) -> list[Passage]:
            failure = Failure(
                cause=FailureCause.PROVIDER, stage="models", subject="e", message="is down", remedy="wait"
            )
            raise SolonError(failure)

        def clauses(self, document: str) -> Sequence[Clause]:
            return ()

    texts = {"lease.txt": paper("lease.txt", LEASE)}
    answer = open_researcher(Broken(), texts, packaged()).answer(Question(text="Who pays the freight?"))
    assert answer.state == "not_attempted"
    assert "is down" in answer.note
    (failure,) = [s.failure for s in answer.searches]
    assert failure is not None
    assert failure.cause is FailureCause.PROVIDER
