"""Tools that a skill demands: what counts as used, and that it is said once."""

from __future__ import annotations

from pathlib import Path

import pytest

from tasks.drafting.mechanisms.mandatory_tools import MandatoryTools, unused
from tasks.drafting.mechanisms.records import Firing, Moment, Step, View
from tasks.harness import packaged

GUARD = MandatoryTools(packaged().mechanisms.mandatory_tools)


def view(
    place: Path, *called: tuple[str, bool], demanded: tuple[str, ...] = ("authority", "search"), fired: bool = False
) -> View:
    steps = [Step(n, tool, {}, "", failed) for n, (tool, failed) in enumerate(called, 1)]
    before = (Firing(mechanism="mandatory_tools", moment=Moment.FINISH, note="said"),) if fired else ()
    return View(
        brief="", wanted=(), documents={}, output=place, scratch=place, steps=steps, demanded=demanded, fired=before
    )


@pytest.mark.parametrize(
    ("called", "left"),
    [
        ([], ("authority", "search")),
        ([("authority", False)], ("search",)),
        ([("authority", True), ("search", False)], ("authority",)),
        ([("mcp__solon__authority", False), ("solon_search", False)], ()),
        ([("no_authority", False), ("research", False)], ("authority", "search")),
    ],
)
def test_what_counts_as_used(tmp_path: Path, called: list[tuple[str, bool]], left: tuple[str, ...]) -> None:
    seen = view(tmp_path, *called)
    assert unused(seen) == left
    assert bool(GUARD.objection(seen)) == bool(left)
    assert all(name in GUARD.objection(seen) for name in left)


def test_it_is_said_once_and_not_where_nothing_is_demanded(tmp_path: Path) -> None:
    assert GUARD.objection(view(tmp_path))
    assert GUARD.objection(view(tmp_path, fired=True)) == ""
    assert GUARD.objection(view(tmp_path, demanded=())) == ""
