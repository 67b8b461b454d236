"""Figures that say more than a table: dots on a common scale, intervals, points of two measures, a map of shades."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import log2
from typing import Any, Final

from warehouse.report import figures

MARKS: Final = 8  # marks that can be told apart; what comes after them is in the table alone
FEWEST: Final = 3  # values that are worth a drawing
SHADES: Final = 9  # steps of a rate in the table of shades: more are not told apart
DENSE: Final = 150  # points of one plot that can still be told one by one
MIDDLE: Final = 10.0  # pixels from above, of a line of dots
ROOM: Final = 10.0  # pixels for the marks of one place, which stand above each other
SAME_PLACE: Final = 0.02  # of the width: dots that are nearer hide each other and are stacked
ROOM_BESIDE, ROOM_ALONE = 0.06, 0.1  # of the width on both sides; of the value where there is only one
LEAST: Final = 0.01  # a point: the scale of differences that are all smaller, so that none looks large
LONGEST: Final = 80  # of a label; it wraps, and its whole is told beside it
PANELS: Final = 24  # small plots of one figure: more are not compared at a glance
CLIMBED: Final = (("accepted", 0), ("rolled back", 4))
AnswerRow = Mapping[str, Any]


@dataclass(frozen=True)
class Dot:
    """One mark on a line: its place from 0 to 1, what it is of, and which mark of the style sheet it has.

    Attributes:
        low, high: Of its interval, from 0 to 1; None where it has none.
        height: Where on the line it stands, in pixels from above.
    """

    place: float
    text: str
    mark: int
    low: float | None = None
    high: float | None = None
    height: float = MIDDLE


@dataclass(frozen=True)
class DotRow:
    """The marks of one label, and what is written beside them."""

    label: str
    full: str
    dots: tuple[Dot, ...]
    said: str = ""


@dataclass(frozen=True)
class DotChart:
    """Rows of marks on one scale; ``zero`` is where a line is drawn through all of them."""

    title: str
    rows: tuple[DotRow, ...]
    legend: tuple[tuple[str, int], ...]
    ends: tuple[str, str]
    zero: float | None = None
    kind: str = "dots"


@dataclass(frozen=True)
class PlotPoint:
    """One point of a plot; places from 0 to 1, from the left and from below."""

    x: float
    y: float
    text: str
    mark: int
    name: str = ""


@dataclass(frozen=True)
class Plot:
    """Points of two measures, with lines between them; ``ends`` are the lowest and highest value of each measure.

    Attributes:
        zero: Where a line is drawn from left to right, from 0 (below) to 1; None for none.
        dense: The points are too many to be told one by one.
    """

    title: str
    points: tuple[PlotPoint, ...]
    x_name: str
    y_name: str
    x_ends: tuple[str, str]
    y_ends: tuple[str, str]
    lines: tuple[tuple[float, float, float, float], ...] = ()
    legend: tuple[tuple[str, int], ...] = ()
    zero: float | None = None
    dense: bool = False
    kind: str = "plot"


@dataclass(frozen=True)
class Panels:
    """Small plots of one kind on one scale, side by side."""

    title: str
    plots: tuple[Plot, ...]
    legend: tuple[tuple[str, int], ...]
    kind: str = "panels"


@dataclass(frozen=True)
class Heat:
    """Rates by row and column as shades from 0 (none) to 8 (all); an empty text where there is none."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[tuple[str, int], ...]], ...]
    head: str = "matter"
    kind: str = "heat"


Write = Callable[[Any], str]


