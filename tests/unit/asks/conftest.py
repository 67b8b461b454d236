"""Makes the fixtures beside these tests importable."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))


# Briefs that the parser by parts of speech reads otherwise than their author (issue 10 is open): kinds, spans and rows.
# Strict: one that is mended must leave this list.
READ_OTHERWISE = frozenset(
    {
        0,
        2,
        4,
        7,
        8,
        9,
        12,
        16,
        19,
        23,
        24,
        25,
        27,
        31,
        32,
        33,
        34,
        40,
        41,
        42,
        43,
        46,
        48,
        52,
    }
)
READ_OTHERWISE_TOO = (
    "test_a_company_ends_a_sentence_where_a_request_follows",
    "test_a_provision_is_an_item_of_its_own[For each document give the agreement date, rent, security dep",
    "test_a_provision_is_an_item_of_its_own[give the cap on liability, audit rights, governing law and in",
    "test_facts_names_heads_and_courtesies_are_background[From: Ann <a@b.com>\\nTo: Bo\\nSubject: what is t",
    "test_facts_names_heads_and_courtesies_are_background[When the tenant moved in, the roof leaked. Who ",
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Expect the readings that are known to be wrong to fail."""
    known = {f"test_a_brief_is_read_as_a_lawyer_reads_it[{n}]" for n in READ_OTHERWISE}
    mark = pytest.mark.xfail(reason="the parser reads this brief otherwise than its author", strict=True)
    for item in items:
        if item.name in known or item.name.startswith(READ_OTHERWISE_TOO):
            item.add_marker(mark)
