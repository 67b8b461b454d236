"""How much of each document was shown: by what a runtime tells, by a reader's header, by the lines that came back."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tasks.sources.records import Span
from tasks.tracing import serving
from tasks.tracing.buckets import bucket_of
from tasks.tracing.records import Served
from tasks.tracing.serving import ServedRoom, served, showings, too_much
from tasks.tracing.steps import TracedStep

LINES = [f"Clause {number}: the tenant shall pay instalment number {number} on time." for number in range(1, 101)]
LEASE = "\n".join(LINES)
SIDE = "The side letter waives the deposit of the tenant.\n\nx\n\nSigned by both of the parties in Lyon."
ROOM = ServedRoom({"lease.txt": LEASE, "docs/side letter.docx": SIDE, "empty.pdf": ""})


def step(
    tool: str, result: str = "", failed: bool = False, told: tuple[Span, ...] = (), **arguments: Any
) -> TracedStep:
    bucket = bucket_of(tool, arguments)
    return TracedStep(1, tool, arguments, result, failed, bucket=bucket, served=told)


def share(*steps: TracedStep, room: ServedRoom = ROOM, document: str = "lease.txt") -> float:
    found = {one.document: one for one in served(showings(steps, room), room)}
    return found[document].served / found[document].characters


def header(first: int, last: int, of: int) -> str:
    return f"[Read lease.txt: showing lines {first}-{last} of {of}. Limit applied.]\n\nsome text"


def test_lines_that_came_back_count_by_whatever_tool() -> None:
    half = "\n".join(LINES[:50])
    assert share(step("Bash", half, command="sed -n 1,50p lease.txt")) == pytest.approx(0.5, abs=0.02)
    assert share(step("search", half, query="instalment")) == pytest.approx(0.5, abs=0.02)
    assert share(step("shell", half, command=["bash", "-lc", "head -50 lease.txt"])) == pytest.approx(0.5, abs=0.02)


@pytest.mark.parametrize(
    "shown",
    [
        "\n".join(f"{n:6}→{line}" for n, line in enumerate(LINES, 1)),
        "\n".join(f"{n}:{line}" for n, line in enumerate(LINES, 1)),
        "\n".join(f"documents/lease.txt:{n}:{line}" for n, line in enumerate(LINES, 1)),
        "\n".join(f"**{line}**" for line in LINES),
        json.dumps({"document": "lease.txt", "text": LEASE}),
    ],
    ids=["cat -n", "grep -n", "grep -rn", "markdown", "json"],
)
def test_numbers_marks_and_json_around_a_line_do_not_hide_it(shown: str) -> None:
    assert share(step("Bash", shown, command="python show.py")) == 1.0


def test_what_was_shown_twice_counts_once() -> None:
    first, again = "\n".join(LINES[:60]), "\n".join(LINES[40:80])
    assert share(step("grep", first), step("grep", first), step("grep", again)) == pytest.approx(0.8, abs=0.02)


def test_a_readers_header_stands_for_its_share_of_the_document() -> None:
    read = [step("read", header(0, 199, 400), file_path="lease.txt")]
    assert share(*read) == pytest.approx(0.5, abs=0.02)
    read.append(step("read", header(150, 299, 400), file_path="lease.txt", offset=150))
    assert share(*read) == pytest.approx(0.75, abs=0.02)
    assert share(*read, step("read", header(300, 999_999_999, 400), file_path="lease.txt")) == 1.0
    assert share(step("read", header(9, 3, 400), file_path="lease.txt")) == 0.0
    assert share(step("read", header(0, 3, 0), file_path="lease.txt")) == 0.0


def test_a_read_without_a_range_or_header_is_of_the_whole_document() -> None:
    assert share(step("read", "LEASE …", path="/work/documents/lease.txt")) == 1.0
    assert share(step("read", "something else", path="lease.txt", offset=20, limit=5)) == 0.0
    half = "\n".join(LINES[:50])  # a trace that keeps results whole shows where the reader stopped by itself
    assert share(step("Read", half, file_path="/room/lease.txt")) == pytest.approx(0.5, abs=0.02)
    assert share(step("read", "lease.txt: 94 lines", path="lease.txt", line_count_only=True)) == 0.0


@pytest.mark.parametrize(
    "idle",
    [
        step("read", LEASE, failed=True, path="lease.txt"),
        step("read", "", path="lease.txt"),
        step("glob", "lease.txt", pattern="**"),
        step("Bash", "lease.txt", command="ls documents && stat lease.txt"),
        step("write", LEASE, path="memo.md", content=LEASE),
        step("read", LEASE.replace("Clause", "Klausel"), path="another-lease.txt"),
        step("read", "words", path="lease.txt.bak"),
    ],
)
def test_what_failed_wrote_or_only_looked_shows_nothing(idle: TracedStep) -> None:
    assert share(idle) == 0.0


def test_a_line_of_two_documents_tells_of_the_one_that_was_named() -> None:
    room = ServedRoom({"a.txt": LEASE, "b.txt": LEASE + "\nA last line that only the second of them has."})
    named = step("Bash", LEASE, command="cat b.txt")
    assert (share(named, room=room, document="a.txt"), round(share(named, room=room, document="b.txt"), 1)) == (
        0.0,
        1.0,
    )
    unnamed = step("grep", LEASE + "\nA last line that only the second of them has.")
    assert share(unnamed, room=room, document="a.txt") == 0.0
    assert share(unnamed, room=room, document="b.txt") == 1.0


def test_short_lines_between_two_that_were_shown_were_shown_with_them() -> None:
    both = "\n".join(line for line in SIDE.split("\n") if len(line) > 5)
    assert share(step("grep", both), document="docs/side letter.docx") == 1.0
    named = step("Bash", SIDE, command="cat docs/side\\ letter.docx")
    assert share(named, document="docs/side letter.docx") == 1.0


def test_what_a_runtime_tells_is_believed_within_the_document() -> None:
    def told(*spans: tuple[str, int, int]) -> TracedStep:
        return step("read", told=tuple(Span(document=n, start=a, end=b) for n, a, b in spans), path="lease.txt")

    half = len(LEASE) // 2
    assert share(told(("lease.txt", 0, half), ("lease.txt", 5, half))) == pytest.approx(0.5, abs=0.02)
    assert share(told(("lease.txt", half, 10**9))) == pytest.approx(0.5, abs=0.02)
    assert share(told(("other.txt", 0, 9), ("lease.txt", 10**8, 10**9))) == 0.0
    # where it tells what it showed, the beginnings of results that the trace keeps are not looked into
    cut_off = step("read", "LEASE …", path="lease.txt")
    assert share(told(("lease.txt", 0, half)), cut_off) == pytest.approx(0.5, abs=0.02)


def test_every_document_is_there_also_one_without_text() -> None:
    assert served({}, ROOM) == (
        Served(document="docs/side letter.docx", characters=len(SIDE), served=0),
        Served(document="empty.pdf", characters=0, served=0),
        Served(document="lease.txt", characters=len(LEASE), served=0),
    )


def test_a_trace_without_end_is_compared_in_bounded_time(monkeypatch: pytest.MonkeyPatch, no_hang: None) -> None:
    monkeypatch.setattr(serving, "MAX_COMPARED", 2_000_000)
    noise = "\n".join(f"line {n} of the noise that a hostile tool returned" for n in range(20_000))
    steps = [step("Bash", noise, command="cat lease.txt") for _ in range(2_000)]
    share(*steps)
    assert too_much(steps, ROOM)
    assert not too_much(steps[:1], ROOM)


@pytest.mark.slow
def test_many_documents_and_many_steps_end_too(no_hang: None) -> None:
    room = ServedRoom({f"document-{n}.txt": f"The text of document {n} of the store." for n in range(4_000)})
    steps = [step("read", "x", path=f"document-{n % 4_000}.txt") for n in range(5_000)]
    shown = showings(steps, room)
    assert len(shown) > 1_000
