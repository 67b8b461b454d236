"""How far a row of law can be relied on: as of when it was read, what changed since, against what it was checked.

Read API over ``data/changes`` (amendments, by citation) and ``data/checks`` (confirmations, by entry).
Whatever shows a row of law shows its standing with it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from pydantic import Field

from knowledge_db.load import rows_of
from knowledge_db.records import KnowledgeRow, ProvenanceSource, wider_citations

Level = Literal["official text", "second source", "not checked"]
_OF_SOURCE: Mapping[str, Level] = {"official": "official text"}


class LawChange(KnowledgeRow):
    """A change of the law that a row may not tell yet.

    Attributes:
        citation: The provision, as the catalogue cites it, or what contains it.
        since: Day from which the change is in force, or was enacted where its force begins in steps.
        what: The change, in a few words.
    """

    citation: str
    since: str = Field(pattern=r"^\d{4}-\d\d-\d\d$")
    what: str = Field(min_length=8)


class LawCheck(KnowledgeRow):
    """A confirmation of a row.

    Attributes:
        entry: The citation of an authority, or the id of a window.
        level: Whether the official text was read, or independent public texts say the same.
        by: Where it was read.
        on: Day of the check.
    """

    entry: str
    level: Literal["official text", "second source"]
    by: str
    on: str = Field(pattern=r"^\d{4}-\d\d-\d\d$")


class Standing(KnowledgeRow):
    """How far a row can be relied on.

    Attributes:
        as_of: What day or year the row tells the law of.
        changed_since: What changed after that; empty where nothing is known.
        verified: Against what the row was checked.
        said: The same in a sentence for a reader.
    """

    as_of: str
    changed_since: str
    verified: Level
    said: str


class Standings:
    """The standing of the rows below one folder of knowledge data."""

    def __init__(self, folder: Path) -> None:
        """Remember the folder; it is read at the first question."""
        self._folder = folder

    def load(self) -> None:
        """Read both tables.

        Raises:
            KnowledgeError: A row breaks its schema; the message names the file and the row.
        """
        _ = self.changes, self.checks

    @cached_property
    def changes(self) -> tuple[LawChange, ...]:
        """The known changes."""
        return rows_of(self._folder, "changes", LawChange)

    @cached_property
    def checks(self) -> tuple[LawCheck, ...]:
        """The confirmations."""
        return rows_of(self._folder, "checks", LawCheck)

    def of(self, row: Mapping[str, Any]) -> Standing:
        """Return the standing of an authority or a window, given as its fields."""
        as_of = str(row.get("as_of", ""))
        since = [f"{change.since}: {change.what}" for change in self.changed(row)]
        verified = self._verified(row)
        parts = [f"as of {as_of or 'an unknown day'}"]
        parts += [f"CHANGED SINCE: {'; '.join(since)}"] if since else []
        parts += [_SAID[verified]] if _SAID[verified] else []
        return Standing(as_of=as_of, changed_since="; ".join(since), verified=verified, said="; ".join(parts))

    def told(self, row: Mapping[str, Any]) -> dict[str, Any]:
        """Return a row with its standing, for whoever is shown it."""
        found = self.of(row)
        return {**row, "changed_since": found.changed_since, "verified": found.verified, "standing": found.said}

    def changed(self, row: Mapping[str, Any]) -> tuple[LawChange, ...]:
        """Return what changed of an authority or a window since the day or year that it tells the law of."""
        cited = (row.get("citation") or row.get("authority", ""), *row.get("also_cited", ()))
        return tuple(self._since(cited, str(row.get("as_of", ""))))

    def _since(self, cited: Sequence[str], as_of: str) -> Iterator[LawChange]:
        """Yield the changes of a provision, of what contains it, and of its parts, that came after a day or year."""
        known = f"{as_of}-12-31" if len(as_of) == len("2024") else as_of
        wider = {whole for citation in cited for whole in wider_citations(citation)}
        for change in self.changes:
            if change.since > known and (
                change.citation in wider or set(cited) & set(wider_citations(change.citation))
            ):
                yield change

    def _verified(self, row: Mapping[str, Any]) -> Level:
        if check := self._checked.get(row.get("window_id") or row.get("citation", "")):
            return check.level
        # a window whose section alone was seen to exist is not checked: its period was not read
        said = str(row.get("provenance", ""))
        level = next((source.level for source in self._sources if said.startswith(source.source)), "")
        return _OF_SOURCE.get(level, "not checked")

    @cached_property
    def _checked(self) -> dict[str, LawCheck]:
        return {check.entry: check for check in self.checks}

    @cached_property
    def _sources(self) -> tuple[ProvenanceSource, ...]:
        return rows_of(self._folder, "provenance", ProvenanceSource)


_SAID: Mapping[Level, str] = {
    "official text": "",
    "second source": "confirmed by a second source, not by the official text",
    "not checked": "from general knowledge, not checked against any text",
}
