"""The whole case in one prompt, and chunk by chunk."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tasks.drafting.extraction.asking import form
from tasks.drafting.extraction.papers import Papers
from tasks.drafting.records import Limits
from tasks.legaltext.checklists.definition import open_checklist
from tasks.matter.failures import FailureCause
from tasks.models.client import ModelClient
from tasks.sources.records import CanonicalText
from tests.unit.drafting.extraction.case_room import CASE, FILED, JUDGED, NO_CLASS, REMEDY, case, change, said, value

ORDERS = {
    f"{n}.txt": f"BEGIN {n}. " + f"order number {n} in the case was read. " * 400 * n + f"END {n}." for n in (1, 2)
}


def papers(texts: dict[str, str], scale: float = 4.0) -> Papers:
    made = {n: CanonicalText(document=n, sha256="", extractor="", media="", text=t) for n, t in texts.items()}
    return Papers(made, scale, {})


def test_each_item_is_asked_of_the_whole_case_behind_the_same_documents() -> None:
    room = case([said([FILED]), said([REMEDY]), said([JUDGED]), said(update=[NO_CLASS])])
    found = room.extract(method="end_to_end")
    assert (found.calls, found.failures, found.notes) == (4, (), ())
    assert sum(len(e.values) for e in found.filled.entries.values()) == 4
    assert found.filled.of("class_action").excluded
    heads = {room.user(n).split("Fill these items")[0] for n in range(4)}
    assert len(heads) == 1  # a prefix that an endpoint can keep
    (head,) = heads
    assert head.index("COMPLAINT") < head.index("ORDER") < head.index("NOTICE")
    assert "had to be left out" not in head


def test_a_case_that_does_not_fit_loses_the_same_share_of_each_document() -> None:
    room = case(lambda _: said(), context_window=6000, max_output_tokens=500)
    found = room.extract(method="end_to_end", documents=ORDERS)
    assert all(room.client.tokens_of(request) <= room.client.prompt_budget for request in room.model.requests)
    told = room.user(0)
    for words in ("BEGIN 1.", "END 1.", "BEGIN 2.", "END 2."):
        assert words in told
    sizes = [told.count(f"order number {n}") for n in (1, 2)]
    assert 1.7 < sizes[1] / sizes[0] < 2.3
    assert 0.6 < sum(sizes) * 11 / 5500 <= 1.0
    assert "of the case had to be left out" in told
    assert any("did not fit" in note for note in found.notes)


def test_what_could_not_be_taken_is_told_and_asked_for_once_more() -> None:
    wrong = change("judge", value("B. Lynn Winmill", "Judge B. Lynn Winmill", "order.txt"))
    room = case(["I think it is Winmill.", said([JUDGED]), said([wrong]), said([wrong])])
    found = room.extract(method="end_to_end", parts="groups")
    assert "there is no JSON object" in room.model.requests[1][-1]["content"]
    assert len(room.model.requests[1]) == 4
    assert "judge: unchanged; REFUSED there is no such item" in "\n".join(found.notes)  # of the first group
    assert "not word for word in order.txt" in room.model.requests[3][-1]["content"]
    assert found.filled.entries == {}
    assert found.failures == ()  # that is the work of the model, and no failure of ours


def test_chunks_are_read_in_the_order_of_time_and_carry_what_was_found() -> None:
    room = case([said([FILED, REMEDY]), said([JUDGED], [NO_CLASS]), said()])
    found = room.extract(method="chunks")
    assert [room.user(n).split("of the document ")[1].split(",")[0] for n in range(3)] == list(CASE)
    assert "EMPTY" in room.user(0)
    assert "= 2 August 2022\n    “filed August 2, 2022” [complaint.txt" in room.user(1)
    assert (found.calls, len(found.filled.entries)) == (3, 4)


def named_in(schema: Any) -> tuple[list[str], list[str]]:
    change = schema["properties"]["append"]["items"]["properties"]
    evidence = change["extracted"]["items"]["properties"]["evidence"]["items"]["properties"]
    return change["key"].get("enum", []), evidence["source_document"].get("enum", [])


def test_a_reply_can_name_the_items_and_the_papers_that_it_was_told_and_no_others() -> None:
    room = case([said([FILED, REMEDY]), said([JUDGED]), said()])
    seen: list[Any] = []
    complete = ModelClient.complete

    def watched(self: ModelClient, messages: Any, schema: Any) -> Any:
        seen.append(schema)
        return complete(self, messages, schema)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ModelClient, "complete", watched)
        room.extract(method="chunks")
    items = ["filing_date", "remedy", "judge", "class_action"]
    assert [named_in(schema) for schema in seen] == [
        (items, ["complaint.txt"]),
        (items, ["order.txt", "complaint.txt"]),  # what was found before rests on the complaint
        (items, ["notice.txt", "complaint.txt", "order.txt"]),
    ]


def test_a_form_with_too_many_names_for_an_endpoint_lets_any_be_written() -> None:
    assert named_in(form(["judge"], [f"{n}.txt" for n in range(101)])) == (["judge"], [])


def test_a_chunk_corrects_what_an_earlier_one_said() -> None:
    first = change("judge", value("United States", "United States of America", "complaint.txt"))
    found = case([said([first]), said(update=[JUDGED]), said()]).extract(method="chunks")
    assert [v.text for v in found.filled.of("judge").values] == ["B. Lynn Winmill"]


def test_chunks_have_sixteen_thousand_tokens_or_what_the_window_holds() -> None:
    text = {"a.txt": "word of the case " * 9000}
    room = case(lambda _: said())
    room.extract(method="chunks", documents=text)
    assert len(room.model.requests) == 3
    assert "Tokens 0 to 1600" in room.user(0) or "Tokens 0 to 1599" in room.user(0)
    small = case(lambda _: said(), context_window=4000, max_output_tokens=500)
    small.extract(method="chunks", documents=text)
    assert len(small.model.requests) > 15
    assert all(small.client.tokens_of(request) <= small.client.prompt_budget for request in small.model.requests)
    tiny = case(lambda _: said(), context_window=1800, max_output_tokens=500)
    found = tiny.extract(open_checklist("case"), method="chunks", documents=text)
    assert [f.cause for f in found.failures] == [FailureCause.CAPACITY]
    assert found.filled.of("filing_date").cause is FailureCause.CAPACITY


def test_both_go_on_where_they_were_left(tmp_path: Path) -> None:
    for method, done in (("chunks", [said([FILED])]), ("end_to_end", [said([FILED]), said([REMEDY])])):
        folder = tmp_path / method
        short = case(done).extract(method=method, folder=folder)  # the script ends: a failure of the provider
        assert [f.cause for f in short.failures] == [FailureCause.PROVIDER]
        rest = case([said([JUDGED]), said(update=[NO_CLASS])])
        whole = rest.extract(method=method, folder=folder)
        assert whole.failures == ()
        assert [v.text for v in whole.filled.of("filing_date").values] == ["2 August 2022"]
        assert len(rest.model.requests) == 2
        assert whole.calls == len(done) + 2


def test_turns_are_those_of_a_part() -> None:
    found = case(lambda _: said()).extract(method="chunks", limits=Limits(max_turns=2))
    assert [f.cause for f in found.failures] == [FailureCause.BUDGET]
    assert found.calls == 2


@pytest.mark.parametrize(
    ("start", "end", "shown"),
    [(0, 3, "one two"), (3, 5, "three four"), (0, 99, "one two three four fünf"), (5, 99, "fünf")],
)
def test_a_range_of_tokens_cuts_no_word(start: int, end: int, shown: str) -> None:
    paper = papers({"a": "one two three four fünf"})
    span = paper.stretch("a", start, end)
    assert paper.text("a")[span.start : span.end].strip() == shown


def test_pieces_and_cuts_hold_every_character_once() -> None:
    paper = papers({"a": "word " * 100, "b": "x" * 900, "c": ""})
    for name in "ab":
        at, made = 0, ""
        while at < len(paper.text(name)):
            span = paper.piece(name, at, 10)
            assert 0 < span.end - span.start <= 40
            made, at = made + paper.text(name)[span.start : span.end], span.end
        assert made == paper.text(name)
    whole = dict(paper.cut(10_000, 0.7))
    assert [(s.start, s.end) for s in whole["a"]] == [(0, 500)]
    half = dict(paper.cut(700, 0.7))
    assert [sum(s.end - s.start for s in half[n]) for n in "ab"] == pytest.approx([250, 450], abs=10)
    assert half["c"] == []
