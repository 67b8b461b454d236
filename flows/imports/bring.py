"""``solon import``: the attempts of a foreign tree, stored in a run of their own and landed."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from importlib import metadata
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from flows.imports.finding import Reader, find_attempts
from flows.imports.reading import slug
from flows.imports.records import IMPORTED_NAME, Imported, Told, bad_tree
from flows.imports.storing import Into, source_hash, store_attempt
from flows.land import land_runs
from flows.runs.attempts import AttemptStore, write_json
from flows.runs.home import check_warehouse, secure
from flows.runs.orders import Attempt, time_after
from flows.runs.plan import open_harness
from flows.settings import Settings
from tasks.matter.base import Record
from tasks.matter.failures import Failure, SolonError
from tasks.matter.loading import load_corpus
from tasks.matter.records import Matter


class ImportResult(Record):
    """What an import did.

    Attributes:
        imported: Attempts stored now.
        known: Attempts that were stored before from the same files.
        scored: Of those stored now, how many came with verdicts; ``verdicts`` is the number of these.
        gated: Of those stored now, how many our release gates looked at.
        notes: What could not be taken over, with how often.
    """

    run_id: str
    imported: int
    known: int
    scored: int
    verdicts: int
    gated: int
    problems: tuple[Failure, ...] = ()
    notes: tuple[str, ...] = ()
    landed: bool = True


def import_tree(
    root: Path, settings: Settings, *, run_id: str = "", corpus: Path | None = None, cell: str = ""
) -> ImportResult:
    """Import every attempt below a folder; unreadable ones are reported, the others imported.

    Args:
        root: A result tree of LAB or of Psionic, or a folder of deliverables.
        settings: What is in force.
        run_id: The run they go into; by default one named after the folder.
        corpus: The tasks that were solved. Their documents let our gates look at the work products, and their rubrics
            our judges; without it, an attempt is what its tree tells.
        cell: Name of the configuration, where the tree does not tell it or one tree holds one cell.

    Raises:
        SolonError: Nothing in the folder can be imported, or the run is one of Solon's own.
    """
    found = find_attempts(root)
    name = run_id or f"imported-{slug(root.resolve().name, 'tree').replace('+', '-')[:60]}"
    store = AttemptStore(settings.runs, name)
    check_warehouse(settings)
    secure(settings)
    matters = _matters(corpus, settings)
    into = Into(store, settings.cache, open_harness(settings), settings.model_cache)
    with store.locked():
        pinned = store.pinned()
        if pinned and not pinned.get("imported"):
            raise bad_tree(name, "is a run of Solon's own", "choose another --run-id")
        bringing = _Bringing(root, into, matters, slug(cell))
        for folder, reader in found:
            bringing.bring(folder, reader)
        if bringing.stored:
            _pin(store, pinned, bringing.stored, corpus or root)
    if not bringing.stored and not bringing.known:
        raise SolonError(bringing.problems[0])
    landing = land_runs(settings, [name])
    verdicts = [a.criteria for a in bringing.stored if a.criteria]
    return ImportResult(
        run_id=name,
        imported=len(bringing.stored),
        known=bringing.known,
        scored=len(verdicts),
        verdicts=sum(verdicts),
        gated=bringing.gated,
        problems=tuple(bringing.problems),
        notes=(*(f"{n} x {note}" for note, n in bringing.notes.items()), *landing.lines()[1:]),
        landed=landing.published,
    )


class _Bringing:
    """Stores the attempts of a tree one by one, each once."""

    def __init__(self, root: Path, into: Into, matters: Mapping[str, Matter], cell: str) -> None:
        self.root, self.into, self.matters, self.cell = root, into, matters, cell
        self.earlier = _earlier(into.store)
        self.stored: list[Attempt] = []
        self.problems: list[Failure] = []
        self.notes: Counter[str] = Counter()
        self.known = self.gated = 0

    def bring(self, folder: Path, reader: Reader) -> None:
        """Store one attempt, or note why not."""
        try:
            told = reader(folder, self.root)
            matter = self._matter(told)
            source = folder.relative_to(self.root).as_posix()
            if self._is_known(told, matter, source):
                self.known += 1
                return
            named = replace(told, cell=self.cell or told.cell)
            attempt, imported = store_attempt(named, matter, source, self.into)
        except SolonError as exc:
            self.problems.append(exc.failure)
            return
        except OSError as exc:
            subject = exc.filename or folder
            self.problems.append(bad_tree(str(subject), f"cannot be read ({exc.strerror})", "repair it").failure)
            return
        self.stored.append(attempt)
        self.notes.update(imported.notes)
        self.gated += imported.gated

    def _is_known(self, told: Told, matter: Matter, source: str) -> bool:
        if source not in self.earlier:
            return False
        sha256, digest = self.earlier[source]
        if (sha256, digest) == (source_hash(told), matter.digest):
            return True
        message = "was imported before from other files, or with another corpus; an attempt never changes"
        raise bad_tree(told.folder, message, "import the tree under another --run-id")

    def _matter(self, told: Told) -> Matter:
        """Return the matter of the corpus, or what the tree tells of it.

        Raises:
            SolonError: The tree does not name its task, or the corpus does not hold it.
        """
        if not told.task:
            raise bad_tree(told.folder, "does not say which task was solved", "name its folder after the task")
        if self.matters:
            if len(fitting := _fitting(_plain(told.task), self.matters)) == 1:
                return fitting[0]
            if told.folder == self.root and len(self.matters) == 1:  # one draft, and the one task that it can answer
                return next(iter(self.matters.values()))
            which = "several tasks of the corpus are called" if fitting else "no task of the corpus is called"
            remedy = f"name the folder as its task is named, as {next(iter(self.matters.values())).matter_id}"
            raise bad_tree(told.folder, f"{which} {told.task}", remedy)
        area = told.task.split("/")[0] if "/" in told.task else ""
        return Matter(matter_id=told.task, title="", area=area, instructions=told.brief)


def _earlier(store: AttemptStore) -> dict[str, tuple[str, str]]:
    """Return source hash and matter digest of what was imported into a run, by the folder it came from."""
    found: dict[str, tuple[str, str]] = {}
    for attempt in store.ended():
        try:
            told = Imported.model_validate_json((store.path(attempt) / IMPORTED_NAME).read_bytes())
        except (OSError, ValidationError):
            continue  # not imported, or without its record: then it is stored beside it, under another number
        found[told.source] = (told.sha256, attempt.matter_digest)
    return found


def _matters(corpus: Path | None, settings: Settings) -> dict[str, Matter]:
    if corpus is None:
        return {}
    loaded = load_corpus(corpus, settings.sealed, None, settings.cache)
    if not loaded.matters:
        raise SolonError(loaded.problems[0])
    return {_plain(matter.matter_id): matter for matter in loaded.matters}


def _fitting(task: str, matters: Mapping[str, Matter]) -> list[Matter]:
    """Return the matter of this name, else those whose name ends in it: folders of drafts leave out the area."""
    if task in matters:
        return [matters[task]]
    return [matter for name, matter in matters.items() if name.endswith(f"-{task}")]


def _plain(task: str) -> str:
    """Return the id of a task without what runners spell differently: case, dashes, underscores, slashes."""
    return re.sub(r"[^a-z0-9]+", "-", task.lower()).strip("-")


def _pin(store: AttemptStore, pinned: dict[str, Any] | None, stored: list[Attempt], corpus: Path) -> None:
    """Write run.json, which marks the run as imported, so that no cell of ours continues it."""
    before = pinned or {"starts": [], "cells": {}}
    utc = time_after([datetime.fromisoformat(start["utc"]) for start in before["starts"]])
    cells = {a.cell.name: {"digest": a.cell_digest, "cell": a.cell.model_dump(mode="json")} for a in stored}
    start = {"utc": utc.isoformat(), "matters": len({a.matter_id for a in store.ended()}), "compute": "import"}
    content = {
        "schema_version": 1,
        "run_id": store.run_id,
        "imported": True,
        "corpus": corpus.resolve().name,
        "harness_version": "",
        "judge_profile": "",
        "packages": {"solon": metadata.version("solon")},
        "cells": {**before["cells"], **cells},
        "starts": [*before["starts"], start],
    }
    write_json(store.folder / "run.json", content)
