"""The sandbox ``namespaces``: the kernel's own means alone, for machines without bubblewrap."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path

from tasks.drafting.workspace.layout import MEMORY_BYTES, USER, lay_out, specification
from tasks.drafting.workspace.records import Bounds, Command, Room
from tasks.drafting.workspace.running import Launch


def namespaces_launch(command: Command, room: Room, bounds: Bounds) -> Launch:
    """Return how a command is started; raises as ``lay_out``."""
    layout = lay_out(command, room)
    told = json.loads(specification(command, bounds)) | {
        "user": USER,
        "layout": {
            "places": [(inside, str(source), writable) for inside, source, writable in layout.places],
            "links": layout.links,
            "memory_bytes": MEMORY_BYTES,
        },
    }

    def words(told: int, status: int, info: int) -> Sequence[str]:
        start = f"from confine.namespaces import main; main({told}, {status}, {info})"
        code = f"import sys; sys.path.insert(0, {str(Path(__file__).parent)!r}); {start}"
        return (sys.executable, "-I", "-S", "-B", "-c", code)

    return Launch(words, json.dumps(told).encode(), "namespaces")
