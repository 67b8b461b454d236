"""What a report is made of: tables and bars, as plain data for the template."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from warehouse.report import figures

if TYPE_CHECKING:
    import polars as pl

LABEL = 80  # characters; a label wraps, and its whole is told beside it


@dataclass(frozen=True)
class ReportColumn:
    """A column of a table."""

    title: str
    numeric: bool


@dataclass(frozen=True)
class ReportTable:
    """A table of written values. ``total`` is the number of rows before the cut."""

    caption: str
    columns: tuple[ReportColumn, ...]
    rows: tuple[tuple[str, ...], ...]
    total: int
    question: str = ""


@dataclass(frozen=True)
class Bar:
    """One bar: its share of the full width (0 to 1), the text beside it, and its tone in the style sheet."""

    share: float
    text: str
    tone: str


@dataclass(frozen=True)
class BarRow:
    """The bars of one label; ``full`` is the label before it was cut."""

    label: str
    full: str
    bars: tuple[Bar, ...]


@dataclass(frozen=True)
class Chart:
    """Bars by label, under each other or stacked in one line. ``legend`` names the tones."""

    title: str
    rows: tuple[BarRow, ...]
    legend: tuple[tuple[str, str], ...] = ()
    stacked: bool = False
    kind: str = "bars"


class Drawn(Protocol):
    """A figure of the report: the template draws it by its kind."""

    @property
    def title(self) -> str:
        """What it shows."""
        ...

    @property
    def kind(self) -> str:
        """``bars``, ``dots``, ``plot`` or ``heat``."""
        ...


@dataclass(frozen=True)
class ReportSection:
    """A part of the report, linked from its head."""

    anchor: str
    title: str
    lead: str
    charts: tuple[Drawn, ...] = ()
    tables: tuple[ReportTable, ...] = ()
    empty: str = ""
    folded: bool = field(default=False)


def table(
    frame: pl.DataFrame, columns: Sequence[str], caption: str, *, question: str = "", limit: int = 200
) -> ReportTable:
    """Write the first rows of an answer as a table.

    Args:
        frame: The answer.
        columns: Columns to show, in order; ``name=Title`` gives another title.
        caption: What the table shows.
        question: Named query that gives all rows, told when rows are cut.
        limit: Most rows to show.
    """
    named = [column.partition("=") for column in columns]
    heads = tuple(ReportColumn(title or name.replace("_", " "), figures.is_numeric(name)) for name, _, title in named)
    names = [name for name, *_ in named]
    rows = tuple(
        tuple(figures.write(name, value) for name, value in zip(names, row, strict=True))
        for row in frame.select(names).head(limit).iter_rows()
    )
    return ReportTable(caption, heads, rows, frame.height, question)


def bar_row(label: str, bars: Sequence[Bar]) -> BarRow:
    """Return a row of a chart with its label cut to fit."""
    full = figures.text(label, 200)
    return BarRow(full if len(full) <= LABEL else full[: LABEL - 1] + "…", full, tuple(bars))


def rate_chart(title: str, rows: Sequence[dict[str, Any]], label: str, limit: int = 40) -> Chart:
    """Draw pooled pass by label, with the number of criteria for each bar."""
    drawn = [
        bar_row(
            str(row[label]) or "(none)",
            [
                Bar(
                    float(row["pooled_pass"] or 0.0),
                    f"{figures.rate(row['pooled_pass'])}  ·  {figures.whole(row['passed'])} of "
                    f"{figures.whole(row['passed'] + row['failed'])}"
                    + (f"  ·  {figures.whole(row['unscored'])} unscored" if row["unscored"] else ""),
                    "pass",
                )
            ],
        )
        for row in rows[:limit]
    ]
    return Chart(title, tuple(drawn))


def share_chart(title: str, rows: Sequence[dict[str, Any]], label: str, count: str, tone: str) -> Chart:
    """Draw counts by label, the largest at full width."""
    most = max((row[count] for row in rows), default=0) or 1
    total = sum(row[count] for row in rows) or 1
    drawn = [
        bar_row(
            str(row[label]).replace("_", " "),
            [Bar(row[count] / most, f"{figures.whole(row[count])}  ·  {figures.percent(row[count] / total)}", tone)],
        )
        for row in rows
    ]
    return Chart(title, tuple(drawn))


def stacked_chart(
    title: str, rows: Sequence[dict[str, Any]], label: str, parts: Sequence[tuple[str, str, str]]
) -> Chart:
    """Draw each row as parts of a whole; ``parts`` gives column, name and tone."""
    drawn = []
    for row in rows:
        total = sum(row[column] or 0 for column, *_ in parts) or 1
        bars = [Bar((row[column] or 0) / total, figures.whole(row[column]), tone) for column, _, tone in parts]
        drawn.append(bar_row(str(row[label]), bars))
    return Chart(title, tuple(drawn), tuple((name, tone) for _, name, tone in parts), stacked=True)
