"""What is in force and from where: solon.toml < environment ``SOLON_*`` < flags."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field, PrivateAttr, ValidationError

from flows.compute.planes import PlaneName
from tasks.matter.failures import Failure, FailureCause, SolonError
from tasks.matter.private import HOME_NAME
from tasks.models.loading import refuse_old_tables

CONFIG_NAME = "solon.toml"
Table = dict[str, Any]
"""A table of solon.toml; what it holds is checked by the stage that reads it."""


def _below_home(name: str) -> Callable[[dict[str, Any]], Path]:
    return lambda values: Path(values["home"]) / name


class Settings(BaseModel):
    """The settings in force, with the origin of each. Paths are absolute."""

    model_config = ConfigDict(frozen=True, extra="forbid", validate_default=True)

    home: Path = Field(
        Path(HOME_NAME),
        description="Folder of everything Solon writes; default .solon beside solon.toml or in the working directory.",
    )
    runs: Path = Field(default_factory=_below_home("runs"), description="Folder of the runs; default HOME/runs.")
    cache: Path = Field(
        default_factory=_below_home("cache"),
        description="Content-addressed cache of the solver's stages; default HOME/cache.",
    )
    sealed: Path = Field(
        default_factory=_below_home("sealed"),
        description="Sealed rubrics, read by judge processes alone; default HOME/sealed.",
    )
    judge_cache: Path = Field(
        default_factory=_below_home("judge-cache"), description="Cache of judge processes; default HOME/judge-cache."
    )
    warehouse: Path = Field(
        default_factory=_below_home("warehouse/solon.duckdb"),
        description="Published DuckDB file, its parts beside it; default HOME/warehouse/solon.duckdb.",
    )
    reports: Path = Field(
        default_factory=_below_home("reports"), description="Folder of the HTML reports; default HOME/reports."
    )
    harness: Path | None = Field(
        None, description="Folder holding knowledge_db/ and skills_repo/; default: the harness shipped with Solon."
    )
    compute: PlaneName = Field("inline", description="Compute plane on which the stages run.")
    workers: int = Field(0, ge=0, description="Worker processes of the inline compute plane; 0: one for each core.")
    ray_address: str = Field("", description="Address of a Ray cluster; empty: a local one for the run.")
    dask_address: str = Field("", description="Address of a Dask scheduler; empty: a local one for the run.")
    judge: str = Field("anchor", description="Judge profile.")
    proposer: str = Field(
        "rules", description="What proposes the edits of the learner, by name; a wrong name is answered with all names."
    )
    proposer_model: str = Field(
        "", description="Model profile that proposes the edits of the learner, for the proposers model and agent."
    )
    proposer_agent: str = Field("codex", description="Agent program that proposes, for the proposer agent.")
    proposer_usd: float = Field(
        0.0, ge=0, description="US dollars that the proposer of a learning run may spend; 0 sets no limit."
    )
    catalogue: Path | None = Field(
        None, description="Folder of candidate edits from which the proposer catalogue draws; default: none."
    )
    policy: str = Field(
        "best_so_far",
        description="Policy that accepts or rejects the edits of the learner: best_so_far, blended_margin or "
        "paired_sequential.",
    )
    detail: Literal["auto", "stage", "matter", "batch"] = Field(
        "auto", description="Unit of work for which Prefect records a task run; auto chooses by cell."
    )
    batch: int = Field(25, ge=1, description="Matters in one task run at detail batch.")
    prefect: Literal["auto", "off"] = Field(
        "auto", description="auto uses PREFECT_API_URL or runs a server under HOME/prefect; off keeps no records."
    )
    model_cache: Literal["read_write", "replay", "off"] = Field(
        "read_write", description="Recorded replies of the solver's models; replay sends no new requests."
    )
    land_seconds: float = Field(
        60.0, ge=0, description="Seconds between landings while a run goes on; 0 lands only at its end."
    )
    keep_server: bool = Field(False, description="Leave the Prefect server running after a command.")
    stage_seconds: float = Field(900.0, gt=0, description="Wall-clock limit in seconds for each stage except drafting.")

    models: Table = Field({}, description="Model profiles of every kind by name.")
    routing: Table = Field({}, description="Routes by name: which profile solves which matters.")
    judges: Table = Field({}, description="Judge profiles by name: who judges, how often, by which rule.")
    retrieval: Table = Field({}, description="How matters are indexed and searched.")
    cells: Table = Field({}, description="Cells by name.")
    schedules: Table = Field({}, description="Schedules by name.")

    _file: Path | None = PrivateAttr(None)
    _origins: Mapping[str, str] = PrivateAttr(default_factory=dict)

    @property
    def file(self) -> Path | None:
        """The solon.toml found, if any."""
        return self._file

    @property
    def origins(self) -> Mapping[str, str]:
        """Where each option comes from: ``default``, ``derived``, ``solon.toml``, a variable's name, or ``flag``."""
        return self._origins

    @property
    def models_file(self) -> Path | None:
        """The file that says which models there are; None where it is silent, and ``SOLON_MODELS`` may name another."""
        return self._file if self.models or self.judges or self.retrieval or self.routing else None

    @property
    def parts(self) -> Path:
        """Folder of the Parquet parts, beside the published warehouse."""
        return self.warehouse.parent / "parts"

    @property
    def logs(self) -> dict[Literal["solver", "judge"], Path]:
        """Logs of worker processes by role; a judge's may quote a rubric and lies with its cache."""
        return {"solver": self.home / "logs" / "solver.log", "judge": self.judge_cache / "judge.log"}


