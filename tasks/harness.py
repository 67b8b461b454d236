"""The harness: what decides how matters are worked on, as data. Parsed once in each process, handed to the stages.

A harness version is two folders: the knowledge (``knowledge_db/data``), and the skills with their defaults, the
prompts and the gates (``skills_repo``). Between processes travels a :class:`HarnessRef`, which names the folders;
:func:`parsed` gives what they hold.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

import knowledge_db
import skills_repo
from knowledge_db import KnowledgeBase
from skills_repo.agent_settings import AgentSettings, load_agent
from skills_repo.class_cues import ClassCues, load_classes
from skills_repo.learned import Learned, load_learned
from skills_repo.mechanism_settings import MechanismSettings, load_mechanisms
from skills_repo.prompt_files import Prompts, load_prompts
from skills_repo.release_gates import GateSettings, load_gates
from skills_repo.schema import Skill, load_skills
from tasks.legaltext.tokens import terms
from tasks.matter.base import Record
from tasks.matter.failures import Failure, FailureCause, SolonError

SKILL_SURFACES = (
    *("skills", "prompts", "tools", "mechanisms"),
    *("procedure.toml", "classes.toml", "gates.toml", "agent.toml", "mechanisms.toml"),
)


class HarnessRef(Record):
    """Where a harness version lies, and the content hash of what lies there.

    Attributes:
        knowledge: Folder of the knowledge data.
        skills: Folder of skills, prompts and gates.
        version: Content hash over both (64 hex digits).
    """

    knowledge: Path
    skills: Path
    version: str


@dataclass(frozen=True)
class Harness:
    """A harness version as the stages use it. Stages are given its parts.

    Attributes:
        version: Content hash (64 hex digits).
        knowledge: Authorities, deadlines, calendars, deliverables, provisions, vocabularies … and how to ask them.
        skills: Procedures for classes of matters, ordered by id.
        prompts: Whole prompts by role.
        gates: Severities and thresholds of the release gates.
        agent: How much an agent with tools is told, and when its loop goes in circles.
        mechanisms: Switches, thresholds and words of the mechanisms around a model.
        learned: Tools and mechanisms that a learner wrote; they are run in a sandbox alone.
        classes: By which words of a title the class of a matter is known.
    """

    version: str
    knowledge: KnowledgeBase
    skills: tuple[Skill, ...]
    prompts: Prompts
    gates: GateSettings
    agent: AgentSettings
    mechanisms: MechanismSettings
    learned: tuple[Learned, ...] = ()
    classes: ClassCues = field(default_factory=ClassCues)


def find_harness(root: Path | None = None) -> HarnessRef:
    """Return the harness below ``root``, or the packaged one.

    Args:
        root: A folder with ``knowledge_db/data`` and ``skills_repo``, e.g. a candidate of the learner.
    """
    if root is None:
        knowledge = Path(str(knowledge_db.__file__)).parent / "data"
        skills = Path(str(skills_repo.__file__)).parent
    else:
        knowledge, skills = root / "knowledge_db" / "data", root / "skills_repo"
    return HarnessRef(knowledge=knowledge, skills=skills, version=harness_version(knowledge, skills))


@lru_cache(maxsize=4)
def parsed(ref: HarnessRef) -> Harness:
    """Return what a harness holds: skills, prompts and gates at once, a family of the knowledge at its first use.

    Raises:
        SolonError: A file breaks its schema, holds an unknown key, or is missing (``input``).
    """
    try:
        return Harness(
            version=ref.version,
            knowledge=_knowledge(ref.knowledge),
            skills=load_skills(ref.skills),
            prompts=load_prompts(ref.skills),
            gates=load_gates(ref.skills),
            agent=load_agent(ref.skills),
            mechanisms=load_mechanisms(ref.skills),
            learned=load_learned(ref.skills),
            classes=load_classes(ref.skills),
        )
    except (ValueError, OSError) as error:  # every schema of the harness reports by the first; a file may be missing
        raise _broken(ref, error) from error


def _knowledge(folder: Path) -> KnowledgeBase:
    """Return the knowledge of a folder; what it shares with one that was read before is not read again."""
    digest = hashlib.sha256()
    for name, path in sorted(_files(folder)):
        if not name.startswith("provisions/"):
            digest.update(f"{name}\0{hashlib.sha256(path.read_bytes()).hexdigest()}\n".encode())
    alike = _alike(digest.hexdigest())
    alike.append(alike[0].with_provisions_of(folder) if alike else KnowledgeBase(folder, terms))
    return alike.pop() if len(alike) > 1 else alike[0]


@lru_cache(maxsize=2)
def _alike(digest: str) -> list[KnowledgeBase]:  # noqa: ARG001  (the key)
    """Return the knowledge that was read first of that with this content beside its provisions; nothing before."""
    return []


def packaged() -> Harness:
    """Return the packaged harness, parsed: for tools and benches that no run stands behind."""
    return parsed(_packaged_ref())


@lru_cache(maxsize=1)
def _packaged_ref() -> HarnessRef:
    return find_harness()


def validated(ref: HarnessRef) -> HarnessRef:
    """Return a harness of which every file was parsed; the driver of a run asks this before any work starts.

    Raises:
        SolonError: As :func:`parsed`, for every family.
    """
    try:
        parsed(ref).knowledge.load_all()
    except (ValueError, OSError) as error:
        raise _broken(ref, error) from error
    return ref


def harness_version(knowledge: Path, skills: Path) -> str:
    """Hash the editable surfaces: every file of the knowledge data, and skills, prompts and gates.

    The order in which files are found and the place where they lie do not matter; caches and hidden files do not count.
    """
    digest = hashlib.sha256()
    named = [("knowledge/" + name, path) for name, path in _files(knowledge)]
    for surface in SKILL_SURFACES:
        top = skills / surface
        found = [("", top)] if top.is_file() else list(_files(top))
        named.extend((f"skills/{surface}/{name}", path) for name, path in found)
    for name, path in sorted(named):
        content = hashlib.sha256(path.read_bytes()).hexdigest()
        digest.update(f"{name}\0{content}\n".encode())
    return digest.hexdigest()


def surface_versions(ref: HarnessRef) -> dict[str, dict[str, Any]]:
    """Return the number of files and the content hash of each surface, so that two versions can be told apart."""
    told = {}
    for name, top in surface_paths(ref).items():
        found = [("", top)] if top.is_file() else sorted(_files(top))
        lines = [f"{below}\0{hashlib.sha256(path.read_bytes()).hexdigest()}\n" for below, path in found]
        told[name] = {"files": len(found), "digest": hashlib.sha256("".join(lines).encode()).hexdigest()}
    return told


def surface_paths(ref: HarnessRef) -> dict[str, Path]:
    """Return where each surface lies, by its name; one that a harness lacks has a path all the same."""
    names = {surface: surface.partition(".")[0] for surface in SKILL_SURFACES} | {"mechanisms": "learned_mechanisms"}
    return {"knowledge": ref.knowledge, **{names[surface]: ref.skills / surface for surface in SKILL_SURFACES}}


def _files(folder: Path) -> Iterator[tuple[str, Path]]:
    if not folder.is_dir():
        return
    for path in folder.rglob("*"):
        parts = path.relative_to(folder).parts
        if path.is_file() and not any(
            p.startswith(".") or p == "__pycache__" or p.endswith((".pyc", "~")) for p in parts
        ):
            yield "/".join(parts), path


def _broken(ref: HarnessRef, error: Exception) -> SolonError:
    return SolonError(
        Failure(
            cause=FailureCause.INPUT,
            stage="harness",
            subject=ref.skills.parent.name,
            message=f"The harness cannot be understood: {error}",
            remedy="correct the named file, or use the packaged harness",
        )
    )
