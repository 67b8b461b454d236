"""What is in force and from where: solon.toml < environment ``SOLON_*`` < flags."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from tasks.matter.failures import Failure, FailureCause, SolonError
from tasks.matter.private import HOME_NAME, is_marked, keep_private
from tasks.models.loading import refuse_old_tables

CONFIG_NAME = "solon.toml"


@dataclass(frozen=True)
class Option:
    """One setting: its name, type, default (None: derived from home) and meaning."""

    name: str
    kind: type
    default: Any
    help: str
    choices: tuple[str, ...] = ()

    @property
    def env(self) -> str:
        """Return the environment variable, e.g. ``SOLON_COMPUTE``."""
        return "SOLON_" + self.name.upper()


OPTIONS: tuple[Option, ...] = (
    Option("home", Path, HOME_NAME, "folder of everything Solon writes, beside solon.toml or in the working directory"),
    Option("runs", Path, None, "run directories; default HOME/runs"),
    Option("cache", Path, None, "content-addressed cache of the solver's stages; default HOME/cache"),
    Option("sealed", Path, None, "sealed rubrics, read by judge processes alone; default HOME/sealed"),
    Option("judge_cache", Path, None, "cache of judge processes; default HOME/judge-cache"),
    Option("warehouse", Path, None, "published DuckDB file, its parts beside it; default HOME/warehouse/solon.duckdb"),
    Option("reports", Path, None, "HTML reports; default HOME/reports"),
    Option("harness", Path, None, "folder holding knowledge_db/ and skills_repo/; default: the packaged harness"),
    Option("compute", str, "inline", "inline, ray or dask"),
    Option("workers", int, 0, "worker processes of the inline compute; 0: one a core"),
    Option("ray_address", str, "", "address of a Ray cluster; empty: a local one for the run"),
    Option("dask_address", str, "", "address of a Dask scheduler; empty: a local one for the run"),
    Option("judge", str, "anchor", "judge profile"),
    Option("policy", str, "best_so_far", "what accepts an edit of the learner: best_so_far or blended_margin"),
    Option("detail", str, "auto", "what Prefect records: stage, matter, batch, or auto by cell"),
    Option("batch", int, 25, "matters in one task run at detail batch"),
    Option("prefect", str, "auto", "auto: use PREFECT_API_URL or run a server under HOME/prefect; off: no records"),
    Option(
        "model_cache",
        str,
        "read_write",
        "recorded replies of the solver's models: read_write, replay (nothing is asked anew) or off",
        ("read_write", "replay", "off"),
    ),
    Option("keep_server", bool, False, "leave the Prefect server running after a command"),
    Option("stage_seconds", float, 900.0, "wall limit of a stage other than drafting"),
)
_OWN_NAMES = frozenset(
    {"runs", "cache", "sealed", "judge-cache", "warehouse", "reports", "prefect", "logs", "learning"}
)
_TABLES = ("models", "retrieval", "cells", "schedules")


@dataclass(frozen=True)
class Settings:
    """The settings in force, with the origin of each.

    Attributes:
        file: The solon.toml found, if any.
        values: By option name; paths are absolute.
        origins: ``default``, ``derived``, ``solon.toml``, the variable's name, or ``flag``.
        tables: The tables of solon.toml that are not options: models, retrieval, cells, schedules.
    """

    file: Path | None
    values: Mapping[str, Any]
    origins: Mapping[str, str]
    tables: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    def __getattr__(self, name: str) -> Any:
        try:
            return self.values[name]
        except KeyError:
            raise AttributeError(name) from None

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle by fields (attribute access is delegated)."""
        return (Settings, (self.file, self.values, self.origins, self.tables))

    @property
    def parts(self) -> Path:
        """Folder of the Parquet parts, beside the published warehouse."""
        return Path(self.values["warehouse"]).parent / "parts"

    @property
    def private(self) -> tuple[Path, ...]:
        """Everything Solon writes: no tool is served any of it. The home itself is among it where it is ours alone."""
        home, warehouse = Path(self.values["home"]), Path(self.values["warehouse"])
        named = [Path(self.values[n]) for n in ("sealed", "judge_cache", "runs", "cache", "reports", "warehouse")]
        below = [home / n for n in ("prefect", "logs", "learning")]
        own = [warehouse.parent] if self.origins["warehouse"] == "derived" else []
        return (*named, *below, *own, self.parts, *([home] if _may_adopt(home) else []))

    @property
    def logs(self) -> dict[Literal["solver", "judge"], Path]:
        """Logs of worker processes by role; a judge's may quote a rubric and lies with its cache."""
        home, sealed_side = Path(self.values["home"]), Path(self.values["judge_cache"])
        return {"solver": home / "logs" / "solver.log", "judge": sealed_side / "judge.log"}

    @property
    def models(self) -> Path | None:
        """The file that says which models there are; None where it is silent, and ``SOLON_MODELS`` may name another."""
        return self.file if self.table("models") or self.table("retrieval") else None

    def table(self, name: str) -> Mapping[str, Any]:
        """Return a table of solon.toml, empty when absent."""
        return self.tables.get(name, {})


