"""Workbooks: values as they are shown, one line per row, every cell with its address.

Values come from calamine (fast, and the cached results of formulas); openpyxl adds number formats, hidden
sheets, comments and the formulas that were never calculated.
"""

from __future__ import annotations

import contextlib
import datetime
import io
import math
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeVar

from tasks.matter.failures import FailureCause
from tasks.sources.builder import Reading, TextBuilder
from tasks.sources.limits import GuardedZip, UnreadableError
from tasks.sources.readers import Source
from tasks.sources.records import SegmentKind

_Result = TypeVar("_Result")
_MAX_CELLS = 2_000_000  # bounds the time and the text of one workbook
_STYLED_CELLS = 300_000  # beyond this the slow pass for formats and formulas is left out
_STYLED_SHEETS = 1_000  # as above, for a workbook of many small sheets
_EXACT = 1e15  # Excel keeps fifteen digits
_STORED, _SHOWN = 6, 4  # decimals up to which all are shown, and how many of a longer fraction (1/3); chosen by eye
_UNSTYLED = "The workbook is large: values were read without their formats."
_STATES = {"SheetVisibleEnum.Hidden": "hidden", "SheetVisibleEnum.VeryHidden": "veryHidden"}


def column_letters(number: int) -> str:
    """Return the column name of a 1-based column: A, B, … AA."""
    out = ""
    while number:
        number, rest = divmod(number - 1, 26)
        out = chr(ord("A") + rest) + out
    return out


def cell_on_one_line(value: str) -> str:
    """Return a cell's words on one line."""
    return re.sub(r"\s+", " ", value).strip()


@dataclass
class _Extras:
    """What openpyxl reads from a sheet besides its values."""

    state: str = "visible"
    formats: dict[tuple[int, int], str] = field(default_factory=dict)
    formulas: dict[tuple[int, int], str] = field(default_factory=dict)
    comments: dict[tuple[int, int], str] = field(default_factory=dict)


def read(source: Source) -> Reading:
    """Read a workbook."""
    import python_calamine

    legacy = not source.data.startswith(b"PK")  # .xls: values only
    if not legacy:
        GuardedZip(source.data, source.limits).total_within_budget()
    out = TextBuilder()
    workbook = _opened(lambda: python_calamine.CalamineWorkbook.from_filelike(io.BytesIO(source.data)))
    many = len(workbook.sheet_names) > _STYLED_SHEETS
    if many:
        message = f"The workbook has {len(workbook.sheet_names)} sheets: values were read without their formats."
        out.fail(FailureCause.CAPACITY, message, "Split it.")
    extras = {} if legacy or many else _extras(source.data, workbook, out)
    budget = _MAX_CELLS
    for name in workbook.sheet_names:
        try:
            origin, rows = _opened(partial(_values, workbook, name))
        except UnreadableError as error:
            out.fail(FailureCause.READER, f"The sheet {name} could not be read: {error}", error.remedy)
            continue
        if name in extras and extras[name].formulas:
            unset = len(extras[name].formulas)
            out.fail(
                FailureCause.INPUT,
                f"{unset} formulas of the sheet {name} have no stored result; the formulas are shown instead.",
                "Open the workbook in Excel, let it calculate, and save it.",
            )
        budget = _sheet(out, name, rows, origin, extras.get(name, _Extras()), budget)
    return out.build()


def _values(workbook: Any, name: str) -> tuple[tuple[int, int], list[list[Any]]]:
    """Return where the filled part of a sheet begins, and its values."""
    sheet = workbook.get_sheet_by_name(name)
    return sheet.start or (0, 0), sheet.to_python(skip_empty_area=True) if sheet.start is not None else []


def _opened(read: Callable[[], _Result]) -> _Result:
    """Return what calamine reads; raises UnreadableError also where it panics, which Python's Exception misses."""
    import python_calamine

    try:
        return read()
    except python_calamine.CalamineError as error:
        raise UnreadableError(f"The workbook is damaged ({error}).", "Open and save it in Excel.") from error
    except BaseException as error:
        if type(error).__name__ != "PanicException":
            raise
        raise UnreadableError(f"The workbook is damaged ({error}).", "Open and save it in Excel.") from None


