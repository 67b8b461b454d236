"""Tokens at list prices."""

from __future__ import annotations

import pytest

from tasks.matter.usage import Usage
from tasks.tracing.pricing import price, price_list

MILLION = Usage(input_uncached=1_000_000, cache_read=1_000_000, cache_write=1_000_000, output=1_000_000, calls=1)

# model, billed truthfully, with cached reads free
PRICES = [
    ("gpt-5.4-mini", 0.75 + 0.075 + 0.75 + 4.50, 0.75 + 0.75 + 4.50),
    ("openai/gpt-5.5", 5.00 + 0.50 + 5.00 + 30.00, 5.00 + 5.00 + 30.00),
    ("claude-haiku-4-5-20251001", 1.00 + 0.10 + 1.00 + 5.00, 1.00 + 1.00 + 5.00),
    ("anthropic/claude-sonnet-4-6", 3.00 + 0.30 + 3.00 + 15.00, 3.00 + 3.00 + 15.00),
    ("Sonnet-4.6", 3.00 + 0.30 + 3.00 + 15.00, 3.00 + 3.00 + 15.00),
]


@pytest.mark.parametrize(("model", "billed", "cached_free"), PRICES)
def test_prices(model: str, billed: float, cached_free: float) -> None:
    assert price(MILLION, model).cost_usd == pytest.approx(billed)
    assert price(MILLION, model, cached_free=True).cost_usd == pytest.approx(cached_free)
    assert price(MILLION, model).cost_source == "priced"


@pytest.mark.parametrize("model", ["", "gpt-5", "gpt-5.5-turbo", "qwen2.5-coder", "x" * 10_000, "../../etc"])
def test_a_model_without_a_price_costs_nothing_known(model: str) -> None:
    assert price(MILLION, model) == MILLION


def test_the_list_says_when_it_was_read() -> None:
    assert price_list().snapshot == "2026-06-02"


def test_no_tokens_no_cost() -> None:
    assert price(Usage(), "gpt-5.5").cost_usd == 0
