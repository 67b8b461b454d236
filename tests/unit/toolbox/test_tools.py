"""The tools on small files of every format: keys of the contract, offsets that hold, typed errors."""

from __future__ import annotations

import json
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest

from tasks.matter.failures import SolonError
from tasks.reconcile.registry import GATES
from tasks.toolbox.desk import Desk
from tasks.toolbox.registry import ToolRegistry

LEASE = (
    'LEASE\n\nThis Lease is dated March 3, 2024 between Alder Holdings LLC (the "Landlord") and Birch Bakery Inc. '
    '(the "Tenant").\n\n1. Rent\n\nTenant shall pay $1.2 million, plus interest at 5%, within thirty (30) '
    "Business Days after notice. See 17 C.F.R. § 240.10b-5.\n\n2. Term\n\nThe term is five (5) years.\n"
)


@pytest.fixture
def room(tmp_path: Path) -> Path:
    room = tmp_path / "room"
    room.mkdir()
    (room / "lease.txt").write_text(LEASE)
    return room


@pytest.fixture
def tools(room: Path) -> ToolRegistry:
    return ToolRegistry(Desk(roots=(room,)))


def built(tools: ToolRegistry, name: str, **content: Any) -> str:
    assert tools.call("build_deliverable", {"path": name, **content})["words"] > 0
    return name


def items(tools: ToolRegistry, tool: str) -> list[dict[str, Any]]:
    found = tools.call(tool, {"path": "lease.txt"})["items"]
    text = tools.call("read", {"path": "lease.txt"})["text"]
    assert found
    assert all(text[i["start"] : i["end"]] == i["text"] for i in found)  # offsets are into what `read` prints
    json.dumps(found)
    return found


def test_number_scan(tools: ToolRegistry) -> None:
    found = {(i["value"], i["unit"]) for i in items(tools, "number_scan")}
    assert {(1_200_000, "USD"), (5, "percent"), (30, "day")} <= found
    assert {"start", "end", "text", "value", "unit", "kind"} <= set(items(tools, "number_scan")[0])


def test_date_scan(tools: ToolRegistry) -> None:
    found = items(tools, "date_scan")
    assert "2024-03-03" in {i.get("iso") for i in found}
    window = next(i["window"] for i in found if "window" in i and i["window"]["n"] == 30)
    assert (window["unit"], window["calendar"], window["direction"]) == ("day", "business", "after")
    assert "notice" in window["trigger"]


def test_citation_scan(tools: ToolRegistry) -> None:
    assert [(i["kind"], "240.10b-5" in i["canonical"]) for i in items(tools, "citation_scan")] == [("regulation", True)]


def test_read_serves_a_part_with_its_segments(tools: ToolRegistry) -> None:
    whole = tools.call("read", {"path": "lease.txt"})
    part = tools.call("read", {"path": "lease.txt", "start": 10, "end": 20})
    assert part["text"] == whole["text"][10:20]
    assert part["characters"] == whole["characters"]
    assert all(s["end"] > 10 and s["start"] < 20 for s in part["segments"])


def test_summaries_are_verbatim_lines_of_about_a_quarter(tools: ToolRegistry, room: Path) -> None:
    (room / "long.txt").write_text(LEASE + "\n\nThis sentence is idle.\n" * 400)
    brief = tools.call("summarize_docs", {"paths": ["lease.txt", "long.txt"]})["briefs"][1]
    lines = (room / "long.txt").read_text().split("\n")
    read = tools.call("read", {"path": "long.txt"})["text"].split("\n")
    assert all(read[row["line"] - 1] == row["text"] for row in brief["lines"])
    assert "This sentence is idle." not in {row["text"] for row in brief["lines"]}
    assert sum(len(row["text"]) for row in brief["lines"]) <= len("\n".join(lines)) / 4
    assert "2024-03-03" in brief["dates"]


