"""A deliverable that is data: the words of its evidence are quotations, and it has no sections."""

from __future__ import annotations

import json

import pytest
from reconcile_fixtures import matter, pack, packaged, state
from reconcile_fixtures import text as canonical

from tasks.reconcile.check import CheckJob
from tasks.reconcile.citations import check_citations
from tasks.reconcile.data_quotes import evidence_of
from tasks.reconcile.skeleton import check_skeleton
from tasks.retrieval.records import Skeleton, SkeletonSection

PAPER = "The court appoints\nRuth “Ruthie” Lane as the monitor of this decree. Nothing else is ordered here today."
TRUE = "The court appoints\nRuth “Ruthie” Lane as the monitor of this decree."
FALSE = "The court appoints Carl Moss as the master of this wholly different decree."


def job(given: object, media: str = "json") -> CheckJob:
    draft = canonical("list.json", given if isinstance(given, str) else json.dumps(given), media)
    section = SkeletonSection(title="Bottom line", aliases=(), required=True)
    skeletons = {"list.json": Skeleton(deliverable_type="memorandum", sections=(section,))}
    room = {"order.txt": canonical("order.txt", PAPER)}
    asked = matter("list.json", documents=tuple(room))
    return CheckJob({"list.json": draft}, room, asked, state(), pack(skeletons), packaged())


def said(words: str) -> dict[str, object]:
    evidence = {"text": words, "source_document": "order.txt", "location": "line 1"}
    return {"monitor_name": [{"value": "Defendant: Ruth Lane, Monitor of this decree", "evidence": [evidence]}]}


def test_the_words_of_the_evidence_are_verified_and_no_other_string() -> None:
    found = check_citations(job(said(TRUE)))
    assert not found.findings
    (grounded,) = [g for g in found.grounded if g.text == TRUE]
    assert grounded.sources[0].document == "order.txt"


def test_evidence_that_stands_nowhere_is_flagged_with_its_place() -> None:
    given = job(said(FALSE))
    (finding,) = [f for f in check_citations(given).findings if f.kind in {"misquoted", "fabricated"}]
    assert given.drafts["list.json"].text[finding.start : finding.end] == FALSE


@pytest.mark.parametrize("escaped", [True, False])
def test_the_place_of_evidence_is_that_of_its_written_form(escaped: bool) -> None:
    draft = canonical("list.json", json.dumps(said(TRUE), ensure_ascii=escaped), "json")
    (one,) = evidence_of(draft)
    assert json.loads(f'"{draft.text[one.start : one.end]}"') == TRUE


@pytest.mark.parametrize("broken", ["{", "[" * 5_000, '{"a": {"text": 3, "source_document": "order.txt"}}', "[]"])
def test_what_is_no_json_or_quotes_nothing_has_no_evidence(broken: str) -> None:
    assert not list(evidence_of(canonical("list.json", broken, "json")))


def test_data_has_no_sections_and_a_text_has() -> None:
    assert not check_skeleton(job(said(TRUE))).findings
    assert check_skeleton(job("Nothing.", "md")).findings
