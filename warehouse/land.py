"""Landing: one process loads new parts into a private DuckDB file, checks it, and publishes it by rename.

The published file is the only memory of what landed: data and manifest are in it, so a crash at any moment
leaves either the old file or the new one, and the parts.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache, partial
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from pydantic import BaseModel, ConfigDict

from warehouse.expectations.suites import OF_WHAT_IS_COMPUTED, Violation, check_all, suite_names
from warehouse.intake import Part, find_parts, fingerprint
from warehouse.knowledge import KnowledgeTables, digest_of, load_knowledge
from warehouse.loading import load_table, quarantine
from warehouse.migrating import create_tables, migrate
from warehouse.publishing import (
    LandingError,
    discard,
    disk_errors_as_landing_errors,
    holdings,
    log_of,
    private_copy,
    publish,
)
from warehouse.records import TABLES
from warehouse.scanning import open_apart

if TYPE_CHECKING:
    import duckdb


class Refused(BaseModel):
    """A part that did not land, and why."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    part: str
    message: str


class LostVerdicts(BaseModel):
    """A judgement with more verdicts than landed; the missing ones count as unscored."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    run_id: str
    attempt_id: str
    judge_profile: str
    criteria: int
    verdicts: int

    def line(self) -> str:
        """Render as one line."""
        return (
            f"VERDICTS LOST: {self.attempt_id} was judged by {self.judge_profile} on {self.criteria} criteria and "
            f"{self.verdicts} of its verdicts are here; the others count as unscored. Restore judgement.json or the "
            f"verdict part and land again, or `solon judge {self.run_id} --profile {self.judge_profile}`"
        )


class LandingResult(BaseModel):
    """What a landing did.

    Attributes:
        published: Whether the database file now holds everything that could land.
        landed: Number of parts that landed now, by table.
        known: Number of parts that had landed before.
        waiting: Parts whose attempt has not landed yet; they land with it.
        quarantined: Parts refused, with the reason. They stay where they are and are looked at again
            when their bytes change.
        violations: Expectations that failed without a new part as the cause; then nothing was published. Where
            something was, what ``solon land`` found broken in it.
        lost: Judgements in the warehouse with missing verdicts.
        passed_over: Runs whose parts could not be written, with the reason; those that were written before landed.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    schema_version: int = 1
    database: Path
    published: bool
    landed: dict[str, int]
    known: int
    waiting: tuple[str, ...] = ()
    quarantined: tuple[Refused, ...] = ()
    violations: tuple[Violation, ...] = ()
    lost: tuple[LostVerdicts, ...] = ()
    passed_over: tuple[str, ...] = ()

    def after(self, other: LandingResult | None) -> LandingResult:
        """Return what two landings did, this one after the other."""
        if other is None:
            return self
        landed = Counter(other.landed) + Counter(self.landed)
        return self.model_copy(update={"landed": dict(landed), "known": other.known})

    def lines(self) -> list[str]:
        """List what happened, one line per fact."""
        said = [f"landed {sum(self.landed.values())} parts ({self.known} had landed before)"]
        said += _few([f"PASSED OVER {line}" for line in self.passed_over])
        said += _few([f"quarantined {q.part}: {q.message}" for q in self.quarantined])
        said += _few([f"waiting for its attempt: {name}" for name in self.waiting])
        said += _few([verdicts.line() for verdicts in self.lost])
        said += [f"{'PUBLISHED, BUT' if self.published else 'NOT PUBLISHED,'} {v.line()}" for v in self.violations]
        if any(v.parts for v in self.violations):
            said.append(
                "these parts landed before: move the warehouse file away and `solon land` rebuilds it without them"
            )
        return said


def _few(lines: list[str], most: int = 20) -> list[str]:
    return lines if len(lines) <= most else [*lines[:most], f"… and {len(lines) - most} more of these"]


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
            rules = {"schema": _digest("schema"), "views": _digest("views"), "rules": _rules()}
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
    con = _open_private(folder, database, private)
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


def _open_private(folder: Path, database: Path, private: Path) -> duckdb.DuckDBPyConnection:
    """Open a private copy of the published file in the present layout, or a new file where there is none."""
    import duckdb

    if database.exists():
        shutil.copyfile(database, private)
        try:
            con = duckdb.connect(str(private))
            current = con.execute("SELECT setting FROM meta WHERE name = 'schema'").fetchone()
        except duckdb.Error as error:
            message = f"{database} is not a warehouse of ours; move it away and land again to rebuild it from the parts"
            raise LandingError(message) from error
        if current == (_digest("schema"),):
            return con
        if migrate(con):
            con.execute("INSERT OR REPLACE INTO meta VALUES ('schema', ?)", [_digest("schema")])
            return con
        try:
            _require_parts(con, folder, database)  # the parts are the truth: what cannot be migrated is rebuilt
        finally:
            con.close()
        discard(private)
    private.write_bytes(_empty(_digest("schema"), _digest("views")))
    return duckdb.connect(str(private))