def test_summaries_hold_what_a_lawyer_looks_for_first(tools: ToolRegistry, room: Path) -> None:
    idle = " ".join(f"The parties met for the {n}th time and spoke of the weather." for n in range(20, 60))
    (room / "deal.txt").write_text(
        "SUPPLY AGREEMENT\n\nThis Supply Agreement is made as of May 1, 2020 between Alder Ltd and Birch Inc.\n\n"
        f"1. Recitals\n\n{idle}\n\n2. Liability\n\n{idle} In no event shall the aggregate liability of Alder exceed "
        f"the fees paid. {idle}\n\nSource: ALDER LTD, 10-K, 5/1/2021\n\n3. Law\n\nThis Agreement shall be governed by "
        f"the laws of the State of Ohio.\n\n{idle}\n\nBy: ______\n\nDate: May 1, 2020\n"
    )
    result = tools.call("summarize_docs", {"paths": ["deal.txt"], "share": 0.05})
    said = [row["text"] for row in result["briefs"][0]["lines"]]
    assert "2. Liability" in said
    assert "In no event shall the aggregate liability of Alder exceed the fees paid." in said
    assert "This Agreement shall be governed by the laws of the State of Ohio." in said
    assert not any(t.startswith(("Source:", "By:", "Date:")) for t in said)
    assert "exceed the fees paid. …" in result["text"]
    read = tools.call("read", {"path": "deal.txt"})["text"]
    assert all(read[row["start"] : row["end"]] == row["text"] for row in result["briefs"][0]["lines"])


def test_reconcile_numbers(tools: ToolRegistry, room: Path, tmp_path: Path) -> None:
    (room / "draft.md").write_text("Rent is $1.2 million. The deposit is $77,000.\n")
    sources = room / "sources"
    sources.mkdir()
    (sources / "lease.txt").write_text(LEASE)
    result = tools.call("reconcile_numbers", {"draft": "draft.md", "sources": "sources"})
    assert [f["text"] for f in result["findings"]] == ["$77,000"]
    assert {"kind", "text", "start", "end", "grounding"} <= set(result["findings"][0])
    assert any(g["text"] == "$1.2 million" for g in result["grounded"])


def test_reconcile_deadlines_and_audit(tools: ToolRegistry, room: Path) -> None:
    (room / "draft.md").write_text("The lease is dated March 3, 2024. Payment is due on June 9, 2027.\n")
    sources = room / "sources"
    sources.mkdir()
    (sources / "lease.txt").write_text(LEASE)
    result = tools.call("reconcile_deadlines", {"draft": "draft.md", "sources": "sources"})
    assert [f["text"] for f in result["findings"]] == ["June 9, 2027"]
    audit = tools.call("audit_all", {"draft": "draft.md", "sources": "sources"})
    assert [c["gate"] for c in audit["checks"]] == [*GATES]
    assert any(f["gate"] == "date" for f in audit["findings"])


def test_reconciling_needs_sources(tools: ToolRegistry) -> None:
    with pytest.raises(SolonError, match="name another folder with --sources"):  # a draft is no source of itself
        tools.call("reconcile_numbers", {"draft": "lease.txt"})


def test_search_over_a_folder(tools: ToolRegistry) -> None:
    found = tools.call("search", {"query": "rent to be paid", "sources": ".", "k": 2})["passages"]
    assert "1.2 million" in found[0]["text"]
    assert found[0]["span"]["document"] == "lease.txt"
    assert tools.call("search", {"query": "rent to be paid", "k": 2})["passages"] == found
    with pytest.raises(SolonError, match="no matter is open"):
        ToolRegistry(Desk()).call("search", {"query": "rent"})


@pytest.mark.parametrize(
    ("asked", "said"),
    [({"query": "  "}, "query is empty"), ({"query": "rent", "documents": ["nowhere.txt"]}, "no such document")],
)
def test_a_search_that_could_find_nothing_is_refused(tools: ToolRegistry, asked: dict[str, object], said: str) -> None:
    with pytest.raises(SolonError, match=said):
        tools.call("search", {**asked, "sources": "."})


def test_search_of_each_document_with_what_its_passages_depend_on(tools: ToolRegistry, room: Path) -> None:
    contracts = room / "contracts"
    contracts.mkdir()
    for name, fee in (("one.txt", "$5"), ("two.txt", "$6")):
        (contracts / name).write_text(
            f'1. Definitions\n\n"Service Fee" means {fee} a month.\n\n2. Payment\n\nThe Customer shall pay the '
            "Service Fee on the first day of every month, without set-off.\n\n3. Law\n\nThe laws of Ohio govern.\n"
        )
    asked = {"query": "when must the customer pay", "sources": "contracts", "k": 1, "each": True}
    found = tools.call("search", asked)["passages"]
    assert [p["span"]["document"] for p in found] == ["one.txt", "two.txt"]
    more = tools.call("search", {**asked, "related": True})["passages"]
    assert len(more) >= len(found)
    assert all(p["reason"] for p in more if p["text"] not in {f["text"] for f in found})


