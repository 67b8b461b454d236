"""Mechanisms over stored attempts: crafted ones of each kind, and the public runs where they are at hand."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from stored_failures import BRIEF, WRONG, call, right, word, write_attempt, write_failures

from flows.cli import main
from flows.studies.replay import Replayed, render, replay, table
from flows.studies.stored import score_of, stored_attempts, wanted_in
from skills_repo.mechanism_settings import MechanismSettings
from tasks.drafting.records import WorkProduct
from tasks.harness import packaged
from tasks.matter.failures import SolonError


@pytest.fixture(scope="module")
def crafted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("stored")
    write_failures(root / "runs")
    return root


@pytest.fixture(scope="module")
def rows(crafted: Path) -> list[Replayed]:
    return replay(["all"], crafted / "runs", packaged(), crafted / "cache")


@pytest.mark.slow
@pytest.mark.parametrize("name", MechanismSettings.names())
def test_each_mechanism_acts_on_its_failures_and_recovers_them(rows: list[Replayed], name: str) -> None:
    meant = [row for row in rows if row.mechanism == name and row.attempt_id.startswith(name)]
    assert meant
    assert [(row.attempt_id, row.fires > 0, row.recovers, row.harms) for row in meant] == [
        (row.attempt_id, True, True, False) for row in meant
    ]


def test_a_mechanism_leaves_sound_attempts_alone(rows: list[Replayed]) -> None:
    """But for the gate of the asks, where a good draft says nothing of them: that costs a turn, and is told as harm."""
    acted = {(row.attempt_id, row.mechanism) for row in rows if row.attempt_id.startswith("sound") and row.fires}
    assert acted == {("sound-once", "completion")}
    assert [row.mechanism for row in rows if row.harms] == ["completion"]


def test_the_work_of_another_matter_is_astray(tmp_path: Path) -> None:
    other = "Assess the exposure under the complaint of Okonkwo. Output: `memo.docx`"
    write_attempt(tmp_path / "runs/lease", [], {"memo.docx": right()}, passed=9)
    write_attempt(tmp_path / "runs/complaint", [], {"memo.docx": word(WRONG)}, passed=9, brief=other)
    for crossed, fires in ((False, 0), (True, 1)):
        found = replay(["matter_fidelity"], tmp_path / "runs", packaged(), tmp_path / "cache", crossed=crossed)
        lease = next(row for row in found if row.attempt_id == "lease")
        assert (lease.fires, lease.recovers, lease.harms) == (fires, bool(fires), False)


def test_a_crossed_draft_keeps_its_format_and_to_land_it_is_of_no_use(tmp_path: Path) -> None:
    """Public runs keep memo.docx as memo.docx.md: what its maker wrote says that it was a Word file."""
    briefs = {"lease": BRIEF, "complaint": "Assess the exposure under the complaint of Okonkwo. Output: `note.docx`"}
    for name, brief in briefs.items():
        file = "memo.docx" if name == "lease" else "note.docx"
        written = call("write", {"file_path": f"output/{file}", "content": "x"}, "written")
        made = {f"{file}.md": WRONG.encode()}
        write_attempt(tmp_path / "runs" / name, written, made, passed=9, wanted=file, brief=brief)
    names = ["landing", "completion"]
    rows = replay(names, tmp_path / "runs", packaged(), tmp_path / "cache", crossed=True)
    assert [row.fires for row in rows if row.mechanism == "landing"] == [0, 0]
    for folder in (tmp_path / "runs").iterdir():
        (path,) = (folder / "output").iterdir()
        path.rename(path.with_name("Final.docx")).write_bytes(word(WRONG))
    rows = replay(names, tmp_path / "runs", packaged(), tmp_path / "cache", crossed=True)
    assert [(row.fires, row.recovers) for row in rows] == [(1, False)] * 4  # they do the same on an own draft


def test_a_choice_is_among_attempts_at_one_matter_alone(tmp_path: Path) -> None:
    """Matters of one kind have one brief; their papers tell them apart."""
    for name in ("one", "two"):
        write_attempt(tmp_path / "runs" / name, [], {"memo.docx": right()}, passed=9)
    for file in (tmp_path / "runs/two").rglob("lease.txt"):
        file.rename(file.with_name("other.txt"))
    told = tmp_path / "runs/two/matter.json"
    told.write_text(told.read_text().replace("lease.txt", "other.txt"))
    rows = replay(["vote"], tmp_path / "runs", packaged(), tmp_path / "cache")
    assert [(row.attempt_id, row.told) for row in rows] == [("one", False), ("two", False)]


def test_what_is_stored_is_not_changed(crafted: Path) -> None:
    held = {p: p.read_bytes() for p in (crafted / "runs").rglob("*") if p.is_file()}
    replay(["landing", "reassembly"], crafted / "runs", packaged(), crafted / "cache")
    assert {p: p.read_bytes() for p in (crafted / "runs").rglob("*") if p.is_file()} == held


def test_the_arguments_of_stored_calls_are_whole(crafted: Path) -> None:
    attempts = {a.attempt_id: a for a in stored_attempts(crafted / "runs", crafted / "cache", packaged())}
    chunks = [step.arguments["content"] for step in attempts["reassembly-chunks"].steps]
    assert len(chunks) == 3
    broken = attempts["call_repair-cut"].steps[-1]
    assert broken.arguments == {"_raw": '{"file_path": "lease.txt"'}
    assert broken.failed
    assert attempts["sound-memo"].score == 0.9


def test_a_mechanism_that_harms_is_told(tmp_path: Path) -> None:
    write_attempt(tmp_path / "runs/a", [], {}, said="Now I will write the memo.", passed=9)
    (row,) = replay(["finish_guard"], tmp_path / "runs", packaged(), tmp_path / "cache")
    assert row.harms
    assert not row.recovers
    (strict,) = replay(["finish_guard"], tmp_path / "runs", packaged(), tmp_path / "cache", good=0.95)
    assert strict.recovers
    counted = table([row])
    assert counted["finish_guard"]["harms"] == 1
    assert "finish_guard harms: a (90%): You stopped" in render(counted)


def test_traces_of_other_programs_and_layouts_are_read(tmp_path: Path) -> None:
    codex: list[dict[str, Any]] = [
        {"type": "thread.started"},
        {"type": "turn.started"},
        {"type": "item.completed", "item": {
            "id": "1", "type": "command_execution", "command": "cat > memo.md <<EOF\n" + "x" * 5000 + "\nEOF\n",
            "aggregated_output": "", "exit_code": 0,
        }},
    ]  # fmt: skip
    claude = [
        {"type": "system", "subtype": "init"},
        {"type": "assistant", "message": {"id": "m", "content": [
            {"type": "tool_use", "id": "t", "name": "Write", "input": {"file_path": "memo.md", "content": "y" * 5000}}
        ]}},
    ]  # fmt: skip
    events = [
        {"event_kind": "user", "role": "user", "content": "Output: `memo.md`"},
        {
            "event_kind": "tool_call",
            "payload": {"tool_call_id": "1", "tool_name": "write", "input": {"path": "memo.md"}},
        },
    ]
    for name, told in (("codex", codex), ("claude", claude), ("transcript", events)):
        (tmp_path / name).mkdir()
        (tmp_path / name / f"{name}.jsonl").write_text("\n".join(map(json.dumps, told)), encoding="utf-8")
    found = {a.attempt_id: a for a in stored_attempts(tmp_path, tmp_path / "cache", packaged())}
    assert len(found["codex"].steps[0].arguments["command"]) > 5000
    assert len(found["claude"].steps[0].arguments["content"]) == 5000
    assert found["transcript"].wanted == ("memo.md",)
    assert found["transcript"].steps[0].tool == "write"
    assert all(a.partial for a in found.values())


def test_an_attempt_is_read_once_from_the_trace_that_its_record_names(tmp_path: Path) -> None:
    write_attempt(tmp_path / "runs/a", [], {}, said="Now I will write the memo.")
    (tmp_path / "runs/a/codex.jsonl").write_text('{"type": "thread.started"}', encoding="utf-8")
    (one,) = stored_attempts(tmp_path / "runs", tmp_path / "cache", packaged())
    assert one.said == "Now I will write the memo."
    (tmp_path / "runs/a/transcript.jsonl").unlink()
    (gone,) = stored_attempts(tmp_path / "runs", tmp_path / "cache", packaged())
    assert gone.steps == ()


def test_what_cannot_be_told_from_parts_of_documents_is_said(tmp_path: Path) -> None:
    (tmp_path / "transcript.jsonl").write_text('{"role": "assistant", "text": "x", "tool_calls": []}', encoding="utf-8")
    (row,) = replay(["entity_lock"], tmp_path, packaged(), tmp_path / "cache")
    assert not row.told


@pytest.mark.parametrize(
    ("brief", "wanted"),
    [
        ("Review it. Output: `memo.docx`.", ("memo.docx",)),
        ("Output: `a.docx` and `b.xlsx`", ("a.docx", "b.xlsx")),
        (
            "Output: `memo.docx`.\n\nDeliverables:\n- deliverable.md at output.md: plain",
            ("deliverable.md", "output.md"),
        ),
        ("Review lease.docx.", ()),
    ],
)
def test_the_files_that_a_brief_asks_for(brief: str, wanted: tuple[str, ...]) -> None:
    assert wanted_in(brief) == wanted


@pytest.mark.parametrize("outcome", ["failed", "timeout", "budget", "circled"])
def test_an_attempt_that_was_ended_is_no_work_of_a_solver_that_stopped(tmp_path: Path, outcome: str) -> None:
    """The endpoint was gone, or a limit was met: no guard was asked, so none recovers anything."""
    write_attempt(tmp_path / "runs/a", [], {}, said="Now I will write the memo.")
    ended = WorkProduct.model_validate({"files": (), "outcome": outcome})
    (tmp_path / "runs/a/work.json").write_text(ended.model_dump_json(), encoding="utf-8")
    (tmp_path / "runs/a/scores.json").write_text('{"n_criteria": 10, "n_passed": 0, "n_unscored": 10}')
    rows = replay(["finish_guard", "completion"], tmp_path / "runs", packaged(), tmp_path / "cache")
    assert [(row.told, row.fires, row.recovers, row.score) for row in rows] == [(False, 0, False, None)] * 2


def test_a_criterion_that_could_not_be_scored_is_no_fail(tmp_path: Path) -> None:
    (tmp_path / "scores.json").write_text('{"n_criteria": 10, "n_passed": 4, "n_unscored": 5}')
    assert score_of(tmp_path) == 0.8


def test_unknown_names_and_empty_folders_are_refused(tmp_path: Path, crafted: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "bare").mkdir()
    (tmp_path / "bare/notes.txt").write_text("x")
    for name, why in {
        "gone": "--runs names no folder",
        "bare/notes.txt": "--runs names a file",
        "empty": "folder of --runs is empty",
        "bare": "folder of --runs holds no transcript",
    }.items():
        with pytest.raises(SolonError, match=why) as caught:
            replay(["landing"], tmp_path / name, packaged(), tmp_path)
        assert caught.value.failure.subject == str(tmp_path / name)
        assert "transcript.jsonl" in caught.value.failure.remedy
    with pytest.raises(SolonError, match="is no mechanism"):
        replay(["laning"], crafted / "runs", packaged(), tmp_path)


@pytest.mark.slow
def test_the_command_prints_a_table_or_one_json_object(
    crafted: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    asked = ["study", "replay", "reassembly", "--runs", str(crafted / "runs"), "--home", str(tmp_path)]
    assert main(asked) == 0
    assert "reassembly recovers: reassembly-chunks (0%)" in capsys.readouterr().out
    assert main([*asked, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)["mechanisms"]["reassembly"]
    assert (told["fires"], told["recovers"], told["harms"]) == (1, 1, 0)
    assert [row["attempt_id"] for row in told["acted_on"]] == ["reassembly-chunks"]
    assert main(["study"]) == 0
    assert "replay" in capsys.readouterr().out
    assert main(["study", "replay"]) == 2


def test_the_public_runs_replay_without_harm(shared_data: Path, tmp_path: Path) -> None:
    rows = replay(["all"], shared_data / "runs", packaged(), tmp_path)
    assert {row.mechanism for row in rows} == set(MechanismSettings.names())
    assert [row for row in rows if row.harms] == []
    assert sum(row.fires > 0 for row in rows if row.mechanism == "completion") == 12  # runs that left no file
