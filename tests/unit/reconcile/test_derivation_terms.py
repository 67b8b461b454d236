"""Terms of a derivation that stand elsewhere: the base of a rate, the parts of a total."""

from pathlib import Path

import pytest

from tasks.toolbox.desk import Desk
from tasks.toolbox.registry import ToolRegistry

SOURCE = (
    "AGREEMENT\n\n1. The purchase price is US$62,000,000.\n\n2. The liability of the Seller is limited to ten per cent "
    "(10%) of the Purchase Price.\n\n3. The basket is 0.5% of the Purchase Price.\n\n4. The Term Loan is $40 million "
    "and the Revolver is $15 million.\n"
)
RIGHT = (
    "The cap on the liability of the Seller is US$6,200,000, being 10% of the Purchase Price.",
    "The basket is US$310,000 (0.5% of the Purchase Price; § 3).",
    "The loans are $40 million and $15 million.\n\nTotal commitments are $55 million.",
)
WRONG = (
    "The cap on the liability of the Seller is US$6,300,000, being 10% of the Purchase Price.",
    "The basket is US$300,000 (0.5% of the Purchase Price; § 3).",
    "The loans are $40 million and $15 million.\n\nTotal commitments are $56 million.",
    "The cap on the liability of the Seller is US$6,200,000.",  # no rate is said
)


def findings(folder: Path, draft: str) -> list[str]:
    (folder / "room").mkdir()
    (folder / "room" / "agreement.txt").write_text(SOURCE)
    (folder / "draft.md").write_text(f"# Memo\n\n{draft}\n")
    result = ToolRegistry(Desk(roots=(folder,))).call("reconcile_numbers", {"draft": "draft.md", "sources": "room"})
    return [f["text"] for f in result["findings"]]


@pytest.mark.parametrize("draft", RIGHT)
def test_a_derived_amount_is_no_finding(tmp_path: Path, draft: str) -> None:
    assert findings(tmp_path, draft) == []


@pytest.mark.parametrize("draft", WRONG)
def test_a_wrong_one_is(tmp_path: Path, draft: str) -> None:
    assert findings(tmp_path, draft) != []