@lru_cache(maxsize=1)
def _empty(schema: str, views: str) -> bytes:  # noqa: ARG001 - of the key: another layout is another file
    """Return a new file of the present layout; a process that makes several makes its tables and views once."""
    import duckdb

    with TemporaryDirectory() as folder:
        file = Path(folder) / "empty.duckdb"
        with duckdb.connect(str(file)) as con:
            con.execute("BEGIN TRANSACTION")
            create_tables(con)
            con.execute("INSERT INTO meta VALUES ('schema', ?)", [schema])
            con.execute("COMMIT")
            create_views(con)
        return file.read_bytes()


def _require_parts(con: duckdb.DuckDBPyConnection, folder: Path, database: Path) -> None:
    """Refuse to rebuild a warehouse whose parts are gone: what landed must never be lost."""
    landed = {part for (part,) in con.execute("SELECT part FROM manifest").fetchall()}
    gone = sorted(landed - {part.name for part in find_parts(folder)})
    if gone:
        raise LandingError(
            f"{database} has an older layout and is rebuilt from its parts, but {len(gone)} of them are gone from "
            f"{folder} (e.g. {gone[0]}); put them back, or move the file away to begin anew"
        )


def _refused_before(con: duckdb.DuckDBPyConnection) -> dict[str, tuple[str, str]]:
    """Return the fingerprint and the reason of each part refused before, where the rules are still the same."""
    rules = con.execute("SELECT setting FROM meta WHERE name = 'rules'").fetchone()
    if rules == (_rules(),):
        rows = con.execute("SELECT part, sha256, message FROM quarantine").fetchall()
        return {part: (sha256, message) for part, sha256, message in rows}
    con.execute("DELETE FROM quarantine")
    con.execute("INSERT OR REPLACE INTO meta VALUES ('rules', ?)", [_rules()])
    return {}


@cache
def _rules() -> str:
    """Return the content hash of what a part is checked against: the records and the expectations."""
    records = [json.dumps(kind.model_json_schema(), sort_keys=True) for kind in TABLES.values()]
    return hashlib.sha256("\0".join([*records, *_scripts("expectations", ".sql", ".toml")]).encode()).hexdigest()


def _state(con: duckdb.DuckDBPyConnection) -> Sequence[object]:
    """What a publish would change besides the rows: the quarantine, the rules and the text of the views."""
    rows: list[object] = con.execute("SELECT * FROM quarantine ORDER BY part").fetchall()
    return [*rows, *con.execute("SELECT setting FROM meta WHERE name IN ('rules', 'views') ORDER BY name").fetchall()]


def create_views(con: duckdb.DuckDBPyConnection) -> None:
    """Create the views of warehouse/views, in the order of their file names, unless they are there already.

    Some of them are kept as tables (``*.table.sql``); ``recompute`` fills those.
    """
    if con.execute("SELECT setting FROM meta WHERE name = 'views'").fetchone() == (_digest("views"),):
        return
    con.execute("BEGIN TRANSACTION")
    for (name,) in con.execute("SELECT view_name FROM duckdb_views() WHERE NOT internal").fetchall():
        con.execute(f'DROP VIEW "{name}"')
    for script in _scripts("views"):
        con.execute(script)
    con.execute("INSERT OR REPLACE INTO meta VALUES ('views', ?)", [_digest("views")])
    con.execute("COMMIT")


def recompute(con: duckdb.DuckDBPyConnection) -> None:
    """Fill anew the views that are kept as tables, from what the warehouse holds now.

    A landing does so in the transaction that brings rows: no score is older than the verdicts it is computed from.
    """
    for script in _scripts("views", ".table.sql"):
        con.execute(script)


@cache
def _scripts(folder: str, *endings: str) -> tuple[str, ...]:
    found = [f for f in files("warehouse").joinpath(folder).iterdir() if f.name.endswith(endings or ".sql")]
    return tuple(file.read_text("utf-8") for file in sorted(found, key=lambda f: f.name))


@cache
def _digest(folder: str) -> str:
    return hashlib.sha256("\0".join(_scripts(folder)).encode()).hexdigest()
