"""Agreement of labels: accuracy, Cohen's and Fleiss' kappa, Krippendorff's alpha, McNemar's test.

Labels are any hashable values; ``None`` is a label that was not given. All measures are 1.0 for full agreement and,
accuracy apart, about 0.0 for what chance alone would give. A measure that is not defined is None, never a guess.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from itertools import permutations

Label = Hashable | None
Pair = tuple[Label, Label]


def both_given(pairs: Sequence[Pair]) -> list[Pair]:
    """Return the pairs of which both labels were given."""
    return [(a, b) for a, b in pairs if a is not None and b is not None]


def accuracy(pairs: Sequence[Pair]) -> float | None:
    """Return the share of pairs with equal labels, of those of which both were given.

    >>> accuracy([("pass", "pass"), ("pass", "fail"), (None, "fail")])
    0.5
    """
    given = both_given(pairs)
    return sum(a == b for a, b in given) / len(given) if given else None


def cohen_kappa(pairs: Sequence[Pair]) -> float | None:
    """Return Cohen's kappa of two judges: ``(observed - expected) / (1 - expected)`` (Cohen 1960).

    Observed is the share of equal labels; expected is what two judges with these shares of labels would reach by
    chance: the sum over labels of the product of both shares. None where both always give the same one label.

    >>> round(cohen_kappa([("p", "p")] * 20 + [("p", "f")] * 5 + [("f", "p")] * 10 + [("f", "f")] * 15), 3)
    0.4
    """
    given = both_given(pairs)
    if not given:
        return None
    first, second = (Counter(labels) for labels in zip(*given, strict=True))
    observed = sum(a == b for a, b in given) / len(given)
    expected = sum(first[label] * second[label] for label in first) / len(given) ** 2
    return (observed - expected) / (1 - expected) if expected < 1 else None


def fleiss_kappa(rows: Sequence[Sequence[Label]]) -> float | None:
    """Return Fleiss' kappa of several judges who each label every item (Fleiss 1971).

    Args:
        rows: The labels of each item. Items that some judge left without a label are left out.

    Raises:
        ValueError: Items have different numbers of labels, or fewer than two.
    """
    if len({len(row) for row in rows}) > 1 or any(len(row) < 2 for row in rows):
        raise ValueError("every item needs a label of each of the same two or more judges")
    whole = [Counter(row) for row in rows if None not in row]
    if not whole:
        return None
    raters = whole[0].total()
    agreeing = [(sum(n * n for n in c.values()) - raters) / (raters * (raters - 1)) for c in whole]
    observed = sum(agreeing) / len(whole)
    shares = sum(whole, Counter[Label]())
    expected = sum((n / shares.total()) ** 2 for n in shares.values())
    return (observed - expected) / (1 - expected) if expected < 1 else None


def krippendorff_alpha(rows: Sequence[Sequence[Label]]) -> float | None:
    """Return Krippendorff's alpha of nominal labels, any number of judges, with gaps (Krippendorff 2011).

    ``1 - (n - 1) * D``, with D the coincidences of unlike labels over the products of their totals: an item with m
    labels gives each of its ordered pairs the weight ``1 / (m - 1)``; items with one label say nothing.
    """
    coincidences: Counter[tuple[Label, Label]] = Counter()
    for row in rows:
        labels = [label for label in row if label is not None]
        for pair in permutations(labels, 2):
            coincidences[pair] += 1 / (len(labels) - 1)  # type: ignore[assignment]
    totals: Counter[Label] = Counter()
    for (label, _), weight in coincidences.items():
        totals[label] += weight
    n = sum(totals.values())
    unlike = n * n - sum(count * count for count in totals.values())
    if not unlike:
        return None
    seen = sum(weight for (a, b), weight in coincidences.items() if a != b)
    return 1 - (n - 1) * seen / unlike


def mcnemar(pairs: Sequence[Pair], label: Label = "pass") -> float | None:
    """Return the exact two-sided p of McNemar's test: whether one of two judges gives ``label`` more often.

    Of the items on which they differ, half would go either way if neither did; None where they never differ.
    """
    from scipy.stats import binomtest

    given = both_given(pairs)
    only_first = sum(a == label != b for a, b in given)
    only_second = sum(b == label != a for a, b in given)
    differing = only_first + only_second
    return float(binomtest(only_first, differing).pvalue) if differing else None


def confusion(pairs: Sequence[Pair]) -> dict[tuple[str, str], int]:
    """Count the pairs by both labels, as words; a label that was not given is ``none``."""
    return dict(sorted(Counter((_word(a), _word(b)) for a, b in pairs).items()))


def _word(label: Label) -> str:
    return "none" if label is None else str(label)
