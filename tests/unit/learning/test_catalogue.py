"""The proposer that draws from a folder: what applies and was not tried, for the commonest reasons first."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tasks.learning.proposers.catalogue import CatalogueEdit, CatalogueProposer, read_catalogue
from tasks.learning.proposers.registry import Means, proposer_of
from tasks.learning.records import LearnerInput, Signal
from tasks.matter.failures import SolonError
from tasks.matter.reasons import Reason

SIGNAL = Signal(
    work_type="review", documents="1-3", document_formats=(), deliverable_formats=(), skill_id="other/general",
    tool_uses={}, passed=1, failed=4, unscored=0, final_message="",
    reasons={Reason.DATE_WRONG: 3, Reason.WORDS_NOT_CONVEYED: 1},
)  # fmt: skip


def given(*history: str, **texts: dict[str, str]) -> LearnerInput:
    return LearnerInput.model_validate({"signals": (SIGNAL,), "skills": {}, "history": history, **texts})


def edit(name: str, reason: Reason | None = None, **fields: str) -> CatalogueEdit:
    base = {"surface": "knowledge", "path": f"provisions/{name}.toml", "after": "x\n", "rationale": name}
    return CatalogueEdit.model_validate({**base, "reason": reason, **fields})


def names(proposer: CatalogueProposer, of: LearnerInput, limit: int = 9) -> list[str]:
    return [one.rationale for one in proposer.propose(of, limit)]


def test_the_commonest_reason_comes_first_and_then_an_order_of_the_seed() -> None:
    edits = [edit(f"none-{n}") for n in range(5)]
    edits += [
        edit("words", Reason.WORDS_NOT_CONVEYED),
        edit("date", Reason.DATE_WRONG),
        edit("form", Reason.FORM_LACKING),
    ]
    orders = [names(CatalogueProposer(edits, ("knowledge",), seed), given()) for seed in (1, 1, 2)]
    assert orders[0][:2] == ["date", "words"]
    assert orders[0] == orders[1] != orders[2]
    assert sorted(orders[0]) == sorted(orders[2]) == sorted(one.rationale for one in edits)
    assert names(CatalogueProposer(edits, ("knowledge",), 1), given(), 1) == ["date"]
    assert names(CatalogueProposer(edits, ("skills",), 1), given()) == []


def test_only_what_applies_to_the_text_in_force_is_offered() -> None:
    path = "provisions/a.toml"
    piece = edit("piece", path=path, before="one\n", after="one\ntwo\n")
    new = edit("new", path=path, after="one\n")
    proposer = CatalogueProposer([new, piece], ("knowledge",))
    assert names(proposer, given()) == ["new"]
    (made,) = proposer.propose(given(knowledge={path: "zero\none\n"}), 9)
    assert (made.rationale, made.before, made.after) == ("piece", "zero\none\n", "zero\none\ntwo\n")
    assert names(proposer, given(knowledge={path: "one\none\n"})) == []  # which one is meant?


@pytest.mark.parametrize(
    ("surface", "path", "texts"),
    [
        ("skills", "skills/other/general/SKILL.md", {"skills": {"other/general": "old\n"}}),
        ("agents", "gates.toml", {"agents": {"gates.toml": "old\n"}}),
        ("tools", "tools/count.py", {"tools": {"tools/count.py": "old\n"}}),
    ],
)
def test_every_surface_is_read_where_a_proposer_sees_it(surface: str, path: str, texts: dict[str, Any]) -> None:
    one = edit("one", surface=surface, path=path, before="old", after="new")
    proposer = CatalogueProposer([one], (surface,))  # type: ignore[arg-type]
    assert proposer.propose(given(), 9) == []
    assert proposer.propose(given(**texts), 9)[0].after == "new\n"


def test_what_was_tried_does_not_come_again() -> None:
    """Nor where the ledger withheld what it said, and kept its digest."""
    proposer = CatalogueProposer([edit("one"), edit("two")], ("knowledge",))
    assert names(proposer, given("one")) == ["two"]
    (two,) = proposer.propose(given("one"), 9)
    withheld = f"withheld: refused by the gate leakage, digest {two.digest[:12]}"
    assert names(proposer, given("one", withheld)) == []


def test_of_one_file_one_edit_is_offered_at_a_time() -> None:
    """The second would be made from a text that the first changes."""
    same = [edit(name, path="provisions/a.toml") for name in ("one", "two")]
    assert len(names(CatalogueProposer(same, ("knowledge",)), given())) == 1


def test_a_folder_is_read_by_name_and_a_broken_one_refused(tmp_path: Path) -> None:
    for name in ("b", "a"):
        (tmp_path / f"{name}.json").write_text(edit(name).model_dump_json())
    assert [one.rationale for one in read_catalogue(tmp_path)] == ["a", "b"]
    means = Means(surfaces=("knowledge",), home=tmp_path, catalogue=tmp_path, seed=4)
    assert proposer_of("catalogue", means).name == "catalogue"
    (tmp_path / "c.json").write_text(edit("a", path="provisions/c.toml").model_dump_json())
    with pytest.raises(SolonError, match="rationale of another"):
        read_catalogue(tmp_path)
    (tmp_path / "c.json").write_text('{"surface": "moon"}')
    with pytest.raises(SolonError, match=r"c\.json.*surface"):
        read_catalogue(tmp_path)
    for folder in (None, tmp_path / "none"):
        with pytest.raises(SolonError, match="--catalogue DIR"):
            read_catalogue(folder)
    (tmp_path / "empty").mkdir()
    with pytest.raises(SolonError, match="solon study apart"):
        read_catalogue(tmp_path / "empty")
