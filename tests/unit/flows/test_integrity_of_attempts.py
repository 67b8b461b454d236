"""A failure of infrastructure is unscored with its cause, when an attempt is made and when it is judged again."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from flows.judge import _judge_all, _judge_one
from flows.matter import run_attempt
from flows.runs import stages
from flows.runs.attempts import AttemptStore
from flows.runs.context import RunContext
from flows.runs.judgements import Judgement
from flows.runs.orders import Attempt, Order, Solved, utc_now
from flows.runs.plan import Plan, begin_attempt
from flows.settings import load_settings
from tasks.drafting.records import Cell, OutputFile, WorkProduct
from tasks.harness import HarnessRef, harness_version
from tasks.judging.records import JudgeReport
from tasks.matter.failures import Failure, FailureCause, SolonError
from tasks.matter.loading import load_corpus
from tasks.matter.records import Matter
from tasks.release.records import ReleaseReport
from tasks.sources.records import CoverageEntry
from tasks.tracing.records import Trajectory

pytestmark = pytest.mark.usefixtures("sealed_here")

CELL = Cell(name="extractive", runtime="extractive")
HARNESS = HarnessRef(knowledge=Path("k"), skills=Path("s"), version=harness_version(Path("k"), Path("s")))
ANCHOR = {
    "document": "lease.txt",
    "scope": ["lease.txt"],
    "facet": ["rent"],
    "match": {"kind": "value", "any": ["$900"]},
}
STATED = "# lease.txt\n\n## Rent\n\nThe rent is $900.\n"
SILENT = "# lease.txt\n\n## Rent\n\nThe rent was not found.\n"


@dataclass
class Here:
    """A compute plane in this process, in which the solver is a function of the test."""

    replaced: dict[str, Callable[..., Any]]
    name: str = "here"
    slots: int = 1
    seen: list[str] = field(default_factory=list)

    def submit(self, fn: Callable[..., Any], *args: Any, resources: Any) -> Any:
        self.seen.append(fn.__name__)
        return Done(self.replaced.get(fn.__name__, fn), args)


@dataclass
class Done:
    fn: Callable[..., Any]
    args: tuple[Any, ...]
    worked: float | None = None

    def ready(self) -> None:
        self.result()

    def result(self) -> Any:
        if not hasattr(self, "value"):
            self.value = self.fn(*self.args)
        return self.value


def failure(cause: FailureCause, subject: str = "lease.txt") -> Failure:
    return Failure(cause=cause, stage="sources", subject=subject, message="It failed.")


def solving(text: str | None = STATED, outcome: str = "finished", *causes: FailureCause, **coverage: Any) -> Any:
    """Return a solver that leaves ``text`` as memo.md and ends as told."""

    def solve(order: Order) -> Solved:
        files = []
        if text is not None:
            (order.folder / "output" / "memo.md").write_text(text)
            digest = hashlib.sha256(text.encode()).hexdigest()
            files = [OutputFile(filename="memo.md", sha256=digest, size=len(text))]
        entry = CoverageEntry(**{"document": "lease.txt", "status": "read", "characters": 9, **coverage})
        report = ReleaseReport(
            matter_id=order.matter.matter_id, status="released", gates=(), coverage=(entry,), deliverables=("memo.md",)
        )
        failures = tuple(failure(c, "model") for c in causes)
        product = WorkProduct(files=tuple(files), outcome=outcome, failures=failures)  # type: ignore[arg-type]
        return Solved(product=product, report=report, trajectory=Trajectory(trace_format="lab", turns=0, actions=()))

    return solve


@pytest.fixture
def attempted(make_task: Callable[..., Path], tmp_path: Path) -> Callable[..., tuple[Attempt, Plan]]:
    """Make one attempt with a solver of the test; check that re-judging says what the run said."""
    criterion = {"id": "C-1", "title": "Rent", "match_criteria": "PASS if stated.", "anchors": [ANCHOR]}
    make_task(criteria=[criterion], deliverables={"memo.md": "memo.md"})

    def attempt(**replaced: Any) -> tuple[Attempt, list[tuple[str, str]], Plan]:
        settings = load_settings({"home": tmp_path / "home"}, cwd=tmp_path, env={})
        corpus = load_corpus(tmp_path / "corpus", settings.sealed)
        plan = Plan("r", corpus, [CELL], HARNESS)
        store, compute = AttemptStore(settings.runs, "r"), Here(replaced)
        context = RunContext.of(settings, store, compute, judge="anchor", detail="matter")  # type: ignore[arg-type]
        made = run_attempt(begin_attempt(plan.work()[0], plan, store, settings.cache), context)
        first = JudgeReport.model_validate_json((store.path(made) / "judgement.json").read_bytes())
        again = _judge_one(made, "anchor", store, settings, Here({})).report  # type: ignore[arg-type]
        said = [[(v.status, str(v.cause or "")) for v in report.verdicts] for report in (first, again)]
        assert said[0] == said[1]
        assert (made.criteria, made.unscored) == (1, int(said[0][0][0] == "unscored"))
        return made, said[0], plan

    return attempt


def test_work_is_judged(attempted: Callable[..., Any]) -> None:
    assert attempted(solve_in_process=solving())[1] == [("pass", "")]


def test_a_judge_that_was_edited_since_the_run_began_scores_nothing(
    make_task: Callable[..., Path], tmp_path: Path
) -> None:
    """Its verdicts would be mixed with those of the version that the run is pinned to."""
    make_task(
        criteria=[{"id": "C-1", "title": "Rent", "match_criteria": "PASS.", "anchors": [ANCHOR]}],
        deliverables={"memo.md": "memo.md"},
    )
    settings = load_settings({"home": tmp_path / "home"}, cwd=tmp_path, env={})
    plan = Plan("r", load_corpus(tmp_path / "corpus", settings.sealed), [CELL], HARNESS)
    store, compute = AttemptStore(settings.runs, "r"), Here({"solve_in_process": solving()})
    context = RunContext.of(settings, store, compute, judge="anchor", detail="matter", judge_version="before")  # type: ignore[arg-type]
    made = run_attempt(begin_attempt(plan.work()[0], plan, store, settings.cache), context)
    report = JudgeReport.model_validate_json((store.path(made) / "judgement.json").read_bytes())
    assert [(v.status, v.cause) for v in report.verdicts] == [("unscored", FailureCause.CHANGED)]
    assert (made.outcome, made.void, made.unscored) == ("finished", False, 1)
    assert "solon judge RUN --profile anchor" in made.failures[-1].remedy


def test_an_omission_is_a_fail(attempted: Callable[..., Any]) -> None:
    assert attempted(solve_in_process=solving(SILENT))[1] == [("fail", "")]


@pytest.mark.parametrize("text", [SILENT, None])
def test_what_a_provider_broke_off_is_never_judged_as_work(attempted: Callable[..., Any], text: str | None) -> None:
    made, verdicts, plan = attempted(solve_in_process=solving(text, "failed", FailureCause.PROVIDER))
    assert (made.outcome, made.void, verdicts) == ("failed", False, [("unscored", "provider")])
    assert plan.missing([made]) == []  # made again only when asked for


@pytest.mark.parametrize(
    ("text", "verdict"), [(None, ("unscored", "timeout")), (SILENT, ("fail", "")), (STATED, ("pass", ""))]
)
def test_what_a_limit_cut_off_is_judged_by_what_it_left(
    attempted: Callable[..., Any], text: str | None, verdict: tuple[str, str]
) -> None:
    made, verdicts, _ = attempted(solve_in_process=solving(text, "timeout", FailureCause.TIMEOUT))
    assert (made.outcome, verdicts) == ("timeout", [verdict])


@pytest.mark.parametrize(("text", "verdict"), [(None, ("fail", "")), (SILENT, ("fail", "")), (STATED, ("pass", ""))])
def test_a_model_that_went_in_circles_is_judged_by_what_it_left_and_by_what_it_did_not(
    attempted: Callable[..., Any], text: str | None, verdict: tuple[str, str]
) -> None:
    """Nobody cut it off: it was told twice and given its last turns. So what is missing is its failure, not ours."""
    made, verdicts, _ = attempted(solve_in_process=solving(text, "circled", FailureCause.CIRCLE))
    assert (made.outcome, verdicts) == ("circled", [verdict])


def test_a_stage_that_died_left_nothing_to_judge(attempted: Callable[..., Any]) -> None:
    def solve(order: Order) -> Solved:
        raise SolonError(failure(FailureCause.TIMEOUT, "solve"))

    made, verdicts, _ = attempted(solve_in_process=solve)
    assert (made.outcome, verdicts) == ("timeout", [("unscored", "timeout")])


@pytest.mark.parametrize("how", ["lost", "altered", "added"])
def test_a_deliverable_that_changes_before_it_is_judged_is_no_work_product(
    attempted: Callable[..., Any], how: str
) -> None:
    def changes(order: Order) -> tuple[Failure, ...]:
        memo = order.folder / "output" / "memo.md"
        {"lost": memo.unlink, "altered": lambda: memo.write_text(SILENT), "added": lambda: late(memo)}[how]()
        return stages.changes(order)

    def late(memo: Path) -> None:
        memo.with_name("late.md").write_text("late")

    made, verdicts, plan = attempted(solve_in_process=solving(), changes=changes)
    assert (made.outcome, made.void, made.release_status) == ("failed", True, "")
    assert verdicts == [("unscored", "changed")]
    assert len(plan.missing([made])) == 1


def test_a_document_that_came_back_was_still_not_read(attempted: Callable[..., Any]) -> None:
    told = {"status": "unread", "characters": 0, "failures": (failure(FailureCause.CHANGED),)}
    made, verdicts, plan = attempted(solve_in_process=solving(SILENT, **told))
    assert (made.outcome, verdicts, len(plan.missing([made]))) == ("failed", [("unscored", "changed")], 1)


def test_a_document_that_vanished_is_the_cause_though_a_stage_died_of_it(
    attempted: Callable[..., Any], tmp_path: Path
) -> None:
    def solve(order: Order) -> Solved:
        order.matter.documents[0].path.unlink()
        raise SolonError(failure(FailureCause.UNKNOWN, "draft"))

    made, verdicts, _ = attempted(solve_in_process=solve)
    assert [str(f.cause) for f in made.failures] == ["changed", "unknown"]
    assert (made.outcome, made.void, verdicts) == ("failed", True, [("unscored", "changed")])


def test_what_could_not_be_looked_at_again_is_not_judged(attempted: Callable[..., Any]) -> None:
    def changes(order: Order) -> tuple[Failure, ...]:
        raise SolonError(failure(FailureCause.TIMEOUT, "changes"))

    made, verdicts, _ = attempted(solve_in_process=solving(), changes=changes)
    assert (made.outcome, verdicts) == ("failed", [("unscored", "timeout")])


def test_a_folder_that_cannot_be_written_is_named(attempted: Callable[..., Any]) -> None:
    def solve(order: Order) -> Solved:
        shutil.rmtree(order.folder)
        order.folder.write_text("taken")
        raise SolonError(failure(FailureCause.UNKNOWN, "draft"))

    with pytest.raises(SolonError, match=r"cannot be written .*\[capacity\].*--run-id"):
        attempted(solve_in_process=solve)


@pytest.mark.parametrize("cause", [FailureCause.READER, FailureCause.TIMEOUT, FailureCause.CAPACITY])
def test_what_our_readers_lost_reaches_the_judge(attempted: Callable[..., Any], cause: FailureCause) -> None:
    told = {"status": "unread", "characters": 0, "failures": (failure(cause),)}
    made, verdicts, plan = attempted(solve_in_process=solving(SILENT, **told))
    assert (made.outcome, verdicts) == ("failed", [("unscored", str(cause))])
    assert plan.missing([made]) == []
    assert len(replace(plan, retry_failed=True).missing([made])) == 1  # nothing was read: it may be another time


def test_a_room_of_malformed_files_alone_is_judged(attempted: Callable[..., Any]) -> None:
    told = {"status": "unread", "characters": 0, "failures": (failure(FailureCause.INPUT),)}
    made, verdicts, _ = attempted(solve_in_process=solving(SILENT, **told))
    assert (made.outcome, verdicts) == ("finished", [("fail", "")])


def test_a_harness_edited_in_mid_run_voids_the_attempt(attempted: Callable[..., Any], tmp_path: Path) -> None:
    """What was made partly under the one and partly under the other is nobody's score."""
    harness = HarnessRef(knowledge=tmp_path / "knowledge", skills=tmp_path / "skills", version=HARNESS.version)
    order = Order(
        run_id="r",
        matter=Matter(matter_id="m", title="t", area="a", instructions="Say."),
        cell=CELL,
        epoch=1,
        number=1,
        folder=tmp_path,
        cache=tmp_path,
        harness=harness,
    )
    assert stages.changes(order) == ()
    harness.knowledge.mkdir()
    (harness.knowledge / "synonyms.csv").write_text("lease,rent\n")
    (found,) = stages.changes(order)
    assert (found.cause, found.subject) == ("changed", "harness")
    made, verdicts, plan = attempted(solve_in_process=solving(), changes=lambda _order: (found,))
    assert (made.outcome, verdicts) == ("failed", [("unscored", "changed")])
    assert len(plan.missing([made])) == 1  # made anew once the harness is as it was


