"""The number scanner against labelled tables; the held-out half is measured apart from the tuned one."""

from __future__ import annotations

import importlib.util
import itertools
import random
from decimal import Decimal
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tasks.legaltext.numbers.scan import scan_numbers
from tasks.legaltext.numbers.words import cardinal
from tasks.legaltext.records import Figure


def _table(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, Path(__file__).with_name(f"{name}.py"))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


HELD_OUT = _table("numbers_held_out").HELD_OUT
TUNED = _table("numbers_tuned").TUNED


def _score(cases) -> tuple[int, int, int]:
    """Return true positives, false positives and misses over a table."""
    hits = extra = missed = 0
    for text, expected in cases:
        found = [(f.value, f.unit, f.kind) for f in scan_numbers(text)]
        for value, unit, kind in expected:
            same = next(
                (g for g in found if g[1:] == (unit, kind) and abs(g[0] - Decimal(value)) < Decimal("1e-4")), None
            )
            if same is None:
                missed += 1
            else:
                found.remove(same)
                hits += 1
        extra += len(found)
    return hits, extra, missed


def test_tables_are_large_enough():
    assert len(HELD_OUT) >= 75
    assert len(HELD_OUT) + len(TUNED) >= 150


@pytest.mark.parametrize(("name", "cases", "floor"), [("held-out", HELD_OUT, 0.95), ("tuned", TUNED, 0.99)])
def test_recall_and_precision(name, cases, floor, capsys):
    hits, extra, missed = _score(cases)
    recall, precision = hits / (hits + missed), hits / (hits + extra)
    with capsys.disabled():
        print(f"\nnumbers {name}: n={len(cases)} figures={hits + missed} recall={recall:.3f} precision={precision:.3f}")
    assert recall >= floor
    assert precision >= floor


def _one(text: str) -> Figure:
    (figure,) = scan_numbers(text)
    return figure


@pytest.mark.parametrize("case", [c for c in TUNED if c[1]], ids=lambda c: c[0][:30])
def test_spans_are_the_text(case):
    text = f"  Ω {case[0]}"
    figures = scan_numbers(text)
    assert figures
    for figure in figures:
        assert text[figure.start : figure.end] == figure.text
        assert figure.text.strip() == figure.text


def test_pairs_say_so_and_disagree_when_they_differ():
    first, second = scan_numbers("within fifteen (15) days")
    assert (first.text, second.text) == ("fifteen", "15")
    assert (first.pair, second.pair, first.disagrees) == (True, True, False)
    first, second = scan_numbers("within sixty (30) days")
    assert (first.pair, first.disagrees, second.disagrees) == (True, True, True)
    assert not any(f.disagrees for f in scan_numbers("Five Million and 00/100 Dollars ($5,000,000.00)"))


def test_table_scale_is_applied_and_stated():
    text = "(in thousands)\nRevenue\t$12,345\t(1,020)\nShares outstanding\t900\n"
    money, loss, shares = scan_numbers(text)
    assert (money.value, money.scale) == (12345000, 1000)
    assert (loss.value, loss.scale) == (-1020000, 1000)
    assert shares.scale == 1
    assert scan_numbers(text, scale_hints=False)[0].value == 12345


def test_table_scale_ends_with_the_table():
    prose = "The Company paid a fee of $500 to the agent for its services in connection with the closing of the sale."
    figures = scan_numbers(f"(in millions)\nDebt | 45\n\n{prose}\n")
    assert [f.value for f in figures] == [45000000, 500]


def test_figure_text_covers_currency_and_unit():
    assert _one("pay US$1.2 million now").text == "US$1.2 million"
    assert _one("a 30-day period").text == "30-day"


def test_word_numbers_agree_with_an_independent_reader():
    text2num = pytest.importorskip("text_to_num").text2num
    rng = random.Random(7)
    for _ in range(300):
        value = rng.choice([rng.randrange(1, 100), rng.randrange(100, 10**4), rng.randrange(10**4, 10**9)])
        words = _spell(value)
        assert cardinal(words) == value == text2num(words, "en"), words


def _words(text):
    return text.split()


_SMALL = _words(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
)
_TENS = _words("twenty thirty forty fifty sixty seventy eighty ninety")


def _spell(n: int) -> str:
    for size, name in ((10**6, "million"), (10**3, "thousand"), (100, "hundred")):
        if n >= size:
            rest = f" {_spell(n % size)}" if n % size else ""
            return f"{_spell(n // size)} {name}{rest}"
    if n < 20:
        return _SMALL[n]
    return _TENS[n // 10 - 2] + (f"-{_SMALL[n % 10]}" if n % 10 else "")


HOSTILE = {
    "digits": "1" * 20_000,
    "commas": "1," * 10_000,
    "groups": "1,234" * 4_000,
    "brackets": "(" * 20_000,
    "words": "one " * 5_000,
    "hundreds": "one hundred " * 1_700,
    "thousands": "one thousand " * 1_600,
    "dots": "1." * 10_000,
    "spaces": "1" + " " * 20_000,
    "dollars": "$" * 20_000,
    "cells": "| 5 " * 5_000,
    "named cells": "a1: 5 | " * 2_500,
    "column hints": "(eur m) in thousands " * 1_000,
    "fractions in words": "seventy-five hundredths of " * 800,
    "ratios in words": "one-for-" * 2_500,
    "quotes": "1'" * 10_000,
    "tabs": "1\t" * 10_000,
    "hints": "in thousands " * 1_600,
    "halves": "one-half of " * 1_700,
    "ratios": "1 to " * 4_000,
    "letters": "a a a a " * 2_500,
    "nouns": "5 common of the " * 1_200,
    "nul": "\x00" * 20_000,
    "rtl": "\u202e5%\u202c" * 4_000,
}


@pytest.mark.examples(8)
@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_stays_fast(name, no_hang):
    scan_numbers(HOSTILE[name])


@settings(max_examples=150, deadline=None)
@given(st.text(alphabet="0123456789 .,-()$€%/:xX\n\t|½İaeionthud", max_size=120))
def test_no_text_breaks_the_scanner(text):
    figures = scan_numbers(text)
    assert all(text[f.start : f.end] == f.text for f in figures)
    assert all(a.start <= b.start for a, b in itertools.pairwise(figures))


def test_a_long_contract_is_scanned_whole(no_hang):
    sentence = (
        "The Buyer shall pay $1,250,000 (5% of the Purchase Price) within thirty (30) days after the Closing Date, "
        "subject to Section 8.2(a) and the obligations of the parties under this Agreement and applicable law. "
    )
    text = (sentence + "No figure stands in this sentence, which only speaks of duties and of rights. " * 4) * 400
    assert len(scan_numbers(text)) == 400 * len(scan_numbers(sentence))
