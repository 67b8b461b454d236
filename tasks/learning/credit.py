r"""What each edit of a promoted group is worth by itself: evidence of its own, and a bound over those that are kept.

**Why.** That a group gains says nothing of one edit in it, and that the gain shrinks when one is taken back says only
that it did better than nothing: a harmful edit hides behind helpful ones, and a poor one keeps out a better one for
the same passage of the harness.

**The design.** The edits stand in an order e_1 … e_m made on the training matters, the most gain first. S_j is the
incumbent with e_1 … e_j. On each matter i that candidates are compared on, D_ij is the pass rate under S_j less that
under S_(j-1): what e_j adds to those before it. The differences of a matter add up to the gain of the whole group, so
no gain is credited twice, and an edit that does again what an earlier one did is credited with nothing.

**The formula.** Of an edit that gains on a matters and loses on l (elsewhere it changes nothing),

    E = 1/2 (1 + 0.9)^a (1 - 0.9)^l  +  1/2 (1 + 0.3)^a (1 - 0.3)^l

the wealth of two bettors who bet a fixed share on each sign: the bold one for a cell that gives the same work product
each time, the timid one for a cell whose attempts differ by themselves. Edits that would write the same file are
rivals. All r that led are measured in the same place of the order; the one with the greatest gain over training and
compared matters stands for the file, with its E divided by r. Of the m files, those with the k greatest E are kept,
where k is the greatest number for which the k-th greatest E is at least m / (k q), with q = 0.2.

**The bound.** An edit *does not add* where its difference, given all before, is symmetric about a mean of at most 0
(the assumption of ``sequential.py``). A gain is then no likelier than a loss, so each bettor's expected wealth is at
most 1, and E is an e-value; so is the greatest of r divided by r, as it is at most their mean. Order, rivals and m come
from training matters alone. By the rule of Wang and Ramdas for e-values, whatever their dependence (one matter has a
part in many of them), of the edits that pass a share of at most q does not add, on average over learning runs. An edit
that acts on three matters or fewer cannot pass: what no evidence speaks for stays out.

**What it does not say.** It is about adding to those before it, on average over matters like these. So, last, each edit
that passed is taken back from what is left, and one that is not missed there goes as well. Neither step can promote
anything: the whole group was promoted by the test before, and the bound of that test is untouched.

Sources: Vovk and Wang, "E-values: calibration, combination and applications" (2021); Wang and Ramdas, "False discovery
rate control with e-values" (2022). Shares of harmful and helpful edits kept are measured by ``solon bench learner``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tasks.learning.scores import Floats

BETS: Final = (0.9, 0.3)
"""Shares of the wealth that the two bettors bet on each sign."""
SHARE: Final = 0.2
"""Bound on the expected share, among edits that pass, of those that do not add."""
ROUNDING: Final = 1e-9


@dataclass(frozen=True)
class Credit:
    """What the matters say of one edit.

    Attributes:
        gained, lost: Matters on which it gains and loses, of ``matters``.
        evidence: Its e-value, divided by how many rivals were compared for the same file.
    """

    gained: int
    lost: int
    matters: int
    evidence: float

    def said(self, asked: float) -> str:
        """Return it for the ledger, beside the evidence that was asked for."""
        acts = f"adds on {self.gained} and takes away on {self.lost} of {self.matters} matters"
        return f"{acts}, evidence {self.evidence:.3g} of {asked:.3g}"


def credit(gains: Floats, rivals: int = 1) -> Credit:
    """Return the credit of an edit.

    Args:
        gains: What it adds on each matter, of shape (matters,); NaN where nothing can be compared.
        rivals: Edits for the same file that were compared, itself among them.
    """
    known = np.nan_to_num(gains)
    gained, lost = int((known > ROUNDING).sum()), int((known < -ROUNDING).sum())
    return Credit(gained, lost, known.size, float(e_value(gained, lost)) / rivals)


def e_value(gained: int | NDArray[np.int64], lost: int | NDArray[np.int64]) -> Floats:
    """Return the mean wealth of the two bettors after so many gains and losses."""
    wealth = [(1 + bet) ** np.asarray(gained) * (1 - bet) ** np.asarray(lost) for bet in BETS]
    mean: Floats = np.mean(wealth, axis=0)
    return mean


def asked(evidence: Floats, share: float = SHARE) -> float:
    """Return the evidence from which edits are kept; infinite where none is.

    Args:
        evidence: E-values of all edits, of shape (edits,).
        share: The bound on the share of those kept that do not add.
    """
    ordered = -np.sort(-evidence)
    least = len(ordered) / (share * np.arange(1, len(ordered) + 1))
    passing = np.flatnonzero(ordered >= least)
    return float(least[passing[-1]]) if passing.size else float("inf")


def best_of(gains: Floats) -> int:
    """Return which of several rivals gains most, the first of those that gain the same; shape (rivals, matters)."""
    total = np.nan_to_num(gains).sum(axis=-1)
    return int(np.flatnonzero(total >= total.max() - ROUNDING)[0])
