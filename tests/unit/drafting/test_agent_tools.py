"""The agent's tools on a small room: what they show, what they refuse, what they count as served."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tasks.drafting.agent.attempt import AgentPass
from tasks.drafting.agent.hands import Hands
from tasks.drafting.agent.limits import Clock
from tasks.drafting.agent.tools.records import OwnTool, Shown, definition
from tasks.drafting.agent.tools.room import AgentDesk
from tasks.drafting.agent.tools.serving import Served
from tasks.drafting.agent.tools.shell import shell_tool
from tasks.drafting.trace import Trace
from tasks.drafting.workspace.records import Bounds, Command, Ended, Ran, Room
from tasks.drafting.workspace.room import open_room
from tasks.matter.failures import SolonError
from tests.unit.drafting.agent_room import LEASE, MEMO, scene

OHIO = "lease.txt:3: The law of Ohio governs."
LONG = "".join(f"Line {n} of the long paper speaks of thing {n}.\n" for n in range(1, 501))


class Bench:
    """The tools of one matter, called by name."""

    def __init__(self, place: Path, documents: dict[str, str] | None = None, most: int = 4000) -> None:
        self.job = scene(place, documents).job
        self.room = open_room(self.job.matter, self.job.texts, self.job.workspace)
        attempt = AgentPass(self.job, self.room, Trace.anew(self.job.workspace), Clock.of(self.job))
        self.served = attempt.served
        self.desk = AgentDesk(self.room, self.served, most)
        self.tools = Hands.of(attempt._tools(self.desk, None)).tools

    def __call__(self, tool: str, **arguments: Any) -> Shown:
        return self.tools[tool].call(arguments)

    def refused(self, tool: str, **arguments: Any) -> str:
        with pytest.raises(SolonError) as caught:
            self(tool, **arguments)
        return caught.value.failure.line()


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path, {"lease.txt": LEASE, "deals/long.txt": LONG})


@pytest.mark.parametrize(
    "path",
    [
        "lease.txt",
        "documents/lease.txt",
        "/matter/documents/lease.txt",
        "text/lease.txt.txt",
        "./lease.txt",
        "data-room/lease.txt",
    ],
)
def test_a_document_is_read_under_every_name_that_the_room_gives_it(bench: Bench, path: str) -> None:
    shown = bench("read", path=path)
    assert "2\tThe rent is EUR 1,200 a month." in shown.text
    assert "100% of it shown so far" in shown.text
    assert bench.served.share("lease.txt") == 1.0


def test_a_long_document_is_read_in_parts_that_meet(bench: Bench) -> None:
    seen, offset = [], 1
    for _ in range(20):
        shown = bench("read", path="deals/long.txt", offset=offset)
        assert len(shown.text) <= 4000
        seen += [line.partition("\t")[2] for line in shown.text.split("\n") if line[:1].isdigit()]
        if "lines more: offset " not in shown.text:
            break
        offset = int(shown.text.rpartition("offset ")[2].rstrip("]"))
    assert "\n".join(seen) == LONG
    assert bench.served.share("deals/long.txt") == 1.0
    assert bench("read", path="lease.txt", offset=0).text == bench("read", path="lease.txt").text
    assert "has 501 lines" in bench.refused("read", path="deals/long.txt", offset=9999)


def test_a_line_longer_than_a_result_is_read_in_parts_that_meet(tmp_path: Path) -> None:
    one = "".join(f"<{n}>" for n in range(3000))
    bench = Bench(tmp_path, {"one.txt": one + "\nlast"})
    seen, skip = "", 0
    for _ in range(20):
        shown = bench("read", path="one.txt", skip=skip)
        seen += shown.text.split("\n")[1].removeprefix("1\t")
        if "goes on" not in shown.text:
            break
        skip = int(shown.text.rpartition("skip ")[2].rstrip("]"))
    assert seen == one


def test_what_was_shown_is_counted_once(bench: Bench) -> None:
    half = bench("read", path="deals/long.txt", limit=50)
    bench("read", path="deals/long.txt", limit=50)
    first = bench.served.share("deals/long.txt")
    assert 0.05 < first < 0.15
    assert f"{first:.0%} of it shown so far" in half.text
    bench("grep", pattern="Line 30 of")
    assert bench.served.share("deals/long.txt") == pytest.approx(first)
    bench("grep", pattern="Line 400 of")
    assert bench.served.share("deals/long.txt") > first


def test_what_the_toolbox_shows_of_a_document_counts_as_served(bench: Bench) -> None:
    shown = bench("search", query="rent")
    assert "EUR 1,200" in shown.text
    assert [(s.document, LEASE[s.start : s.end]) for s in shown.served] == [
        ("lease.txt", "The rent is EUR 1,200 a month.\n")
    ]
    assert str(bench.room.output.parent) not in bench("build_deliverable", path="memo.docx", markdown=MEMO).text


def test_lines_of_documents_are_recognised_in_the_output_of_a_command() -> None:
    texts = scene_texts = {
        "a": "A line of its own here.\nThe same line in two.\n",
        "b": "The same line in two.\nshort\n",
    }
    served = Served({name: _text(name, body) for name, body in texts.items()})
    shown = served.recognised("x\nA line of its own here.\nThe same line in two.\nshort")
    assert [(s.document, scene_texts[s.document][s.start : s.end]) for s in shown] == [("a", "A line of its own here.")]
    assert len(served.recognised("text/a.txt:1:A line of its own here.")) == 1
    assert len(served.recognised("     1\tA line of its own here.")) == 1


def _text(name: str, body: str) -> Any:
    from tasks.sources.records import CanonicalText

    return CanonicalText(document=name, sha256="0" * 64, extractor="t/1", media="txt", text=body)


@pytest.mark.parametrize("name", ["memo.docx", "output/table.xlsx", "/matter/output/slides.PPTX", "x.pdf"])
def test_a_built_format_is_not_written_as_text_and_the_text_is_not_lost(bench: Bench, name: str) -> None:
    said = bench.refused("write", path=name, content=MEMO)
    kept = f"scratch/{Path(name).name}.md"
    assert f"markdown_file {kept}" in said
    assert not set('{"') & set(said), "what a model copies out of a remedy must not break the JSON of its call"
    assert bench.desk.paths.read(kept).decode() == MEMO
    assert list(bench.room.output.iterdir()) == []


def test_markdown_from_a_file_is_built(bench: Bench) -> None:
    bench.refused("write", path="memo.docx", content=MEMO)
    bench("build_deliverable", path="memo.docx", markdown_file="scratch/memo.docx.md")
    assert "EUR 1,200 a month" in bench("read", path="output/memo.docx").text


def test_text_is_written_and_edited_once_all_and_at_the_end(bench: Bench) -> None:
    bench("write", path="notes.md", content="one two two")
    assert (bench.room.output / "notes.md").read_text() == "one two two"
    assert "2 times" in bench.refused("edit", path="notes.md", find="two", replace="2")
    bench("edit", path="notes.md", find="two", replace="2", all=True)
    bench("edit", path="output/notes.md", find="one", replace="1")
    bench("edit", path="notes.md", find="", replace="\nend")
    assert (bench.room.output / "notes.md").read_text() == "1 2 2\nend"
    assert "does not hold 'zero'" in bench.refused("edit", path="notes.md", find="zero", replace="0")
    assert "build it again" in bench.refused("edit", path="memo.docx", find="a", replace="b")


@pytest.mark.parametrize(
    ("tool", "path"),
    [
        ("read", "/etc/passwd"),
        ("read", "../room/lease.txt"),
        ("read", "config.json"),
        ("write", "documents/lease.txt"),
        ("write", "/tmp/x.txt"),
        ("write", "../x.txt"),
        ("edit", "text/lease.txt.txt"),
        ("grep", "/etc/passwd"),
        ("build_deliverable", "../memo.docx"),
        ("build_deliverable", "/tmp/memo.docx"),
    ],
)
def test_nothing_outside_the_room_is_read_or_written(bench: Bench, tool: str, path: str) -> None:
    given = {
        "read": {"path": path},
        "write": {"path": path, "content": "x"},
        "edit": {"path": path, "find": "", "replace": "x"},
        "grep": {"pattern": "root", "path": path},
        "build_deliverable": {"path": path, "markdown": MEMO},
    }
    assert bench.refused(tool, **given[tool])


@pytest.mark.parametrize(
    ("pattern", "path", "lines"),
    [
        ("RENT", "", ["lease.txt:2: The rent is EUR 1,200 a month."]),
        (r"1,200|ohio", "lease.txt", ["lease.txt:2: The rent is EUR 1,200 a month.", OHIO]),
        (r"EUR\s+[\d,]+", "", ["lease.txt:2: The rent is EUR 1,200 a month."]),
        ("rent", "deals/*.txt", []),
        ("Line 7 ", "deals/**", ["deals/long.txt:7: Line 7 of the long paper speaks of thing 7."]),
        ("Line 7 ", "text/", ["deals/long.txt:7: Line 7 of the long paper speaks of thing 7."]),
    ],
)  # fmt: skip
def test_grep_finds_lines_of_documents(bench: Bench, pattern: str, path: str, lines: list[str]) -> None:
    shown = bench("grep", pattern=pattern, path=path).text
    assert shown.split("\n") == lines if lines else shown.startswith("No line matches in 1 documents")


def test_a_pattern_that_runs_away_is_stopped_and_a_broken_one_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, no_hang: None
) -> None:
    monkeypatch.setattr("tasks.drafting.agent.tools.finding._SECONDS", 1.0)
    bench = Bench(tmp_path, {"a.txt": "a" * 60 + "!"})
    assert "took longer" in bench.refused("grep", pattern=r"(a+)+$")
    assert "is no regular expression" in bench.refused("grep", pattern="(")
    assert "longer than" in bench.refused("grep", pattern="a" * 2000)


def test_many_hits_are_bounded_and_said_to_be(bench: Bench) -> None:
    shown = bench("grep", pattern="Line")
    assert len(shown.text) <= 4000
    assert "400 or more" in shown.text or "lines more" in shown.text


def test_files_are_found_by_name(bench: Bench) -> None:
    assert bench("glob", pattern="documents/**").text.split("\n") == ["documents/deals/long.txt", "documents/lease.txt"]
    assert "text/lease.txt.txt" in bench("glob", pattern="*.txt").text
    assert bench("glob", pattern="*.pptx").text == "No file has such a name."


def test_a_long_result_of_the_toolbox_is_cut_and_its_rest_can_be_read(tmp_path: Path) -> None:
    bench = Bench(tmp_path, {"lease.txt": "".join(f"The rent {n} is due.\n" for n in range(400))}, most=2000)
    shown = bench("search", query="rent", k=50).text
    assert len(shown) <= 2000
    told = shown.rpartition("read ")[2].rstrip("]").split(", ")
    place = {k: int(v) for k, v in (part.split() for part in told[1:])}
    rest = bench("read", path=told[0], **place).text
    cut = shown.rpartition("\n[…")[0]
    assert bench.desk.paths.read(told[0]).decode().startswith(cut + rest.split("\t")[1][:100])


class Recorder:
    """A sandbox that records what it is asked."""

    name = "recorder"

    def __init__(self, ran: Ran) -> None:
        self.ran, self.asked = ran, list[tuple[Command, Bounds]]()

    def run(self, command: Command, room: Room, bounds: Bounds) -> Ran:
        self.asked.append((command, bounds))
        return self.ran

    def start(self, *_: Any) -> Any:
        raise AssertionError("never")


def test_a_command_runs_in_the_sandbox_within_what_is_left(bench: Bench) -> None:
    ran = Ran(ended=Ended.EXITED, exit_code=3, stdout="The rent is EUR 1,200 a month.\n", stderr="oh", seconds=0.1)
    box = Recorder(ran)
    shown = shell_tool(bench.desk, box, lambda: 7.0).call({"command": "cat text/lease.txt.txt"})  # type: ignore[arg-type]
    assert shown.text == "The rent is EUR 1,200 a month.\noh\nexit code 3"
    assert shown.failed
    assert bench.served.share("lease.txt") > 0.2
    command, bounds = box.asked[0]
    assert (command.words[0], command.words[-1], bounds.seconds) == ("/bin/sh", "cat text/lease.txt.txt", 7.0)


def test_a_deliverable_that_cannot_be_opened_is_no_empty_text(bench: Bench) -> None:
    (bench.room.output / "memo.docx").write_bytes(b"PK\x03\x04 no archive")
    assert "memo.docx" in bench.refused("read", path="output/memo.docx")


def test_definitions_are_small_and_complete(bench: Bench) -> None:
    whole = [definition(name, tool.schema(), brief=False) for name, tool in bench.tools.items()]
    few = [definition(n, bench.tools[n].schema(), brief=True) for n in bench.job.harness.agent.few_tools]
    assert {d["function"]["name"] for d in whole} >= {"read", "grep", "authority", "redline", "audit_all"}
    assert len(str(whole)) < 20_000
    assert len(str(few)) < 2_400
    for told in (*whole, *few):
        assert "$ref" not in str(told)
        assert "title" not in str(told["function"]["parameters"])
        assert told["function"]["description"]
    redline = definition("redline", bench.tools["redline"].schema(), brief=True)["function"]["parameters"][
        "properties"
    ]["edits"]
    assert set(redline["items"]["properties"]) >= {"find", "replace"}


def test_a_folder_of_documents_is_neither_offered_nor_taken_within_a_matter(bench: Bench) -> None:
    for brief in (True, False):
        told = definition("search", bench.tools["search"].schema(), brief)["function"]
        assert "sources" not in str(told)
        assert ("narrow" in told["parameters"]["properties"]) is not brief
        assert {"query", "k", "documents"} <= set(told["parameters"]["properties"])
    assert "EUR 1,200" in bench("search", query="rent", sources="general legal knowledge").text
    assert "desk:" not in str(bench.tools["authority"].schema())


def test_wrong_arguments_are_named(bench: Bench) -> None:
    assert "offset" in bench.refused("read", path="lease.txt", offset="many")
    assert "its arguments are path" in bench.refused("read", file="lease.txt")
    assert isinstance(bench.tools["read"], OwnTool)


@pytest.mark.parametrize("name", ["a\nb.docx", "con\u202excod.docx", "a\x00.docx"])
def test_a_deliverable_whose_name_nobody_can_see_is_refused_while_the_model_can_mend_it(
    bench: Bench, name: str
) -> None:
    assert "cannot be seen" in bench.refused("build_deliverable", path=name, markdown=MEMO)
    assert not list(bench.room.output.iterdir())


def test_alternatives_without_repeats_run_away_as_well_and_are_stopped(
    bench: Bench, monkeypatch: Any, no_hang: None
) -> None:
    monkeypatch.setattr("tasks.drafting.agent.tools.finding._SECONDS", 1.0)
    assert "took longer than" in bench.refused("grep", pattern="(.|.)" * 24 + "\x00")


@pytest.mark.parametrize(
    "call", [("glob", {"pattern": "[" * 100_000}), ("grep", {"pattern": "a", "path": "[" * 100_000})]
)
def test_a_glob_that_takes_minutes_to_read_is_refused(bench: Bench, call: tuple[str, dict[str, Any]]) -> None:
    assert "at most 1000 characters" in bench.refused(call[0], **call[1])


def test_an_edit_that_multiplies_a_file_is_refused_before_it_takes_the_memory(bench: Bench) -> None:
    bench("write", path="scratch/a.md", content="a" * 100_000)
    told = bench.refused("edit", path="scratch/a.md", find="a", replace="b" * 100_000, all=True)
    assert "more than 20000000 characters" in told
    assert (bench.room.scratch / "a.md").stat().st_size == 100_000
    bench("edit", path="scratch/a.md", find="a", replace="bb", all=True)
    assert (bench.room.scratch / "a.md").stat().st_size == 200_000
