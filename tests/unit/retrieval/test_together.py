"""A question and a sentence read together: what was read in this process is not read again, and is the same."""

from __future__ import annotations

import pytest

from tasks.retrieval import together

QUESTION = "Within how many days must an invoice be paid?"
SENTENCES = [("Invoices are due within 45 days of receipt.", "Payment"), ("The seller is Dutch.", "")]


class Reader:
    def __init__(self) -> None:
        self.read: list[tuple[str, str]] = []

    def rerank(self, query: str, texts: list[str]) -> list[float]:
        self.read += [(query, text) for text in texts]
        return [0.25 + len(text) / 1000 for text in texts]


@pytest.fixture
def reader(monkeypatch: pytest.MonkeyPatch) -> Reader:
    made = Reader()
    monkeypatch.setattr(together, "_reader", lambda name: made)
    monkeypatch.setattr(together, "_READ", {})
    return made


def test_a_pair_is_read_once_and_its_chance_stays(reader: Reader):
    first = together.read_together(QUESTION, SENTENCES)
    assert together.read_together(QUESTION, SENTENCES[::-1]) == first[::-1]
    assert [text for _, text in reader.read] == [
        "Payment: Invoices are due within 45 days of receipt.",
        "The seller is Dutch.",
    ]
    together.read_together("Who is the seller?", SENTENCES[1:])
    assert reader.read[-1] == ("Who is the seller?", "The seller is Dutch.")
    assert together.read_together(QUESTION, []) == []


def test_what_was_read_is_forgotten_at_a_bound(reader: Reader, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(together, "_REMEMBERED", 3)
    many = [(f"Sentence {n}.", "") for n in range(4)]
    assert together.read_together(QUESTION, [*many, *many]) == together.read_together(QUESTION, many) * 2
    assert len(reader.read) == 8  # what one call needs is never forgotten within it
    assert len(together._READ) <= 4


def test_the_real_reader_says_the_same_when_it_is_asked_again(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(together, "_READ", {})
    first = together.read_together(QUESTION, SENTENCES)
    assert first[0] > first[1]
    monkeypatch.setattr(together, "_READ", {})
    assert together.read_together(QUESTION, SENTENCES[1:]) == first[1:]


def test_rows_of_law_are_read_by_the_model_that_was_trained_on_law(monkeypatch: pytest.MonkeyPatch):
    readers = {name: Reader() for name in ("law-reader", "minilm-reranker")}
    monkeypatch.setattr(together, "_reader", readers.__getitem__)
    monkeypatch.setattr(together, "_READ", {})
    together.read_rows(QUESTION, ["Late payment"])
    together.read_together(QUESTION, [("Late payment", "")])  # what one has read the other has not
    assert [len(reader.read) for reader in readers.values()] == [1, 1]


STORIES = [
    ("boss shorted my pay two years back, is it too late", "Action for unpaid wages", "Divorce after separation"),
    (
        "the surgeon left a sponge inside me, how long do I have to sue",
        "Health care provider actions; limitation. Three years from the act",
        "Builder's warranty; construction defects. Ten years from completion",
    ),
]


@pytest.mark.parametrize(("story", "right", "wrong"), STORIES)
def test_the_law_reader_knows_the_law_that_governs_a_story(story: str, right: str, wrong: str):
    trained = together.read_rows(story, [right, wrong])
    plain = together.read_together(story, [(right, ""), (wrong, "")])
    assert trained[0] - trained[1] > 1.5 * (plain[0] - plain[1])  # the model as it is hardly parts them
    assert trained[0] - trained[1] > 1.5
