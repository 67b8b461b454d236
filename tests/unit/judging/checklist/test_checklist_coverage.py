"""Which words no item covers."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.judging.checklist.coverage import covered, residual_ratio, uncovered
from tasks.judging.checklist.side import Side
from tasks.legaltext.checklists.records import Evidence, Value

TEXT = "On 2 May 2022 the union sued the mill. Snow fell all week. The judge granted a stay."


def left(text, *values):
    return [text[s:e] for s, e in uncovered(text, covered(text, values, "memo.md"))]


def test_a_value_that_stands_in_its_evidence_covers_its_words_alone(gavel):
    value = gavel.evidenced(TEXT, "2 May 2022", "On 2 May 2022 the union sued the mill.")
    assert left(TEXT, value) == ["On", "the union sued the mill. Snow fell all week. The judge granted a stay"]


def test_a_value_in_other_words_covers_its_evidence(gavel):
    value = gavel.evidenced(TEXT, "Stay granted", "The judge granted a stay.")
    assert left(TEXT, value) == ["On 2 May 2022 the union sued the mill. Snow fell all week"]


def test_both_stages_together_leave_what_nobody_asked_for(gavel):
    first = "On 2 May 2022 the union sued the mill."
    values = (
        gavel.evidenced(TEXT, "2 May 2022", first),
        gavel.evidenced(TEXT, "The union against the mill", first),
        gavel.evidenced(TEXT, "Stay granted", "The judge granted a stay."),
    )
    assert left(TEXT, *values) == ["Snow fell all week"]
    side = Side(gavel.filled().model_copy(update={"entries": {}}), {"memo.md": TEXT})
    assert side.passages() == [TEXT.rstrip(".")]
    spans = uncovered(TEXT, covered(TEXT, values, "memo.md"))
    assert residual_ratio(TEXT, spans) == pytest.approx(18 / 84)


def test_a_value_covers_nothing_outside_its_evidence(gavel):
    text = "No one came. No appeal was filed."
    assert left(text, gavel.evidenced(text, "No", "No appeal was filed.")) == ["No one came", "appeal was filed"]


def test_evidence_in_another_file_covers_nothing(gavel):
    assert left(TEXT, gavel.evidenced(TEXT, "Stay granted", "The judge granted a stay.", document="x")) == [TEXT[:-1]]


def test_a_value_without_evidence_covers_its_words_wherever_they_stand():
    assert left("Rain. Rain again.", Value(text="rain")) == ["again"]
    assert left("Rain. Rain again.", Value(text="drizzle")) == ["Rain. Rain again"]


@given(
    st.text(alphabet="ab .,\n", max_size=60), st.lists(st.tuples(st.integers(0, 60), st.integers(0, 60)), max_size=6)
)
def test_stretches_are_ordered_apart_and_disjoint_from_what_is_covered(text, places):
    taken = [(min(p), min(max(p), len(text))) for p in places if min(p) <= len(text)]
    spans = uncovered(text, taken)
    assert all(s < e for s, e in spans)
    assert all(a[1] <= b[0] for a, b in pairwise(spans))
    inside = {at for s, e in taken for at in range(s, e)}
    assert not inside & {at for s, e in spans for at in range(s, e) if text[at].isalpha()}
    assert 0 <= residual_ratio(text, spans) <= 1


@given(st.integers(0, 80), st.integers(0, 80))
def test_more_evidence_never_leaves_more(start, end):
    low, high = sorted((min(start, len(TEXT)), min(end, len(TEXT))))
    one = Value(text="§", evidence=(Evidence(document="memo.md", start=4, end=20, text=TEXT[4:20]),))
    more = Value(text="§", evidence=(Evidence(document="memo.md", start=low, end=high, text=TEXT[low:high]),))
    of = lambda *values: residual_ratio(TEXT, uncovered(TEXT, covered(TEXT, values, "memo.md")))  # noqa: E731
    assert of(one, more) <= of(one)


@pytest.mark.parametrize("run", ["_", " ", "a _ ", "a ", "."])
def test_a_long_run_of_any_mark_takes_no_time(run, no_hang):
    text = "a" + run * 30_000 + "b c"
    for value in ("a b", "a _ b", "a a b", "a b c d"):
        whole = Evidence(document="m", start=0, end=len(text), text=text)
        covered(text, [Value(text=value, evidence=(whole,)), Value(text=value)], "m")