def dots_by(
    title: str,
    rows: Sequence[AnswerRow],
    label: str,
    series: str,
    value: str,
    write: Write,
    *,
    least: float | None = None,
) -> DotChart | None:
    """Draw one measure of several series by label, in the order of the rows; None where a table says as much.

    Args:
        title: What it shows.
        rows: One for each label and series.
        label: Column of the labels.
        series: Column that tells the series apart.
        value: Column of the measure.
        write: Writes a value.
        least: Where the scale begins; by default below the least value.
    """
    told = [row for row in rows if row[value] is not None]
    names = list(dict.fromkeys(str(row[series]) for row in told))[:MARKS]
    if len(told) < FEWEST:
        return None
    scale = Scale.of([row[value] for row in told], least, write)
    by_label: dict[str, list[AnswerRow]] = {}
    for row in told:
        by_label.setdefault(str(row[label]) or "(none)", []).append(row)
    drawn = [
        DotRow(
            *_label(name),
            _apart(
                [
                    Dot(scale.place(row[value]), f"{row[series]}: {write(row[value])}", names.index(str(row[series])))
                    for row in held
                    if str(row[series]) in names
                ]
            ),
            said=_span([write(row[value]) for row in held]),
        )
        for name, held in by_label.items()
    ]
    legend = tuple((name, mark) for mark, name in enumerate(names))
    return DotChart(title, tuple(drawn), legend, (write(scale.low), write(scale.high)))


def _apart(dots: Sequence[Dot]) -> tuple[Dot, ...]:
    """Set marks of one place above each other, so that none hides another."""
    groups: list[list[Dot]] = []
    for dot in sorted(dots, key=lambda dot: dot.place):
        if groups and dot.place - groups[-1][0].place <= SAME_PLACE:
            groups[-1].append(dot)
        else:
            groups.append([dot])
    return tuple(
        replace(dot, height=MIDDLE + ROOM * (number / (len(group) - 1) - 0.5) if len(group) > 1 else MIDDLE)
        for group in groups
        for number, dot in enumerate(group)
    )


def _span(texts: Sequence[str]) -> str:
    return texts[0] if len(texts) == 1 else ""


def differences(title: str, rows: Sequence[AnswerRow], name: Callable[[AnswerRow], str]) -> DotChart | None:
    """Draw differences with their intervals beside a line at nothing."""
    told = [row for row in rows if row["pooled_difference"] is not None and row["pooled_low"] is not None]
    if not told:
        return None
    most = max(LEAST, *(abs(row[c]) for row in told for c in ("pooled_difference", "pooled_low", "pooled_high")))
    scale = Scale(-most, most)
    drawn = []
    for row in told:
        middle, low, high = (row[c] for c in ("pooled_difference", "pooled_low", "pooled_high"))
        said = f"{figures.points(middle)} [{figures.points(low)}, {figures.points(high)}]"
        dot = Dot(scale.place(middle), said, 0, scale.place(low), scale.place(high))
        drawn.append(DotRow(*_label(name(row)), (dot,), said))
    return DotChart(title, tuple(drawn), (), (figures.points(-most), figures.points(most)), zero=0.5)


@dataclass(frozen=True)
class Scale:
    """A straight scale from ``low`` to ``high``."""

    low: float
    high: float

    @classmethod
    def of(cls, values: Sequence[float], least: float | None = None, write: Write | None = None) -> Scale:
        """Return a scale that holds all values, with a little room on both sides.

        Values that are written alike lie at one place: what nobody can read is not drawn as a difference. Shares end at
        100 %.
        """
        low, high = float(min(values)), float(max(values))
        if write and write(low) == write(high):
            low = high
        room = (high - low) * ROOM_BESIDE or abs(high) * ROOM_ALONE or 1.0
        start = least if least is not None else low - room
        top = min(1.0, high + room) if write is figures.percent and high <= 1 else high + room
        return cls(max(0.0, start) if low >= 0 else start, top)

    def place(self, value: float) -> float:
        """Return where a value lies, from 0 to 1."""
        return min(1.0, max(0.0, (float(value) - self.low) / (self.high - self.low)))


def scatter(
    title: str,
    rows: Sequence[AnswerRow],
    x: tuple[str, str, Write],
    y: tuple[str, str, Write],
    name: Callable[[AnswerRow], str],
) -> Plot | None:
    """Draw one point for each row; ``x`` and ``y`` give column, name and how a value is written."""
    told = [row for row in rows if row[x[0]] is not None and row[y[0]] is not None]
    if not told:
        return None
    across, up = (Scale.of([r[of] for r in told], write=write) for of, _, write in (x, y))
    points = tuple(
        PlotPoint(
            across.place(r[x[0]]),
            up.place(r[y[0]]),
            f"{name(r)}: {x[2](r[x[0]])}, {y[2](r[y[0]])}",
            n % MARKS,
            figures.text(name(r), LONGEST),
        )
        for n, r in enumerate(told)
    )
    ends = (x[2](across.low), x[2](across.high)), (y[2](up.low), y[2](up.high))
    legend = tuple((p.name, p.mark) for p in points[:MARKS])
    return Plot(title, points, x[1], y[1], *ends, legend=legend)


