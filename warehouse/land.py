"""Landing: one process loads new parts into a private DuckDB file, checks it, and publishes it by rename.

The published file is the only memory of what landed: data and manifest are in it, so a crash at any moment
leaves either the old file or the new one, and the parts.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from warehouse.expectations.suites import OF_WHAT_IS_COMPUTED, Violation, check_all, suite_names
from warehouse.intake import Part, find_parts, fingerprint
from warehouse.knowledge import KnowledgeTables, digest_of, load_knowledge
from warehouse.landing_result import LandingResult, LostVerdicts, Refused
from warehouse.layout import create_views, layout_digest, open_private, recompute, rules_digest
from warehouse.loading import load_table, quarantine
from warehouse.publishing import disk_errors_as_landing_errors, holdings, log_of, private_copy, publish
from warehouse.records import TABLES
from warehouse.scanning import open_apart

if TYPE_CHECKING:
    import duckdb


def land(
    parts: Path, database: Path, *, knowledge: KnowledgeTables | None = None, wait_seconds: float = 600.0
) -> LandingResult:
    """Land every new part and publish the database with its views.

    Args:
        parts: Folder of the parts (``<table>/<key>.parquet``).
        database: DuckDB file to publish; readers of the old one keep it until they reopen.
        knowledge: Rows of the knowledge in force, which replace the present ones; None keeps the present ones.
        wait_seconds: How long to wait for another landing of the same database.

    Raises:
        LandingError: Another landing did not end in time, the published file is not a warehouse, or the disk refused
            (``NoSpaceError`` when it is full). The published file is as it was.
    """
    place = database.resolve()  # a link to the warehouse stays a link
    if (nothing := _nothing_new(parts, place, knowledge)) is not None:
        return nothing.model_copy(update={"database": database})
    with disk_errors_as_landing_errors(place.parent), private_copy(place, wait_seconds) as private:
        result = _land_privately(parts, place, private, knowledge)
    return result.model_copy(update={"database": database})


def _nothing_new(folder: Path, database: Path, knowledge: KnowledgeTables | None) -> LandingResult | None:
    """Return what a landing would say that has nothing to do; None where there may be something.

    Who watches a run asks often, and a private copy of the whole file is not made to find out that nothing came.
    """
    import duckdb

    if not database.is_file() or log_of(database).exists():
        return None
    try:
        with duckdb.connect(str(database), read_only=True) as con:
            said = dict(con.execute("SELECT name, setting FROM meta").fetchall())
            rules = {"schema": layout_digest("schema"), "views": layout_digest("views"), "rules": rules_digest()}
            if knowledge is not None:
                rules["knowledge"] = digest_of(knowledge)
            if any(said.get(name) != setting for name, setting in rules.items()):
                return None
            if con.execute("SELECT 1 FROM quarantine LIMIT 1").fetchall():
                return None
            known = {part for (part,) in con.execute("SELECT part FROM manifest").fetchall()}
            if any(part.name not in known for part in find_parts(folder)):
                return None
            return LandingResult(
                database=database, published=True, landed={}, known=len(known), lost=_lost_verdicts(con)
            )
    except duckdb.Error:  # what is wrong with the file, the landing says
        return None


@dataclass(frozen=True)
class _Loaded:
    """What one pass over the parts did.

    Attributes:
        landed: Parts that landed, by table.
        refused: Why each other part did not; empty for one that waits for its attempt.
        violations: Expectations that fail now.
    """

    landed: dict[str, int]
    refused: dict[str, str]
    changed: bool
    violations: tuple[Violation, ...] = ()


def _land_privately(folder: Path, database: Path, private: Path, knowledge: KnowledgeTables | None) -> LandingResult:
    con = open_private(folder, database, private)
    try:
        before = _state(con)
        known = {part for (part,) in con.execute("SELECT part FROM manifest").fetchall()}
        settled = _refused_before(con)
        create_views(con)
        told = knowledge is not None and load_knowledge(con, knowledge)
        done = _load_sound(con, folder, known, settled, lambda: told or before != _state(con))
        lost = _lost_verdicts(con)
        if published := done.changed and not done.violations:
            con.execute("CHECKPOINT")  # on closing, DuckDB would keep it to itself that the disk is full
            expected = holdings(con)
    finally:
        con.close()
    if published:
        publish(private, database, expected)
    return LandingResult(
        database=database,
        published=not done.violations,
        landed=done.landed,
        known=len(known),
        waiting=tuple(sorted(name for name, why in done.refused.items() if not why)),
        quarantined=tuple(Refused(part=name, message=why) for name, why in sorted(done.refused.items()) if why),
        violations=done.violations,
        lost=lost,
    )


def _lost_verdicts(con: duckdb.DuckDBPyConnection) -> tuple[LostVerdicts, ...]:
    columns = [*LostVerdicts.model_fields]
    rows = con.execute(f"SELECT {', '.join(columns)} FROM lost_verdicts ORDER BY ALL").fetchall()  # noqa: S608 - ours
    return tuple(LostVerdicts.model_validate(dict(zip(columns, row, strict=True))) for row in rows)


def _load_sound(
    con: duckdb.DuckDBPyConnection,
    folder: Path,
    known: set[str],
    settled: dict[str, tuple[str, str]],
    changed: Callable[[], bool],
) -> _Loaded:
    """Load what is new and meets every expectation, in one transaction.

    A part whose rows break an expectation is taken out, and the rest is loaded as if that part did not exist: what
    depends on it waits, and what it hid becomes visible. Nothing is kept where no new part is the cause.
    """
    blamed: dict[str, str] = {}
    while True:
        con.execute("BEGIN TRANSACTION")
        done = _load_new(con, folder, known, settled, blamed)
        if not (done.landed or changed()):
            con.execute("COMMIT")
            return done
        violations = _check(con, partial(_load_new, con, folder, known, settled, blamed))
        found = _blame(violations, known) if violations else {}
        con.execute("ROLLBACK" if violations else "COMMIT")
        if not found:
            return replace(done, landed={} if violations else done.landed, changed=True, violations=violations)
        blamed |= found


def _check(con: duckdb.DuckDBPyConnection, load: Callable[[], object]) -> tuple[Violation, ...]:
    """Compute what is kept as tables, and return every expectation that fails now.

    A number that cannot be reckoned with ends the transaction: then all is loaded again and the rows alone are checked.
    """
    import duckdb

    try:
        recompute(con)
    except duckdb.DataError as error:
        con.execute("ROLLBACK")
        con.execute("BEGIN TRANSACTION")
        load()
        told = f"what is computed from the rows can be computed ({str(error).splitlines()[0]})"
        of_rows = [name for name in suite_names() if name != OF_WHAT_IS_COMPUTED]
        return check_all(con, of_rows) or (Violation(suite=OF_WHAT_IS_COMPUTED, expectation="views", message=told),)
    return check_all(con)


def _blame(violations: Sequence[Violation], known: set[str]) -> dict[str, str]:
    """Return which expectation each new part breaks."""
    return {
        part: f"breaks an expectation of suite {v.suite}: {v.message} [{v.expectation}]"
        for v in reversed(violations)
        for part in v.parts
        if part not in known
    }


def _load_new(
    con: duckdb.DuckDBPyConnection,
    folder: Path,
    known: set[str],
    settled: dict[str, tuple[str, str]],
    blamed: dict[str, str],
) -> _Loaded:
    """Load the new parts that break nothing, table by table."""
    by_table: dict[str, list[Part]] = {table: [] for table in TABLES}
    refused: dict[str, str] = {}
    present: set[str] = set()
    for part in find_parts(folder):
        present.add(part.name)
        sha256, message = settled.get(part.name, ("", ""))
        if part.name in blamed:
            refused[part.name] = blamed[part.name]
            quarantine(con, part, blamed[part.name])
        elif sha256 and fingerprint(part.path) == sha256:
            refused[part.name] = message
        elif part.name not in known:
            by_table[part.table].append(part)
    landed: dict[str, int] = {}
    with open_apart() as apart:
        for table, parts in by_table.items():
            now_refused = load_table(con, table, parts, apart)
            refused |= now_refused
            if len(parts) > len(now_refused):
                landed[table] = len(parts) - len(now_refused)
    con.execute("DELETE FROM quarantine WHERE part NOT IN (SELECT unnest(?::VARCHAR[]))", [sorted(present)])
    con.execute("DELETE FROM quarantine WHERE part IN (SELECT part FROM manifest)")
    return _Loaded(landed, refused, changed=False)


def _refused_before(con: duckdb.DuckDBPyConnection) -> dict[str, tuple[str, str]]:
    """Return the fingerprint and the reason of each part refused before, where the rules are still the same."""
    rules = con.execute("SELECT setting FROM meta WHERE name = 'rules'").fetchone()
    if rules == (rules_digest(),):
        rows = con.execute("SELECT part, sha256, message FROM quarantine").fetchall()
        return {part: (sha256, message) for part, sha256, message in rows}
    con.execute("DELETE FROM quarantine")
    con.execute("INSERT OR REPLACE INTO meta VALUES ('rules', ?)", [rules_digest()])
    return {}


def _state(con: duckdb.DuckDBPyConnection) -> Sequence[object]:
    """What a publish would change besides the rows: the quarantine, the rules and the text of the views."""
    rows: list[object] = con.execute("SELECT * FROM quarantine ORDER BY part").fetchall()
    return [*rows, *con.execute("SELECT setting FROM meta WHERE name IN ('rules', 'views') ORDER BY name").fetchall()]
