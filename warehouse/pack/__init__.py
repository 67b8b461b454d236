"""An open data pack: what of a warehouse may be given away, and nothing else."""

from __future__ import annotations

from warehouse.pack.writing import Pack, PackError, write_pack

__all__ = ["Pack", "PackError", "write_pack"]
