"""A small corpus of leases with anchored rubrics, which the extractive runtime solves without a model.

Every rubric holds a canary: a word that may be found only where verdicts are kept.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

CANARY = "quagmire-lantern-canary"
_STATES = ("Ohio", "Utah", "Iowa", "Texas", "Maine", "Idaho", "Nevada", "Kansas")
_FILLER = "The parties shall perform their duties under this Lease in good faith and at their own expense. "


def write_corpus(root: Path, matters: int, filler: int = 40) -> list[Path]:
    """Write leases and return the folders of their tasks.

    Args:
        root: Folder of the corpus.
        matters: How many tasks.
        filler: Paragraphs of plain text in each lease, so that reading it takes some time.
    """
    return [_write_task(root / "leases" / f"lease-{i:02}", i, filler) for i in range(matters)]


def lease(i: int, filler: int = 40) -> str:
    """Return the text of lease number ``i``."""
    paragraphs = "".join(f"\n{n}. Duties\n\n{_FILLER * 3}\n" for n in range(5, 5 + filler))
    return (
        f'LEASE AGREEMENT\n\nThis Lease is dated March {3 + i % 20}, 2021 between Alder Holdings LLC (the "Landlord") '
        f'and Birch Bakery Inc. (the "Tenant").\n\n1. Rent\n\nTenant shall pay rent of ${1_200 + 100 * i:,} a month.'
        f"\n\n2. Governing Law\n\nThis Lease is governed by the laws of the State of {_STATES[i % len(_STATES)]}.\n\n"
        "3. Assignment\n\nTenant may not assign this Lease without the prior written consent of Landlord.\n\n"
        f"4. Termination\n\nEither party may terminate this Lease on thirty (30) days' written notice.\n{paragraphs}"
    )


def _write_task(folder: Path, i: int, filler: int) -> Path:
    (folder / "documents").mkdir(parents=True)
    (folder / "documents" / "lease.txt").write_text(lease(i, filler), encoding="utf-8")
    criteria = [
        _criterion("C-001", "Agreement date", "agreement date", "date", f"2021-03-{3 + i % 20:02}"),
        _criterion("C-002", "Governing law", "governing law", "value", _STATES[i % len(_STATES)]),
        _criterion("C-003", "Assignment", "assignment", "span", "may not assign this Lease without prior consent"),
        {"id": "C-004", "title": "Style", "match_criteria": f"PASS if it reads well. {CANARY}"},
    ]
    task = {
        "title": "Lease abstract",
        "instructions": "State the agreement date, the governing law and the assignment clause. Write `memo.docx`.",
        "deliverables": {"memo.docx": "memo.docx"},
        "criteria": criteria,
    }
    (folder / "task.json").write_text(json.dumps(task), encoding="utf-8")
    return folder


def _criterion(id_: str, title: str, facet: str, kind: str, gold: str) -> dict[str, Any]:
    match = {"kind": kind, "any": [gold]}
    anchor = {"document": "lease.txt", "scope": ["lease.txt"], "facet": [facet], "match": match}
    return {"id": id_, "title": title, "match_criteria": f"PASS if it is right. {CANARY}", "anchors": [anchor]}
