"""How values are written in the report: rates in per cent, money in dollars, times in a readable unit."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import datetime
from types import MappingProxyType
from typing import Any

MISSING = "–"
SMALL = 0.1  # dollars below which a cent is too coarse
MINUTES, HOURS = 120, 7200  # seconds from which a time is told in minutes and in hours: two of each
# Control characters have no place in HTML; direction overrides could make a hostile title rewrite its neighbours.
_UNPRINTABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufffe\uffff]")


def percent(value: Any) -> str:
    """Write a rate from 0 to 1 as per cent with one decimal."""
    return MISSING if value is None else f"{100 * float(value):.1f} %"


def rate(value: Any) -> str:
    """Write a pass rate; without scores there is no rate, and 0 % is not written."""
    return "not scored" if value is None else percent(value)


def usd(value: Any) -> str:
    """Write US dollars; small amounts keep their digits."""
    if value is None:
        return MISSING
    amount = float(value)
    return "$0" if amount == 0 else f"${amount:,.4f}" if amount < SMALL else f"${amount:,.2f}"


def whole(value: Any) -> str:
    """Write a number without decimals."""
    return MISSING if value is None else f"{round(float(value)):,}"


def decimal(value: Any) -> str:
    """Write a number with one decimal."""
    return MISSING if value is None else f"{float(value):,.1f}"


def points(value: Any) -> str:
    """Write a difference of rates in percentage points, with its sign; a rounded zero has no sign."""
    return MISSING if value is None else _unsigned_nothing(f"{100 * float(value):+.1f}")


def signed(value: Any) -> str:
    """Write a difference of scores with its sign; a rounded zero has no sign."""
    return MISSING if value is None else _unsigned_nothing(f"{float(value):+.4f}")


def _unsigned_nothing(written: str) -> str:
    return written if float(written) else written[1:]


def score(value: Any) -> str:
    """Write a score."""
    return MISSING if value is None else f"{float(value):.3f}"


def probability(value: Any) -> str:
    """Write a p-value."""
    # Three decimals are told.
    return MISSING if value is None else "< 0.001" if float(value) < 0.001 else f"{float(value):.3f}"


def hours(value: Any) -> str:
    """Write hours."""
    return MISSING if value is None else f"{float(value):.3g} h"


def times(value: Any) -> str:
    """Write how many times as much."""
    return MISSING if value is None else f"{float(value):,.0f} x"


def yes(value: Any) -> str:
    """Write a truth value."""
    return MISSING if value is None else "yes" if value else "no"


def duration(value: Any) -> str:
    """Write seconds as seconds, minutes or hours."""
    if value is None:
        return MISSING
    seconds = float(value)
    if seconds < MINUTES:
        return f"{seconds:.1f} s"
    return f"{seconds / 60:.1f} min" if seconds < HOURS else f"{seconds / 3600:.1f} h"


def digest(value: Any) -> str:
    """Write the first digits of a hash."""
    return str(value)[:12] if value else MISSING


def words(value: Any) -> str:
    """Write a name of a vocabulary as words."""
    return text(value).replace("_", " ")


def text(value: Any, most: int = 400) -> str:
    """Write text for display, bounded and without control characters."""
    if value is None or value == "":
        return MISSING
    if isinstance(value, datetime):
        return value.strftime("%Y-%m-%d %H:%M UTC")
    plain = printable(str(value))
    return plain if len(plain) <= most else plain[: most - 1] + "…"


def printable(said: str) -> str:
    """Return text without control characters and direction overrides."""
    return _UNPRINTABLE.sub("\ufffd", said)


def _formats() -> Mapping[str, Callable[[Any], str]]:
    by_format: tuple[tuple[Callable[[Any], str], str], ...] = (
        (rate, "pooled_pass pass_low pass_high all_pass pass_rate all_pass_share pooled_pass_with pooled_pass_without"),
        (
            percent,
            "share verified_share read_share opened_share served_share share_of_all flip_rate flip_low flip_high "
            "differ_rate recall recall_low recall_high precision precision_low precision_high before after",
        ),
        (points, "pooled_difference pooled_low pooled_high difference difference_low difference_high"),
        (probability, "sign_p mcnemar_p"),
        (score, "blended score_before score_after score"),
        (hours, "human_hours"),
        (times, "times_faster times_cheaper"),
        (yes, "on_the_front"),
        (usd, "cost_usd judge_cost_usd cost_cached_free_usd human_usd"),
        (duration, "seconds seconds_median"),
        (
            decimal,
            "reads tools writes others s_checklist s_residual s_style s_gavel per_attempt lookups tool_errors "
            "first_read_turn first_write_turn",
        ),
        (signed, "gain"),
        (words, "error_class kind outcome decision"),
        (digest, "harness_before harness_after diff_sha256 harness_version profile_version"),
        (
            whole,
            "matters planned attempts retries unfinished unjudged criteria passed failed unscored blocked released "
            "flagged released_with_open_asks not_answered asks not_accepted "
            "released_with_flags words tokens input_uncached cache_read cache_write output calls without_price actions "
            "checked verified findings documents read_whole read_in_part unread turns n_documents epochs n_matters "
            "measured used fires files attempts_without wrote_before_reading audited_before_finishing loaded_a_skill "
            "loaded_its_skill "
            "better worse same gained lost flipped epochs judgements applicable equal contains contained different "
            "left_out added starts both_pass both_fail differ unscored_by_either minibatch "
            "matters_with_unscored configurations expectations rows values broken allowed all_pass_matters characters "
            "other_passed flags true_flags false_flags unjudged_flags quoted_failed flagged_failed other cells "
            "judged_again looks_of_this_kind",
        ),
    )
    return MappingProxyType({name: how for how, names in by_format for name in names.split()})


FORMATS = _formats()


def write(column: str, value: Any) -> str:
    """Write a value in the format of its column."""
    how = FORMATS.get(column)
    return how(value) if how else text(value)


def is_numeric(column: str) -> bool:
    """Tell whether a column is right-aligned."""
    return column in FORMATS and FORMATS[column] not in (digest, words, yes)
