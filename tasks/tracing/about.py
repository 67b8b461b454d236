"""What is known of an attempt beside its trace."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from tasks.matter.usage import Usage
from tasks.release.records import ReleaseReport
from tasks.sources.records import CanonicalText


@dataclass(frozen=True)
class About:
    """What is known of an attempt beside its trace.

    Attributes:
        texts: Canonical texts of the data room, by name.
        drafts: Canonical texts of the work product, by file name.
        wanted: File names of the deliverables; empty where any file counts.
        redlines: Of these, which were to be marked up.
        report: Its release report.
        revise: How many passes of revision its cell allows.
        mandatory: Tools that its skill calls mandatory.
        skill: Name of the skill that the matter was given, as an agent program finds it.
        usage: What the attempt is billed for; of a runtime that keeps no account, what its trace says.
        cached_read_rate: US dollars for a million tokens read from the provider's cache; None where it is not known.
    """

    texts: Mapping[str, CanonicalText] = field(default_factory=dict)
    drafts: Mapping[str, CanonicalText] = field(default_factory=dict)
    wanted: tuple[str, ...] = ()
    redlines: frozenset[str] = frozenset()
    report: ReleaseReport | None = None
    revise: int = 0
    mandatory: tuple[str, ...] = ()
    skill: str = ""
    usage: Usage = field(default_factory=Usage)
    cached_read_rate: float | None = None
