"""The measures of the retrieval bench on hand-counted spans."""

import pytest

from tasks.retrieval.bench import characters, overlap


@pytest.mark.parametrize(
    ("found", "gold", "expected"),
    [
        ([("a", 0, 10)], [("a", 5, 15)], 5),
        ([("a", 0, 10), ("a", 5, 12)], [("a", 0, 20)], 12),
        ([("a", 0, 10)], [("b", 0, 10)], 0),
        ([("a", 0, 10)], [("a", 2, 4), ("a", 3, 6)], 4),
        ([], [("a", 0, 1)], 0),
        ([("a", 0, 10), ("b", 0, 10)], [("a", 9, 20), ("b", 9, 20)], 2),
    ],
)
def test_overlap_counts_each_character_once(found, gold, expected):
    assert overlap(found, gold) == expected


def test_characters_of_overlapping_spans():
    assert characters([("a", 0, 10), ("a", 5, 12), ("b", 0, 3)]) == 15
