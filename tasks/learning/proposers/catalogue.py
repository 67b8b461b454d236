"""The proposer that draws from a folder of candidate edits: what somebody wrote down, for the gates to decide on.

A candidate edit is a JSON file: the surface and the path that it changes, the passage that it replaces (none: it adds
the file), what stands there afterwards, why it should help, and the general reason that it answers. Like every
proposer it sees the redacted input alone; that it was shipped, or planted, no edit says.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from pydantic import Field, ValidationError

from tasks.learning.records import LONGEST_PATH, Edit, LearnerInput, Surface
from tasks.matter.base import Record
from tasks.matter.failures import Failure, FailureCause, SolonError
from tasks.matter.reasons import Reason


class CatalogueEdit(Record):
    """A candidate edit as a file of a catalogue.

    Attributes:
        surface: The surface that it edits.
        path: POSIX path below the surface's folder.
        before: The passage that it replaces, which must stand in the file once; empty for a file that it adds.
        after: What stands there afterwards.
        rationale: Why it should help, in general terms; no other edit of the catalogue says the same.
        reason: The general reason that it answers; None where it answers none.
        tests: The text of the tests that come with a tool or mechanism.
    """

    schema_version: int = 1
    surface: Surface
    path: str = Field(min_length=1, max_length=LONGEST_PATH)
    before: str = ""
    after: str
    rationale: str = Field(min_length=1)
    reason: Reason | None = None
    tests: str = ""

    def on(self, text: str, rivals: Collection[str] = ()) -> Edit | None:
        """Return the edit of a file that holds this text (empty: there is none); None where it does not apply.

        Args:
            text: What the file holds.
            rivals: Texts of the whole file that the catalogue knows: one that adds a file may also replace these.
        """
        if not self.before:
            after = "" if text and text not in rivals else self.after
        else:
            after = text.replace(self.before, self.after) if text.count(self.before) == 1 else ""
        if not after or after == text:
            return None
        return Edit(
            surface=self.surface,
            path=self.path,
            before=text,
            after=after,
            rationale=self.rationale,
            reason=self.reason,
            tests=self.tests,
        )


class CatalogueProposer:
    """Offers the edits of a catalogue that apply and were not tried: for the commonest reasons first, then by seed.

    Of one file it offers one edit a step, so that none is made from a text that another has changed; or all that write
    the whole of it, of which one can be taken.
    """

    name = "catalogue"

    def __init__(self, edits: Sequence[CatalogueEdit], surfaces: Sequence[Surface], seed: int = 0) -> None:
        self._edits = [edit for edit in edits if edit.surface in surfaces]
        self._seed = seed
        self._whole: dict[str, set[str]] = {}
        for edit in self._edits:
            if not edit.before:
                self._whole.setdefault(edit.path, set()).add(edit.after)

    def propose(self, given: LearnerInput, limit: int) -> list[Edit]:
        """Return at most ``limit`` edits, each of another file or a whole file for one of the others."""
        reasons = sum((Counter(one.reasons) for one in given.signals), Counter[Reason]())
        texts, found = _texts(given), dict[str, list[Edit]]()
        for one in sorted(self._edits, key=lambda edit: self._rank(edit, reasons)):
            if sum(map(len, found.values())) >= limit:
                break
            whole = self._whole.get(one.path, set())
            edit = one.on(texts.get((one.surface, one.path), ""), whole)
            if edit and not _tried(edit, given.history):
                others = found.setdefault(edit.path, [])
                if all(other.after in whole for other in (*others, edit)) or not others:
                    others.append(edit)
        return [edit for edits in found.values() for edit in edits]

    def _rank(self, edit: CatalogueEdit, reasons: Mapping[Reason, int]) -> tuple[int, str]:
        order = hashlib.sha256(f"{self._seed}:{edit.surface}:{edit.rationale}".encode()).hexdigest()
        return -(reasons.get(edit.reason, 0) if edit.reason else 0), order


def _tried(edit: Edit, history: Collection[str]) -> bool:
    """Whether the history tells of an edit, by its rationale or, where that was withheld, by its digest."""
    return edit.rationale in history or any(line.endswith(edit.digest[:12]) for line in history)


def _texts(given: LearnerInput) -> dict[tuple[str, str], str]:
    """Return the texts that a proposer sees, by surface and path."""
    skills = {f"skills/{skill_id}/SKILL.md": text for skill_id, text in given.skills.items()}
    seen = {"knowledge": given.knowledge, "skills": skills, "agents": given.agents, "tools": given.tools}
    return {(surface, path): text for surface, of in seen.items() for path, text in of.items()}


def read_catalogue(folder: Path | None) -> list[CatalogueEdit]:
    """Return the edits of a catalogue: every ``*.json`` of the folder, by name.

    Raises:
        SolonError: No folder was named, it holds no edit, or a file is no edit (``input``).
    """
    if folder is None or not folder.is_dir():
        raise _refused(str(folder or "catalogue"), "there is no folder of candidate edits", "name one: --catalogue DIR")
    edits: dict[str, CatalogueEdit] = {}
    for path in sorted(folder.glob("*.json")):
        try:
            edit = CatalogueEdit.model_validate_json(path.read_bytes())
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            where = ".".join(map(str, first["loc"])) or "the file"
            raise _refused(path.name, f"is no candidate edit: {where}: {first['msg']}", "correct the file") from None
        if edit.rationale in edits:
            raise _refused(
                path.name, "gives the rationale of another edit, so one would pass for the other", "tell why"
            )
        edits[edit.rationale] = edit
    if not edits:
        raise _refused(str(folder), "holds no candidate edit", "`solon study apart` writes a catalogue")
    return list(edits.values())


def _refused(subject: str, message: str, remedy: str) -> SolonError:
    return SolonError(
        Failure(cause=FailureCause.INPUT, stage="learning", subject=subject, message=message, remedy=remedy)
    )
