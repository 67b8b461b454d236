"""Makes the fixtures beside these tests importable."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))


# Briefs that the parser by parts of speech reads otherwise than their author (issue 10 is open): kinds and spans.
# Strict: one that is mended must leave this list.
READ_OTHERWISE = frozenset(
    {
        4,
        7,
        8,
        9,
        19,
        23,
        25,
        27,
        31,
        32,
        34,
        41,
        42,
        43,
        46,
        48,
    }
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Expect the readings that are known to be wrong to fail."""
    known = {f"test_a_brief_is_read_as_a_lawyer_reads_it[{n}]" for n in READ_OTHERWISE}
    mark = pytest.mark.xfail(reason="the parser reads this brief otherwise than its author", strict=True)
    for item in items:
        if item.name in known:
            item.add_marker(mark)