def _sheet(
    out: TextBuilder, name: str, rows: list[list[Any]], origin: tuple[int, int], extra: _Extras, budget: int
) -> int:
    """Write one sheet; returns what is left of the cell budget."""
    out.gap()
    hidden = "" if extra.state == "visible" else f" ({extra.state.replace('veryHidden', 'very hidden')})"
    with out.segment(SegmentKind.SHEET, name):
        with out.segment(SegmentKind.HEADING, name):
            out.write(f"Sheet: {cell_on_one_line(name)}{hidden}")
        for row, cells in _filled(rows, origin, extra.formulas):
            budget -= len(cells)
            if budget < 0:
                out.fail(FailureCause.CAPACITY, f"The sheet {name} was read up to row {row} only.", "Split the file.")
                break
            _row(out, name, row, cells, extra)
        for (row, column), text in sorted(extra.comments.items()):
            out.gap(1)
            address = f"{column_letters(column)}{row}"
            with out.segment(SegmentKind.COMMENT, f"{name}!{address}"):
                out.write(f"[Comment on {address}: {cell_on_one_line(text)}]")
    return max(budget, 0)


def _filled(
    rows: list[list[Any]], origin: tuple[int, int], formulas: Mapping[tuple[int, int], str]
) -> Iterator[tuple[int, list[tuple[int, Any]]]]:
    """Yield (row, [(column, value)]) of what is not empty, 1-based; with rows that hold only formulas."""
    found: dict[int, dict[int, Any]] = {}
    for down, values in enumerate(rows):
        filled = {origin[1] + i + 1: v for i, v in enumerate(values) if not (v is None or v == "")}
        if filled:
            found[origin[0] + down + 1] = filled
    for row, column in formulas:
        found.setdefault(row, {}).setdefault(column, None)
    for row in sorted(found):
        yield row, sorted(found[row].items())


def _row(out: TextBuilder, name: str, row: int, cells: list[tuple[int, Any]], extra: _Extras) -> None:
    out.gap(1)
    with out.segment(SegmentKind.ROW, f"{name}!{row}:{row}"):
        for at, (column, value) in enumerate(cells):
            address = f"{column_letters(column)}{row}"
            out.write(" | " if at else "")
            with out.segment(SegmentKind.CELL, f"{name}!{address}"):
                if value is None:
                    formula = extra.formulas[row, column]
                    out.write(f"{address}: {cell_on_one_line(formula)} (formula without a stored result)")
                else:
                    out.write(f"{address}: {shown_value(value, extra.formats.get((row, column), 'General'))}")


def shown_value(value: Any, pattern: str) -> str:
    """Return a value as the sheet shows it: ISO dates, separators, percent and currency of the format."""
    if isinstance(value, datetime.datetime):
        midnight = value.time() == datetime.time()
        return value.date().isoformat() if midnight else value.isoformat(sep=" ", timespec="minutes")
    if isinstance(value, datetime.date | datetime.time | datetime.timedelta):
        return str(value)
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, int | float):
        return _number(float(value), pattern)
    return cell_on_one_line(str(value))


def _number(value: float, pattern: str) -> str:
    if not math.isfinite(value):
        return str(value)
    sections = pattern.split(";")
    section = sections[1] if value < 0 and len(sections) > 1 else sections[0]
    literal = re.sub(r'\\(.)|"([^"]*)"|\[\$([^\]-]*)[^\]]*\]|\[[^\]]*\]|_.|\*.', _literal, section)
    plain = re.sub(r'\\.|"[^"]*"|\[[^\]]*\]|_.|\*.', "", section)
    digits = re.search(r"[#0?][#0?,]*(?:\.([#0?]+))?", plain)
    if digits is None or re.search(r"[eE][+-]", plain):
        return _exact(value)
    if "%" in plain:
        value *= 100
    decimals = len(digits.group(1) or "")
    amount = _rounded(abs(value), decimals, "," in digits.group(0))
    currency = re.search(r"US\$|[$€£¥]|\b(?:USD|EUR|GBP)\b", literal)
    sign = "-" if value < 0 else ""
    if value < 0 and "(" in literal:
        amount, sign = f"({amount})", ""
    multiple = "x" if re.search(r"0\s*x", literal) else ""
    scaled = " (shown in thousands)" if re.search(r"[0#],+(?:[^#0,]|$)", plain) else ""
    return f"{sign}{currency.group() if currency else ''}{amount}{'%' if '%' in plain else ''}{multiple}{scaled}"


