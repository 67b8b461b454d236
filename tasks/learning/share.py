"""How much of what one harness gains another brought back on the same matters: a share, with its interval."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Final

from tasks.learning.beside import rates
from tasks.learning.paired import FEW, ROUNDS, PairedMatter, intervals
from tasks.learning.records import Evaluation, MatterScore, Rates
from tasks.matter.base import Record
from warehouse.statistics import SEED, ratio_interval

UNTOLD: Final = "the shipped harness gains nothing that can be told from chance: there is no share of it"
FEW_MATTERS: Final = f"fewer than {FEW} matters: the intervals are too narrow to be believed"
Interval = tuple[float, float]


class Gain(Record):
    """What a harness passes above the first one: pooled over the criteria of all three, with its 95 % interval."""

    points: float
    interval: Interval


class Share(Record):
    """The share of the shipped gain that came back.

    Attributes:
        matters, criteria: What was looked at: criteria that all three attempts of a matter were judged by.
        empty, learned, shipped: Rates of the harness that the run began with, of its last one, and of the shipped one.
        learned_gain, shipped_gain: Each above the first; None where no criterion was judged under all three.
        share: The learned gain over the shipped one, pooled; None where the latter's interval reaches 0.
        interval: Its 95 % interval by a paired bootstrap: each sample draws whole matters, with all three attempts.
        seed, rounds: Of the bootstrap; the same verdicts give the same numbers.
        caveats: What the numbers do not bear.
    """

    matters: int
    criteria: int
    empty: Rates
    learned: Rates
    shipped: Rates
    learned_gain: Gain | None
    shipped_gain: Gain | None
    share: float | None
    interval: Interval | None
    seed: int
    rounds: int
    caveats: tuple[str, ...]


def share_of(scores: Sequence[tuple[MatterScore, ...]], seed: int = SEED, rounds: int = ROUNDS) -> Share:
    """Return the share of attempts at held-out matters.

    Args:
        scores: Of each attempt at a matter the counts under the first, the learned and the shipped harness, over the
            criteria that all three were judged by.
        seed: Of the bootstrap.
        rounds: Samples that it draws; at least 1.
    """
    arms = [Evaluation(harness_version="", scores=tuple(each[at] for each in scores)) for at in range(3)]
    empty, learned, shipped = (rates(of) for of in arms)
    by_matter = _added_up(scores)
    gains = [_gain([(n, first, other[at]) for n, first, *other in by_matter], seed, rounds) for at in (0, 1)]
    told = gains[1] is not None and gains[1].interval[0] > 0
    parts = [second - first for _, first, second, _ in by_matter]
    wholes = [third - first for _, first, _, third in by_matter]
    drawn = ratio_interval(parts, wholes, seed, rounds) if told else ()
    few = (FEW_MATTERS,) if len(by_matter) < FEW else ()
    return Share(
        matters=len(by_matter),
        criteria=sum(n for n, *_ in by_matter),
        empty=empty,
        learned=learned,
        shipped=shipped,
        learned_gain=gains[0],
        shipped_gain=gains[1],
        share=round(sum(parts) / sum(wholes), 6) if told else None,
        interval=(round(drawn[0], 6), round(drawn[1], 6)) if drawn else None,
        seed=seed,
        rounds=rounds,
        caveats=few if told else (UNTOLD, *few),
    )


def _added_up(scores: Sequence[tuple[MatterScore, ...]]) -> list[list[int]]:
    """Return of each matter its criteria, and how many passed under each of the three: it is what a sample draws."""
    counts: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0, 0])
    for each in scores:
        for at, count in enumerate((each[0].passed + each[0].failed, *(one.passed for one in each))):
            counts[each[0].matter_key][at] += count
    return [row for _, row in sorted(counts.items()) if row[0]]


def _gain(by_matter: Sequence[tuple[int, int, int]], seed: int, rounds: int) -> Gain | None:
    pairs = [PairedMatter(matter_id=str(at), criteria=n, base=a, other=b) for at, (n, a, b) in enumerate(by_matter)]
    if not pairs:
        return None
    points = sum(m.other - m.base for m in pairs) / sum(m.criteria for m in pairs)
    return Gain(points=round(points, 6), interval=intervals(pairs, seed, rounds)[0])


def lines(of: Share) -> list[str]:
    """Return it as lines for a terminal."""

    def passed(rate: float | None) -> str:
        return "not scored" if rate is None else f"{rate:.4f}"

    def gained(gain: Gain | None) -> str:
        return f"{gain.points:+.4f} [{gain.interval[0]:+.4f}, {gain.interval[1]:+.4f}]" if gain else "not scored"

    part = f"{of.share:.1%}" if of.share is not None else "not told"
    interval = f" [{of.interval[0]:.1%}, {of.interval[1]:.1%}]" if of.interval else ""
    return [
        f"held out: empty {passed(of.empty.pooled)}, learned {passed(of.learned.pooled)}, "
        f"shipped {passed(of.shipped.pooled)}; n {of.matters} matters, {of.criteria} criteria judged under all three",
        f"gain above the empty one: learned {gained(of.learned_gain)}, shipped {gained(of.shipped_gain)}",
        f"share of the shipped gain that came back: {part}{interval} "
        f"(95 %, paired bootstrap by matter, seed {of.seed}, {of.rounds} rounds)",
        *(f"note: {caveat}" for caveat in of.caveats),
    ]
