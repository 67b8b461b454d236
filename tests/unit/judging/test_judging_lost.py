"""Criteria that rest on documents we failed to read are unscored; what was unreadable from the start is judged."""

from __future__ import annotations

import pytest

from tasks.judging.lost_documents import Lost
from tasks.judging.records import Verdict
from tasks.judging.stage import judge
from tasks.judging.taxonomy import classify
from tasks.matter.failures import Failure, FailureCause
from tasks.matter.records import Matter
from tasks.matter.rubric import Anchor, AnchorMatch, Criterion, Rubric
from tasks.models.transports.scripted import ScriptedModel
from tasks.sources.records import CoverageEntry

MATTER = Matter(matter_id="a/b", title="T", area="a", instructions="I")
MODELS = {"one": {"model": "scripted", "retries": 0}}
MEMO = "# Acme\n\n## Governing law\n\nNew York law governs.\n"
OURS = ["reader", "timeout", "capacity", "changed"]
THEIRS = ["input", "policy"]


def entry(document, status, *causes):
    failures = tuple(
        Failure(cause=FailureCause(c), stage="sources", subject=document, message="It failed.") for c in causes
    )
    return CoverageEntry(document=document, status=status, characters=0, failures=failures)


def plain(cid, *sources):
    return Criterion(id=cid, title=f"Criterion {cid}", match_criteria="m", sources=sources)


@pytest.fixture
def judged(tmp_path, kit):
    """Judge criteria on a memorandum that states New York for Acme; returns status and cause of each."""

    def run(criteria, coverage, profile="anchor", replies=(), memo=MEMO):
        sealed, output = tmp_path / "sealed", tmp_path / "output"
        for folder in (sealed, output):
            folder.mkdir(exist_ok=True)
        rubric = Rubric(
            matter_id="a/b", matter_digest=MATTER.digest, title="T", instructions="I", criteria=tuple(criteria)
        )
        (sealed / f"{MATTER.digest}.json").write_text(rubric.model_dump_json(), encoding="utf-8")
        (output / "memo.md").write_text(memo, encoding="utf-8")
        said = {f"Criterion {cid}": (v, "New York law") for cid, v in dict(replies).items()}
        model = ScriptedModel(kit.ballot(said))
        more = {"models": MODELS, "transport": model, "mode": "off", "coverage": coverage}
        report = judge(MATTER, output, sealed, profile, tmp_path / "cache", **more)
        assert {title for r in model.requests for title in kit.asked(r).values()} == set(said)
        assert all(v.votes for v in report.verdicts if v.title in said)  # also of one that was excused
        return [(v.status, str(v.cause or "")) for v in report.verdicts]

    return run


def law(kit, gold, document="lease.txt", cid="C-1"):
    return kit.criterion("value", gold, (document, "Acme"), ("governing law",), cid=cid)


@pytest.mark.parametrize("cause", OURS)
def test_an_unread_document_leaves_its_criteria_unscored(judged, kit, cause):
    coverage = [entry("lease.txt", "unread", cause), entry("other.txt", "read")]
    criteria = [law(kit, "New York"), law(kit, "Ohio", cid="C-2"), law(kit, "Ohio", "other.txt", "C-3")]
    assert judged(criteria, coverage) == [("unscored", cause), ("unscored", cause), ("fail", "")]


@pytest.mark.parametrize("cause", OURS)
def test_a_document_read_in_part_excuses_a_fail_and_keeps_a_pass(judged, kit, cause):
    coverage = [entry("lease.txt", "partial", "policy", cause)]
    criteria = [law(kit, "New York"), law(kit, "Ohio", cid="C-2")]
    assert judged(criteria, coverage) == [("pass", ""), ("unscored", cause)]


