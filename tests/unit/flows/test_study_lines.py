"""What a study tells on the terminal of the rows that answer it."""

from flows.cli.study import _tells

ROWS = [
    {"study": "t1", "cell": "extractive", "gain": 0.2895, "surfaces": "knowledge"},
    {"study": "t1", "cell": "interrogator", "gain": 0.2895, "surfaces": "knowledge"},
]


def test_a_gain_that_is_the_same_for_every_cell_is_told_and_names_that_are_the_same_are_not() -> None:
    assert [name for name in ROWS[0] if _tells(ROWS, name)] == ["cell", "gain"]