def differences_by_size(title: str, rows: Sequence[AnswerRow]) -> Plot | None:
    """Draw the difference of each matter by the characters of its data room, doubling by doubling, about nothing."""
    if len(rows) < FEWEST:
        return None
    most = max(LEAST, *(abs(row["difference"]) for row in rows))
    up, across = Scale(-most, most), Scale.of([log2(row["characters"]) for row in rows])
    points = tuple(
        PlotPoint(
            across.place(log2(row["characters"])),
            up.place(row["difference"]),
            f"{figures.text(row['matter_id'], LONGEST)}: {figures.points(row['difference'])}",
            0,
        )
        for row in rows
    )
    x_ends = (figures.whole(2**across.low), figures.whole(2**across.high))
    y_ends = (figures.points(-most), figures.points(most))
    name = "characters of the data room, doubling"
    return Plot(title, points, name, "points", x_ends, y_ends, zero=up.place(0.0), dense=len(points) > DENSE)


def heat_by(title: str, counts: Mapping[str, Mapping[str, int]], head: str) -> Heat | None:
    """Draw what share of each row's counts falls to each column, most counts first; None where a table says as much."""
    totals: dict[str, int] = {}
    for row in counts.values():
        for name, n in row.items():
            totals[name] = totals.get(name, 0) + n
    names = sorted(totals, key=lambda name: -totals[name])
    if len(names) < 2 or len(counts) < 2:
        return None
    by_count = sorted(counts.items(), key=lambda item: -sum(item[1].values()))
    rows = tuple(
        (figures.text(label) if label else "(none)", tuple(_shade(row.get(n, 0) / sum(row.values())) for n in names))
        for label, row in by_count
    )
    return Heat(title, tuple(figures.words(name) for name in names), rows, head)


def climb(title: str, rows: Sequence[AnswerRow]) -> Plot | None:
    """Draw the scores of the candidates of a learning run by step, and the frontier as a line of steps."""
    told = [(n, row) for n, row in enumerate(rows) if row["score_after"] is not None or row["frontier"] is not None]
    scores = [row[c] for _, row in told for c in ("score_after", "frontier") if row[c] is not None]
    if len(told) < 2 or not scores:
        return None
    up, across = Scale.of(scores), Scale(-0.5, len(rows) - 0.5)
    marks = {"accepted": 0, "rolled_back": 4, "rejected": 4}
    points = tuple(
        PlotPoint(
            across.place(n),
            up.place(row["score_after"]),
            f"step {row['step']}, {figures.words(row['decision'])}: {figures.score(row['score_after'])}",
            marks[row["decision"]],
        )
        for n, row in told
        if row["score_after"] is not None
    )
    front = [(across.place(n), up.place(row["frontier"])) for n, row in told if row["frontier"] is not None]
    lines = [line for (x, y), (x2, y2) in pairwise(front) for line in ((x, y, x2, y), (x2, y, x2, y2))]
    ends = (figures.score(up.low), figures.score(up.high))
    return Plot(
        title, points, "step", "score", (str(rows[0]["step"]), str(rows[-1]["step"])), ends, tuple(lines), CLIMBED
    )


def climbs(title: str, rows: Sequence[AnswerRow], limit: int = PANELS) -> Panels | None:
    """Draw the climb of each matter in a panel of its own; those that moved most come first.

    A dot is the matter under one harness that was tried, the line its pass rate under the one in force. All panels have
    one scale. A matter that was run under two harnesses at most says no more than the table does.
    """
    places = sorted({row["place"] for row in rows})
    matters: dict[str, list[AnswerRow]] = {}
    for row in rows:
        matters.setdefault(row["matter_id"], []).append(row)
    told = {matter: of for matter, of in matters.items() if len(of) >= FEWEST}
    if not told:
        return None
    across = Scale(places[0] - 0.5, places[-1] + 0.5)

    def moved(of: Sequence[AnswerRow]) -> float:
        return float(min(row["pass_rate"] for row in of) - max(row["pass_rate"] for row in of))

    shown = sorted(told.items(), key=lambda item: (moved(item[1]), item[0]))[:limit]
    return Panels(title, tuple(_panel(matter, of, across, places) for matter, of in shown), CLIMBED)


