"""Builders of deliverables and criteria for the judging tests."""

import json
import re
from types import SimpleNamespace

import pytest

from tasks.judging.anchors.judge import AnchorJudge
from tasks.matter.rubric import Anchor, AnchorMatch, Criterion, Rubric
from tasks.sources.records import CanonicalText, Segment, SegmentKind

ACME = ("01-acme-license.pdf", "Acme, Inc.", "Northwind Limited", "LICENSE AGREEMENT")
BETA = ("02-beta-supply.docx", "Beta Corp.", "SUPPLY AGREEMENT")


def markdown(text, name="memo.docx", problems=()):
    """Canonical text of Markdown, its headings marked as segments."""
    segments, at = [], 0
    for line in text.split("\n"):
        if line.startswith("#"):
            segments.append(Segment(kind=SegmentKind.HEADING, label=line.strip("# "), start=at, end=at + len(line)))
        at += len(line) + 1
    return CanonicalText(
        document=name,
        sha256="0" * 64,
        extractor="test/1",
        media="md",
        text=text,
        segments=tuple(segments),
        problems=tuple(problems),
    )


def sheet(rows, name="matrix.xlsx", title="Matrix"):
    """Canonical text of a spreadsheet, rows and cells marked as segments."""
    lines, segments, at = [], [], 0
    for r, row in enumerate(rows, 1):
        line = "\t".join(row)
        cell_at = at
        cells = []
        for c, cell in enumerate(row):
            label = f"{title}!{chr(65 + c)}{r}"
            if cell:
                cells.append(Segment(kind=SegmentKind.CELL, label=label, start=cell_at, end=cell_at + len(cell)))
            cell_at += len(cell) + 1
        segments.append(Segment(kind=SegmentKind.ROW, label=f"{title}!{r}", start=at, end=at + len(line)))
        segments.extend(cells)
        lines.append(line)
        at += len(line) + 1
    text = "\n".join(lines)
    whole = Segment(kind=SegmentKind.SHEET, label=title, start=0, end=len(text))
    return CanonicalText(
        document=name, sha256="0" * 64, extractor="test/1", media="xlsx", text=text, segments=(whole, *segments)
    )


def criterion(kind, gold, scope=ACME, facet=("governing law",), cid="C-1", **more):
    match = AnchorMatch(
        kind=kind, any=(gold,) if isinstance(gold, str) else tuple(gold), threshold=more.pop("threshold", None)
    )
    anchor = Anchor(document=scope[0], scope=scope, facet=facet, match=match)
    return Criterion(id=cid, title="t", match_criteria="m", anchors=(anchor,), **more)


def rubric(*criteria):
    return Rubric(matter_id="a/b", matter_digest="d" * 64, title="T", instructions="I", criteria=tuple(criteria))


def verdict(text, subject, *others, name="memo.docx"):
    """Judge ``subject`` on a Markdown or canonical deliverable; ``others`` fill the rubric."""
    canonical = markdown(text, name) if isinstance(text, str) else text
    judge = AnchorJudge.prepare(rubric(subject, *others), [ACME[0], BETA[0]], {canonical.document: canonical})
    return judge.judge(subject)


def asked(messages):
    """The items that a judge is asked about, title by id: all of the batch, or those it is asked about again."""
    question = messages[1]
    titles = dict(re.findall(r"^\[([0-9a-f]{10})\] (.+)$", question["content"][question["cache"] :], re.MULTILINE))
    if len(messages) == 2:
        return titles
    again = re.findall(r"[0-9a-f]{10}", messages[-1]["content"].rpartition("alone:")[2])
    return {i: titles[i] for i in again}


def entry(i, verdict="pass", quote="", reasoning="It says so."):
    return {"id": i, "reasoning": reasoning, "verdict": verdict, "quote": quote}


def ballot(said, default=("fail", "")):
    """A judge that answers every item it is asked about: by its title ``(verdict, quote)``, or a function of it."""

    def answer(messages):
        of = said if callable(said) else lambda title: said.get(title, default)
        entries = [entry(i, *of(title)) for i, title in asked(messages).items()]
        return json.dumps({"verdicts": entries})

    return answer


@pytest.fixture(scope="session")
def kit():
    return SimpleNamespace(
        asked=asked,
        ballot=ballot,
        entry=entry,
        ACME=ACME,
        BETA=BETA,
        markdown=markdown,
        sheet=sheet,
        criterion=criterion,
        rubric=rubric,
        verdict=verdict,
    )
