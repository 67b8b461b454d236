"""Attempts for the learner: pairs are interleaved and counted over what both were judged by."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from flows.runs import judge_side
from flows.runs.attempts import AttemptStore
from flows.runs.judgements import Judgement, write_judgement
from flows.runs.orders import Attempt
from flows.runs.trials import Trials
from flows.settings import load_settings
from tasks.drafting.records import Cell, WorkProduct
from tasks.harness import HarnessRef
from tasks.judging.records import JudgeReport, Verdict
from tasks.matter.failures import SolonError
from tasks.matter.records import Corpus, Matter
from tasks.matter.usage import Usage

NOW = datetime(2026, 1, 2, tzinfo=UTC)
NAMES = {"P": "pass", "F": "fail", "U": "unscored"}


class Here:
    """A compute plane that runs what is submitted at once."""

    def submit(self, body, *arguments, resources):
        given = body(*arguments)
        return type("Handle", (), {"result": staticmethod(lambda: given)})


def harness(version: str) -> HarnessRef:
    return HarnessRef(knowledge=Path(), skills=Path(), version=version)


def matter(name: str) -> Matter:
    return Matter(matter_id=name, title=name, area="tax", instructions="Do it.")


@pytest.fixture
def trials(tmp_path, monkeypatch):
    """Trials whose attempts are written down: by version, matter and epoch, a letter a criterion."""
    corpus = Corpus(root=tmp_path, matters=())
    settings = load_settings({"home": tmp_path / "home"}, cwd=tmp_path, env={})
    made = Trials("l", corpus, Cell(name="c", runtime="extractive"), settings, Here(), Here())
    verdicts = {
        ("old", "a", 1): "PFU", ("new", "a", 1): "PPP", ("old", "b", 1): "FF", ("new", "b", 1): "UU",
        ("old", "a", 2): "FF", ("new", "a", 2): "PP",
    }  # fmt: skip
    order = []

    def ended(ref, matters, epoch):
        order.append((ref.version, epoch, [m.matter_id for m in matters]))
        found = []
        for one in matters:
            folder = settings.runs / ref.version / one.matter_id / "c" / str(epoch)
            folder.mkdir(parents=True, exist_ok=True)
            given = tuple(
                Verdict.model_validate({"criterion_id": f"C{n}", "title": "t", "status": NAMES[letter]})
                for n, letter in enumerate(verdicts[ref.version, one.matter_id, epoch])
            )
            report = JudgeReport(matter_id=one.matter_id, matter_digest="d", profile="anchor", verdicts=given)
            (folder / "judgement.json").write_text(report.model_dump_json())
            usage = Usage(output=7 if ref.version == "new" else 0)
            place = {"run_id": ref.version, "number": epoch, "cell": Cell(name="c", runtime="extractive")}
            attempt = Attempt.model_construct(matter_id=one.matter_id, epoch=epoch, usage=usage, **place)
            found.append((attempt, folder))
        return found

    monkeypatch.setattr(made, "_ended", ended)
    return made, order


def test_pairs_come_in_the_order_asked_for_over_the_criteria_of_both(trials):
    made, _ = trials
    pairs = made.pairs(harness("old"), harness("new"), [matter("b"), matter("a"), matter("a")], [1, 2, 1])
    told = [[(s.passed, s.failed, s.unscored, s.tokens) for s in pair] for pair in pairs]
    assert told == [
        [(0, 0, 0, 0), (0, 0, 2, 7)],  # nothing that both were judged by: dropped by the policy
        [(0, 2, 0, 0), (2, 0, 0, 7)],
        [(1, 1, 1, 0), (2, 0, 0, 7)],  # the third criterion is no gain: nobody could judge it before
    ]
    assert pairs[1][0].matter_key == pairs[2][1].matter_key == matter("a").key


def test_an_attempt_that_was_judged_again_counts_by_its_latest_judgement(trials):
    """Its first verdicts may be of another version of the judge; of two versions none are counted together."""
    made, _ = trials
    made.pairs(harness("old"), harness("new"), [matter("a")], [1])
    version, runs = made._version, made._settings.runs
    first = runs / "old/a/c/1/judgement.json"
    old = JudgeReport.model_validate_json(first.read_bytes()).model_copy(update={"profile_version": "of long ago"})
    with pytest.raises(SolonError, match=r"another version of the judge anchor \(of long ago\)") as told:
        judge_side.judged_together([_written(first, old), runs / "new/a/c/1/judgement.json"], version)
    assert "solon judge" in told.value.failure.remedy
    with pytest.raises(SolonError, match="of long ago"):
        judge_side.tallied(first, NOW, version)
    verdicts = tuple(v.model_copy(update={"status": "pass"}) for v in old.verdicts)
    again = old.model_copy(update={"profile_version": version, "verdicts": verdicts})
    attempt = Attempt.model_construct(
        attempt_id="old/a/c/1", run_id="old", matter_id="a", number=1, cell=Cell(name="c", runtime="extractive")
    )
    store = AttemptStore(runs, "old")
    write_judgement(store, attempt, Judgement(attempt_id="old/a/c/1", judged_utc=NOW, report=again))
    latest = made._verdicts(attempt)
    assert judge_side.judged_together([latest, runs / "new/a/c/1/judgement.json"], version) == (3, (3, 3), (0, 0))
    assert judge_side.tallied(latest, NOW, version).passed == 3


def test_verdicts_that_are_gone_are_no_zero(tmp_path):
    with pytest.raises(SolonError, match="are gone"):
        judge_side.tallied(tmp_path / "judgement.json", NOW, "")


def _written(path: Path, report: JudgeReport) -> Path:
    path.write_text(report.model_dump_json())
    return path


def test_which_harness_comes_first_changes_from_batch_to_batch(trials):
    made, order = trials
    for _ in range(3):
        made.pairs(harness("old"), harness("new"), [matter("a")], [1])
    assert [version for version, *_ in order] == ["old", "new", "new", "old", "old", "new"]


def test_the_words_of_rubrics_are_asked_for_in_a_judge_process(trials, monkeypatch):
    made, _ = trials
    asked = []

    def submit(body, *arguments, resources):
        asked.append((body.__name__, resources.role, arguments[0]))
        return type("Handle", (), {"result": staticmethod(lambda: True)})

    monkeypatch.setattr(made, "_compute", type("Plane", (), {"submit": staticmethod(submit)}))
    assert made.shares_words("text", {"general"}, [matter("a")]) is True
    assert asked == [("shares_words", "judge", "text")]


def test_a_proposer_is_told_last_words_without_a_word_of_the_matter(trials, tmp_path, monkeypatch):
    """They are redacted where they lie; of a matter whose names are not known nothing is told."""
    made, _ = trials
    monkeypatch.setattr("flows.runs.trials.general_words", lambda harness: frozenset({"the", "memo", "drafted"}))
    monkeypatch.setattr(made, "_names", {"a": ["Larkfield memo"]})
    monkeypatch.setattr("flows.runs.trials.signals_of", lambda *given: given[-1])
    monkeypatch.setattr(made, "_landing", Here())
    monkeypatch.setattr("flows.runs.trials.landed", lambda settings, run_id: None)
    for name in "ab":
        folder = made._settings.runs / "old" / name / "c" / "1"
        folder.mkdir(parents=True)
        words = "Drafted the memo for Larkfield, canaryheliotrope, USD 900."
        product = WorkProduct(files=(), outcome="finished", final_message=words)
        (folder / "work.json").write_text(product.model_dump_json())
    told = made.signals(harness("old"), [matter("a"), matter("b")], (1,))
    assert told == {(matter("a").key, 1): "Drafted the … [name], …, [figure]."}
