"""Values of a trace are believed only as far as they make sense."""

from __future__ import annotations

import math
from datetime import date
from typing import Any

import pytest

from tasks.tracing.values import (
    MAX_TOKENS,
    MAX_USD,
    arguments,
    bounded_text,
    count,
    dollars,
    from_json,
    items,
    mapping,
    to_json,
)

NO_NUMBERS: list[Any] = [None, True, False, "7", "", [], {}, math.nan, math.inf, -math.inf]


@pytest.mark.parametrize("value", NO_NUMBERS)
def test_what_is_no_number_counts_nothing(value: Any) -> None:
    assert count(value) == 0
    assert dollars(value) == 0.0


@pytest.mark.parametrize(
    ("value", "whole"), [(0, 0), (7, 7), (7.9, 7), (-3, 0), (10**30, MAX_TOKENS), (1e300, MAX_TOKENS), (-1e300, 0)]
)
def test_a_count_is_whole_and_bounded(value: float, whole: int) -> None:
    assert count(value) == whole
    assert isinstance(count(value), int)


def test_a_count_may_have_a_bound_of_its_own() -> None:
    assert [count(n, 5) for n in (4, 5, 6)] == [4, 5, 5]


@pytest.mark.parametrize(("value", "usd"), [(0, 0.0), (0.25, 0.25), (3, 3.0), (-1, 0.0), (1e9, MAX_USD)])
def test_an_amount_is_bounded(value: float, usd: float) -> None:
    assert dollars(value) == usd
    assert isinstance(dollars(value), float)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, ""),
        ("said", "said"),
        ([{"type": "text", "text": "one"}, {"type": "image"}, {"text": "two"}], "one\ntwo"),
        ([{"text": ""}, {"text": None}], ""),
        ([], ""),
        (["one", {"text": "two"}], '["one", {"text": "two"}]'),  # not all are blocks
        ({"b": 1, "a": "é"}, '{"a": "é", "b": 1}'),
        (7, "7"),
        (True, "true"),
        ("nul\x00 and half \ud800 a pair", "nul\ufffd and half \ufffd a pair"),
    ],
)
def test_anything_becomes_text_that_can_be_stored(value: Any, text: str) -> None:
    assert bounded_text(value) == text
    bounded_text(value).encode("utf-8")


@pytest.mark.parametrize(("size", "told"), [(9, "x" * 9), (10, "x" * 10), (11, "x" * 9 + "…"), (900, "x" * 9 + "…")])
def test_a_text_is_cut_at_its_bound_and_says_so(size: int, told: str) -> None:
    assert bounded_text("x" * size, 10) == told
    assert len(told) <= 10


@pytest.mark.parametrize(
    ("raw", "given"),
    [
        ({"path": "a"}, {"path": "a"}),
        ('{"path": "a"}', {"path": "a"}),
        ('["a"]', {}),
        ("{broken", {}),
        (None, {}),
        (7, {}),
        ("", {}),
    ],
)
def test_arguments_are_read_from_json_or_as_they_are(raw: Any, given: dict[str, Any]) -> None:
    assert arguments(raw) == given


def test_another_kind_of_value_is_empty() -> None:
    assert (mapping({"a": 1}), mapping([("a", 1)]), mapping(None)) == ({"a": 1}, {}, {})
    assert (items([1]), items((1,)), items("a"), items(None)) == ([1], [], [], [])


@pytest.mark.parametrize("line", ["", "{", "nope", "[" * 200_000, '{"n": ' + "9" * 9_000 + "}", "'a'"])
def test_what_cannot_be_read_is_nothing(line: str) -> None:
    assert from_json(line) is None


def test_whatever_the_value_it_renders() -> None:
    nested: list[Any] = []
    nested.append(nested)
    deep: list[Any] = []
    for _ in range(100_000):
        deep = [deep]
    assert to_json(nested) == to_json(deep) == ""
    assert to_json({2: date(2026, 1, 2)}) == '{"2": "2026-01-02"}'
    assert to_json({1: 2, "a": 3}) == ""  # keys that cannot be ordered