def test_docx_inspect(tools: ToolRegistry) -> None:
    name = built(tools, "a.docx", markdown='# Deal\n\n## 1. Fee\n\nThe fee ("Fee") is $5.\n\n## 2. Term\n\nOne year.\n')
    seen = tools.call("docx_inspect", {"path": name})
    assert {"Deal"} <= {h["text"].strip() for h in seen["headings"]}
    assert "Fee" in [t["term"] for t in seen["defined_terms"]["terms"]]


def test_xlsx_inspect(tools: ToolRegistry) -> None:
    columns = [{"name": "Item"}, {"name": "FY2024", "type": "number"}]
    table = {"name": "Sales", "columns": columns, "rows": [["Revenue (in thousands)", 12310], ["Costs", 77]]}
    name = built(tools, "b.xlsx", tables=[table])
    seen = tools.call("xlsx_inspect", {"path": name, "label": "revenue", "value": "$12,310"})
    assert seen["sheets"][0]["sheet"] == "Sales"
    assert seen["sheets"][0]["scale_hints"]
    assert seen["rows"][0]["row"].startswith("Sales!2")
    assert [c["label"] for c in seen["cells"]] == ["Sales!B2"]
    assert tools.call("xlsx_inspect", {"path": name, "sheet": "Other"})["sheets"] == []


def test_pptx_inspect(tools: ToolRegistry) -> None:
    name = built(tools, "c.pptx", markdown="# One\n\n- a point\n\n# Two\n\n- another\n")
    assert len(tools.call("pptx_inspect", {"path": name})["slides"]) >= 2


def test_eml_inspect(tools: ToolRegistry, room: Path) -> None:
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = "a@x.example", "b@x.example", "Rent"
    mail.set_content("We agree.\n\nOn Monday Bea wrote:\n> Do you agree?\n")
    mail.add_attachment(b"The fee is $5.", maintype="text", subtype="plain", filename="fee.txt")
    (room / "m.eml").write_bytes(mail.as_bytes())
    seen = tools.call("eml_inspect", {"path": "m.eml"})
    assert any("Rent" in h["text"] for h in seen["headers"])
    assert any("We agree." in b["text"] for b in seen["bodies"])
    assert any("fee.txt" in a["label"] + a["text"] for a in seen["attachments"])


@pytest.mark.parametrize("tool", ["docx_inspect", "xlsx_inspect", "eml_inspect", "pptx_inspect", "pdf_inspect"])
def test_the_wrong_inspector_names_the_right_one(tools: ToolRegistry, tool: str) -> None:
    with pytest.raises(SolonError, match="is txt, not"):
        tools.call(tool, {"path": "lease.txt"})


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("bomb.docx", b"PK\x03\x04" + b"\x00" * 200),
        ("empty.pdf", b""),
        ("cut.pdf", b"%PDF-1.7\n1 0 obj <<"),
        ("odd.xlsx", b"not a workbook at all"),
    ],
)
def test_bad_files_are_one_typed_error_naming_file_and_remedy(
    tools: ToolRegistry, room: Path, name: str, data: bytes
) -> None:
    (room / name).write_bytes(data)
    with pytest.raises(SolonError) as caught:
        tools.call(f"{name.rpartition('.')[2]}_inspect", {"path": name})
    assert name in caught.value.failure.line()
    assert caught.value.failure.remedy
    assert "\n" not in caught.value.failure.line()


def test_hostile_text_is_only_text(tools: ToolRegistry, room: Path) -> None:
    (room / "odd.txt").write_text("Pay \u202e000,1$\u202c and \u200b$2,000\u200b {{7*7}} <script> $(rm -rf /)\n")
    assert tools.call("number_scan", {"path": "odd.txt"})["items"] is not None


@pytest.mark.slow
def test_skeleton_and_authority(tools: ToolRegistry) -> None:
    assert tools.call("skeleton", {"deliverable": "memo.docx"})["sections"]
    found = tools.call("authority", {"query": "bankruptcy preference transfer", "k": 3})
    assert len(found["authorities"]) <= 3
