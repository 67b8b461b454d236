"""Two cells on the same matters, compared pair by pair: difference of each matter, interval by matter, signs.

The matter is the unit: its criteria are about one work product and fail together, so the interval resamples whole
matters (a cluster bootstrap), and the test over single criteria is given only beside it, with its caveat.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from tasks.matter.base import Record
from warehouse.statistics import SEED, exact_p, ratio_interval

ROUNDS: Final = 4_000  # draws of the bootstrap: the ends of a 95 % interval then rest on 100 draws each
FEW: Final = 10  # matters below which a bootstrap interval is too narrow to be believed
MCNEMAR_CAVEAT: Final = "takes criteria as independent, which those of one matter are not: too small a p"
Place = tuple[str, int, str]  # matter, epoch, criterion


class PairedMatter(Record):
    """One matter under both cells, over the criteria that both scored.

    Attributes:
        criteria: Criteria scored under both.
        base, other: Of these, how many passed.
    """

    matter_id: str
    criteria: int
    base: int
    other: int

    @property
    def difference(self) -> float:
        """Pass rate under the other cell less that under the base, from -1 to 1."""
        return (self.other - self.base) / self.criteria


class Paired(Record):
    """What a paired comparison says; differences are the other cell's less the base's.

    Attributes:
        criteria: Criteria scored under both.
        left_out: Criteria that only one of the two scored or had; in no number here.
        pooled_difference, pooled_interval: Over all criteria, with the 95 % interval clustered by matter.
        matter_difference, matter_interval: Mean over matters, each of the same weight.
        better, worse, same: Matters by the sign of their difference; ``sign_p`` is the exact two-sided sign test.
        gained, lost: Criteria that pass only under the other, or only under the base; ``mcnemar_p`` is exact.
        caveats: What the numbers do not bear.

    A difference and its interval are None where no criterion was scored under both.
    """

    matters: int
    criteria: int
    left_out: int
    pooled_difference: float | None
    pooled_interval: tuple[float, float] | None
    matter_difference: float | None
    matter_interval: tuple[float, float] | None
    better: int
    worse: int
    same: int
    sign_p: float
    gained: int
    lost: int
    mcnemar_p: float
    by_matter: dict[str, float]
    seed: int
    rounds: int
    caveats: tuple[str, ...]

    def lines(self) -> list[str]:
        """Return the comparison as lines for a terminal."""
        pooled = _told(self.pooled_difference, self.pooled_interval)
        mean = _told(self.matter_difference, self.matter_interval)
        return [
            f"n {self.matters} matters, {self.criteria} criteria scored under both ({self.left_out} left out)",
            f"pooled difference {pooled}; mean over matters {mean} (95 %, bootstrap by matter, seed {self.seed})",
            f"matters better {self.better}, worse {self.worse}, same {self.same}; sign test p {self.sign_p:.4f}",
            f"criteria gained {self.gained}, lost {self.lost}; McNemar p {self.mcnemar_p:.4f}",
            *(f"note: {caveat}" for caveat in self.caveats),
        ]


def _told(value: float | None, interval: tuple[float, float] | None) -> str:
    if value is None or interval is None:
        return "not scored"
    return f"{value:+.4f} [{interval[0]:+.4f}, {interval[1]:+.4f}]"


def compare(base: Mapping[Place, str], other: Mapping[Place, str], seed: int = SEED, rounds: int = ROUNDS) -> Paired:
    """Compare two cells by the verdicts of the same criteria of the same matters and epochs.

    Args:
        base: Status (``pass``, ``fail``, ``unscored``) by matter, epoch and criterion.
        other: The same of the cell that is compared with it.
        seed: Seed of the bootstrap; the same verdicts and seed give the same numbers.
        rounds: Number of samples that the bootstrap draws; at least 1.
    """
    scored = sorted(p for p in {*base, *other} if {base.get(p), other.get(p)} <= {"pass", "fail"})
    pairs = _by_matter(scored, base, other)
    gained = sum(base[p] == "fail" and other[p] == "pass" for p in scored)
    lost = sum(base[p] == "pass" and other[p] == "fail" for p in scored)
    signs = [(m.other > m.base) - (m.other < m.base) for m in pairs]
    pooled, mean = intervals(pairs, seed, rounds) if pairs else (None, None)
    caveats = [f"McNemar {MCNEMAR_CAVEAT}"] if gained + lost else []
    if len(pairs) < FEW:
        caveats.append(f"with fewer than {FEW} matters the intervals are too narrow")
    return Paired(
        matters=len(pairs),
        criteria=len(scored),
        left_out=len({*base, *other}) - len(scored),
        pooled_difference=_pooled(pairs) if pairs else None,
        pooled_interval=pooled,
        matter_difference=_mean(pairs) if pairs else None,
        matter_interval=mean,
        better=signs.count(1),
        worse=signs.count(-1),
        same=signs.count(0),
        sign_p=exact_p(signs.count(1), signs.count(-1)),
        gained=gained,
        lost=lost,
        mcnemar_p=exact_p(gained, lost),
        by_matter={m.matter_id: round(m.difference, 6) for m in pairs},
        seed=seed,
        rounds=rounds,
        caveats=tuple(caveats),
    )


def _by_matter(scored: Iterable[Place], base: Mapping[Place, str], other: Mapping[Place, str]) -> list[PairedMatter]:
    places: dict[str, list[Place]] = defaultdict(list)
    for place in scored:
        places[place[0]].append(place)
    return [
        PairedMatter(
            matter_id=matter_id,
            criteria=len(of),
            base=sum(base[p] == "pass" for p in of),
            other=sum(other[p] == "pass" for p in of),
        )
        for matter_id, of in sorted(places.items())
    ]


def _pooled(pairs: Sequence[PairedMatter]) -> float:
    return round(sum(m.other - m.base for m in pairs) / sum(m.criteria for m in pairs), 6)


def _mean(pairs: Sequence[PairedMatter]) -> float:
    return round(sum(m.difference for m in pairs) / len(pairs), 6)


def intervals(pairs: Sequence[PairedMatter], seed: int, rounds: int) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return the 95 % intervals of the pooled and of the mean difference, from samples of whole matters."""
    gains, criteria = [m.other - m.base for m in pairs], [m.criteria for m in pairs]
    pooled = ratio_interval(gains, criteria, seed, rounds)
    mean = ratio_interval([m.difference for m in pairs], [1] * len(pairs), seed, rounds)
    return _rounded(pooled), _rounded(mean)


def _rounded(interval: Sequence[float]) -> tuple[float, float]:
    low, high = interval
    return round(low, 6), round(high, 6)
