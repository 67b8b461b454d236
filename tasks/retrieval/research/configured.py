"""What the user lends the researcher: a folder of exemplars, and a server to ask. Neither is there by default."""

from __future__ import annotations

from pathlib import Path

from tasks.matter.base import Record
from tasks.retrieval.research.external import McpServer
from tasks.retrieval.table import read_table


class ResearchProfile(Record):
    """What is lent.

    Attributes:
        exemplars: Folder of labelled public documents in ContractNLI's form; empty for none.
        server: A server of others that is asked through MCP; None asks nobody.
    """

    exemplars: str = ""
    server: McpServer | None = None

    @property
    def folder(self) -> Path | None:
        """Return the folder of exemplars, if any."""
        return Path(self.exemplars) if self.exemplars else None


def research_in_force(source: Path | None = None) -> ResearchProfile:
    """Return what ``[retrieval.research]`` of a TOML file lends; nothing where it says nothing.

    Args:
        source: The file; the one that ``SOLON_MODELS`` names when None.

    Raises:
        SolonError: The file or the table cannot be understood.
    """
    return read_table("retrieval.research", ResearchProfile.model_validate, source)
