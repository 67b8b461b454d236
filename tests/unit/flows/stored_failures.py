"""Writes stored attempts that went wrong, one for each way in which a mechanism helps, and sound ones beside them.

``python tests/unit/flows/stored_failures.py FOLDER`` leaves them in a folder for ``solon study replay all``.
"""

from __future__ import annotations

import hashlib
import json
import sys
from pathlib import Path
from typing import Any

from tasks.drafting.records import WorkProduct
from tasks.matter.records import Deliverable, DocumentRef, Matter
from tasks.release.build.deliverable import deliverable_bytes

LEASE = """LEASE between Harborview Properties LLC ("Landlord") and Quillfeather Bakery, Inc. ("Tenant").

The Tenant shall pay Base Rent of $4,000. The Landlord shall keep the Premises and the Common Areas in repair. The
Security Deposit is $8,000 and the Permitted Use is a bakery. This Lease is governed by the laws of the State of Ohio.
"""
AMENDMENT = """FIRST AMENDMENT between Harborview Properties LLC ("Landlord") and Quillfeather Bakery, Inc. ("Tenant").

The Base Rent is raised to $4,500 and the Security Deposit stays. The Permitted Use is widened to a coffee roaster.
"""
COMPLAINT = """COMPLAINT. Marisol Okonkwo, an employee of Zephyrline Logistics Corporation, brings this action under
Title VII against it and Brightmoor Staffing Partners for a Hostile Work Environment, Retaliatory Discharge, Back Pay
and Front Pay. The Equal Employment charge was filed; the Supervisor denied a promotion.
"""
BRIEF = "Review the lease of Quillfeather Bakery and its amendment: rent, deposit, repair, use. Output: `memo.docx`"
RIGHT = """# Memo on the lease

Harborview Properties LLC lets the Premises to Quillfeather Bakery, Inc. The Base Rent was $4,000 and is now $4,500. The
Security Deposit is $8,000. The Landlord keeps the Premises and the Common Areas in repair. The Permitted Use is a
bakery, widened by the amendment to a coffee roaster. The tenant should note that the rent was raised by the amendment
and that the deposit stays as it was. We recommend to sign the amendment after the insurer has agreed to the roaster,
and to keep proof of the deposit. The lease is governed by the laws of the State of Ohio, and so is its amendment.

| No. | Asked | State | Answer | Where |
|---|---|---|---|---|
{asks}
"""
WRONG = """# Memo on the complaint

Zephyrline Logistics Corporation and Brightmoor Staffing Partners face an action by Marisol Okonkwo under Title VII for
a Hostile Work Environment and Retaliatory Discharge. She seeks Back Pay and Front Pay. The Supervisor denied a
promotion after the Equal Employment charge was filed. We assess exposure, the burden of showing pretext, causation,
temporal proximity and mitigation of damages, and recommend that Zephyrline Logistics Corporation preserve its files,
interview the Supervisor and prepare an answer with affirmative defenses. Brightmoor Staffing Partners may be a joint
employer and should tender its defense to its carrier without delay.
"""
PARTS = (
    "# Lease Abstract\n\n" + RIGHT.partition("\n\n")[2].partition("|")[0],
    "## 2. Rent\n\n" + "Rent is due monthly. " * 30,
    "## 3. Closing\n\nThe deposit is returned within thirty days after the end of the term of this lease, less costs.",
)


def word(markdown: str) -> bytes:
    """Return a Word file."""
    return deliverable_bytes(markdown, None, ".docx")


def right() -> bytes:
    """Return a draft of the matter that gives every ask a state."""
    rows = "\n".join(f"| {n} | … | answered | Yes | § {n} |" for n in range(1, 12))
    return word(RIGHT.format(asks=rows))


def call(tool: str, arguments: Any, turn: int = 1, result: str = "ok", failed: bool = False) -> list[dict[str, Any]]:
    """Return the rows of a tool call."""
    text = arguments if isinstance(arguments, str) else json.dumps(arguments)
    return [
        {"turn": turn, "role": "assistant", "text": "", "tool_calls": [{"name": tool, "arguments": text}]},
        {"turn": turn, "role": "tool", "tool_name": tool, "result_preview": result, "failed": failed},
    ]


