"""A model that names the numbers of lines instead of copying words: what it is shown, may name, and is refused."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.drafting.extraction.records import METHODS, Method
from tasks.legaltext.checklists.numbering import SentenceNumbering
from tasks.models.client import ModelClient
from tests.unit.drafting.extraction.case_room import CASE, ORDER, call, case, change, numbered, said

TEXTS = st.text(alphabet="ab.;A \n[1]", max_size=60)
JUDGE = next(n for n in range(1, 30) if (line := SentenceNumbering(CASE).line(n)) and "Winmill" in line.text)
"""The number of the line that names the judge."""


@given(TEXTS, TEXTS, st.integers(0, 60), st.integers(0, 60))
def test_a_numbered_stretch_is_the_stretch_and_its_lines_are_those_of_the_documents(
    one: str, two: str, start: int, end: int
) -> None:
    texts = {"one": one, "two": two}
    numbering = SentenceNumbering(texts)
    begin, stop = sorted((min(start, len(two)), min(end, len(two))))
    if not two.strip():
        return
    low, high = numbering.numbers("two", begin, stop)
    made = numbering.shown("two", begin, stop)
    for number in range(low, high + 1):
        line = numbering.line(number)
        assert line is not None
        assert line.document == "two"
        assert texts["two"][line.start : line.end] == line.text
        made = made.replace(f"[{number}] ", "", 1)
    assert made == two[begin:stop] or "[" in two
    assert numbering.line(0) is None
    assert numbering.swell >= 1


def answer(method: Method, *lines: int) -> list[Any]:
    """Return the script of a model that reads the order and names lines for the judge."""
    reading = call("read_document", doc_name="order.txt")
    if method == "agent":
        return [reading, call("append_checklist", patch=[numbered(*lines)]), "done", "done"]
    if method == "chunks":
        return [said(), said([numbered(*lines)]), said([numbered(*lines)]), said(), said()]
    return [said([numbered(*lines)])] * 2


@pytest.mark.parametrize("method", METHODS)
def test_a_line_is_named_by_its_number_and_enters_to_the_letter(method: Method) -> None:
    room = case(answer(method, JUDGE), quotes="numbers")
    found = room.extract(method=method, parts="all")
    (value,) = found.filled.of("judge").values
    (evidence,) = value.evidence
    assert (evidence.document, evidence.text) == ("order.txt", "B. Lynn Winmill, District Judge.")
    assert ORDER[evidence.start : evidence.end] == evidence.text
    told = "\n".join(str(m["content"]) for request in room.model.requests for m in request)
    assert f"[{JUDGE}] B. Lynn Winmill" in told
    assert "numbers of the lines" in told
    assert "copied from the document" not in told


@pytest.mark.parametrize("method", METHODS)
def test_a_line_that_is_not_there_or_says_nothing_of_it_is_refused_and_told(method: Method) -> None:
    for lines, why in (((999,), "no line 999 was shown"), ((JUDGE + 1,), "no word of it stands in its evidence")):
        room = case(answer(method, *lines), quotes="numbers")
        found = room.extract(method=method, parts="all")
        assert found.filled.of("judge").values == ()
        assert found.filled.dropped_values
        told = "\n".join(str(m["content"]) for request in room.model.requests for m in request)
        assert why in told


def test_an_agent_names_no_line_that_it_was_not_shown() -> None:
    room = case([call("append_checklist", patch=[numbered(JUDGE)]), "done", "done"], quotes="numbers")
    assert room.extract(method="agent", parts="all").filled.of("judge").values == ()
    assert f"no line {JUDGE} was shown" in room.user(1)


def test_a_form_allows_the_numbers_of_what_is_shown_alone() -> None:
    room, seen = case([said()] * 3, quotes="numbers"), list[Any]()
    complete = ModelClient.complete

    def watched(self: ModelClient, messages: Any, schema: Any) -> Any:
        seen.append(schema)
        return complete(self, messages, schema)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ModelClient, "complete", watched)
        room.extract(method="chunks")
    bounds = [s["properties"]["append"]["items"]["properties"]["extracted"]["items"]["properties"] for s in seen]
    ranges = [(b["evidence"]["items"]["minimum"], b["evidence"]["items"]["maximum"]) for b in bounds]
    assert ranges[0][0] == 1
    assert all(low == 1 and high > before for (low, high), (_, before) in zip(ranges[1:], ranges, strict=False))
    last = SentenceNumbering(CASE).line(ranges[-1][1])
    assert last is not None
    assert last.document == "notice.txt"


def test_many_short_lines_still_fit_the_window() -> None:
    short = {"docket.txt": "".join(f"{n}. Order.\n" for n in range(3000)), "brief.txt": "word of the case " * 3000}
    for method in METHODS:
        script: Any = [call("read_document", doc_name="docket.txt")] * 2 + ["done"] * 3
        room = case(script if method == "agent" else (lambda _: said()), quotes="numbers", context_window=6000,
                    max_output_tokens=500)  # fmt: skip
        found = room.extract(method=method, parts="all", documents=short)
        assert found.failures == ()
        assert all(room.client.tokens_of(request) <= room.client.prompt_budget for request in room.model.requests)
        assert any(re.search(r"\[\d+\] \d+\. Order", str(request[-1]["content"])) for request in room.model.requests)


def test_a_value_none_of_whose_words_are_quoted_is_refused_where_words_are_copied_too() -> None:
    wrong = change("judge", {"value": "Ann Roe", "evidence": [{"text": "is GRANTED", "source_document": "order.txt"}]})
    room = case([said([wrong]), said([wrong])])
    assert room.extract(method="end_to_end", parts="all").filled.of("judge").values == ()
    assert "no word of it stands in its evidence" in room.user(1)
