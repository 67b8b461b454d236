"""A harness taken apart: what is left is empty, the edits lead back to the whole, and what is planted is told apart."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest

from flows.cli import main
from flows.studies.regrow.apart import Bound, blocks, pieces, taken_apart
from flows.studies.regrow.asked import called_for
from flows.studies.regrow.drawing import Drawn
from flows.studies.regrow.empty import empty_harness
from flows.studies.regrow.measure import lines, regrown
from flows.studies.regrow.planted import planted
from knowledge_db.load import rows_of
from knowledge_db.provisions import load_provisions
from knowledge_db.records import InferenceRule
from skills_repo.release_gates import parse_gates
from tasks.harness import HarnessRef, find_harness, parsed
from tasks.learning import ledger
from tasks.learning.gates import form_gate, scope_gate
from tasks.learning.knowledge.edits import added_patterns
from tasks.learning.knowledge.gates import generality_problem, number_in
from tasks.learning.proposers.catalogue import CatalogueEdit, read_catalogue
from tasks.learning.records import Decision, Edit, GateVerdict, LedgerRow
from tasks.matter.failures import SolonError
from tasks.matter.records import Matter

SHIPPED = find_harness()


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory) -> HarnessRef:
    return empty_harness(SHIPPED, tmp_path_factory.mktemp("made") / "empty")


@pytest.fixture(scope="module")
def apart(empty: HarnessRef) -> list[CatalogueEdit]:
    return taken_apart(SHIPPED, empty)


def applied(empty: HarnessRef, edits: list[CatalogueEdit]) -> list[Edit]:
    """Apply edits in their order; each must apply."""
    texts: dict[tuple[str, str], str] = {}
    made = []
    for one in edits:
        path = (empty.knowledge if one.surface == "knowledge" else empty.skills) / one.path
        held = path.read_text("utf-8") if path.is_file() else ""
        edit = one.on(texts.get((one.surface, one.path), held))
        assert edit, one.rationale
        texts[one.surface, one.path] = edit.after
        made.append(edit)
    return made


def test_the_empty_harness_is_whole_and_knows_next_to_nothing(empty: HarnessRef) -> None:
    harness = parsed(empty)
    assert [skill.skill_id for skill in harness.skills] == ["other/general"]
    assert load_provisions(empty.knowledge) == ()
    assert harness.knowledge.inference == ()
    assert harness.knowledge.authorities  # the law is not taken out
    gates = parse_gates((empty.skills / "gates.toml").read_text("utf-8"))
    said = {gates.gate(gate).severity(kind) for gate in gates.order for kind in gates.gate(gate).kinds()}
    assert said == {"note", "block"}
    assert len([kind for gate in gates.order for kind in gates.gate(gate).kinds()
                if gates.gate(gate).severity(kind) == "block"]) == 4  # fmt: skip
    assert len(harness.prompts.guided.text.splitlines()[0]) < len(parsed(SHIPPED).prompts.guided.text)


def test_the_edits_lead_back_to_the_whole(empty: HarnessRef, apart: list[CatalogueEdit], tmp_path: Path) -> None:
    for edit in applied(empty, apart):
        path = tmp_path / edit.surface / edit.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(edit.after, "utf-8")
    assert load_provisions(tmp_path / "knowledge") == load_provisions(SHIPPED.knowledge)
    both = (rows_of(folder, "inference", InferenceRule) for folder in (tmp_path / "knowledge", SHIPPED.knowledge))
    assert next(both) == next(both)
    for surface in ("skills", "agents"):
        for path in filter(Path.is_file, (tmp_path / surface).rglob("*")):
            assert path.read_bytes() == (SHIPPED.skills / path.relative_to(tmp_path / surface)).read_bytes()
    assert len({one.rationale for one in apart}) == len(apart)


def test_each_edit_keeps_the_bounds_that_every_edit_keeps(empty: HarnessRef, apart: list[CatalogueEdit]) -> None:
    """All of the skills, prompts and gates, and a part of the rows; the prompt of the role api cannot come back."""
    made = applied(empty, apart)
    some = [edit for n, edit in enumerate(made) if edit.surface != "knowledge" or not n % 11]
    refused = [edit.path for edit in some for gate in (scope_gate, form_gate)
               if not gate(edit, (), empty.knowledge).passed]  # fmt: skip
    assert refused == ["prompts/api.md"]  # some of its lines stand in paragraphs that may be left out


def test_what_brings_a_provision_holds_no_number(empty: HarnessRef, apart: list[CatalogueEdit]) -> None:
    """Ten examples of how a clause is asked for told a number: they kept seven kinds of clause from being learned."""
    whole = [edit for edit in applied(empty, apart) if edit.path.startswith("provisions/") and not edit.before]
    assert len(whole) > 100
    assert [edit.rationale for edit in whole if generality_problem(edit)] == []


def test_a_provision_of_many_patterns_comes_in_pieces_and_a_number_last() -> None:
    many = "".join(f"  '\\bcue {letter}\\b',\n" for letter in "abcdefgh")
    block = f"[[provision]]\nname = \"x\"\nstrong = [\n{many}]\nsupport = ['\\b50\\b', 'half']\nanswer = \"clause\"\n"
    grown = pieces(block, Bound(3, 120), Bound(3, 40))
    assert grown[-1] == block
    assert [text.count("cue") for text in grown] == [3, 6, 8, 8]
    assert ["50" in text for text in grown] == [False, False, False, True]
    assert ["50" in text for text in pieces(block)] == [False, True]  # as a file that was not there it comes whole
    assert [text.count("cue") for text in pieces(block)] == [8, 8]
    assert pieces('[[provision]]\nname = "x"\n') == ['[[provision]]\nname = "x"\n']
    assert blocks("# head\n[[row]]\na = 1\n\n# next\n\n[[row]]\na = 2\n", "row") == [
        "[[row]]\na = 1\n", "[[row]]\na = 2\n"
    ]  # fmt: skip


def test_a_provision_is_one_edit_but_for_the_patterns_that_no_edit_may_bring(apart: list[CatalogueEdit]) -> None:
    later = [one for one in apart if one.path.startswith("provisions/") and one.before]
    assert later
    for one in later:
        edit = one.on(one.before)
        assert edit, one.rationale
        assert any(map(number_in, added_patterns(edit))), one.rationale


def test_what_is_planted_is_of_sound_form_and_follows_the_seed(empty: HarnessRef, apart: list[CatalogueEdit]) -> None:
    plants = planted(empty, apart, Drawn(5, 2))
    assert plants == planted(empty, apart, Drawn(5, 2)) != planted(empty, apart, Drawn(6, 2))
    assert [label for label, _ in plants] == ["harmful"] * 8 + ["worse"] * 2 + ["nothing"] * 6
    for _, one in plants:
        (edit,) = applied(empty, [one])
        assert scope_gate(edit, (), empty.knowledge).passed, one.rationale
        assert form_gate(edit, (), empty.knowledge).passed, one.rationale
    taken = {one.path for one in apart}
    assert all(one.path in taken for label, one in plants if label == "worse")  # they stand in the place of a sound one


def test_more_rounds_spoil_a_provision_in_several_ways(empty: HarnessRef, apart: list[CatalogueEdit]) -> None:
    thrice = planted(empty, apart, Drawn(23, 5, 3))
    assert {one.rationale for _, one in planted(empty, apart, Drawn(24, 5))} < {one.rationale for _, one in thrice}
    paths = [one.path for label, one in thrice if label in {"harmful", "worse"}]
    assert len(set(paths)) < len(paths) == len({one.rationale for _, one in thrice}) - 6
    with pytest.raises(SolonError, match="--spoilt 5"):
        planted(empty, apart, Drawn(23, 6))


@pytest.mark.slow
def test_what_no_matter_calls_for_is_left_out_and_nothing_is_planted_for_it(
    apart: list[CatalogueEdit], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    matter = Matter(
        matter_id="m", title="Rent", area="real-estate", work_type="review",
        instructions="Say what the lease provides on governing law and insurance.",
    )  # fmt: skip
    kept = called_for(apart, parsed(SHIPPED), [matter])
    provisions = {load_name(one) for one in kept if one.path.startswith("provisions/")}
    assert {"governing law", "insurance"} <= provisions
    assert "non-compete" not in provisions
    skills = [one for one in kept if one.surface == "skills"]
    assert 0 < len(skills) <= 2
    others = [one for one in apart if one.surface == "agents" or one.path.startswith("inference/")]
    assert set(others) <= set(kept)
    folder = tmp_path / "corpus" / "real-estate" / "m"
    (folder / "documents").mkdir(parents=True)
    (folder / "documents" / "a.txt").write_text("A lease.")
    told = {"title": matter.title, "instructions": matter.instructions, "deliverables": {"memo.docx": "memo.docx"}}
    (folder / "task.json").write_text(json.dumps({**told, "criteria": [], "work_type": "review"}))
    words = ["study", "apart", "--to", str(tmp_path / "edits"), "--asked-in", str(tmp_path / "corpus"), "--json"]
    assert main([*words, "--home", str(tmp_path / "home")]) == 2  # two provisions leave none to spoil
    assert "--spoilt" in capsys.readouterr().err


def load_name(one: CatalogueEdit) -> str:
    return str(tomllib.loads(one.after)["provision"][0]["name"])


def test_a_provision_headed_by_its_own_words_has_the_cues_of_another(
    empty: HarnessRef, apart: list[CatalogueEdit]
) -> None:
    sound = {one.path: one for one in apart if not one.before}
    plants = (one for _, one in planted(empty, apart, Drawn(5, 2)))
    headed = [one for one in plants if one.rationale.endswith("headings and fuller cues")]
    assert len(headed) == 2
    for one in headed:
        (own,), (spoilt,) = (tomllib.loads(of.after)["provision"] for of in (sound[one.path], one))
        assert spoilt.get("headings") == own.get("headings")
        assert spoilt["strong"] != own["strong"]


def test_the_command_writes_a_catalogue_and_its_labels_beside_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["study", "apart", "--to", "edits", "--seed", "3", "--without", "inference/", "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    edits = read_catalogue(tmp_path / "edits")
    assert sum(said["edits"].values()) == len(edits)
    assert not any(one.path.startswith("inference/") for one in edits)
    labels = json.loads(Path(said["labels"]).read_text())
    assert set(labels) == {one.rationale for one in edits}
    assert Path(said["labels"]).parent != tmp_path / "edits"
    assert main(["study", "apart", "--to", "edits"]) == 2
    assert main(["study", "apart"]) == 2
    assert main(["study", "regrown", "--labels", "x"]) == 2
    assert main(["study", "regrown", "l"]) == 2


def row(rationale: str, *, accepted: bool, decision: Decision | None, stopped: str = "", step: int = 0) -> LedgerRow:
    gates = (GateVerdict.model_validate({"gate": stopped, "passed": False, "reason": "no"}),) if stopped else ()
    return LedgerRow(
        learn_id="l", step=step, minibatch=1, base_version="a", candidate_version="b", surface="knowledge", path="p",
        rationale=rationale, diff="", edit_digest=rationale, gates=gates, decision=decision, accepted=accepted,
        together="w" if decision and decision.pairs else "",
    )  # fmt: skip


def test_the_outcome_is_counted_by_label_and_a_comparison_once() -> None:
    drawn = Decision(policy="p", accepted=True, incumbent=0.2, candidate=0.5, reason="", pairs=12, evidence=300.0)
    screened = drawn.model_copy(update={"accepted": False, "pairs": 0, "evidence": None})
    rows = [
        row("good", accepted=True, decision=drawn),
        row("rider", accepted=False, decision=drawn, stopped="attribution"),
        row("bad", accepted=False, decision=screened, stopped="evaluation"),
    ]
    found = regrown(rows, {"good": "shipped", "rider": "harmful", "bad": "harmful", "later": "shipped"})
    assert found["edits"] == {
        "harmful": {"in_catalogue": 2, "offered": 2, "compared": 1, "kept": 0},
        "shipped": {"in_catalogue": 2, "offered": 1, "compared": 1, "kept": 1},
    }
    assert found["stopped"]["harmful"] == {"attribution": 1, "evaluation": 1}
    (climbed,) = found["climb"]
    assert (climbed["before"], climbed["after"], climbed["compared"], climbed["kept"]) == (0.2, 0.5, 2, ["good"])
    assert any("promoted, 1 kept" in line for line in lines(found))


def test_an_edit_whose_place_a_later_one_took_is_not_counted_as_kept() -> None:
    drawn = Decision(policy="p", accepted=True, incumbent=0.2, candidate=0.5, reason="", pairs=12, evidence=300.0)
    poor = row("poor", accepted=True, decision=drawn).model_copy(update={"diff": "--- a\n+++ b\n+one\n+two\n"})
    sound = row("sound", accepted=True, decision=drawn, step=1)
    grown = sound.model_copy(update={"diff": "--- a\n+++ b\n one\n-two\n+three\n"})
    instead = sound.model_copy(update={"diff": "--- a\n+++ b\n-one\n-two\n+three\n"})
    labels = {"poor": "worse", "sound": "shipped"}
    assert regrown([poor, grown], labels)["edits"]["worse"]["kept"] == 1
    told = regrown([poor, instead], labels)
    assert (told["edits"]["worse"]["kept"], told["stopped"]["worse"]) == (0, {"replaced": 1})


def test_a_policy_that_makes_no_test_has_no_wealth_to_tell() -> None:
    """``best_so_far`` decides by the scores alone; a score may be none, where nothing was scored."""
    plain = Decision(policy="best_so_far", accepted=True, incumbent=None, candidate=0.5, reason="", pairs=2)
    found = regrown([row("good", accepted=True, decision=plain)], {"good": "shipped"})
    assert found["climb"][0]["wealth"] is None
    assert lines(found)[1:] == ["step 0: 1 edits, not scored -> 0.5000 over 2 pairs: promoted, 1 kept"]


@pytest.mark.parametrize("flags", [[], ["--json"], ["--shipped", "examples"]])
def test_a_learning_run_that_is_not_there_is_refused_by_name(
    flags: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    labels, home = tmp_path / "labels.json", tmp_path / "home"
    labels.write_text("{}")
    ledger.append(home / "learning" / "other" / "ledger.jsonl", row("good", accepted=False, decision=None))
    assert main(["study", "regrown", "nosuch", "--labels", str(labels), "--home", str(home), *flags]) == 2
    said = capsys.readouterr()
    assert not said.out
    assert "nosuch: is no learning run of this home" in said.err
    assert "use one of other, or name the home that it lies in with --home" in said.err


def test_a_run_that_promoted_nothing_brought_nothing_back_and_nothing_is_looked_at(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home = tmp_path / "home"
    ledger.append(home / "learning" / "l" / "ledger.jsonl", row("good", accepted=False, decision=None))
    words = ["study", "regrown", "l", "--home", str(home), "--shipped", "examples"]
    assert main(words) == 0
    assert "nothing of the shipped gain came back" in capsys.readouterr().out
    assert main([*words, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["share"] is None
    assert not list(home.rglob("holdout.jsonl"))
