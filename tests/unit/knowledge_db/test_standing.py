"""Law that is known to have changed never stands silently, wherever a row of it is shown."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from flows.bench.liveness.records import with_rows
from flows.cli import main
from knowledge_db import KnowledgeBase, KnowledgeError
from knowledge_db.standing import LawChange, LawCheck, Standings
from tasks.drafting.briefing import leads
from tasks.harness import packaged
from tasks.learning.knowledge.review import areas, review
from tasks.learning.knowledge.suites import _verified
from tasks.toolbox.desk import Desk
from tasks.toolbox.tools.authority import authority
from tasks.toolbox.tools.deadline import deadline

BASE = packaged().knowledge
GENERAL = "general legal knowledge; to be re-verified against the official text"


def standings(changes: tuple[LawChange, ...] = (), checks: tuple[LawCheck, ...] = ()) -> Standings:
    made = Standings(BASE.folder)
    vars(made).update(changes=changes, checks=checks)
    return made


def row(citation: str = "1 X.C. § 2(a)", as_of: str = "2024", provenance: str = GENERAL) -> dict[str, Any]:
    return {"citation": citation, "as_of": as_of, "provenance": provenance}


def change(citation: str, since: str = "2025-03-01") -> LawChange:
    return LawChange(citation=citation, since=since, what="rewritten by a later act")


@pytest.mark.parametrize(
    ("changed", "since", "as_of", "told"),
    [
        ("1 X.C. § 2(a)", "2025-03-01", "2024", True),
        ("1 X.C. § 2", "2025-03-01", "2024", True),  # a change of the whole is one of each part
        ("1 X.C. § 2(a)(1)", "2025-03-01", "2024", True),  # and a change of a part one of the whole
        ("1 X.C. § 2(b)", "2025-03-01", "2024", False),
        ("1 X.C. § 2", "2024-06-01", "2024", False),  # a row of 2024 tells the law of 2024
        ("1 X.C. § 2", "2024-06-01", "2024-01-01", True),
        ("1 X.C. § 2", "2025-03-01", "2025", False),
    ],
)
def test_a_change_after_a_row_was_read_is_told(changed: str, since: str, as_of: str, told: bool) -> None:
    found = standings((change(changed, since),)).of(row(as_of=as_of))
    assert bool(found.changed_since) == told
    assert ("CHANGED SINCE" in found.said) == told


def test_what_a_row_was_checked_against_is_told() -> None:
    assert standings().of(row()).verified == "not checked"
    official = "Federal Rules of Civil Procedure, committee print of 1 December 2022: period checked"
    assert standings().of(row(provenance=official)).verified == "official text"
    # that its section exists in an official edition says nothing of a period
    section = (
        "general legal knowledge; section exists in the United States Code, 2016 edition; period to be re-verified"
    )
    assert standings().of(row(provenance=section)).verified == "not checked"
    checked = LawCheck(entry="1 X.C. § 2(a)", level="second source", by="two law sites", on="2026-11-22")
    found = standings(checks=(checked,)).of(row())
    assert (found.verified, "second source" in found.said) == ("second source", True)


def desk(changes: tuple[LawChange, ...], checks: tuple[LawCheck, ...] = ()) -> Desk:
    rules = tuple(row for row in BASE.authorities if row.citation.startswith("Fed. R. Civ. P."))  # indexed at once
    windows = tuple(row for row in BASE.windows if row.domain in ("civil_procedure", "employment"))
    knowledge = with_rows(BASE, standings=standings(changes, checks), authorities=rules, windows=windows)
    return Desk(harness=replace(packaged(), knowledge=knowledge))


def test_the_tools_tell_it() -> None:
    at = desk((change("Fed. R. Civ. P. 12(a)"),))
    first = authority(at, "FRCP 12")["authorities"][0]
    assert "rewritten by a later act" in first["standing"]
    assert first["changed_since"].startswith("2025-03-01")
    windows = authority(at, "answer deadline")["windows"]
    assert "rewritten by a later act" in windows[0]["standing"]
    counted = deadline(at, trigger="2024-03-01", rule="civil_procedure/answer")
    assert any("rewritten by a later act" in said for said in counted["attention"])
    quiet = deadline(desk(()), trigger="2024-03-01", rule="civil_procedure/answer")
    assert not any("rewritten" in said for said in quiet["attention"])
    checked = LawCheck(entry="employment/warn_notice", level="second source", by="a law site", on="2026-11-22")
    marked = deadline(desk((), (checked,)), trigger="2024-03-01", rule="employment/warn_notice")
    assert any("second source" in said for said in marked["attention"])


def test_the_leads_of_a_prompt_tell_it_however_long_a_row_is() -> None:
    held = row("8 Del. C. § 144") | {"title": "Interested directors", "note": "x" * 400}
    pack = SimpleNamespace(authorities=(held,), windows=())
    job: Any = SimpleNamespace(pack=pack, harness=SimpleNamespace(knowledge=BASE))
    with_change: Any = SimpleNamespace(
        pack=pack, harness=SimpleNamespace(knowledge=SimpleNamespace(standings=standings((change("8 Del. C. § 144"),))))
    )
    assert "as of 2024" in leads(job)
    assert "rewritten by a later act" in leads(with_change)


_COMMON = ("civil_procedure", "employment", "real_estate", "securities", "corporate", "intellectual_property")


def test_every_window_of_the_common_areas_is_confirmed_or_marked_where_a_prompt_leads_with_it() -> None:
    rows = [window.model_dump(mode="json") for window in BASE.windows if window.domain in _COMMON]
    assert {row["domain"] for row in rows} == set(_COMMON)
    for row in rows:
        job: Any = SimpleNamespace(
            pack=SimpleNamespace(authorities=(), windows=(row,)), harness=SimpleNamespace(knowledge=BASE)
        )
        level = BASE.standings.of(row).verified
        mark = {"not checked": "not checked against any text", "second source": "second source"}.get(level, "as of")
        assert mark in leads(job), row["window_id"]


def test_what_changed_is_to_be_read_again_first() -> None:
    base = with_rows(BASE, authorities=BASE.authorities[:40], windows=BASE.windows[:5],
                     standings=standings((change(BASE.authorities[3].citation, "2026-01-01"),)))  # fmt: skip
    rows = review(base)
    assert (rows[0].entry, rows[0].why) == (BASE.authorities[3].citation, "changed since")
    assert {why for row_ in rows for why in [row_.why]} >= {"changed since", "period not checked"}
    assert sum(counted.total() for counted in areas(rows).values()) == len(rows)


def test_every_change_and_check_is_of_a_row_that_is_held() -> None:
    cited = [row_.model_dump() for row_ in (*BASE.authorities, *BASE.windows)]
    told = " ".join(BASE.standings.of(one).changed_since for one in cited)
    assert [c.citation for c in BASE.standings.changes if f"{c.since}: {c.what}" not in told] == []
    held = {one.get("window_id") or one["citation"] for one in cited}
    assert [c.entry for c in BASE.standings.checks if c.entry not in held] == []
    assert (Path(BASE.folder) / "changes").is_dir()


@pytest.mark.slow
def test_the_command_lists_what_waits_in_an_area(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["knowledge", "review", "--area", "corporate", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert {row_["area"] for row_ in told["rows"]} == set(told["areas"])
    assert all("corporate" in area.casefold() for area in told["areas"])
    assert main(["knowledge", "review", "--area", "corporate"]) == 0
    shown = capsys.readouterr().out
    assert "changed since: corporate/dgcl_inspection" in shown
    assert f"{len(told['rows'])} rows wait" in shown


def test_a_malformed_change_is_refused_when_the_knowledge_is_loaded(tmp_path: Path) -> None:
    (tmp_path / "changes").mkdir()
    (tmp_path / "changes" / "changes.csv").write_text("citation,since,what\n1 X.C. § 2,lately,rewritten\n")
    with pytest.raises(KnowledgeError, match=r"changes/changes\.csv, row 1: since"):
        _ = KnowledgeBase(tmp_path).standings


def test_how_much_of_the_law_was_verified_is_counted() -> None:
    rows = {
        "authorities": [row(), row(provenance="Federal Rules of Civil Procedure, committee print of 1 December 2022")]
    }
    assert _verified(BASE.folder, {**rows, "windows": []}) == {"not checked": 1, "official text": 1}


_MONTHS = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]
_SINCE = re.compile(rf"\bsince (?:(\d{{1,2}}) ({'|'.join(_MONTHS)}) )?(20\d\d)\b")


def _stated(text: str) -> list[str]:
    """Return the days from which a row says that its law holds."""
    return [
        f"{year}-{_MONTHS.index(month) + 1:02d}-{int(day):02d}" if month else f"{year}-01-01"
        for day, month, year in _SINCE.findall(text)
    ]


def test_no_row_says_it_is_of_an_earlier_year_than_the_law_it_tells() -> None:
    """What is said to hold since a day is law of that day: an older ``as_of`` must say so by its change."""
    assert _stated("court days since 1 January 2025, five before") == ["2025-01-01"]
    silent = []
    for found in (*BASE.windows, *BASE.authorities):
        given = found.model_dump(mode="json")
        said = " ".join(str(given.get(name, "")) for name in ("note", "exceptions", "tolling"))
        known = f"{found.as_of}-12-31" if len(found.as_of) == len("2024") else found.as_of
        later = [day for day in (*_stated(said), str(given.get("in_force_from") or "")) if day > known]
        if later and not BASE.standings.of(given).changed_since:
            silent.append((given.get("window_id") or given["citation"], found.as_of, later))
    assert silent == []
