"""A made-up matter of real size: 57 criteria on a memorandum of about 6,000 words, half of them met."""

from __future__ import annotations

import json
from pathlib import Path

CRITERIA = 57  # not 2^n, so that the last batch is not full; docs/judging.md reports on this number
_WORDS = 6_000  # after so many words the made-up paper ends
_LOTS = 140  # paragraphs that may be made; the number of words ends the paper first
_KINDS = ("a supply agreement", "a lease of premises", "a licence of software", "a loan facility", "a service contract")
_TOWNS = ("Ashford", "Brinmoor", "Calder", "Dunwick", "Eastholm", "Farleigh", "Gorsebank")


def write_matter(folder: Path) -> Path:
    """Write the task below a folder of its own; return the folder of its work product, which is written too."""
    task, output = folder / "corpus" / "bench" / "portfolio", folder / "output"
    (task / "documents").mkdir(parents=True)
    output.mkdir()
    (task / "documents" / "schedule.txt").write_text("Schedule of contracts.\n", encoding="utf-8")
    told = {
        "title": "Review of a portfolio of contracts before its sale",
        "instructions": "State the terms of each contract of the portfolio. Output: `memo.md`.",
        "deliverables": {"memo.md": "memo.md"},
        "criteria": [_criterion(n) for n in range(CRITERIA)],
    }
    (task / "task.json").write_text(json.dumps(told), encoding="utf-8")
    (output / "memo.md").write_text(_memorandum(), encoding="utf-8")
    return output


def _terms(lot: int) -> tuple[str, str, int, int]:
    return _KINDS[lot % len(_KINDS)], _TOWNS[lot % len(_TOWNS)], 12_000 + 350 * lot, 30 + 5 * (lot % 13)


def _memorandum() -> str:
    parts, words = ["# Memorandum on the portfolio"], 0
    for lot in range(_LOTS):
        kind, town, fee, days = _terms(lot)
        parts.append(f"## Lot {lot}\n")
        parts.append(
            f"Lot {lot} is {kind} with the counterparty in {town}. The yearly fee of lot {lot} is USD {fee:,}, payable "
            f"in arrears. Either side may end lot {lot} on {days} days' written notice, and a change of control of the "
            f"company lets the counterparty in {town} do so at once. We found no cap on the liability under it and "
            "recommend that the buyer ask for an indemnity before it signs."
        )
        words += len(parts[-1].split())
        if words > _WORDS:
            break
    return "\n\n".join(parts) + "\n"


def _criterion(number: int) -> dict[str, str]:
    """Return a criterion as long as those of real rubrics (about 420 characters)."""
    lot = 2 * number if number % 3 else 1000 + number  # of those the memorandum says nothing
    _, town, fee, days = _terms(lot)
    return {
        "id": f"C-{number:03}",
        "title": f"States fee and notice of lot {lot}",
        "match_criteria": f"PASS if the memorandum states that the yearly fee of lot {lot} is USD {fee:,} and that "
        f"either side may end it on {days} days' written notice, and ties both to lot {lot}. FAIL if either figure is "
        f"missing, if it is that of another lot, or if the memorandum says only that notice is required without its "
        f"length. A statement on the counterparty in {town} at large is not enough.",
    }
