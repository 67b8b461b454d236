"""Tokens priced at public list rates."""

from __future__ import annotations

import re
import tomllib
from importlib.resources import files

from tasks.matter.base import Record
from tasks.matter.usage import Usage

_DATED = re.compile(r"[-@](\d{8}|\d{4}-\d{2}-\d{2}|latest)$")
TOKENS_OF_A_PRICE = 1_000_000  # prices are told for a million tokens


class Price(Record):
    """US dollars per million tokens. A cache write costs as much as input where no rate is given."""

    names: tuple[str, ...]
    input: float
    cache_read: float
    output: float
    cache_write: float | None = None


class PriceList(Record):
    """The prices of a day."""

    snapshot: str
    model: tuple[Price, ...]

    def find(self, model: str) -> Price | None:
        """Return the price of a model, whatever its provider prefix, date suffix or notation of the version."""
        wanted = _plain(model)
        return next((price for price in self.model if wanted in price.names), None)


def price_list() -> PriceList:
    """Return the price list that ships with Solon."""
    table = files("tasks.tracing").joinpath("prices.toml").read_text("utf-8")
    return PriceList.model_validate(tomllib.loads(table))


def price(usage: Usage, model: str, prices: PriceList | None = None, *, cached_free: bool = False) -> Usage:
    """Return the usage with its cost by the price list; unchanged where the model has no price.

    Args:
        usage: Token counts.
        model: Name of the model, e.g. ``anthropic/claude-haiku-4-5-20251001``.
        prices: Price list; the packaged one by default.
        cached_free: Count cached reads as free, as the paper does; truthful billing is the default.
    """
    found = (prices or price_list()).find(model)
    if found is None:
        return usage
    written = found.input if found.cache_write is None else found.cache_write
    cost = usage.input_uncached * found.input + usage.cache_write * written + usage.output * found.output
    if not cached_free:
        cost += usage.cache_read * found.cache_read
    return usage.model_copy(update={"cost_usd": cost / TOKENS_OF_A_PRICE, "cost_source": "priced"})


def _plain(model: str) -> str:
    name = _DATED.sub("", model.strip().lower().rsplit("/", 1)[-1])
    return re.sub(r"(?<=\d)-(?=\d)", ".", name)
