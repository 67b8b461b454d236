"""The table of asks: how a work product shows what became of each ask, and how it is read back from a draft."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from tasks.asks.records import Ask, AskAnswer, Asks, AskState, by_id
from tasks.legaltext import markdown

TITLE = "What was asked"
COLUMNS = ("No.", "Asked", "State", "Answer", "Where")
_BREAK = re.compile(r"\s*\|\s*")
_MARKS = re.compile(r"[*_`\\]")
_PLACE = re.compile(r"^[A-Z]{1,3}\d{1,7}: ")  # the reader of workbooks says of each cell where it stands
_CELLS = 3  # of a row of this table at least: number, what was asked, state


def ask_rows(asks: Asks, answers: Iterable[AskAnswer]) -> list[tuple[str, ...]]:
    """Return the rows of the table, one for each ask, in the order of the brief."""
    known = by_id(answers)
    return [_row(ask, known.get(ask.ask_id)) for ask in asks.asks]


def _row(ask: Ask, answer: AskAnswer | None) -> tuple[str, ...]:
    if answer is None:
        return ask.ask_id, cell(ask.words), AskState.NOT_ATTEMPTED.value, "", ""
    return ask.ask_id, cell(ask.words), answer.state.value, cell(answer.answer), cell(answer.where)


def cell(text: str) -> str:
    """Return words as they stand in a cell of the table: on one line, without the mark that parts cells."""
    return " ".join(text.replace("|", "/").split())


def ask_table(asks: Asks, answers: Iterable[AskAnswer]) -> str:
    """Return the table of asks as Markdown, without a heading."""
    rows = (map(markdown.cell, row) for row in ask_rows(asks, answers))
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (COLUMNS, ("---",) * len(COLUMNS), *rows))


def read_table(text: str, asks: Asks) -> tuple[AskAnswer, ...]:
    """Read the table of asks back out of the canonical text of a draft; an ask without a row is left out.

    A row counts when its number is that of an ask and it names a state.
    """
    ids = {ask.ask_id: ask for ask in asks.asks}
    found: dict[str, AskAnswer] = {}
    for cells in _rows(text):
        state = _state(cells[2])
        if cells[0] in ids and state is not None:
            answer, where = (*cells[3:], "", "")[:2]
            found.setdefault(cells[0], AskAnswer(ask_id=cells[0], state=state, answer=answer, where=where))
    return tuple(found.values())


def _rows(text: str) -> Iterator[Sequence[str]]:
    for line in text.split("\n"):
        parts = _BREAK.split(_MARKS.sub("", line).strip().strip("|").strip())
        cells = [_PLACE.sub("", c.strip()) for c in parts]
        if len(cells) >= _CELLS:
            yield cells


_STATES: Mapping[str, AskState] = {s.value: s for s in AskState}


def _state(cell: str) -> AskState | None:
    said = " ".join(cell.lower().split())
    return _STATES.get(said)