@pytest.mark.parametrize("way", ["torn", "of another matter", "gone"])
def test_an_attempt_whose_matter_was_altered_is_not_judged_again(
    attempted: Callable[..., Any], tmp_path: Path, way: str
) -> None:
    made, _, _ = attempted(solve_in_process=solving())
    settings = load_settings({"home": tmp_path / "home"}, cwd=tmp_path, env={})
    store = AttemptStore(settings.runs, "r")
    path = store.path(made) / "matter.json"
    text = path.read_text()
    path.unlink()
    if way != "gone":
        path.write_text("{" if way == "torn" else text.replace('"instructions": "', '"instructions": "Else. '))
    with pytest.raises(SolonError, match=r"was altered after it ended: matter\.json"):
        _judge_one(made, "anchor", store, settings, Here({}))  # type: ignore[arg-type]


def test_the_latest_judgement_is_the_latest_though_the_clock_was_set_back(
    attempted: Callable[..., Any], tmp_path: Path
) -> None:
    made, _, _ = attempted(solve_in_process=solving())
    settings = load_settings({"home": tmp_path / "home"}, cwd=tmp_path, env={})
    store, ahead = AttemptStore(settings.runs, "r"), utc_now() + timedelta(days=10)
    later = _judge_one(made, "anchor", store, settings, Here({}), [ahead])  # type: ignore[arg-type]
    assert later.judged_utc > ahead
    shown: list[Judgement] = []
    problems: list[Failure] = []
    _judge_all([made], "anchor", store, settings, Here({}), shown, problems)  # type: ignore[arg-type]
    assert [j.judged_utc > later.judged_utc for j in shown] == [True]