@pytest.mark.parametrize(
    ("document", "scope", "status"),
    [
        ("", ("lease.txt", "Acme"), "unscored"),  # the scope begins with the document
        ("lease.txt", ("other.txt", "Acme"), "unscored"),
        ("other.txt", ("lease.txt", "Acme"), "fail"),  # a document that is named goes before the scope
        ("", (), "fail"),
    ],
)
def test_an_anchor_says_by_its_document_or_its_scope_what_it_rests_on(judged, document, scope, status):
    match = AnchorMatch(kind="value", any=("Ohio",))
    anchor = Anchor(document=document, scope=scope, facet=("governing law",), match=match)
    criterion = Criterion(id="C-1", title="t", match_criteria="m", anchors=(anchor,))
    coverage = [entry("lease.txt", "unread", "reader"), entry("other.txt", "read")]
    assert [s for s, _ in judged([criterion], coverage)] == [status]


@pytest.mark.parametrize("status", ["unread", "partial"])
@pytest.mark.parametrize("cause", THEIRS)
def test_what_was_unreadable_from_the_start_is_a_fact_of_the_matter(judged, kit, cause, status):
    coverage = [entry("lease.txt", status, cause)]
    assert judged([law(kit, "New York"), law(kit, "Ohio", cid="C-2")], coverage) == [("pass", ""), ("fail", "")]


def test_the_model_judge_is_told_by_the_sources_of_a_criterion(judged):
    coverage = [entry("x/lease.txt", "unread", "reader"), entry("b.txt", "partial", "timeout"), entry("c.txt", "read")]
    sources = ["lease.txt", "documents/x/lease.txt § 4", "B.TXT", "b.txt", "release.txt", "c.txt", "y/lease.txt"]
    criteria = [plain(f"C-{n}", source) for n, source in enumerate(sources)]
    # nothing is asked about what was not read at all
    replies = {"C-2": "fail", "C-3": "pass", "C-4": "fail", "C-5": "fail", "C-6": "fail"}
    assert judged(criteria, coverage, "model:one", replies) == [
        ("unscored", "reader"),
        ("unscored", "reader"),
        ("unscored", "timeout"),
        ("pass", ""),
        ("fail", ""),
        ("fail", ""),
        ("fail", ""),
    ]


def test_a_criterion_that_names_nothing_rests_on_the_whole_data_room(judged):
    some = [entry("a.txt", "unread", "reader"), entry("b.txt", "read")]
    assert judged([plain("C-1")], some, "model:one", {"C-1": "fail"}) == [("fail", "")]
    none = [entry("a.txt", "unread", "reader"), entry("b.txt", "unread", "policy")]
    assert judged([plain("C-1")], none, "model:one") == [("unscored", "reader")]
    theirs = [entry("b.txt", "unread", "input")]
    assert judged([plain("C-1", "b.txt")], theirs, "model:one", {"C-1": "fail"}) == [("fail", "")]


@pytest.mark.parametrize("cause", THEIRS)
def test_a_denial_about_a_document_that_nobody_read_earns_nothing(judged, kit, cause):
    """The name of a party may let a section on another document pass for one on this."""
    silent = kit.criterion("absence", "exclusivity", ("lease.txt", "Acme"), ("exclusivity",), cid="C-1")
    read = kit.criterion("absence", "exclusivity", ("other.txt", "Acme"), ("exclusivity",), cid="C-2")
    memo = "# Acme\n\n## Exclusivity\n\nNo exclusivity provision was found.\n"
    coverage = [entry("lease.txt", "unread", cause), entry("other.txt", "read")]
    assert judged([silent], coverage, memo=memo) == [("fail", "")]
    assert judged([silent], [entry("lease.txt", "read")], memo=memo) == [("pass", "")]
    assert judged([read], coverage, memo=memo) == [("pass", "")]


def test_a_denial_that_rests_on_nothing_is_told_as_unsupported(kit):
    silent = kit.criterion("absence", "exclusivity", ("lease.txt", "Acme"), ("exclusivity",), cid="C-1")
    passed = Verdict(criterion_id="C-1", title="States no exclusivity", status="pass", outcome="matched")
    verdict = Lost.of([entry("lease.txt", "unread", "input")]).unearned(silent, passed)
    assert (verdict.status, verdict.outcome) == ("fail", "")
    assert classify(verdict.title, verdict.reasoning, "absence", verdict.outcome) == "source_grounding"
