"""The folders that Solon writes: private to the user, and hidden from all tools."""

from __future__ import annotations

from pathlib import Path

from flows.settings import Settings
from tasks.matter.failures import Failure, FailureCause, SolonError
from tasks.matter.private import HOME_NAME, is_marked, keep_private

_OWN_NAMES = frozenset(
    {"runs", "cache", "sealed", "judge-cache", "warehouse", "reports", "prefect", "logs", "learning", "sessions"}
)


def written_folders(settings: Settings) -> tuple[Path, ...]:
    """Every folder that Solon writes, hidden from all tools; with the home itself where it belongs to Solon alone."""
    named = [settings.sealed, settings.judge_cache, settings.runs, settings.cache, settings.reports, settings.warehouse]
    below = [settings.home / n for n in ("prefect", "logs", "learning", "sessions")]
    own = [settings.warehouse.parent] if settings.origins["warehouse"] == "derived" else []
    return (*named, *below, *own, settings.parts, *([settings.home] if _may_adopt(settings.home) else []))


def secure(settings: Settings) -> None:
    """Make every folder that Solon writes private and mark it as ours, including existing ones.

    A folder with other content that was configured as home, runs, cache or reports stays as it is; the folders
    that Solon makes inside it are still private.
    """
    home, always = settings.home, ("sealed", "judge_cache")
    if _may_adopt(home):
        keep_private(home)
    for name in ("runs", "cache", "reports", *always):
        place: Path = getattr(settings, name)
        if name in always or settings.origins[name] == "derived" or _may_adopt(place):
            _tighten(place, home)
    derived = settings.origins["warehouse"] == "derived"
    if derived or _may_adopt(settings.parts):
        _tighten(settings.warehouse.parent if derived else settings.parts, home)
    for name in ("prefect", "logs", "learning", "sessions"):
        _tighten(home / name, home)


def check_warehouse(settings: Settings) -> None:
    """Refuse a warehouse path that DuckDB cannot open, before hours of work that could not land.

    Raises:
        SolonError: Its path holds a question mark, behind which DuckDB looks for options.
    """
    if "?" in str(settings.warehouse):
        message = "cannot hold the warehouse: DuckDB takes what follows a ? in a path for options"
        remedy = "choose a path without ? with --warehouse FILE or --home DIR"
        place = str(settings.warehouse)
        raise SolonError(
            Failure(cause=FailureCause.INPUT, stage="settings", subject=place, message=message, remedy=remedy)
        )


def _tighten(place: Path, home: Path) -> None:
    """Make a folder private: an existing one, or a new one outside a private home."""
    if place.is_dir() or not (place.is_relative_to(home) and is_marked(home)):
        keep_private(place)


def _may_adopt(folder: Path) -> bool:
    """Whether a folder belongs to Solon alone: missing, marked, with our own name, or empty."""
    if folder.name == HOME_NAME or is_marked(folder):
        return True
    try:
        return all(entry.name in _OWN_NAMES for entry in folder.iterdir())
    except FileNotFoundError:
        return True
    except OSError:
        return False
