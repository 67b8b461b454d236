"""The proposer that draws from a folder: what applies and was not tried, for the commonest reasons first."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tasks.harness import HarnessRef, find_harness
from tasks.learning import ledger
from tasks.learning.acceptance import BestSoFar
from tasks.learning.comparison import Arena
from tasks.learning.proposers.catalogue import CatalogueEdit, CatalogueProposer, read_catalogue
from tasks.learning.proposers.proposer import Means
from tasks.learning.proposers.registry import proposer_of
from tasks.learning.proposers.rules import set_procedure
from tasks.learning.records import LearnerInput, Observation, Signal
from tasks.learning.rows import why_nothing
from tasks.learning.step import LearnSettings, learn_step
from tasks.matter.failures import SolonError
from tasks.matter.reasons import ErrorClass, Failed, Reason
from tasks.matter.records import Matter

SIGNAL = Signal(
    work_type="review", documents="1-3", document_formats=(), deliverable_formats=(), skill_id="other/general",
    tool_uses={}, passed=1, failed=4, unscored=0, final_message="",
    reasons={Reason.DATE_WRONG: 3, Reason.WORDS_NOT_CONVEYED: 1},
)  # fmt: skip


def given(*history: str, **texts: dict[str, str]) -> LearnerInput:
    return LearnerInput.model_validate({"signals": (SIGNAL,), "skills": {}, "history": history, **texts})


def test_a_step_without_an_edit_says_why() -> None:
    """Nothing was judged, nothing failed, or what failed has no edit left; the commonest reasons stand first."""
    assert why_nothing(LearnerInput(signals=(), skills={}, history=()), "rules") == (
        "no attempt of the step could be judged"
    )
    passed = SIGNAL.model_copy(update={"failed": 0, "reasons": {}})
    assert why_nothing(LearnerInput(signals=(passed,), skills={}, history=()), "rules") == (
        "no criterion of the step failed"
    )
    half = passed.model_copy(update={"unscored": 2})
    assert why_nothing(LearnerInput(signals=(half,), skills={}, history=()), "rules").endswith("2 were not scored")
    date, words = (Reason[name].sentence.rstrip(".") for name in ("DATE_WRONG", "WORDS_NOT_CONVEYED"))
    assert why_nothing(given(), "rules") == (
        f"rules has no edit left that answers what failed (3 x {date}, 1 x {words})"
    )


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


def test_of_one_file_one_edit_is_offered_at_a_time_or_all_that_write_the_whole_of_it() -> None:
    """A second passage would be made from a text that the first changes; of whole files one can be taken."""
    path, text = "provisions/a.toml", {"provisions/a.toml": "one\ntwo\n"}
    passages = [edit(name, path=path, before=name, after=name.upper()) for name in ("one", "two")]
    assert len(names(CatalogueProposer(passages, ("knowledge",)), given(knowledge=text))) == 1
    rivals = [edit(name, path=path, after=f"{name}\n") for name in ("poor", "sound")]
    proposer = CatalogueProposer([*rivals, *passages, edit("other")], ("knowledge",))
    assert sorted(names(proposer, given())) == ["other", "poor", "sound"]
    assert len(names(proposer, given(), 2)) == 2


def test_a_whole_file_of_the_catalogue_may_take_the_place_of_another() -> None:
    """What was kept without its rival having been there may be mended; a file of somebody else is left alone."""
    path = "provisions/a.toml"
    proposer = CatalogueProposer(
        [edit(name, path=path, after=f"{name}\n") for name in ("poor", "sound")], ("knowledge",)
    )
    (made,) = proposer.propose(given("poor", knowledge={path: "poor\n"}), 9)
    assert (made.rationale, made.before, made.after) == ("sound", "poor\n", "sound\n")
    assert names(proposer, given(knowledge={path: "poor\nand more\n"})) == []


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


SECRETS = ("Zebulon Quist", "USD 987,654.32", "4 May 2021", "canaryheliotrope", "quist-017")


def test_what_a_catalogue_says_of_a_matter_reaches_neither_input_nor_ledger_nor_archive(tmp_path: Path) -> None:
    """Catalogues are written by hand: whoever pasted from a matter has pasted for nothing."""
    where = "skills/other/general/SKILL.md"
    harness = find_harness()
    front = (harness.skills / where).read_text("utf-8").partition("\n# ")[0]
    told = [
        {
            "rationale": f"number {n}",
            "after": front.replace("A careful general procedure", f"Mind {secret}. A procedure"),
        }
        for n, secret in enumerate(SECRETS)
    ]
    told.append({"rationale": "as Zebulon Quist said", "after": f"{front}\n"})
    told.append({"rationale": "more passages", "after": set_procedure(front, "passages_per_topic", 4)})
    offered = [edit("x", surface="skills", path=where, before=front, **one) for one in told]
    asked: list[str] = []

    def shares(text: str, general: object) -> bool:
        asked.append(text)
        return "canaryheliotrope" in text

    def evaluate(at: HarnessRef, matters: Sequence[Matter], epochs: Sequence[int] = (1,)) -> list[Observation]:
        message = f"I wrote of {' and '.join(s for s in SECRETS if s != 'canaryheliotrope')}."  # no name, no figure
        return [
            Observation(
                matter_key=m.matter_id, work_type="review", document_suffixes=(), deliverable_suffixes=(),
                skill_id="other/general", passed=1, unscored=0, final_message=message,
                failed=(Failed(match_kind="span", error_class=ErrorClass.MISSING_FACTS),),
            )
            for m in matters
        ]  # fmt: skip

    seen = LearnSettings(
        learn_id="t", proposer=CatalogueProposer(offered, ("skills",)), policy=BestSoFar(), store=tmp_path / "store",
        ledger=tmp_path / "ledger.jsonl", inputs=tmp_path / "inputs", vocabulary=shares,
        names={"quist-017": ("Zebulon Quist", "quist-017")},
    )  # fmt: skip
    matter = Matter(matter_id="quist-017", title="Zebulon Quist", area="tax", instructions="Do it.")
    for step in range(len(offered)):  # of one file it offers one edit a step
        learn_step(harness, [matter], step, Arena(evaluate), seen)
    rows = ledger.read(seen.ledger)
    stopped = [next(g.gate for g in row.gates if not g.passed) for row in rows if row.surface != "none"]
    assert sorted(stopped) == ["audit", "evaluation", "generality", "generality", "leakage", "leakage", "leakage"]
    assert asked
    for path in filter(Path.is_file, tmp_path.rglob("*")):
        text = path.read_text("utf-8")
        assert not [secret for secret in (*SECRETS, "Quist", "987,654") if secret in text], path
