"""Renders the report: one file, no scripts, nothing fetched, readable in light and dark and on paper."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

from warehouse.report import figures
from warehouse.report.asking import Asker
from warehouse.report.quality import quality
from warehouse.report.sections import sections
from warehouse.sql import QueryError, open_warehouse


def render(database: Path, out: Path, runs: str | Sequence[str] | None = None, title: str = "") -> Path:
    """Write the report of a run, or of every run, as ``index.html``, and beside it the page of the data's quality.

    Args:
        database: A published warehouse.
        out: Folder of the report; made when absent. A name that ends in ``.html`` is the file itself.
        runs: The run or the runs; ``None`` for all.
        title: Of the page; where there is none, the name of the run.

    Returns:
        The HTML file. The same warehouse gives the same bytes.

    Raises:
        QueryError: No such warehouse or run, or one that an earlier version published.
    """
    import polars as pl

    try:
        return _rendered(database, out, runs, title)
    except pl.exceptions.ColumnNotFoundError as error:
        message = f"{database} was published by an earlier version ({error}); `solon land` brings it up to date"
        raise QueryError(message) from error


def _rendered(database: Path, out: Path, runs: str | Sequence[str] | None, title: str) -> Path:
    path = out if out.suffix == ".html" else out / "index.html"
    with open_warehouse(database) as con:
        chosen = (runs,) if isinstance(runs, str) else None if runs is None else tuple(runs)
        asker = Asker(con, chosen)
        landed = asker.ask("which_runs_are_here")
        if chosen is not None and not landed.height:
            raise QueryError(f"no run {chosen[0]!r} has landed in {database}" if chosen else "no run is named")
        template, beside = _template(), quality_place(out)
        page = template.render(
            title=_title(title, chosen),
            facts=_facts(landed.to_dicts()),
            tiles=_tiles(asker.ask("how_did_each_cell_do").to_dicts()),
            sections=sections(asker),
            more=(("What is expected of the data, and what was refused", beside.name),),
        )
        checked = template.render(
            title="Quality of the data", facts=(), tiles=(), sections=quality(con), more=(("The report", path.name),)
        )
    path.parent.mkdir(parents=True, exist_ok=True)
    _write_atomically(beside, checked)
    _write_atomically(path, page)
    return path


def quality_place(out: Path) -> Path:
    """Return where the page of the data's quality lies that belongs to a report."""
    return out.with_name(f"{out.stem}-quality.html") if out.suffix == ".html" else out / "quality.html"


def _title(title: str, runs: Sequence[str] | None) -> str:
    return figures.text(title or (f"Run {runs[0]}" if runs else "All runs"), 84)


def _facts(runs: list[dict[str, Any]]) -> list[tuple[str, str]]:
    """Return what identifies the report: the run's corpus, harness and times, or how many runs there are."""
    if len(runs) != 1:
        return [("Runs", str(len(runs)))]
    run = runs[0]
    facts = [
        ("Corpus", figures.text(run["corpus"], 120)),
        ("Began", figures.text(run["began_utc"])),
        ("Last attempt ended", figures.text(run["last_ended_utc"])),
        ("Attempts", figures.whole(run["attempts"])),
        ("Starts", figures.whole(run["starts"])),
        ("Harness", figures.digest(run["harness_version"])),
    ]
    return [(name, told) for name, told in facts if told not in (figures.MISSING, "0")]


def _tiles(cells: list[dict[str, Any]]) -> list[tuple[str, str, str]]:
    """Return the headline of a single cell: value, name, and what it is of. Several cells have the table instead."""
    if len(cells) != 1:
        return []
    cell = cells[0]
    scored = cell["passed"] + cell["failed"]
    return [
        (figures.rate(cell["pooled_pass"]), "pooled pass", f"{cell['passed']:,} of {scored:,} criteria scored"),
        (figures.rate(cell["all_pass"]), "all-pass", f"of {cell['matters']:,} matters"),
        (figures.whole(cell["unscored"]), "unscored", f"of {cell['criteria']:,} criteria"),
        (
            figures.whole(cell["blocked"] + cell["not_answered"]),
            "blocked or not answered",
            f"{cell['released_with_open_asks']:,} released with open asks, {cell['released_with_flags']:,} with flags",
        ),
        (figures.whole(cell["words"]), "words a draft", "all deliverables together"),
        (figures.usd(cell["cost_usd"]), "solver cost", f"{figures.duration(cell['seconds_median'])} median"),
    ]


def _template() -> Any:
    import jinja2

    folder = files("warehouse.report").joinpath("templates")
    loader = jinja2.FunctionLoader(lambda name: folder.joinpath(name).read_text("utf-8"))
    # Titles, reasoning and messages are hostile: escaping is on for every name, and undefined is an error.
    environment = jinja2.Environment(
        loader=loader,
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_shown,
    )
    return environment.get_template("report.html")


def _shown(value: Any) -> Any:
    """Return what a template writes: any text, wherever it comes from, without control characters."""
    return figures.printable(value) if type(value) is str else value  # what is escaped already is another type


def _write_atomically(path: Path, page: str) -> None:
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=".", suffix=".partial")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as stream:
            stream.write(page)
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
