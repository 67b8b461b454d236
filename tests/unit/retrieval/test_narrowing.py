"""From passages to the sentences that answer."""

from tasks.harness import packaged
from tasks.retrieval.narrowing import CueChooser, narrow
from tasks.retrieval.provisions import catalogue_of
from tasks.retrieval.records import Passage
from tasks.sources.records import Span

TEXT = (
    "The Supplier shall deliver the goods to the dock named in the order. Either party may terminate this Agreement "
    "without cause upon thirty (30) days' prior written notice. All invoices are due within ten days of receipt. "
    "The Customer keeps a copy of every order at its registered office."
)


def passage(text: str = TEXT, start: int = 100) -> Passage:
    span = Span(document="a.txt", start=start, end=start + len(text))
    return Passage(span=span, text=text, score=1.0, label="§ 9", heading="Miscellaneous")


class Chosen:
    def __init__(self, *numbers: int) -> None:
        self.numbers = numbers

    def choose(self, question: str, heading: str, found: list[str]) -> tuple[int, ...]:
        return self.numbers


def test_the_operative_sentence_is_found_by_its_cues_at_its_exact_place() -> None:
    sought = [p for p in catalogue_of(packaged().knowledge) if p.name == "termination for convenience"]
    (part,) = narrow([passage()], "Can either side walk away?", CueChooser(sought))
    assert part.text.startswith("Either party may terminate")
    assert TEXT[part.span.start - 100 : part.span.end - 100] == part.text
    assert part.label == "§ 9"


def test_without_cues_the_words_of_the_question_choose() -> None:
    parts = narrow([passage()], "When are invoices due?", CueChooser())
    assert [p.text for p in parts] == ["All invoices are due within ten days of receipt."]


def test_neighbours_stay_together_and_others_are_parts_of_their_own() -> None:
    parts = narrow([passage()], "?", Chosen(0, 1, 3))
    assert [p.text[:10] for p in parts] == ["The Suppli", "The Custom"]
    assert parts[0].text.endswith("written notice.")


def test_a_passage_without_an_answer_is_left_out_but_never_all_of_them() -> None:
    class First:
        def choose(self, question: str, heading: str, found: list[str]) -> tuple[int, ...]:
            return (0,) if "goods" in found[0] else ()

    other = passage("Nothing to the point stands here, at all.", 900)
    assert [p.span.start for p in narrow([other, passage()], "?", First())] == [100]
    assert narrow([other], "?", Chosen()) == [other]


def test_passages_after_the_first_few_are_returned_as_they_are() -> None:
    found = [passage(start=n) for n in (0, 1000, 2000)]
    assert narrow(found, "?", Chosen(0), most=1)[1:] == found[1:]