TABLES = tuple(name for name, field in Settings.model_fields.items() if field.annotation == Table)
OPTIONS = tuple(name for name in Settings.model_fields if name not in TABLES)
"""The settings that have a variable ``SOLON_*`` and may have a flag."""


def variable(name: str) -> str:
    """Return the environment variable of an option, e.g. ``SOLON_COMPUTE``."""
    return f"SOLON_{name.upper()}"


def is_path(name: str) -> bool:
    """Whether an option is a path, relative to solon.toml or to the working directory."""
    kind = Settings.model_fields[name].annotation
    return Path in (kind, *get_args(kind))


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
        SolonError: The file is not TOML or has a setting that there is not, or a value is none for its setting.
    """
    here = (cwd or Path.cwd()).resolve()
    env = os.environ if env is None else env
    file = find_config(here)
    base = file.parent if file else here
    values, origins = _read(file), dict.fromkeys(OPTIONS, "default")
    for name in OPTIONS:
        field, root = Settings.model_fields[name], base
        if name in values:
            origins[name] = CONFIG_NAME
        if env.get(variable(name), "") != "":
            values[name], origins[name], root = env[variable(name)], variable(name), here
        if flags and flags.get(name) is not None:
            values[name], origins[name], root = flags[name], "flag", here
        if origins[name] == "default" and field.default_factory:
            origins[name] = "derived"
        if is_path(name) and isinstance(given := values.get(name, field.default), str | Path):
            values[name] = (root / Path(given).expanduser()).resolve()
    try:
        settings = Settings.model_validate(values)
    except ValidationError as exc:
        raise _refused(exc, file, origins) from None
    settings._file, settings._origins = file, origins
    return settings


def _read(file: Path | None) -> dict[str, Any]:
    if file is None:
        return {}
    try:
        data = tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as exc:
        raise _misuse(str(file), f"cannot be read as TOML: {exc}", "correct the file") from exc
    refuse_old_tables(data, file)
    return data


def _refused(refusal: ValidationError, file: Path | None, origins: Mapping[str, str]) -> SolonError:
    """Name the refused value, where it was set, and what it should be."""
    error = refusal.errors()[0]
    name = str(error["loc"][0])
    if error["type"] == "extra_forbidden":
        return _misuse(str(file), f"unknown setting {name!r}", "`solon config` lists the settings")
    origin = origins.get(name, CONFIG_NAME)
    flag = "--" + name.replace("_", "-")
    subject = {CONFIG_NAME: f"{name} in {file}", "flag": flag}.get(origin, origin)
    what = error["msg"][0].lower() + error["msg"][1:]
    message = f"{error['input']!r} cannot be used: {what}"
    return _misuse(subject, message, f"give another: {Settings.model_fields[name].description}")


def _misuse(subject: str, message: str, remedy: str) -> SolonError:
    return SolonError(
        Failure(cause=FailureCause.INPUT, stage="settings", subject=subject, message=message, remedy=remedy)
    )
