"""Whether a judge profile may be trusted: drafts of known worth, judged through the one door that real work takes.

A good draft (gold, padded) must pass nearly all; a bad one (empty, of another matter, with orders to the judge in it)
must pass nothing.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, Literal

from tasks.judging.records import JudgeReport
from tasks.judging.stage import judge
from tasks.matter.base import Record
from tasks.matter.reasons import MatchKind
from tasks.matter.records import Deliverable, DocumentRef, Matter
from tasks.matter.rubric import Anchor, AnchorMatch, Criterion, ReferenceChecklist, ReferenceValue, Rubric
from tasks.matter.usage import Usage
from tasks.models.client import CacheMode
from tasks.models.records import Transport

LEAST_PASSED: Final = 0.85  # of the criteria of a good draft: one of eight may be missed, two may not
MOST_UNSCORED: Final = 0.15  # of the criteria of any draft
_FILE: Final = "memo.md"


class Checked(Record):
    """How a judge did on one draft.

    Attributes:
        worth: What every criterion should come to.
        believed: Whether it did so well enough.
    """

    draft: str
    worth: Literal["pass", "fail"]
    criteria: int
    passed: int
    failed: int
    unscored: int
    believed: bool


class CheckReport(Record):
    """How a judge profile did on all drafts.

    Attributes:
        profile_version: The version that was checked: another needs a check of its own.
        trusted: Whether it did well enough on every draft.
        causes: Why criteria were unscored, with their numbers.
    """

    schema_version: int = 1
    profile: str
    profile_version: str
    trusted: bool
    drafts: tuple[Checked, ...]
    causes: dict[str, int]
    usage: Usage = Usage()


def check_profile(
    profile: str,
    cache: Path,
    models: Mapping[str, Any] | Path | None = None,
    mode: CacheMode = "read_write",
    transport: Transport | None = None,
) -> CheckReport:
    """Judge every draft by a profile; see :func:`tasks.judging.stage.judge` for the arguments.

    Raises:
        SolonError: The profile is unknown, or an endpoint refuses the key.
    """
    known = _known()
    reports: dict[str, JudgeReport] = {}
    with TemporaryDirectory() as folder:
        sealed, matter = Path(folder) / "sealed", known["matter"]
        sealed.mkdir()
        (sealed / f"{matter.digest}.json").write_text(known["rubric"].model_dump_json(), encoding="utf-8")
        for draft in known["drafts"]:
            output = Path(folder) / draft["name"].replace(" ", "-")
            output.mkdir()
            text = "\n".join(known["parts"][part].strip() + "\n" for part in draft["parts"])
            (output / _FILE).write_text(text, encoding="utf-8")
            reports[draft["name"]] = judge(matter, output, sealed, profile, cache, models, mode, transport=transport)
    checked = tuple(_checked(draft["name"], draft["worth"], reports[draft["name"]]) for draft in known["drafts"])
    causes = [v.cause.value for r in reports.values() for v in r.verdicts if v.cause]
    first = next(iter(reports.values()))
    return CheckReport(
        profile=profile,
        profile_version=first.profile_version,
        trusted=all(one.believed for one in checked),
        drafts=checked,
        causes={cause: causes.count(cause) for cause in sorted(set(causes))},
        usage=sum((r.usage for r in reports.values()), Usage()),
    )


def _checked(draft: str, worth: Literal["pass", "fail"], report: JudgeReport) -> Checked:
    said = [v.status for v in report.verdicts]
    passed, failed, unscored = (said.count(s) for s in ("pass", "fail", "unscored"))
    right = passed >= LEAST_PASSED * (passed + failed) if worth == "pass" else passed == 0
    return Checked(
        draft=draft,
        worth=worth,
        criteria=len(said),
        passed=passed,
        failed=failed,
        unscored=unscored,
        believed=right and unscored <= MOST_UNSCORED * len(said),
    )


@lru_cache(maxsize=1)
def _known() -> Mapping[str, Any]:
    data = tomllib.loads(files("tasks.judging.trust").joinpath("data", "check.toml").read_text("utf-8"))
    document = DocumentRef(name=data["document"], path=Path("nowhere"), sha256="0" * 64, size=0)
    matter = Matter(
        matter_id="judging/check",
        title=data["title"],
        area="judging",
        instructions=data["title"],
        deliverables=(Deliverable(name="memo", filename=_FILE),),
        documents=(document,),
    )
    criteria = tuple(_criterion(n, one, data) for n, one in enumerate(data["criteria"], 1))
    rubric = Rubric(
        matter_id=matter.matter_id,
        matter_digest=matter.digest,
        title=matter.title,
        instructions=matter.instructions,
        criteria=criteria,
        checklist=_checklist(data),
    )
    return {"matter": matter, "rubric": rubric, "drafts": data["drafts"], "parts": data["parts"]}


def _criterion(number: int, one: Mapping[str, Any], data: Mapping[str, Any]) -> Criterion:
    gold = one["any"] or ["none"]  # an absence has no gold
    anchor = Anchor(
        document=data["document"],
        scope=tuple(data["scope"]),
        facet=tuple(one["facet"]),
        match=AnchorMatch(kind=MatchKind(one["kind"]), any=tuple(gold)),
    )
    return Criterion(id=f"C-{number:03}", title=one["title"], match_criteria=one["rule"], anchors=(anchor,))


def _checklist(data: Mapping[str, Any]) -> ReferenceChecklist:
    """Return the criteria as the items of a reference checklist."""
    items = [
        {"id": f"item_{n}", "title": one["facet"][0], "names": one["facet"][1:], "asks": one["title"]}
        for n, one in enumerate(data["criteria"], 1)
    ]
    groups = [{"id": "all", "title": data["title"], "items": items}]
    return ReferenceChecklist(
        reference_checklist={"name": "check", "title": data["title"], "alpha": 0.9, "groups": groups},
        values={one["facet"][0]: (ReferenceValue(value=one["value"]),) for one in data["criteria"]},
        text=data["parts"]["gold"].strip(),
    )
