"""What the tools of one attempt work on: its room, its texts, and how much one call may show."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cached_property

from tasks.drafting.agent.tools.serving import Served
from tasks.drafting.workspace.paths import Paths
from tasks.drafting.workspace.records import ROOM, Room
from tasks.sources.records import CanonicalText

_MARGIN = 400  # characters kept for the words around what is shown


@dataclass(frozen=True)
class AgentDesk:
    """What the tools of one attempt work on.

    Attributes:
        most: Characters that one call may show.
    """

    room: Room
    served: Served
    most: int

    @cached_property
    def paths(self) -> Paths:
        """The files of the room, confined."""
        return Paths(self.room)

    @property
    def shown(self) -> int:
        """Characters of a document that one call may show."""
        return max(self.most - _MARGIN, self.most // 2)

    def document(self, path: str) -> CanonicalText | None:
        """Return the document that a path names: bare, below documents/, or its text below text/; else None."""
        return self.served.texts.get(self.document_name(path))

    def document_name(self, path: str) -> str:
        """Return a path as the toolbox knows documents: by bare name, other files relative to the room.

        A document below an invented folder ("data-room/lease.docx") is taken for that document.
        """
        said = path.removeprefix(f"{ROOM}/").removeprefix("./")
        bare = said.removeprefix("documents/")
        text = said.removeprefix("text/").removesuffix(".txt")
        if bare in self.served.texts:
            return bare
        if said.startswith("text/") and text in self.served.texts:
            return text
        elsewhere = [
            name for name in self.served.texts if said.endswith(f"/{name}") and not said.startswith(("/", ".."))
        ]
        own = said.startswith(("output/", "scratch/"))
        return elsewhere[0] if len(elsewhere) == 1 and not own else said

    def bounded(self, text: str, name: str) -> str:
        """Return as much of a long result as fits, and where the rest is: the whole is kept below scratch/results/.

        Args:
            text: The result.
            name: A file name for it; results that differ are kept side by side.
        """
        if len(text) <= self.most:
            return text
        data = text.encode("utf-8", "replace")
        stem, _, suffix = name.rpartition(".")
        kept = f"scratch/results/{stem}-{hashlib.sha256(data).hexdigest()[:8]}.{suffix}"
        self.paths.write(kept, data)
        cut = text[: self.shown]
        place = f"offset {cut.count(chr(10)) + 1}, skip {len(cut) - cut.rfind(chr(10)) - 1}"
        return f"{cut}\n[… {len(text) - len(cut)} of {len(text)} characters more: read {kept}, {place}]"
