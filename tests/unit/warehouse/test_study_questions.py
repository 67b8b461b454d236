"""Questions of the studies: the climb, the rescues, cost and score, pairs of cells, flips, coverage, sizes."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from tasks.learning.paired import compare
from tests.unit.warehouse.bulk import Bulk
from tests.unit.warehouse.conftest import START, attempt_row, judgement_row, traced_about, verdict_row
from warehouse.checklist_records import ChecklistItemRow, ChecklistScoreRow
from warehouse.learning_records import EditRow
from warehouse.release_records import CoverageRow, FindingRow, GateRow
from warehouse.row import Row
from warehouse.sql import ask, of_runs, open_warehouse, run_query
from warehouse.statistics import ROUNDS, exact_p

WORDS = {"p": "pass", "f": "fail", "u": "unscored"}


@pytest.fixture
def told(tmp_path: Path) -> Any:
    def ask(rows: list[Row], question: str, **where: Any) -> list[dict[str, Any]]:
        made = Bulk(tmp_path)
        made.rows(rows)
        found = run_query(made.close(), question).to_dicts()
        return [row for row in found if all(row[name] == value for name, value in where.items())]

    return ask


def judged(number: int, statuses: str, judged_utc: Any = None, **changes: Any) -> list[Row]:
    when = {"judged_utc": judged_utc} if judged_utc else {}
    profile = {"judge_profile": changes.pop("judge_profile")} if "judge_profile" in changes else {}
    verdicts = [verdict_row(number, f"C-{i}", WORDS[s], **when, **profile) for i, s in enumerate(statuses)]
    return [attempt_row(number, **changes), *verdicts]


MATTERS = {"m1": ("ppff", "pppp"), "m2": ("pf", "ff"), "m3": ("pu", "pp"), "m4": ("ff", "uu")}


def two_cells() -> list[Row]:
    rows: list[Row] = []
    for number, (matter, (one, other)) in enumerate(MATTERS.items()):
        rows += judged(2 * number, one, cell="a", matter_id=matter)
        rows += judged(2 * number + 1, other, cell="b", matter_id=matter)
    return rows


def test_two_cells_are_compared_over_what_both_scored(told: Any) -> None:
    (pair,) = told(two_cells(), "how_do_cells_compare_pair_by_pair")
    assert (pair["cell"], pair["other_cell"], pair["matters"], pair["criteria"]) == ("a", "b", 3, 7)
    assert (pair["gained"], pair["lost"], pair["better"], pair["worse"], pair["same"]) == (2, 1, 1, 1, 1)
    assert pair["pooled_difference"] == pytest.approx(1 / 7)
    assert pair["matter_difference"] == pytest.approx(0)
    assert pair["pooled_low"] <= pair["pooled_difference"] <= pair["pooled_high"]
    assert (pair["mcnemar_p"], pair["sign_p"]) == (exact_p(2, 1), exact_p(1, 1))


def test_the_question_says_what_the_ablation_says(told: Any) -> None:
    """Both pair by matter over the same verdicts, with the same bootstrap."""
    cells: dict[str, dict[tuple[str, int, str], str]] = {"a": {}, "b": {}}
    for matter, halves in MATTERS.items():
        for cell, statuses in zip("ab", halves, strict=True):
            cells[cell] |= {(matter, 0, f"C-{i}"): WORDS[s] for i, s in enumerate(statuses)}
    (pair,) = told(two_cells(), "how_do_cells_compare_pair_by_pair")
    ablation = compare(cells["a"], cells["b"], rounds=ROUNDS)
    for name in ("matters", "criteria", "better", "worse", "same", "gained", "lost", "sign_p", "mcnemar_p"):
        assert pair[name] == pytest.approx(getattr(ablation, name)), name
    assert ablation.pooled_difference == pytest.approx(pair["pooled_difference"], abs=1e-6)
    assert ablation.pooled_interval == pytest.approx((pair["pooled_low"], pair["pooled_high"]), abs=1e-6)
    assert ablation.matter_interval == pytest.approx((pair["matter_low"], pair["matter_high"]), abs=1e-6)


def test_no_pair_is_made_across_judges_or_runs(told: Any) -> None:
    rows = judged(0, "pp", cell="a", matter_id="m") + judged(1, "ff", cell="b", matter_id="m", judge_profile="other")
    rows += judged(2, "ff", cell="b", matter_id="m", run_id="r2")
    assert told(rows, "how_do_cells_compare_pair_by_pair") == []


def test_each_matter_is_told_with_its_difference_and_its_size(told: Any) -> None:
    rows = [*two_cells(), *traced_about(0)]
    found = told(rows, "which_matters_gain_and_which_lose_between_cells")
    assert [(r["matter_id"], r["difference"], r["characters"]) for r in found] == [
        ("m2", -0.5, None), ("m3", 0.0, None), ("m1", 0.5, 1600),
    ]  # fmt: skip


def test_answers_flip_between_epochs(told: Any) -> None:
    """Three epochs: one criterion always passes, one flips once, one was scored once and says nothing."""
    rows: list[Row] = []
    for epoch, statuses in enumerate(("ppu", "pfu", "ppf")):
        rows += judged(epoch, statuses, epoch=epoch, matter_id="m")
    (row,) = told(rows, "how_often_do_criteria_flip_between_epochs")
    assert (row["criteria"], row["flipped"], row["epochs"], row["flip_rate"]) == (2, 1, 3, 0.5)
    assert row["differ_rate"] == pytest.approx((2 / 3) / 2)  # two of three pairs of epochs differ, of one in two
    assert (row["flip_low"], row["flip_high"]) == (0.5, 0.5)


def test_one_epoch_is_no_repetition(told: Any) -> None:
    assert told(judged(0, "pf"), "how_often_do_criteria_flip_between_epochs") == []
    assert told(judged(0, "pf"), "how_often_do_verdicts_flip_between_judgements") == []


def test_verdicts_flip_between_judgements_of_one_draft(told: Any) -> None:
    """The judge alone varies; another profile's verdicts are none of its own, and a failed try counts nowhere."""
    rows = judged(0, "ppf", matter_id="m", outcome="finished")
    again = START + timedelta(days=1)
    rows += [verdict_row(0, f"C-{i}", WORDS[s], judged_utc=again) for i, s in enumerate("pff")]
    rows += [verdict_row(0, f"C-{i}", "fail", judge_profile="other") for i in range(3)]
    (row,) = told(rows, "how_often_do_verdicts_flip_between_judgements")
    assert (row["judge_profile"], row["criteria"], row["flipped"], row["judgements"]) == ("anchor", 3, 1, 2)
    assert row["flip_rate"] == row["differ_rate"] == pytest.approx(1 / 3)


