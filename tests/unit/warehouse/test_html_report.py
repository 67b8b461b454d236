"""The report says what the warehouse says, and nothing in it can act."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path

import duckdb
import pypdfium2
import pytest

from tests.unit.warehouse.bulk import Bulk
from tests.unit.warehouse.conftest import FAILURE, RUN, attempt_row, everything_about, judgement_row, verdict_row
from tests.unit.warehouse.questions_page import sample_rows
from warehouse import report as report_module
from warehouse.land import land
from warehouse.parts import write_parts
from warehouse.records import FailureRow, RunRow
from warehouse.report import figures, render
from warehouse.report.drawings import (
    DotChart,
    Scale,
    climb,
    climbs,
    converging,
    differences,
    differences_by_size,
    dots_by,
    heat,
    heat_by,
    scatter,
)
from warehouse.row import Row
from warehouse.sql import QueryError, named_queries

EVIL = '"><script>alert(1)</script><img src=x onerror=alert(2)>{{ 7*7 }}{% raw %}\u202egnihtemos\u202c javascript:x'
Landed = Callable[[list[Row]], Path]


class Page(HTMLParser):
    """What a browser would see: tags, attributes and the text between them."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str]] = []
        self.words: list[str] = []
        self.open: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(name, value or "") for name, value in attrs]
        if tag not in ("meta", "link", "br", "img"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag, tag

    def handle_data(self, data: str) -> None:
        self.words.append(data)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.words).split())


