"""Which matters an edit can act upon in a cell without a model, so that no other need be run to see that it does not.

A provision of the catalogue acts where it is asked for: where a brief has all words of one of its names, or meets a
pattern of what asks for it. One that says when a contract ends is also looked for unasked, for periods that run from
there. Every other file of the harness may act upon any matter.

This is a reading of how the extractive runtime uses the catalogue, not a proof. So it decides where nothing is
promoted: in screening, and in what each edit of a group that *was* promoted is credited with. What a test rests on is
always run.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path, PurePosixPath
from typing import Final

from knowledge_db.records import ProvisionEntry
from tasks.harness import SKILL_SURFACES, HarnessRef
from tasks.legaltext.fold import straight
from tasks.legaltext.tokens import terms
from tasks.matter.base import content_hash
from tasks.matter.records import Matter
from tasks.retrieval.provisions import Provision, provision

RUNTIME: Final = "extractive"
"""The runtime whose use of the catalogue this is a reading of."""
_PROVISIONS: Final = "provisions"
_UNASKED: Final = "expiration_date"


def reaches(one: HarnessRef, other: HarnessRef, matter: Matter) -> bool:
    """Tell whether what parts two harness versions can change the work on a matter, in a cell without a model."""
    parted = _parted(one, other)
    if parted is None:
        return True
    return any(asked(known, brief_of(matter)) for known in parted)


class StandIns:
    """Gives for a harness and a matter one that works on it alike: the first that was named of those that do.

    Of three harnesses, if nothing that parts the first from the second, or the second from the third, reaches a matter,
    neither does what parts the first from the third: so it does not matter which of them is asked about.
    """

    def __init__(self) -> None:
        self._named: dict[str, list[HarnessRef]] = {}

    def __call__(self, harness: HarnessRef, matter: Matter) -> HarnessRef:
        """Return the one that stands for a harness; itself where none that was named before does."""
        named = self._named.setdefault(matter.matter_id, [])
        found = next((one for one in named if one == harness or not reaches(one, harness, matter)), None)
        if found is None:
            named.append(harness)
        return found or harness


def brief_of(matter: Matter) -> str:
    """Return what a matter asks, in which provisions are looked for."""
    return f"{matter.title}. {matter.instructions}"


def asked(known: Provision, brief: str) -> bool:
    """Tell whether a brief asks for a provision: by its name, or by a pattern of what asks for it."""
    plain, words = _read(brief)
    named = any(found and found <= words for found in (frozenset(terms(name)) for name in known.names))
    return named or any(pattern.search(plain) for pattern in known.asked)


@lru_cache(maxsize=1024)
def _read(brief: str) -> tuple[str, frozenset[str]]:
    return straight(brief), frozenset(terms(brief))


@lru_cache(maxsize=4096)
def _parted(one: HarnessRef, other: HarnessRef) -> tuple[Provision, ...] | None:
    """Return the provisions that only one of two harness versions holds as they are; None where more parts them."""
    files = [_files(ref) for ref in (one, other)]
    changed = [name for name in {*files[0], *files[1]} if files[0].get(name) != files[1].get(name)]
    if any(PurePosixPath(name).parts[:2] != ("knowledge", _PROVISIONS) for name in changed):
        return None
    entries = [{e for name in changed for e in _entries(ref, name)} for ref in (one, other)]
    found = [ProvisionEntry.model_validate_json(text) for text in entries[0] ^ entries[1]]
    return None if any(entry.answer == _UNASKED for entry in found) else tuple(map(provision, found))


@lru_cache(maxsize=1024)
def _files(ref: HarnessRef) -> dict[str, str]:
    """Return the hash of every file by its place; a file that is in both versions is read in both."""
    tops = [("knowledge", ref.knowledge), *((f"skills/{name}", ref.skills / name) for name in SKILL_SURFACES)]
    found = ((f"{name}/{path.relative_to(top).as_posix()}", path) for name, top in tops for path in _below(top))
    return {name: content_hash(path.read_bytes().decode("utf-8", "replace")) for name, path in found}


def _below(top: Path) -> Iterator[Path]:
    yield from (p for p in ([top] if top.is_file() else sorted(top.rglob("*"))) if p.is_file())


def _entries(ref: HarnessRef, name: str) -> Iterator[str]:
    """Return the entries of a file of provisions, as texts that can be compared."""
    path = ref.knowledge.joinpath(*PurePosixPath(name).parts[1:])
    if path.is_file():
        for raw in tomllib.loads(path.read_text("utf-8")).get("provision", []):
            yield ProvisionEntry.model_validate(raw).model_dump_json()
