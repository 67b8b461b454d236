"""Asks the named questions for a report, for some runs or for all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

from warehouse.sql import ask, of_runs

if TYPE_CHECKING:
    import duckdb
    import polars as pl

Rows = list[dict[str, Any]]
WHO: Final = ("run_id", "cell", "judge_profile")
# Questions that count the attempts of all runs under a version as one: several runs are asked about as if alone.
_OF_VERSIONS: Final = frozenset({"which_matters_were_rescued_by_which_harness"})


@dataclass(frozen=True)
class Asker:
    """Asks the named questions for some runs, or for all of them; each is asked once.

    Attributes:
        runs: The runs; ``None`` for all.
        varying: The columns that distinguish the rows: those of run, cell and judge that have several values.
    """

    con: duckdb.DuckDBPyConnection
    runs: tuple[str, ...] | None
    varying: tuple[str, ...] = WHO
    answers: dict[str, pl.DataFrame] = field(default_factory=dict)

    def narrowed(self) -> Asker:
        """Return an asker that knows which of run, cell and judge have several values."""
        cells = self.ask("how_did_each_cell_do")
        return replace(self, varying=tuple(key for key in WHO if cells[key].n_unique() > 1))

    def ask(self, question: str) -> pl.DataFrame:
        """Return the answer; rows of other runs are left out where the answer knows runs."""
        if question not in self.answers:
            if question in _OF_VERSIONS and len(self.runs or ()) > 1:
                with of_runs(self.con, self.runs or ()) as ours:
                    frame = ask(ours, question)
            else:
                frame = ask(self.con, question)
            if self.runs is not None and "run_id" in frame.columns:
                frame = frame.filter(frame["run_id"].is_in(self.runs))
            self.answers[question] = frame
        return self.answers[question]

    def keys(self, frame: pl.DataFrame, of: Sequence[str] = WHO) -> list[str]:
        """Return the columns that distinguish the rows of an answer."""
        return [key for key in self.varying if key in frame.columns and key in of]

    def groups(self, frame: pl.DataFrame, title: str, of: Sequence[str] = WHO) -> Iterator[tuple[str, Rows]]:
        """Yield the rows of each run, cell and judge under their names; under the title where there is one group."""
        keys = self.keys(frame, of)
        grouped: dict[tuple[str, ...], Rows] = {}
        for row in frame.iter_rows(named=True):
            grouped.setdefault(tuple(str(row[key]) for key in keys), []).append(row)
        for key, rows in grouped.items():
            yield " · ".join(part for part in key if part) or title, rows
