"""Where the streams of a command go: into memory or a file, each with a bound."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol


class Sink(Protocol):
    """Takes a stream up to a bound, and drops what comes after."""

    cut: bool

    def take(self, data: bytes) -> None:
        """Take the next bytes."""
        ...

    def close(self) -> None:
        """No more will come."""
        ...


@dataclass
class Kept:
    """A stream kept in memory."""

    most: int
    data: bytearray = field(default_factory=bytearray)
    cut: bool = False

    def take(self, data: bytes) -> None:
        """Keep what there is room for."""
        room = self.most - len(self.data)
        self.data += data[:room]
        self.cut = self.cut or len(data) > room

    def close(self) -> None:
        """Nothing is open."""

    def text(self) -> str:
        """Return it as text."""
        return bytes(self.data).decode("utf-8", "replace")


class Filed:
    """A stream written to a file as it comes."""

    def __init__(self, path: Path, most: int) -> None:
        self._file = path.open("wb", buffering=0)
        self._left = most
        self.cut = False

    def take(self, data: bytes) -> None:
        """Write what there is room for."""
        self._file.write(data[: self._left])
        self.cut = self.cut or len(data) > self._left
        self._left -= min(len(data), self._left)

    def close(self) -> None:
        """Close the file."""
        self._file.close()
