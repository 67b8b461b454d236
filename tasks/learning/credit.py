r"""What each edit of a promoted group is worth by itself: evidence for each, and a bound over those that are kept.

**Why.** That a group gains says nothing of one edit in it, and that the gain shrinks when one is taken back says only
that it did better than nothing: a harmful edit hides behind helpful ones, and a poor one keeps out a better one for
the same passage of the harness.

**The design.** Of edits that would write the same file, rivals, the one that gains most on the training matters goes
on. The m that do stand in an order e_1 … e_m made there too, the most gain first. S_j is the incumbent with e_1 … e_j.
On each matter i that candidates are compared on, D_ij is the pass rate under S_j less that under S_(j-1): what e_j adds
to those before it. The differences of a matter add up to the gain of the whole group, so no gain is credited twice, and
an edit that does again what an earlier one did is credited with nothing.

**The formulas.** An edit passes by one of two counts.

*Beside the others.* W_j = sum over i of tanh(D_ij / 0.1). Edits with W_j >= t pass, for the least t > 0 at which

    (1 + the number of edits with W_j <= -t)  /  the number of edits with W_j >= t   <=   q = 0.1

*By itself.* Of an edit that gains on a matters and loses on l,

    E_j = 1/2 (1 + 0.9)^a (1 - 0.9)^l  +  1/2 (1 + 0.3)^a (1 - 0.3)^l

the wealth of two bettors who bet a fixed share on each sign: the bold one for a cell that gives the same work product
each time, the timid one for a cell whose attempts differ by themselves. The k edits with the greatest E pass, where k
is the greatest number for which the k-th greatest E is at least m / (k q).

**The bound.** An edit *does not add* where its differences are symmetric about a mean of at most 0, given all before
(the assumption of ``sequential.py``). Order, rivals and m come from training matters alone, so such an edit is no
likelier to win than to lose. By itself: each bettor's expected wealth is then at most 1, E is an e-value, and by the
rule of Wang and Ramdas, whatever the dependence of the edits, of those that pass a share of at most q does not add, on
average over learning runs. Beside the others: those that lose are as many as those that win by chance, and count them.
By the argument of Barber and Candès the same bound holds where, besides, the signs of edits that do not add do not
hang together; edits that act upon criteria of their own meet that. What passes by the one or the other: at most 2 q.
The second needs ten edits and none that loses, the first at least five matters; what neither speaks for stays out.

**Rivals and the last look.** A rival takes the place of an edit that passed where it gains more over training and
compared matters together, also where it wins on some and loses on others: that the file is worth an edit is shown by
then, so to leave all of them out is the one choice that is surely worse. Of rivals that do the same on every matter
that was seen the first stays. Last, each edit is taken back from what is left, and one that is not missed there goes as
well. All of this goes by counts: the bound is of what was passed. It is no bound on a rival that is like the best on
these matters and worse on others: how often such a one stays is measured.

**No second hearing.** In a cell that gives the same work product each time a later comparison of the same edits on the
same matters brings the same pairs again. Their e-values are then functions of each other, not independent factors:
multiplied they would count each matter twice, and the bound would be lost. Evidence is carried on over fresh matters
alone, and a split has none left once each was compared; so an edit that is left out is decided upon once.
None of it can promote anything: the whole group was promoted by the test before, and the bound of that test is
untouched.

Sources: Vovk and Wang, "E-values: calibration, combination and applications" (2021); Wang and Ramdas, "False
discovery rate control with e-values" (2022); Barber and Candès, "Controlling the false discovery rate via knockoffs"
(2015), whose filter of signs this is. Shares of harmful and helpful edits kept are measured by ``solon bench learner``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tasks.learning.scores import Floats
from tasks.learning.sequential import lead_of

BETS: Final = (0.9, 0.3)
"""Shares of the wealth that the two bettors bet on each sign."""
SHARE: Final = 0.1
"""Bound, for each of the two counts, on the expected share of edits that do not add among those that pass."""
ROUNDING: Final = 1e-9  # a difference below this is what rounding leaves of none


@dataclass(frozen=True)
class Credit:
    """What the matters say of one edit.

    Attributes:
        gained, lost: Matters on which it gains and loses, of ``matters``.
        lead: By how much its differences speak for it.
        passed: Whether it passes.
    """

    gained: int
    lost: int
    matters: int
    lead: float
    passed: bool

    def __str__(self) -> str:
        """Return it for the ledger."""
        return f"adds on {self.gained} and takes away on {self.lost} of {self.matters} matters, lead {self.lead:.2f}"


def credited(gains: Floats, share: float = SHARE) -> list[Credit]:
    """Return the credit of each edit of a group.

    Args:
        gains: What each adds to those before it, of shape (edits, matters); NaN where nothing can be compared.
        share: The bound for each of the two counts.
    """
    known = np.nan_to_num(gains)
    gained, lost = (known > ROUNDING).sum(axis=-1), (known < -ROUNDING).sum(axis=-1)
    lead = lead_of(known)
    passed = beside_the_others(lead, share) | by_itself(e_value(gained, lost), share)
    columns = zip(gained.tolist(), lost.tolist(), lead.tolist(), passed.tolist(), strict=True)
    return [Credit(a, b, known.shape[-1], w, ok) for a, b, w, ok in columns]


def beside_the_others(leads: Floats, share: float = SHARE) -> NDArray[np.bool_]:
    """Return which of the edits with these leads pass by the filter of signs; shape (edits,)."""
    for least in np.unique(np.abs(leads[np.abs(leads) > ROUNDING])):
        losing, winning = (leads <= -least + ROUNDING).sum(), leads >= least - ROUNDING
        if 1 + losing <= share * winning.sum() + ROUNDING:
            return np.asarray(winning)
    return np.zeros(leads.shape, dtype=np.bool_)


def by_itself(evidence: Floats, share: float = SHARE) -> NDArray[np.bool_]:
    """Return which of the edits with these e-values pass by the rule for e-values; shape (edits,)."""
    ordered = -np.sort(-evidence)
    least = len(ordered) / (share * np.arange(1, len(ordered) + 1))
    passing = np.flatnonzero(ordered >= least)
    asked = least[passing[-1]] if passing.size else np.inf
    return np.asarray(evidence >= asked)


def e_value(gained: NDArray[np.int64], lost: NDArray[np.int64]) -> Floats:
    """Return the mean wealth of the two bettors after so many gains and losses."""
    wealth: Floats = np.mean([(1 + bet) ** gained * (1 - bet) ** lost for bet in BETS], axis=0)
    return wealth


def best_of(gains: Floats) -> int:
    """Return which of several rivals gains most, the first of those that gain the same; shape (rivals, matters)."""
    total = np.nan_to_num(gains).sum(axis=-1)
    return int(np.flatnonzero(total >= total.max() - ROUNDING)[0])