def _panel(matter: str, rows: Sequence[AnswerRow], across: Scale, places: Sequence[int]) -> Plot:
    points = tuple(
        PlotPoint(
            across.place(row["place"]),
            row["pass_rate"],
            f"{'at first' if row['step'] < 0 else 'step ' + str(row['step'])}: {figures.percent(row['pass_rate'])}",
            0 if row["accepted"] else 4,
        )
        for row in rows
    )
    front = [(across.place(row["place"]), row["frontier"]) for row in rows if row["frontier"] is not None]
    lines = tuple(line for (x, y), (x2, y2) in pairwise(front) for line in ((x, y, x2, y), (x2, y, x2, y2)))
    ends = (str(places[0]), str(places[-1]))
    return Plot(figures.text(matter, LONGEST), points, "harness", "", ends, ("0 %", "100 %"), lines)


def converging(title: str, runs: Mapping[str, Sequence[AnswerRow]]) -> Plot | None:
    """Draw the frontiers of several learning runs by step in one figure, from where each began."""
    fronts = {name: _frontier(rows) for name, rows in runs.items()}
    fronts = {name: front for name, front in fronts.items() if len(front) > 1}
    if len(fronts) < 2:
        return None
    up = Scale.of([score for front in fronts.values() for score in front.values()])
    steps = sorted({step for front in fronts.values() for step in front})
    across = Scale(steps[0] - 0.5, steps[-1] + 0.5)
    points, lines = [], []
    for mark, (name, front) in enumerate(fronts.items()):
        places = [(across.place(step), up.place(score)) for step, score in front.items()]
        told = (f"{figures.text(name)}, step {step}: {figures.score(score)}" for step, score in front.items())
        points += [PlotPoint(x, y, said, mark) for (x, y), said in zip(places, told, strict=True)]
        lines += [line for (x, y), (x2, y2) in pairwise(places) for line in ((x, y, x2, y), (x2, y, x2, y2))]
    ends = (figures.score(up.low), figures.score(up.high))
    legend = tuple((figures.text(name), mark) for mark, name in enumerate(fronts))
    x_ends = (str(steps[0]), str(steps[-1]))
    return Plot(title, tuple(points), "step, -1 before the first", "score", x_ends, ends, tuple(lines), legend)


def _frontier(rows: Sequence[AnswerRow]) -> dict[int, float]:
    """Return the score of the harness in force after each step, and before the first as step -1."""
    begun = next((row["score_before"] for row in rows if row["score_before"] is not None), None)
    scores = {-1: begun} | {row["step"]: begun if row["frontier"] is None else row["frontier"] for row in rows}
    return {step: float(score) for step, score in scores.items() if score is not None}


def heat(title: str, rows: Sequence[AnswerRow], limit: int = 40) -> Heat | None:
    """Draw the pass rate of each matter under each version of the harness; matters that moved most come first."""
    versions = sorted({row["version"] for row in rows})
    if len(versions) < 2:
        return None
    matters: dict[str, dict[int, float]] = {}
    for row in rows:
        matters.setdefault(row["matter_id"], {})[row["version"]] = row["pass_rate"]
    moved = sorted(matters.items(), key=lambda item: min(item[1].values()) - max(item[1].values()))
    shown = tuple((matter, tuple(_shade(rates.get(v)) for v in versions)) for matter, rates in moved[:limit])
    return Heat(title, tuple(f"version {v}" for v in versions), shown)


def _shade(rate: float | None) -> tuple[str, int]:
    return ("", 0) if rate is None else (figures.percent(rate), round(rate * (SHADES - 1)))


def _label(name: str) -> tuple[str, str]:
    full = figures.text(name, 200)
    return (full if len(full) <= LONGEST else full[: LONGEST - 1] + "…"), full
