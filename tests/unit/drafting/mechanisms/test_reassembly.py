"""A deliverable that was clobbered by chunked writes is put together, and no other."""

from __future__ import annotations

from typing import Any

import pytest

from tasks.drafting.mechanisms.history import writes_of
from tasks.drafting.mechanisms.reassembly import is_headed, reassembled
from tasks.drafting.mechanisms.records import Step
from tasks.sources.texts import read_file

LINE = "The buyer shall pay the price at closing by wire transfer to the account of the seller. "
HEAD = "# Purchase Agreement\n\n## 1. Parties\n\n" + LINE * 12
MIDDLE = "## 2. Price\n\n" + LINE * 12
TAIL = "## 3. Closing\n\nThe closing takes place at the office of the escrow agent on the last day of the month of May."


def write(content: str, path: str = "memo.md", turn: int = 1, **rest: Any) -> Step:
    return Step(turn, "write", {"file_path": path, "content": content}, "ok", **rest)


def bash(command: str) -> Step:
    return Step(1, "bash", {"command": command})


@pytest.mark.parametrize(
    "steps",
    [
        [write(HEAD), write(MIDDLE), write(TAIL)],
        [write("# Old draft\n\nGone."), write(HEAD), write(MIDDLE), write(TAIL)],  # the last head counts
        [write(HEAD), write("## 2. Price\n\nA first try."), write(MIDDLE), write(TAIL)],  # a part written again
        [write(HEAD, "output/memo.md"), write(MIDDLE, "./memo.md"), write(TAIL)],
        [
            bash(f"cat > output/memo.md <<'EOF'\n{HEAD}\nEOF"),
            write(MIDDLE),
            bash(f"cat <<EOF > memo.md\n{TAIL}\nEOF\n"),
        ],
    ],
)
def test_chunks_are_put_together(attempt: Any, mechanism: Any, steps: list[Step]) -> None:
    view = attempt({"memo.md": TAIL}, wanted=("memo.md",), steps=steps)
    (firing,) = mechanism("reassembly").landed(view)
    text = (view.output / "memo.md").read_text()
    assert firing.files == ("memo.md",)
    assert text.startswith("# Purchase Agreement")
    assert [text.count(f"## {n}.") for n in (1, 2, 3)] == [1, 1, 1]
    assert "A first try" not in text
    assert "Old draft" not in text


def test_a_word_file_is_built_from_the_chunks(attempt: Any, mechanism: Any, docx: Any) -> None:
    steps = [write(part, "memo.docx") for part in (HEAD, MIDDLE, TAIL)]
    view = attempt({"memo.docx": docx(TAIL)}, steps=steps)
    assert mechanism("reassembly").landed(view)
    assert "Purchase Agreement" in read_file(view.output / "memo.docx").text
    view = attempt({"memo.docx": docx(TAIL)}, steps=steps)
    assert mechanism("reassembly", None).landed(view) == []  # nothing to build it with


def test_chunks_that_were_refused_for_their_format_are_landed_and_put_together(attempt: Any, mechanism: Any) -> None:
    steps = [write(part, "memo.docx", failed=True) for part in (HEAD, MIDDLE, TAIL)]
    view = attempt({}, {"memo.docx.md": TAIL}, steps=steps)  # what the last refusal kept
    assert mechanism("landing").landed(view)
    assert mechanism("reassembly").landed(view)
    text = read_file(view.output / "memo.docx").text
    assert "Purchase Agreement" in text
    assert "escrow agent" in text


@pytest.mark.parametrize(
    ("held", "steps"),
    [
        (HEAD, [write(HEAD)]),
        (HEAD + MIDDLE, [write(HEAD), write(HEAD + MIDDLE)]),  # written anew as a whole: it has its head
        (TAIL, [write(MIDDLE), write(TAIL)]),  # no chunk has a head
        (TAIL, [write("# Note\n\nShort."), write(TAIL)]),  # little would be gained
        (TAIL + "\n\nAn edit that came later and says a good deal more.", [write(HEAD), write(MIDDLE), write(TAIL)]),
        (TAIL, [write(HEAD, "notes.md"), write(MIDDLE, "other.md"), write(TAIL)]),  # other files
        (TAIL, [write(HEAD, failed=True), write(TAIL)]),
        (TAIL, []),
    ],
)
def test_what_is_no_headless_fragment_is_left_alone(attempt: Any, mechanism: Any, held: str, steps: list[Step]) -> None:
    view = attempt({"memo.md": held}, wanted=("memo.md",), steps=steps)
    assert mechanism("reassembly").landed(view) == []
    assert (view.output / "memo.md").read_text() == held


@pytest.mark.parametrize(
    ("text", "headed"),
    [
        ("# Memo\n", True), ("\n\n# Memo", True), ("Memo\n====\n", True), ("PURCHASE AND SALE AGREEMENT\n\nThis", True),
        ("## 2. Price", False), ("ARTICLE IV\nClosing", False), ("and the buyer", False), ("4. CLOSING DATE", False),
        ("SECTION 3 PRICE", False), ("", False),
    ],
)  # fmt: skip
def test_a_head_is_a_title(text: str, headed: bool) -> None:
    assert is_headed(text) == headed


def test_appends_and_reads_are_no_writes() -> None:
    steps = [
        bash("cat >> memo.md <<EOF\nmore\nEOF\n"),
        bash("cat memo.md"),
        Step(1, "read", {"file_path": "memo.md", "content": "x"}),
        Step(1, "write", {"file_path": "memo.md", "content": "x", "append": True}),
        Step(1, "write", {"_raw": "{"}),
    ]
    assert writes_of(steps) == []
    assert reassembled([]) == ""


@pytest.mark.parametrize(
    "command", ["cat > a <<A\n" * 20_000, "<<" * 50_000, "> a " * 30_000, "".join(f"<<A{n}\n" for n in range(20_000))]
)
def test_a_hostile_command_is_read_in_time(command: str, no_hang: None) -> None:
    writes_of([bash(command)])