def _literal(match: re.Match[str]) -> str:
    return match.group(1) or match.group(2) or match.group(3) or ""


def _exact(value: float) -> str:
    return f"{value:.0f}" if value == int(value) and abs(value) < _EXACT else f"{value:.12g}"


def _rounded(value: float, decimals: int, grouped: bool) -> str:
    """Show the format's decimals, but never round away digits that the cell stores."""
    exact = _exact(value)
    stored = len(exact.partition(".")[2]) if "e" not in exact else decimals
    places = max(decimals, stored if stored <= _STORED else _SHOWN)
    return f"{value:,.{places}f}" if grouped else f"{value:.{places}f}"


def _size(workbook: Any) -> int:
    """Return how many cells the sheets have, from their first row and column to the last that is filled."""
    ends = []
    for metadata in workbook.sheets_metadata:
        if "WorkSheet" in str(metadata.typ):
            with contextlib.suppress(UnreadableError):
                ends.append(_opened(partial(workbook.get_sheet_by_name, metadata.name)).end or (-1, -1))
    return sum((row + 1) * (column + 1) for row, column in ends)


def _extras(data: bytes, workbook: Any, out: TextBuilder) -> dict[str, _Extras]:
    """Read formats, states, comments and uncalculated formulas; values do not depend on it."""
    import openpyxl

    if _size(workbook) > _STYLED_CELLS:  # openpyxl takes a kilobyte a cell: it is not asked at all
        out.fail(FailureCause.CAPACITY, _UNSTYLED, "Split it.")
        return {m.name: _Extras(state=_STATES.get(str(m.visible), "visible")) for m in workbook.sheets_metadata}
    try:
        styled = openpyxl.load_workbook(io.BytesIO(data), data_only=False, keep_links=False)
        cells = sum((s.max_row or 0) * (s.max_column or 0) for s in styled.worksheets)
        values = openpyxl.load_workbook(io.BytesIO(data), data_only=True, keep_links=False)
    except MemoryError:
        raise
    except Exception as error:  # noqa: BLE001 - openpyxl raises anything on what calamine still reads
        out.fail(
            FailureCause.READER,
            f"Number formats, comments and hidden sheets were not read ({type(error).__name__}).",
            "Open and save the workbook in Excel.",
        )
        return {}
    if cells > _STYLED_CELLS:
        out.fail(FailureCause.CAPACITY, _UNSTYLED, "Split it.")
        return {s.title: _Extras(state=s.sheet_state) for s in styled.worksheets}
    by_title = {sheet.title: sheet for sheet in values.worksheets}
    return {sheet.title: _extras_of(sheet, by_title[sheet.title]) for sheet in styled.worksheets}


def _extras_of(sheet: Any, values: Any) -> _Extras:
    extra = _Extras(state=sheet.sheet_state)
    for row in sheet.iter_rows():
        for cell in row:
            place = (cell.row, cell.column)
            if cell.comment is not None:
                extra.comments[place] = cell.comment.text
            if cell.value is None:
                continue
            if cell.number_format != "General":
                extra.formats[place] = cell.number_format
            if cell.data_type == "f" and values.cell(*place).value is None:
                text = cell.value if isinstance(cell.value, str) else getattr(cell.value, "text", "") or "="
                extra.formulas[place] = text
    return extra