def test_the_frontier_moves_where_an_edit_is_accepted(told: Any) -> None:
    rows: list[Row] = []
    steps = (("rolled_back", 0.5, 0.4), ("accepted", 0.5, 0.6), ("rejected", 0.6, None), ("accepted", 0.6, 0.7))
    for step, (decision, before, after) in enumerate(steps):
        rows.append(
            EditRow.model_validate(
                {
                    "learn_id": "l", "step": step, "edit_id": str(step), "surface": "skills", "decision": decision,
                    "score_before": before, "score_after": after, "decided_utc": START, "harness_after": str(step) * 64,
                }
            )
        )  # fmt: skip
    rows += judged(0, "pppf", run_id="l-1111111111", harness_version="1" * 64, output=2_000_000, calls=1)
    found = told(rows, "how_did_the_frontier_climb")
    assert [(r["step"], r["frontier"]) for r in found] == [(0, None), (1, 0.6), (2, 0.6), (3, 0.7)]
    assert found[1]["pooled_pass"] == 0.75, "recomputed from the verdicts, whatever the ledger says"
    assert found[1]["blended"] == pytest.approx(0.75 - 0.01)
    assert [r["pooled_pass"] for r in found] == [None, 0.75, None, None]


def test_each_matter_climbs_by_itself(told: Any) -> None:
    """A candidate that was rolled back is a dot; one that was accepted moves the frontier of each matter, down too."""
    rows: list[Row] = []
    for step, decision in enumerate(("rolled_back", "accepted", "rejected", "accepted")):
        change = {"harness_before": "0" * 64, "harness_after": str(step + 1) * 64, "decided_utc": START}
        of = {"learn_id": "l", "step": step, "edit_id": str(step), "surface": "skills", "decision": decision}
        rows.append(EditRow.model_validate(of | change))
    for number, (harness, one, two) in enumerate((("0", "ff", "pp"), ("1", "pf", "pp"), ("2", "pp", "pf"))):
        for m, statuses in enumerate((one, two)):
            of = {"matter_id": f"m{m}", "run_id": f"l-{harness * 10}", "harness_version": harness * 64}
            rows += judged(2 * number + m, statuses, **of)
    rows += judged(9, "pp", matter_id="m0", run_id="other", harness_version="2" * 64)
    found = told(rows, "how_did_each_matter_climb")
    assert [(r["matter_id"], r["place"], r["step"], r["accepted"], r["pass_rate"], r["frontier"]) for r in found] == [
        ("m0", 0, -1, True, 0.0, 0.0), ("m0", 1, 0, False, 0.5, 0.0), ("m0", 2, 1, True, 1.0, 1.0),
        ("m1", 0, -1, True, 1.0, 1.0), ("m1", 1, 0, False, 1.0, 1.0), ("m1", 2, 1, True, 0.5, 0.5),
    ]  # fmt: skip