def write_attempt(
    folder: Path,
    rows: list[dict[str, Any]],
    output: dict[str, bytes] | None = None,
    scratch: dict[str, bytes] | None = None,
    said: str = "The memo is done.",
    passed: int = 0,
    wanted: str = "memo.docx",
    brief: str = BRIEF,
    demanded: tuple[str, ...] = (),
) -> None:
    """Write one attempt in our own layout, with its matter and the judge's score of ten criteria."""
    documents = {"lease.txt": LEASE, "amendment.txt": AMENDMENT, "complaint.txt": COMPLAINT}
    files = {f"documents/{name}": text.encode() for name, text in documents.items()}
    files |= {f"output/{name}": data for name, data in (output or {}).items()}
    files |= {f"scratch/{name}": data for name, data in (scratch or {}).items()}
    ended = {"turn": 99, "role": "assistant", "text": said, "tool_calls": []}
    files["transcript.jsonl"] = "\n".join(map(json.dumps, [*rows, ended])).encode()
    files["work.json"] = WorkProduct(files=(), outcome="finished").model_dump_json().encode()
    files["metrics.json"] = json.dumps({"mandatory_tools": demanded}).encode()
    files["scores.json"] = json.dumps({"n_criteria": 10, "n_passed": passed}).encode()
    for name, data in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    refs = tuple(
        DocumentRef(
            name=name,
            path=folder / "documents" / name,
            sha256=hashlib.sha256(text.encode()).hexdigest(),
            size=len(text.encode()),
        )
        for name, text in sorted(documents.items())
    )
    matter = Matter(
        matter_id=folder.name, title="Lease", area="real-estate", instructions=brief, documents=refs,
        deliverables=(Deliverable(name="memo", filename=wanted),),
    )  # fmt: skip
    (folder / "matter.json").write_text(matter.model_dump_json(), encoding="utf-8")


def write_failures(root: Path) -> None:
    """Write them all: the first part of a folder's name is the mechanism that should act, or ``sound``."""
    good = {"memo.docx": right()}
    read = call("read", {"file_path": "lease.txt"}, result=LEASE)
    write_attempt(
        root / "call_repair-cut", [*read, *call("read", '{"file_path": "lease.txt"', 2, "no JSON", True)], good
    )
    write_attempt(
        root / "call_repair-quotes", [*read, *call("Read", "{'file_path': 'lease.txt',}", 2, "?", True)], good
    )
    said = '<tool_call>{"name": "read", "arguments": {"file_path": "amendment.txt"}}</tool_call>'
    write_attempt(root / "call_repair-spoken", read, good, said=said)
    long = [row for n in range(9) for row in call("read", {"file_path": "lease.txt", "n": n}, n + 1, LEASE * 8)]
    write_attempt(root / "compaction-long", long, good)
    write_attempt(root / "finish_guard-announced", read, said="I have read the lease. Now I will write the memo.")
    failed = call("write", {"file_path": "memo.docx", "content": "x"}, 2, "the disk is full", failed=True)
    write_attempt(root / "finish_guard-failed", [*read, *failed])
    write_attempt(root / "completion-missing", read)
    write_attempt(
        root / "completion-stub", read, {"memo.docx": word("# Memo\n\n## Facts\n\n[insert facts]\n\n## Advice\n")}
    )
    write_attempt(root / "completion-plain", read, {"memo.docx": right()[:0] + RIGHT.encode()})
    write_attempt(root / "mandatory_tools-unused", read, good, demanded=("read", "authority"))
    write_attempt(root / "matter_fidelity-stray", read, {"memo.docx": word(WRONG)})
    odd = RIGHT.replace("Harborview Properties LLC", "Zanzibar Estates LLC").replace("Ohio", "Delaware")
    write_attempt(root / "entity_lock-names", read, {"memo.docx": word(odd)})
    write_attempt(root / "landing-folder", read, {"drafts/Memo.docx": right()})
    write_attempt(root / "landing-suffix", read, {"memo.docx.md": RIGHT.encode()})
    write_attempt(root / "landing-plain", read, {"memo.docx": RIGHT.encode()})
    write_attempt(root / "landing-scratch", read, {}, {"memo.docx": right()})
    chunks = [
        row for n, part in enumerate(PARTS) for row in call("write", {"file_path": "abstract.md", "content": part}, n)
    ]
    write_attempt(root / "reassembly-chunks", chunks, {"abstract.md": PARTS[-1].encode()}, wanted="abstract.md")
    again = f"Second request. {BRIEF}"
    for name, file, passed in (("astray", word(WRONG), 0), ("right", right(), 9), ("stub", word("# Memo\n\nTBD"), 1)):
        write_attempt(root / f"vote-{name}", read, {"memo.docx": file}, passed=passed, brief=again)
    write_attempt(root / "sound-memo", read, good, passed=9, demanded=("read",))
    write_attempt(
        root / "sound-notes", read, {**good, "notes.md": RIGHT.encode()}, {"memo.docx": word(WRONG)}, passed=8
    )
    once = call("write", {"file_path": "abstract.md", "content": "".join(PARTS)})
    write_attempt(root / "sound-once", once, {"abstract.md": "".join(PARTS).encode()}, passed=10, wanted="abstract.md")


if __name__ == "__main__":
    write_failures(Path(sys.argv[1]))