def secure(settings: Settings) -> None:
    """Let nobody else enter what Solon writes, and mark it as ours: what is there already too.

    A folder with other things in it that somebody named as home, runs, cache or reports is left as it is; what
    Solon makes inside is private all the same.
    """
    home, always = Path(settings.home), ("sealed", "judge_cache")
    if _may_adopt(home):
        keep_private(home)
    for name in ("runs", "cache", "reports", *always):
        place = Path(settings.values[name])
        if name in always or settings.origins[name] == "derived" or _may_adopt(place):
            _tighten(place, home)
    derived = settings.origins["warehouse"] == "derived"
    if derived or _may_adopt(settings.parts):
        _tighten(settings.warehouse.parent if derived else settings.parts, home)
    for name in ("prefect", "logs", "learning"):
        _tighten(home / name, home)


def check_warehouse(settings: Settings) -> None:
    """Refuse a place for the warehouse that DuckDB cannot open, before hours of work that could not land.

    Raises:
        SolonError: Its path holds a question mark, behind which DuckDB looks for options.
    """
    if "?" in str(settings.warehouse):
        message = "cannot hold the warehouse: DuckDB takes what follows a ? in a path for options"
        raise _misuse(str(settings.warehouse), message, "choose a path without ? with --warehouse FILE or --home DIR")


def _tighten(place: Path, home: Path) -> None:
    """Take over a folder that is there, or make one that no private home will hold."""
    if place.is_dir() or not (place.is_relative_to(home) and is_marked(home)):
        keep_private(place)


def _may_adopt(folder: Path) -> bool:
    """Whether a folder is ours alone: not there yet, marked, of our own name, or with nothing else in it."""
    if folder.name == HOME_NAME or is_marked(folder):
        return True
    try:
        return all(entry.name in _OWN_NAMES for entry in folder.iterdir())
    except FileNotFoundError:
        return True
    except OSError:
        return False


def find_config(start: Path) -> Path | None:
    """Return the nearest solon.toml at or above ``start``."""
    for folder in (start, *start.parents):
        if (folder / CONFIG_NAME).is_file():
            return folder / CONFIG_NAME
    return None


def load_settings(
    flags: Mapping[str, Any] | None = None, cwd: Path | None = None, env: Mapping[str, str] | None = None
) -> Settings:
    """Resolve every option.

    Args:
        flags: Values given on the command line; None means not given.
        cwd: Working directory; default the process's.
        env: Environment; default the process's.

    Raises:
        SolonError: The file is not TOML, or a value has the wrong type.
    """
    here = (cwd or Path.cwd()).resolve()
    env = os.environ if env is None else env
    file = find_config(here)
    data = _read(file)
    base = file.parent if file else here
    values: dict[str, Any] = {}
    origins: dict[str, str] = {}
    for option in OPTIONS:
        value, origin, root = option.default, "default", base
        if option.name in data:
            value, origin = data[option.name], CONFIG_NAME
        if env.get(option.env, "") != "":
            value, origin, root = env[option.env], option.env, here
        if flags and flags.get(option.name) is not None:
            value, origin, root = flags[option.name], "flag", here
        if value is None:
            value, origin = _derived(option.name, values.get("home")), "derived"
        values[option.name] = _convert(option, value, root)
        origins[option.name] = origin
    return Settings(file, values, origins, {k: data[k] for k in _TABLES if isinstance(data.get(k), dict)})


def _read(file: Path | None) -> dict[str, Any]:
    if file is None:
        return {}
    try:
        data = tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as exc:
        raise _misuse(str(file), f"cannot be read as TOML: {exc}", "correct the file") from exc
    refuse_old_tables(data, file)
    known = {o.name for o in OPTIONS} | set(_TABLES)
    if unknown := sorted(set(data) - known):
        raise _misuse(str(file), f"unknown setting {unknown[0]!r}", "`solon config` lists the settings")
    return data


def _derived(name: str, home: Any) -> Any:
    names = {
        "runs": "runs",
        "cache": "cache",
        "sealed": "sealed",
        "judge_cache": "judge-cache",
        "warehouse": "warehouse/solon.duckdb",
        "reports": "reports",
    }
    return Path(home) / names[name] if name in names else None


def _convert(option: Option, value: Any, root: Path) -> Any:
    if value is None:
        return None
    try:
        if option.kind is Path:
            return (root / Path(str(value)).expanduser()).resolve()
        if option.kind is bool:
            return value if isinstance(value, bool) else {"true": True, "1": True, "false": False, "0": False}[value]
        if option.choices and value not in option.choices:
            raise _misuse(option.name, f"{value!r} is no choice", f"use one of {', '.join(option.choices)}")
        return option.kind(value)
    except (KeyError, ValueError, TypeError) as exc:
        kind = option.kind.__name__
        raise _misuse(option.name, f"{value!r} is not a {kind}", f"give a {kind}: {option.help}") from exc


def _misuse(subject: str, message: str, remedy: str) -> SolonError:
    return SolonError(
        Failure(cause=FailureCause.INPUT, stage="settings", subject=subject, message=message, remedy=remedy)
    )