def test_a_matter_is_rescued_by_the_harness_that_turns_it(told: Any) -> None:
    rows: list[Row] = []
    for n, (harness, one, two) in enumerate((("a", "ff", "pp"), ("b", "pp", "pf"))):
        times = {"started_utc": START + timedelta(hours=n), "ended_utc": START + timedelta(hours=n)}
        for m, statuses in enumerate((one, two)):
            of = {"matter_id": f"m{m}", "run_id": f"l-{harness}", "harness_version": harness * 64, **times}
            rows += judged(2 * n + m, statuses, **of)
    rows += judged(9, "pp", matter_id="alone", run_id="l-a", harness_version="a" * 64)
    found = told(rows, "which_matters_were_rescued_by_which_harness")
    assert [(r["matter_id"], r["version"], r["pass_rate"], r["gain"]) for r in found] == [
        ("m0", 1, 0.0, 0.0), ("m0", 2, 1.0, 1.0), ("m1", 1, 1.0, 0.0), ("m1", 2, 0.5, -0.5),
    ]  # fmt: skip


def test_a_cell_that_another_beats_at_less_cost_is_not_on_the_front(told: Any) -> None:
    bills = (("cheap", "pf", 10), ("dear", "pp", 100), ("worse", "pf", 90))
    rows = [
        row
        for n, (cell, statuses, tokens) in enumerate(bills)
        for row in judged(n, statuses, cell=cell, matter_id="m", output=tokens, calls=1)
    ]
    found = told(rows, "what_does_each_point_of_score_cost")
    assert [(r["cell"], r["on_the_front"]) for r in found] == [("cheap", True), ("worse", False), ("dear", True)]


def test_reading_more_beside_the_score(told: Any) -> None:
    rows: list[Row] = []
    for n, (statuses, served) in enumerate((("pf", 0), ("pf", 400), ("pp", 1600))):
        rows += [*judged(n, statuses), *traced_about(n, served=served)]
    found = told(rows, "does_reading_more_score_higher")
    assert [(r["from_share"], r["to_share"], r["attempts"], r["pooled_pass"]) for r in found] == [
        (0.0, 0.25, 1, 0.5), (0.25, 0.5, 1, 0.5), (0.75, 1.0, 1, 1.0),
    ]  # fmt: skip
    assert {round(r["correlation"], 2) for r in found} == {0.97}


def test_one_attempt_has_no_correlation(told: Any) -> None:
    (row,) = told([*judged(0, "pf"), *traced_about(0)], "does_reading_more_score_higher")
    assert row["correlation"] is None