@pytest.fixture(scope="module")
def full(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A warehouse that is only read."""
    folder = tmp_path_factory.mktemp("full")
    write_parts(folder, [RUN, FAILURE, *everything_about(0, "ppfu"), *everything_about(1, "pppp", area="ip")])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("warehouse.land.check_all", lambda con: ())
        assert land(folder, folder / "w.duckdb").published
    return folder / "w.duckdb"


@pytest.fixture(scope="module")
def of_all(full: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The report of all runs in it."""
    return render(full, tmp_path_factory.mktemp("report"), None).read_text("utf-8")


def test_the_report_says_what_the_warehouse_says(full: Path, tmp_path: Path) -> None:
    path = render(full, tmp_path / "report", "r1")
    assert path == tmp_path / "report" / "index.html"
    page = Page(path.read_text("utf-8"))
    assert page.open == []
    for told in (
        "Run r1",
        "85.7 %",
        "6 of 7 criteria scored",
        "50.0 %",
        "numbers dates",
        "tax/bad",
        "task.json is not JSON",
    ):
        assert told in page.text, told


def test_every_section_is_linked(of_all: str) -> None:
    page = Page(of_all)
    targets = {value for name, value in page.attributes if name == "id"}
    links = [value for name, value in page.attributes if name == "href"]
    assert len(links) >= 12
    assert links[-1] == "quality.html"
    assert all(link.startswith("#") and link[1:] in targets for link in links[:-1])
    assert {"#cells", "#areas", "#errors", "#gates", "#cost", "#unscored", "#slowest", "#failures", "#worst"} <= set(
        links
    )


def test_the_page_of_the_quality_says_what_holds_and_what_was_refused(full: Path, tmp_path: Path) -> None:
    database = Path(shutil.copy(full, tmp_path / "w.duckdb"))
    with duckdb.connect(str(database)) as con:
        con.execute("UPDATE verdict SET error_class = 'other' WHERE status = 'pass'")
        con.execute("INSERT INTO quarantine VALUES ('<b>bad</b>.parquet', 'x', 'cannot be read')")
    report = render(database, tmp_path / "report")
    text = (report.parent / "quality.html").read_text("utf-8")
    page = Page(text)
    assert "only a failed criterion has an error class" in page.text
    assert page.text.count("NO ") == 1, "one expectation fails and every other holds"
    assert "<b>bad" not in text
    assert "bad</b>.parquet" in page.text
    assert not {"script", "link", "img"} & set(page.tags)


def test_it_stands_alone_and_cannot_act(of_all: str) -> None:
    page = Page(of_all)
    assert not {"script", "link", "img", "iframe", "form", "object", "embed", "base"} & set(page.tags)
    assert not [name for name, _ in page.attributes if name.startswith("on") or name in ("src", "srcset", "style")]
    assert "default-src 'none'" in of_all
    assert not re.search(r"https?://|@import|url\(", of_all)


@pytest.mark.slow
def test_hostile_words_are_words(
    warehouse_of: Landed, everything: Callable[..., list[Row]], run_row: RunRow, failure_row: FailureRow, tmp_path: Path
) -> None:
    rows: list[Row] = []
    for row in [run_row, failure_row, *everything(0, "pfu"), *everything(1, "pfu", cell="other", area="ip")]:
        changes = {
            name: EVIL
            for name, value in row
            if isinstance(value, str)
            and name in ("title", "reasoning", "quote", "message", "remedy", "subject", "area", "corpus", "document",
                         "text", "sentence", "kind", "error_class", "match_kind", "tool", "cell", "profile",
                         "judge_profile", "matter_id", "criterion_id", "cause", "failure_message")
        }  # fmt: skip
        if row.table == "verdict":
            changes.pop("criterion_id")  # it tells the verdicts apart
        rows.append(row.model_copy(update=changes))
    database = warehouse_of(rows)
    text = render(database, tmp_path, None).read_text("utf-8")
    page = Page(text)
    assert page.open == []
    assert "script" not in page.tags
    assert "img" not in page.tags
    assert "alert(1)" in page.text  # shown, not run
    assert "{{ 7*7 }}" in page.text  # not a template
    assert "49" not in re.findall(r"\b49\b", page.text)
    assert "\u202e" not in text  # direction overrides would rewrite what stands beside them
    assert not [name for name, _ in page.attributes if name.startswith("on")]


@pytest.fixture(scope="module")
def studied(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A warehouse with two cells, a learner, repeated epochs and judgements, and its report."""
    folder = tmp_path_factory.mktemp("studied")
    made = Bulk(folder)
    made.rows(sample_rows())
    path = made.close()
    return path, render(path, folder / "report").read_text("utf-8")


STUDIES = [
    "Cells in pairs", "extractive − basic:local", "+60.0 [+50.0, +66.7]", "McNemar p", "Controls", "What a matter took",
    "Beside a lawyer", "10 h", "$3,490", "Tokens against pooled pass", "Cost and score", "Variance", "two differ",
    "Between judgements of one draft: the judge varies", "33.3 %", "Pass rate by version of the harness", "version 2",
    "Edits", "Matters passed in full", "What happened, by control", "What the anchors found",
    "Failures that fit no class", "Matters that differ most", "+66.7", "Looks at the holdouts",
    "Criteria that may be defective",
]  # fmt: skip
NOT_DRAWN = {
    "how_much_of_each_document_was_shown",  # one row a document; the sums are drawn
    "what_the_learner_may_see",  # the learner's input, no result
    "what_was_asked_in_sessions",  # dialogues with `solon ask`, which belong to no run
    "what_was_each_role_sent",  # what is not sound of it is drawn
    "which_criteria_passed_under_which_cell",  # every row of a run; what is made of it is drawn
    "which_model_calls_did_the_attempts_make",  # the sums are drawn as cost
    "which_verdicts_are_lost",  # they count as unscored, and each landing tells them
}


def test_every_question_of_a_run_is_asked_by_the_report_or_said_not_to_be() -> None:
    folder = Path(report_module.__file__).parent
    code = "\n".join(file.read_text("utf-8") for file in folder.glob("*.py"))
    silent = {name for name in named_queries() if f'"{name}"' not in code and not name.startswith("knowledge_")}
    assert silent == NOT_DRAWN


@pytest.mark.examples(5)
@pytest.mark.parametrize("told", STUDIES)
def test_the_report_draws_the_studies(studied: tuple[Path, str], told: str) -> None:
    assert told in Page(studied[1]).text


def test_figures_are_drawn_in_shares_so_that_their_words_keep_their_size(studied: tuple[Path, str]) -> None:
    """A drawing that is scaled as a whole has letters of six pixels on a phone."""
    page = studied[1]
    assert "viewBox" not in page
    assert "<text" not in page
    places = re.findall(r' (?:x|x1|x2|y|y1|y2|width)="(-?[\d.]+)%"', page)
    assert len(places) > 100
    assert all(0 <= float(place) <= 100 for place in places)


def test_a_table_is_cards_on_a_phone_and_whole_on_paper(studied: tuple[Path, str]) -> None:
    page = studied[1]
    assert page.count("<td data-of=") > 500
    assert "content: attr(data-of)" in page
    assert "@media print" in page
    assert "::details-content" in page, "a folded table is on paper too"


def test_one_cell_is_no_pair_and_has_bars(of_all: str) -> None:
    page = Page(of_all)
    assert "Cells in pairs" not in page.text
    assert "Pooled pass by practice area" in page.text


def test_the_report_of_one_run_leaves_the_rescues_of_others_out(studied: tuple[Path, str], tmp_path: Path) -> None:
    page = Page(render(studied[0], tmp_path, "r2").read_text("utf-8"))
    assert "version 2" not in page.text
    assert "Between epochs" in page.text


@pytest.mark.slow
@pytest.mark.live
def test_a_browser_prints_what_is_folded(studied: tuple[Path, str], tmp_path: Path) -> None:
    """In a real browser, where there is one: paper shows every table."""
    browser = shutil.which("chromium") or shutil.which("google-chrome")
    if browser is None:
        pytest.skip("needs chromium")
    (tmp_path / "report.html").write_text(studied[1], encoding="utf-8")
    printed = tmp_path / "report.pdf"
    flags = ["--headless", "--no-sandbox", "--disable-gpu", "--no-pdf-header-footer", "--disable-background-networking"]
    asked = [browser, *flags, f"--user-data-dir={tmp_path / 'profile'}"]
    page = f"file://{tmp_path / 'report.html'}"
    subprocess.run([*asked, f"--print-to-pdf={printed}", page], check=True, timeout=120, capture_output=True)
    pages = pypdfium2.PdfDocument(printed)
    words = " ".join(" ".join(page.get_textpage().get_text_bounded() for page in pages).split())
    for told in ("Pairs of cells", "Beside a lawyer", "Tax", "Cost and score"):
        assert told in words
    pages.close()


def test_the_same_warehouse_gives_the_same_bytes(full: Path, of_all: str, tmp_path: Path) -> None:
    assert render(full, tmp_path / "again").read_bytes() == of_all.encode()


def test_an_empty_warehouse_has_a_report(warehouse_of: Landed, tmp_path: Path) -> None:
    page = Page(render(warehouse_of([]), tmp_path).read_text("utf-8"))
    assert "No attempt has landed." in page.text


@pytest.mark.slow
def test_unjudged_attempts_have_a_report(
    warehouse_of: Landed, make_attempt: Callable[..., Row], tmp_path: Path
) -> None:
    page = Page(render(warehouse_of([make_attempt(0)]), tmp_path, "r1").read_text("utf-8"))
    assert "Nothing has been judged." in page.text
    assert figures.MISSING in page.text


@pytest.mark.slow
def test_one_run_leaves_the_others_out(
    warehouse_of: Landed, everything: Callable[..., list[Row]], tmp_path: Path
) -> None:
    database = warehouse_of([*everything(0), *everything(1, run_id="r2", matter_id="secret/other")])
    text = render(database, tmp_path, "r1").read_text("utf-8")
    assert "secret/other" not in text
    assert "secret/other" in render(database, tmp_path, None).read_text("utf-8")


def test_an_unknown_run_is_told(full: Path, tmp_path: Path) -> None:
    with pytest.raises(QueryError, match="no run 'nope' has landed"):
        render(full, tmp_path / "x", "nope")
    assert not (tmp_path / "x").exists()


def test_an_html_name_is_the_file(full: Path, tmp_path: Path) -> None:
    assert render(full, tmp_path / "deep" / "r.html") == tmp_path / "deep" / "r.html"
    assert sorted(p.name for p in (tmp_path / "deep").iterdir()) == ["r-quality.html", "r.html"]


WRITTEN = [
    ("pooled_pass", 0.5, "50.0 %"),
    ("pooled_pass", None, "not scored"),
    ("read_share", None, "–"),
    ("cost_usd", 0.0, "$0"),
    ("cost_usd", 0.0123, "$0.0123"),
    ("cost_usd", 1234.5, "$1,234.50"),
    ("tokens", 1234567, "1,234,567"),
    ("seconds", 90.0, "90.0 s"),
    ("seconds", 900.0, "15.0 min"),
    ("seconds", 9000.0, "2.5 h"),
    ("gain", -0.01, "-0.0100"),
    ("harness_version", "ab" * 32, "abababababab"),
    ("error_class", "missing_facts", "missing facts"),
    ("title", "", "–"),
    ("title", "a\x1b[31m\u2066b", "a\ufffd[31m\ufffdb"),
    ("title", "x" * 1000, "x" * 399 + "…"),
]


@pytest.mark.parametrize(("column", "value", "told"), WRITTEN)
def test_values_are_written_as_their_column_wants(column: str, value: object, told: str) -> None:
    assert figures.write(column, value) == told


def dots(rows: list[tuple[str, str, float | None]]) -> DotChart | None:
    told = [{"area": area, "cell": cell, "rate": rate} for area, cell, rate in rows]
    return dots_by("Rates", told, "area", "cell", "rate", figures.percent)


def test_dots_lie_on_one_scale() -> None:
    drawn = dots([("tax", "a", 0.2), ("tax", "b", 0.4), ("ip", "a", 0.3), ("ip", "b", None)])
    assert drawn is not None
    tax, ip = drawn.rows
    assert [dot.mark for dot in tax.dots] == [0, 1]
    assert tax.dots[0].place < ip.dots[0].place < tax.dots[1].place
    assert (len(ip.dots), ip.said, tax.said) == (1, "30.0 %", "")
    assert drawn.legend == (("a", 0), ("b", 1))


def test_no_mark_hides_another() -> None:
    drawn = dots([("tax", "a", 0.2), ("tax", "b", 0.2), ("tax", "c", 0.9), ("ip", "a", 0.3)])
    assert drawn is not None
    tax, ip = drawn.rows
    first, second, apart = tax.dots
    assert first.place == second.place
    assert first.height < apart.height == ip.dots[0].height < second.height


def test_a_scale_of_shares_ends_at_the_whole() -> None:
    drawn = dots([("tax", "a", 1.0), ("tax", "b", 0.5), ("ip", "a", 0.9)])
    assert drawn is not None
    assert drawn.ends[1] == "100.0 %"


def test_what_a_table_says_as_well_is_not_drawn() -> None:
    assert dots([]) is None
    assert dots([("tax", "a", 0.2), ("tax", "b", None)]) is None
    assert scatter("s", [{"x": None, "y": 1.0}], ("x", "x", str), ("y", "y", str), str) is None
    assert climb("c", [{"score_after": 0.5, "frontier": None, "step": 1, "decision": "accepted"}]) is None
    assert heat("h", [{"matter_id": "m", "version": 1, "pass_rate": 0.5}]) is None
    assert differences("d", [], str) is None


def tried(matter: str, *rates: float) -> list[dict[str, object]]:
    """Return the rows of a matter that was run under so many harnesses; every second one was rolled back."""
    fronts = [rates[place - place % 2] for place in range(len(rates))]
    return [
        {"matter_id": matter, "place": place, "step": place - 1, "accepted": place % 2 == 0, "pass_rate": rate,
         "frontier": fronts[place]}
        for place, rate in enumerate(rates)
    ]  # fmt: skip


def test_each_matter_has_a_panel_of_its_own() -> None:
    rows = [*tried("still", 0.5, 0.5, 0.5), *tried("moved", 0.0, 0.25, 1.0), *tried("twice", 0.0, 1.0)]
    drawn = climbs("c", rows)
    assert drawn is not None
    assert [plot.title for plot in drawn.plots] == ["moved", "still"], "what moved most comes first"
    assert [(point.y, point.mark) for point in drawn.plots[0].points] == [(0.0, 0), (0.25, 4), (1.0, 0)]
    assert drawn.plots[0].points[1].x == drawn.plots[1].points[1].x, "on one scale"
    assert [(y, y2) for _, y, _, y2 in drawn.plots[0].lines] == [(0.0, 0.0), (0.0, 0.0), (0.0, 0.0), (0.0, 1.0)]
    assert climbs("c", tried("twice", 0.0, 1.0)) is None
    assert len(climbs("c", rows, limit=1).plots) == 1  # type: ignore[union-attr]


def climbed(*fronts: float | None) -> list[dict[str, object]]:
    return [{"step": n, "frontier": front, "score_before": 0.2} for n, front in enumerate(fronts)]


def test_two_runs_of_a_study_are_drawn_in_one_figure_from_where_each_began() -> None:
    drawn = converging("c", {"hard-1": climbed(None, 0.5), "hard-2": climbed(0.4, 0.5)})
    assert drawn is not None
    assert drawn.legend == (("hard-1", 0), ("hard-2", 1))
    one, two = ([p for p in drawn.points if p.mark == mark] for mark in (0, 1))
    assert [p.text for p in one] == ["hard-1, step -1: 0.200", "hard-1, step 0: 0.200", "hard-1, step 1: 0.500"]
    assert one[1].y < two[1].y < two[2].y == one[2].y
    assert len(drawn.lines) == 8
    assert converging("c", {"hard-1": climbed(0.4, 0.5)}) is None


def test_values_that_are_written_alike_lie_at_one_place() -> None:
    alike = dots([("tax", "a", 0.20001), ("tax", "b", 0.20002), ("ip", "a", 0.20003)])
    assert alike is not None
    assert max(d.place for r in alike.rows for d in r.dots) - min(d.place for r in alike.rows for d in r.dots) < 0.01
    assert alike.ends[0] != alike.ends[1]


def test_the_difference_of_each_matter_lies_about_nothing_by_doublings() -> None:
    rows = [{"matter_id": f"m{n}", "characters": 1000 * 2**n, "difference": d} for n, d in enumerate((-0.1, 0.0, 0.1))]
    drawn = differences_by_size("d", rows)
    assert drawn is not None
    low, none, high = drawn.points
    assert (low.y, none.y, high.y, drawn.zero) == (0.0, 0.5, 1.0, 0.5)
    assert none.x - low.x == pytest.approx(high.x - none.x)
    assert none.text == "m1: 0.0"
    assert (drawn.dense, differences_by_size("d", rows[:2])) == (False, None)
    many = differences_by_size("d", rows * 60)
    assert many is not None
    assert many.dense


def test_shares_are_of_each_row_and_the_commonest_comes_first() -> None:
    drawn = heat_by("h", {"tax": {"other": 1, "coverage": 3}, "": {"other": 8}}, "area")
    assert drawn is not None
    assert drawn.columns == ("other", "coverage")
    assert drawn.rows == (("(none)", (("100.0 %", 8), ("0.0 %", 0))), ("tax", (("25.0 %", 2), ("75.0 %", 6))))
    assert heat_by("h", {"tax": {"other": 1, "coverage": 3}}, "area") is None


def test_a_scale_of_equal_values_has_room() -> None:
    scale = Scale.of([0.5, 0.5])
    assert 0 < scale.place(0.5) < 1
    assert Scale.of([0.0]).place(0.0) == 0.0


def test_several_versions_of_a_judge_are_a_warning(tmp_path: Path, studied: tuple[Path, str]) -> None:
    made = Bulk(tmp_path)
    for number, version in enumerate(("1" * 64, "2" * 64)):
        judgement = judgement_row(number, 1).model_copy(update={"profile_version": version})
        made.rows([attempt_row(number), judgement, verdict_row(number)])
    assert "Judged by several versions of one judge" in Page(render(made.close(), tmp_path / "r").read_text()).text
    assert "Judged by several versions" not in studied[1]
