"""The same verdicts as LAB keeps them: one ``scores.json`` an attempt, read one by one for a table of criteria."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from flows.bench.warehouse.made import made_up
from warehouse.records import AttemptRow, VerdictRow

if TYPE_CHECKING:
    import polars as pl


def write_logs(folder: Path, attempts: int, criteria: int) -> None:
    """Write the log of each made-up attempt, in the layout of FORMATS.md 3."""
    for number in range(attempts):
        rows = made_up(number, criteria)
        (attempt,) = [row for row in rows if isinstance(row, AttemptRow)]
        verdicts = [row for row in rows if isinstance(row, VerdictRow)]
        passed = sum(v.status == "pass" for v in verdicts)
        log = {
            "score": float(passed == criteria),
            "max_score": 1.0,
            "all_pass": passed == criteria,
            "n_criteria": criteria,
            "n_passed": passed,
            "criteria_results": [
                {"id": v.criterion_id, "title": v.title, "verdict": v.status, "reasoning": v.reasoning}
                for v in verdicts
            ],
        }
        place = folder / attempt.matter_id / attempt.cell / "1"
        place.mkdir(parents=True)
        (place / "scores.json").write_text(json.dumps(log, indent=1), "utf-8")


def read_logs(folder: Path) -> pl.DataFrame:
    """Return one row for each criterion of all logs below a folder."""
    import polars as pl

    rows = []
    for path in folder.rglob("scores.json"):
        *_, area, matter, cell, _number, _name = path.parts
        for told in json.loads(path.read_bytes())["criteria_results"]:
            rows.append((f"{area}/{matter}", cell, told["id"], told["title"], told["verdict"], told["reasoning"]))
    names = ["matter_id", "cell", "criterion_id", "title", "status", "reasoning"]
    return pl.DataFrame(rows, schema=names, orient="row")