def test_sizes_of_data_rooms_are_doublings(told: Any) -> None:
    rows: list[Row] = []
    for n, characters in enumerate((1024, 2047, 2048)):
        rows += [*judged(n, "pf"), *traced_about(n, characters=characters, served=0)]
    rows += judged(7, "pp")  # nobody measured it
    found = told(rows, "does_a_larger_data_room_lower_the_score")
    assert [(r["from_characters"], r["below_characters"], r["matters"]) for r in found] == [
        (1024, 2048, 2), (2048, 4096, 1),
    ]  # fmt: skip


def about_a_failed_one() -> list[Row]:
    """A draft whose provider failed after its gates ran: nothing of it says how the cell works."""
    failed = attempt_row(1, outcome="failed", failure_cause="provider", words=0, seconds=900.0)
    return [
        attempt_row(0), GateRow(attempt_id="a0", gate="number", status="passed", checked=4, verified=4), failed,
        GateRow(attempt_id="a1", gate="number", status="blocked", checked=4, verified=0, n_findings=1),
        FindingRow(attempt_id="a1", position=0, gate="number", kind="unsourced", severity="block", text="$5"),
        CoverageRow(attempt_id="a0", document="x.docx", status="read"),
        CoverageRow(attempt_id="a1", document="x.docx", status="unread", cause="reader"),
        *traced_about(0), judgement_row(1, 1), verdict_row(1, "C-1", "unscored"),
    ]  # fmt: skip


def test_a_failed_attempt_says_nothing_of_gates_reading_or_length(told: Any) -> None:
    (gate,) = told(about_a_failed_one(), "which_gates_flagged")
    assert (gate["attempts"], gate["blocked"], gate["checked"]) == (1, 0, 4)


@pytest.mark.examples(1)
@pytest.mark.parametrize(
    ("question", "column", "value"),
    [
        ("how_much_of_the_data_rooms_was_read", "unread", 0),
        ("how_did_each_cell_do", "words", 900.0),
        ("how_did_each_cell_do", "seconds_median", 2.5),
        ("what_mechanisms_did", "attempts_without", 0),
    ],
)
def test_a_failed_attempt_is_in_no_mean(told: Any, question: str, column: str, value: float) -> None:
    (row,) = told(about_a_failed_one(), question)
    assert row[column] == value


def test_the_findings_of_a_failed_attempt_are_not_counted(told: Any) -> None:
    assert told(about_a_failed_one(), "what_did_the_gates_find") == []


def checklist(number: int, s_gavel: float | None, later: int = 0, **score: Any) -> list[Row]:
    """One work product by a checklist of a single item and a list."""
    when = START + timedelta(hours=later)
    of = {"attempt_id": f"a{number}", "judge_profile": "checklist", "judged_utc": when}
    scores = {"checklist": "gavel", "checklist_version": "v1", "alpha": 0.9, "applicable": 2, "s_gavel": s_gavel}
    court = {"position": 0, "item_id": "court", "manner": "single", "status": "pass", "relation": "equal"}
    relief = {"position": 1, "item_id": "relief", "manner": "list", "status": "fail", "reference_values": 4}
    return [
        ChecklistScoreRow.model_validate(of | scores | {"s_checklist": s_gavel} | score),
        ChecklistItemRow.model_validate(
            of | court | {"reference_values": 1, "candidate_values": 1, "matched": 1, "score": 1}
        ),
        ChecklistItemRow.model_validate(
            of | relief | {"candidate_values": 2 * number, "matched": number, "score": 0.4}
        ),
    ]


def test_the_latest_checklist_judgement_counts(told: Any) -> None:
    rows = [attempt_row(0), attempt_row(1), *checklist(0, 10.0), *checklist(0, 50.0, later=1), *checklist(1, None)]
    (row,) = told(rows, "how_do_cells_score_on_the_checklist")
    assert (row["attempts"], row["scored"], row["s_gavel"], row["applicable"]) == (2, 1, 50.0, 4)


def test_items_of_a_checklist(told: Any) -> None:
    rows = [attempt_row(0), attempt_row(1), *checklist(0, 10.0), *checklist(1, 20.0)]
    court, relief = told(rows, "which_checklist_items_are_missed")
    assert (court["item_id"], court["equal"], court["score"], court["left_out"]) == ("court", 2, 1.0, 0)
    assert (relief["item_id"], relief["left_out"], relief["added"]) == ("relief", 1, 0)
    assert (relief["recall"], relief["precision"]) == (1 / 8, 1 / 2)


