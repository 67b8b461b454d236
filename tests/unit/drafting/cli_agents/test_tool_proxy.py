"""The proxy to the tools: MCP and commands over one toolbox, and files that change into links while tools run."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading

import httpx
import pytest

from tasks.drafting.cli_agents.mirror import MOST_FILES, mirror, state_of
from tasks.drafting.cli_agents.probing import probe_tools
from tasks.drafting.cli_agents.proxies.serving import served
from tasks.drafting.cli_agents.proxies.tools import COMMAND, ToolProxy, inside, outside
from tasks.matter.failures import Failure, FailureCause, SolonError
from tests.unit.drafting.cli_agents.plain_sandbox import Proxy


class Box:
    """Two tools: one writes into the output, one fails."""

    def __init__(self, workspace):
        self.workspace, self.calls = workspace, []

    def names(self):
        return ["fail", "write_memo"]

    def schema(self, name):
        return {"type": "object", "properties": {"path": {"type": "string"}}, "description": f"Does {name}."}

    def call(self, name, arguments):
        self.calls.append((name, dict(arguments)))
        if name != "write_memo":
            raise SolonError(Failure(cause=FailureCause.INPUT, stage="t", subject=name, message="Not so."))
        file = self.workspace / "output" / arguments["path"]
        file.write_text("the rent")
        return {"path": str(file)}


@pytest.fixture
def place(tmp_path):
    workspace, theirs = tmp_path / "attempt", tmp_path / "room"
    (workspace / "output").mkdir(parents=True)
    theirs.mkdir()
    box = Box(workspace)
    one = ToolProxy(box, workspace, theirs)
    socket = tmp_path / "s"
    with served(one, socket):
        yield one, box, socket, theirs


def rpc(socket, method, params=None):
    with httpx.Client(transport=httpx.HTTPTransport(uds=str(socket)), timeout=20) as client:
        headers = {"accept": "application/json, text/event-stream"}
        body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params or {}}
        return client.post("http://proxy/mcp", json=body, headers=headers).json()


def test_mcp_lists_and_calls_and_the_output_comes_to_the_agent(place):
    one, _, socket, theirs = place
    assert [t["name"] for t in rpc(socket, "tools/list")["result"]["tools"]] == ["fail", "write_memo"]
    told = rpc(socket, "tools/call", {"name": "write_memo", "arguments": {"path": "memo.md"}})["result"]
    assert json.loads(told["content"][0]["text"]) == {"path": "/matter/output/memo.md"}
    assert (theirs / "memo.md").read_text() == "the rent"
    assert one.used == {"write_memo": 1}


def test_a_failure_of_a_tool_is_told_as_one(place):
    one, _, socket, _ = place
    told = rpc(socket, "tools/call", {"name": "fail", "arguments": {}})["result"]
    assert told["isError"] is True
    assert "Not so." in told["content"][0]["text"]
    assert one.failed == 1


def test_the_command_calls_the_same_tools(place):
    _, _, socket, theirs = place
    proxy = Proxy(socket)
    environment = {"SOLON_TOOLS": f"http://127.0.0.1:{proxy.port}", "PATH": os.environ["PATH"]}

    def run(*words, given=None):
        line = [sys.executable, str(COMMAND), *words]
        ran = subprocess.run(line, env=environment, capture_output=True, input=given, check=False)
        return ran.returncode, ran.stdout.decode(), ran.stderr.decode()

    assert "write_memo [path]" in run("tool")[1]
    code, said, _ = run("tool", "write_memo", '{"path": "a.md"}')
    assert (code, json.loads(said)) == (0, {"path": "/matter/output/a.md"})
    assert run("tool", "write_memo", "-", given=b'{"path": "b.md"}')[0] == 0
    assert {p.name for p in theirs.iterdir()} == {"a.md", "b.md"}
    code, _, complaint = run("tool", "fail")
    assert (code, "Not so." in complaint) == (1, True)
    assert run("tool", "write_memo", "[1]")[0] == 2


def test_the_probe_waits_for_every_tool(place):
    _, _, socket, _ = place
    probe_tools(socket, ["fail", "write_memo"])
    with pytest.raises(SolonError, match="does not list other"):
        probe_tools(socket, ["other"])


@pytest.mark.parametrize(
    ("said", "known"),
    [
        ("/matter/documents/lease.docx", "lease.docx"),
        ("documents/a/lease.docx", "a/lease.docx"),
        ("text/lease.docx.txt", "lease.docx"),
        ("/matter/output/memo.docx", "output/memo.docx"),
        ("lease.docx", "lease.docx"),
        ("text/html", "text/html"),
        ("/etc/passwd", "/etc/passwd"),
        ("documents of the lender\nand more", "documents of the lender\nand more"),
    ],
)
def test_names_of_files_are_those_the_tools_know(said, known):
    assert outside({"path": said, "all": [said]}) == {"path": known, "all": [known]}


def test_no_folder_of_this_machine_is_told(tmp_path):
    assert inside({"a": [f"{tmp_path}/output/x: bad"]}, tmp_path) == {"a": ["/matter/output/x: bad"]}


def test_only_plain_files_are_copied(tmp_path):
    source, target, secret = tmp_path / "s", tmp_path / "t", tmp_path / "secret"
    for folder in (source / "sub", target):
        folder.mkdir(parents=True)
    secret.write_text("key")
    (source / "memo.md").write_text("x")
    (source / "sub" / "deep.md").write_text("y")
    (source / "link.md").symlink_to(secret)
    (source / "folder").symlink_to(tmp_path)
    os.mkfifo(source / "pipe")
    left = mirror(source, target)
    assert sorted(state_of(target)) == ["memo.md", "sub/deep.md"]
    assert {line.partition(":")[0] for line in left} == {"link.md", "folder", "pipe"}


def test_a_link_in_the_agents_folder_does_not_lead_what_we_write(tmp_path):
    ours, theirs, victim = tmp_path / "ours", tmp_path / "theirs", tmp_path / "victim"
    for folder in (ours / "sub", theirs, victim):
        folder.mkdir(parents=True)
    (ours / "memo.md").write_text("new")
    (ours / "sub" / "a.md").write_text("new")
    (victim / "memo.md").write_text("old")
    (theirs / "memo.md").symlink_to(victim / "memo.md")
    (theirs / "sub").symlink_to(victim)
    left = mirror(ours, theirs, only=frozenset({"memo.md", "sub/a.md"}))
    assert (victim / "memo.md").read_text() == "old"
    assert [p.name for p in victim.iterdir()] == ["memo.md"]
    assert (theirs / "memo.md").read_text() == "new"
    assert not (theirs / "memo.md").is_symlink()
    assert [line.partition(":")[0] for line in left] == ["sub/a.md"]


def test_files_that_change_into_links_all_the_time_never_leak(tmp_path):
    source, target, secret = tmp_path / "s", tmp_path / "t", tmp_path / "secret"
    for folder in (source, target):
        folder.mkdir()
    secret.write_text("KEY")
    stop = threading.Event()

    def swap():
        while not stop.is_set():
            for make in (lambda p: p.write_text("x"), lambda p: p.symlink_to(secret)):
                other = source / ".next"
                make(other)
                other.replace(source / "memo.md")

    thread = threading.Thread(target=swap)
    thread.start()
    try:
        for _ in range(150):
            mirror(source, target)
            for file in target.iterdir():
                assert not file.is_symlink()
                assert file.read_text() != "KEY"
    finally:
        stop.set()
        thread.join()


def test_a_file_with_the_size_and_time_of_its_copy_is_copied_at_the_end(tmp_path):
    source, target = tmp_path / "s", tmp_path / "t"
    for folder in (source, target):
        folder.mkdir()
    (source / "memo.md").write_text("audited")
    mirror(source, target)
    facts = (source / "memo.md").stat()
    (source / "memo.md").write_text("altered")
    os.utime(source / "memo.md", ns=(facts.st_mtime_ns, facts.st_mtime_ns))
    mirror(source, target, anew=True)
    assert (target / "memo.md").read_text() == "altered"


def test_what_is_gone_from_the_source_is_gone_from_the_copy_and_numbers_are_bounded(tmp_path):
    source, target = tmp_path / "s", tmp_path / "t"
    for folder in (source, target):
        folder.mkdir()
    (target / "old.md").write_text("x")
    for number in range(MOST_FILES + 3):
        (source / f"{number:04}").write_text("")
    left = mirror(source, target)
    assert len(state_of(target)) == MOST_FILES
    assert "old.md" not in state_of(target)
    assert "more than" in left[-1]
