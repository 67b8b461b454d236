"""The inspecting tools on small documents whose every finding is known."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import openpyxl
import pytest

from tasks.matter.failures import SolonError
from tasks.release.build.deliverable import build_deliverable
from tasks.toolbox.desk import Desk
from tasks.toolbox.registry import ToolRegistry

CONTRACT = """# Supply Agreement

## 1. Definitions

“Goods” means the widgets. “Fee” means $5. “Goods” means the gears. “Territory” means France.

## 2. Delivery

The Supplier shall deliver the Goods on the Closing Date. After the Closing Date the Fee is due.
Any Permitted Lien is released; each Permitted Lien lapses at the end of December. The Fees are final.
"""


@pytest.fixture
def tools(tmp_path: Path) -> ToolRegistry:
    return ToolRegistry(Desk(roots=(tmp_path,)))


@pytest.fixture
def contract(tmp_path: Path) -> str:
    build_deliverable(CONTRACT, None, tmp_path / "contract.docx")
    return "contract.docx"


@pytest.fixture
def workbook(tmp_path: Path) -> str:
    book = openpyxl.Workbook()
    sheet: Any = book.active
    sheet.title = "Results"
    for line in (["Results ($ in thousands)"], ["Item", "2023", "2024"], ["Revenue", 1200, 1500], ["EBITDA", 200, -30]):
        sheet.append(line)
    sheet["A7"], sheet["B7"], sheet["A8"], sheet["B8"] = "Debt", "Amount", "Senior", 900
    sheet["E7"], sheet["F7"], sheet["E8"], sheet["F8"] = "Lender", "Share", "Bank A", 0.5
    sheet["C8"] = "=B8*2"
    hidden: Any = book.create_sheet("Backup")
    hidden.sheet_state = "hidden"
    hidden["A1"] = "secret"
    book.save(tmp_path / "book.xlsx")
    return "book.xlsx"


def test_defined_terms(tools: ToolRegistry, contract: str) -> None:
    table = tools.call("docx_inspect", {"path": contract})["defined_terms"]
    assert table["defined_twice"] == ["Goods"]
    assert table["unused"] == ["Territory"]
    assert [(u["term"], u["uses"]) for u in table["undefined"]] == [("Closing Date", 2), ("Permitted Lien", 2)]
    assert [t["term"] for t in table["terms"]] == ["Goods", "Fee", "Goods", "Territory"]


def test_section_with_its_text(tools: ToolRegistry, contract: str) -> None:
    found = tools.call("docx_inspect", {"path": contract, "section": "2"})["sections"]
    assert len(found) == 1
    assert found[0]["text"].startswith("2. Delivery")


def test_tracked_changes_and_redline_tool(tools: ToolRegistry, contract: str, tmp_path: Path) -> None:
    assert tools.call("docx_inspect", {"path": contract})["tracked_changes"] == []
    edits = [{"find": "Fee” means $5", "replace": "Fee” means $6"}, {"find": "no such", "replace": ""}]
    made = tools.call("redline", {"path": "red.docx", "source": contract, "edits": edits, "author": "B. Counsel"})
    assert [(c["kind"], c["text"]) for c in made["changes"]] == [("deletion", "5"), ("insertion", "6")]
    assert len(made["unapplied"]) == 1
    seen = tools.call("docx_inspect", {"path": "red.docx"})["tracked_changes"]
    assert {c["by"] for c in seen} == {"B. Counsel"}
    with pytest.raises(SolonError, match=r"overwrite|already"):
        tools.call("redline", {"path": contract, "source": contract, "edits": edits})
    with pytest.raises(SolonError, match="docx"):
        tools.call("redline", {"path": "red.pdf", "source": contract, "edits": edits})
    with pytest.raises(SolonError, match="outside"):
        tools.call("redline", {"path": "red2.docx", "source": "../../etc/passwd", "edits": edits})


def test_workbook_tables_and_values(tools: ToolRegistry, workbook: str) -> None:
    found = tools.call("xlsx_inspect", {"path": workbook, "value": "900"})
    results, backup = found["sheets"]
    assert backup["hidden"]
    assert not results["hidden"]
    assert [(t["range"], t["columns"], t["labels"]) for t in results["tables"]] == [
        ("A1:C4", ["Item", "2023", "2024"], ["Revenue", "EBITDA"]),
        ("A7:C8", ["Debt", "Amount", ""], ["Senior"]),
        ("E7:F8", ["Lender", "Share"], ["Bank A"]),
    ]
    assert results["tables"][0]["scale_hint"] == "in thousands"
    assert [c["label"] for c in results["formulas_without_values"]] == ["Results!C8"]
    assert [(c["label"], c["row_label"], c["column_header"]) for c in found["cells"]] == [
        ("Results!B8", "Senior", "Amount")
    ]


def test_workbook_rows_by_label(tools: ToolRegistry, workbook: str) -> None:
    found = tools.call("xlsx_inspect", {"path": workbook, "label": "ebitda"})["rows"]
    assert [c["text"] for c in found[0]["cells"]] == ["A4: EBITDA", "B4: 200", "C4: -30"]


def test_mail_with_a_forwarded_message(tools: ToolRegistry, tmp_path: Path) -> None:
    from email.message import EmailMessage

    inner = EmailMessage()
    inner["From"], inner["To"], inner["Subject"] = "a@x.example", "b@x.example", "First"
    inner.set_content("The offer is $5.")
    outer = EmailMessage()
    outer["From"], outer["To"], outer["Subject"] = "b@x.example", "c@x.example", "Fwd: First"
    outer["Date"] = "Fri, 10 May 2024 08:31:00 -0700"
    outer.set_content("See below.\n\nOn Wed, 8 May 2024, a@x.example wrote:\n> earlier words\n")
    outer.add_attachment(inner)
    (tmp_path / "mail.eml").write_bytes(outer.as_bytes())
    found = tools.call("eml_inspect", {"path": "mail.eml"})
    assert found["message"]["subject"] == "Fwd: First"
    assert [(m["from"], m["subject"]) for m in found["forwarded"]] == [("a@x.example", "First")]
    assert "earlier words" in found["quoted"][0]["text"]


def test_a_deck_slide_by_slide(tools: ToolRegistry, tmp_path: Path) -> None:
    import pptx

    deck = pptx.Presentation()
    first = deck.slides.add_slide(deck.slide_layouts[5])
    first.shapes.title.text = "Deal terms"
    table = first.shapes.add_group_shape().shapes.add_textbox(0, 0, 9, 9).text_frame
    table.text = "Inside a group"
    cells = first.shapes.add_table(2, 2, 0, 0, 100, 100).table
    for place, words in (((0, 0), "Closing"), ((0, 1), "Q3"), ((1, 0), "Price"), ((1, 1), "$5m")):
        cells.cell(*place).text = words
    hidden = deck.slides.add_slide(deck.slide_layouts[6])
    hidden._element.set("show", "0")
    hidden.notes_slide.notes_text_frame.text = "Walk away above $6m"
    deck.save(str(tmp_path / "deck.pptx"))
    found = tools.call("pptx_inspect", {"path": "deck.pptx"})
    assert found["hidden_slides"] == [2]
    assert [(s["number"], s["title"], s["hidden"]) for s in found["slides"]] == [
        (1, "Deal terms", False),
        (2, "", True),
    ]
    assert found["slides"][0]["tables"][0]["rows"] == [["Closing", "Q3"], ["Price", "$5m"]]
    assert "Inside a group" in found["slides"][0]["text"]
    assert found["slides"][1]["notes"] == ["[Notes: Walk away above $6m]"]
    (only,) = tools.call("pptx_inspect", {"path": "deck.pptx", "slide": 2})["slides"]
    assert only["number"] == 2


def test_quote_check_over_a_folder(tools: ToolRegistry, tmp_path: Path) -> None:
    law = tmp_path / "law"
    law.mkdir()
    (law / "lamps.txt").write_text("42 U.S.C. § 9001. Every tenant shall keep the lamps lit until dawn.\n", "utf-8")
    asked = {"citation": "42 U.S.C. § 9001", "quote": "shall keep the lamps lit", "sources": "law"}
    assert tools.call("quote_check", asked)["outcome"] == "verified"
    alone = {"citation": "42 U.S.C. § 9001", "quote": "shall keep the lamps lit"}
    assert tools.call("quote_check", alone)["outcome"] == "verified"  # the folder that is served is the room
    assert ToolRegistry(Desk()).call("quote_check", alone)["outcome"] == "unresolved"  # only the law that is held


def test_quote_check_against_the_rules_that_are_held(tools: ToolRegistry) -> None:
    asked = {"citation": "Rule 12(b)(6)", "quote": "failure to state a claim upon which relief can be granted"}
    assert tools.call("quote_check", asked)["outcome"] == "verified"
    assert tools.call("quote_check", {**asked, "citation": "FRCP 12(b)(1)"})["outcome"] == "misattributed"
    assert tools.call("quote_check", {**asked, "citation": "Fed. R. Bankr. P. 7012"})["outcome"] == "unresolved"
    told = {"citation": "Fed. R. Civ. P. 12(a)(1)(A)", "quote": "a defendant has 21 days to answer, or 60, or 45 days"}
    stated = [(p["text"], p["verdict"]) for p in tools.call("quote_check", told)["periods"]]
    assert stated == [("21 days", "supported"), ("45 days", "contradicted")]


def test_a_text_is_marked_up_as_a_word_document_with_remarks(tools: ToolRegistry, tmp_path: Path) -> None:
    (tmp_path / "deal.txt").write_text(
        "SALE NOTE\n\nThe price is $10 a unit.\n\nThe Buyer pays within ten (10) days.\n"
    )
    (tmp_path / "prices.csv").write_text("item,price\nbolt,1\n")
    made = tools.call(
        "redline",
        {
            "path": "deal-redline.docx",
            "source": str(tmp_path / "deal.txt"),
            "edits": [{"find": "ten (10) days", "replace": "twenty (20) days", "comment": "cash flow"}],
            "remarks": [{"words": "$10 a unit", "comment": "To be confirmed."}],
        },
    )
    assert made["base"].startswith("a Word document set from the text of the txt file")
    assert (made["insertions"], made["deletions"], made["comments"], made["unapplied"]) == (2, 2, 2, [])
    assert [c["text"] for c in made["changes"]] == ["ten", "twenty", "10", "20"]
    with pytest.raises(SolonError):
        tools.call("redline", {"path": "x.docx", "source": str(tmp_path / "prices.csv"), "edits": [{"find": "1"}]})