def test_checklist_scores_are_told_by_the_nearest_length_of_the_data_room(told: Any) -> None:
    """32,000 tokens within 20 % are one bin, and so are 512,000; what was not measured is in none."""
    rows: list[Row] = []
    for n, characters in enumerate((93_000, 138_000, 1_843_200, None)):
        rows += [attempt_row(n, matter_id=f"m{n}"), *checklist(n, 10.0 * (n + 1))]
        rows += [] if characters is None else traced_about(n, characters=characters, served=0)
    found = told(rows, "how_does_the_checklist_score_change_with_length")
    assert [(r["thousand_tokens"], r["matters"], r["applicable"], r["s_gavel"]) for r in found] == [
        (32, 2, 4, 15.0),
        (512, 1, 2, 30.0),
    ]


def test_versions_of_a_checklist_are_never_mixed(told: Any) -> None:
    rows = [attempt_row(0), attempt_row(1), *checklist(0, 10.0), *checklist(1, 20.0, checklist_version="v2")]
    assert [r["s_gavel"] for r in told(rows, "how_do_cells_score_on_the_checklist")] == [10.0, 20.0]


def of_version(number: int, version: str, statuses: str, **changes: Any) -> list[Row]:
    when = {"judged_utc": START + timedelta(minutes=1)}
    judgement = judgement_row(number, len(statuses)).model_copy(update={"profile_version": version, **when})
    return [*judged(number, statuses, **changes), judgement]


def test_two_versions_of_a_judge_are_never_compared(told: Any) -> None:
    rows = of_version(0, "v1", "pf", cell="a", matter_id="m") + of_version(1, "v2", "pp", cell="b", matter_id="m")
    assert told(rows, "how_do_cells_compare_pair_by_pair") == []


def test_an_answer_does_not_flip_by_another_version_of_its_judge(told: Any) -> None:
    rows = of_version(0, "v1", "pf", epoch=0, matter_id="m") + of_version(1, "v2", "pp", epoch=1, matter_id="m")
    assert told(rows, "how_often_do_criteria_flip_between_epochs") == []


@pytest.mark.slow
def test_a_cell_that_two_versions_of_a_judge_scored_is_told(told: Any) -> None:
    rows = (
        of_version(0, "v1", "pf", cell="a") + of_version(1, "v2", "pp", cell="a") + of_version(2, "v1", "pp", cell="b")
    )
    assert {r["cell"]: r["judge_version"] for r in told(rows, "how_did_each_cell_do")} == {"a": "v1 v2", "b": "v1"}
    found = told(rows, "which_cells_mix_versions_of_a_judge")
    assert [(r["cell"], r["profile_version"], r["attempts"], r["criteria"]) for r in found] == [
        ("a", "v1", 1, 2), ("a", "v2", 1, 2),
    ]  # fmt: skip


def test_asked_of_some_runs_what_another_did_under_the_same_harness_is_not_there(tmp_path: Path) -> None:
    made = Bulk(tmp_path)
    made.rows(
        [
            *judged(0, "pp", matter_id="m", harness_version="a", run_id="before"),
            *judged(1, "pf", matter_id="m", harness_version="b", run_id="it's-1"),
            *judged(2, "pp", matter_id="m", harness_version="a", run_id="it's-2", started_utc=START + timedelta(1)),
        ]
    )
    question = "which_matters_were_rescued_by_which_harness"
    with open_warehouse(made.close()) as con:
        with of_runs(con, ["it's-1", "it's-2"]) as ours:
            found = ask(ours, question).to_dicts()
        everything = ask(con, question).to_dicts()
    assert [(row["run_id"], row["gain"]) for row in found] == [("it's-1", 0.0), ("it's-2", 0.5)]
    assert [(row["run_id"], row["gain"]) for row in everything] == [("before", 0.0), ("it's-1", -0.5)]
