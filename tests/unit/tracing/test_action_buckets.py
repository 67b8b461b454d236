"""The bucket of an action, as a table of commands a solver really runs."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tasks.tracing.buckets import bucket_of, count_buckets
from tasks.tracing.records import Action
from tasks.tracing.shell import classify_command, segments

COMMANDS = [
    # readers and search utilities
    ("rg -n 'change of control' documents", "read"),
    ("grep -ri indemn .", "read"),
    ("cat documents/lease.txt", "read"),
    ("sed -n '1,80p' lease.txt", "read"),
    ("jq '.title' task.json", "read"),
    ("wc -l *.txt", "read"),
    ("head -50 a.txt", "read"),
    ("ls -la", "read"),
    ("find . -name '*.docx'", "read"),
    ("/usr/bin/grep x y", "read"),
    ("pdftotext lease.pdf -", "read"),
    # interpreters and builds
    ("python script.py", "tool"),
    ("python3.11 -c 'print(1)'", "tool"),
    ("node x.js", "tool"),
    ("bash run.sh", "tool"),
    ("./run.sh", "tool"),
    ("pytest -q", "tool"),
    ("latexmk -pdf memo.tex", "tool"),
    ("pandoc memo.md -o memo.docx", "tool"),
    ("python - <<'EOF'\nopen('x', 'w')\nrm -rf /\nEOF", "tool"),
    # mutations
    ("apply_patch <<'EOF'\n*** Begin Patch\nEOF", "write"),
    ("echo x | tee out.md", "write"),
    ("mv a b", "write"),
    ("cp a b", "write"),
    ("touch output/memo.md", "write"),
    ("mkdir -p output", "write"),
    ("sed -i 's/a/b/' memo.md", "write"),
    ("sed -Ei.bak 's/a/b/' memo.md", "write"),
    ("find . -name '*.tmp' -delete", "write"),
    ("find . -type f -exec rm {} +", "write"),
    ("find . -type f -exec grep -l x {} +", "read"),
    # neither
    ("cd documents", "other"),
    ("pwd", "other"),
    ("echo done", "other"),
    ("", "other"),
    ("frobnicate --all", "other"),
    # unwrapping
    ("bash -lc 'rg foo documents'", "read"),
    ('bash -lc "cat lease.txt | head -20"', "read"),
    ("/bin/bash -lc 'python x.py && mv a b'", "write"),
    ("sh -c \"bash -c 'cat x'\"", "read"),
    ('bash -lc "grep -n \\"term of lease\\" lease.txt"', "read"),
    ("eval 'cat x'", "read"),
    # wrappers, assignments, keywords
    ("sudo cat /x", "read"),
    ("sudo -u lawyer rm x", "write"),
    ("timeout 30 python x.py", "tool"),
    ("timeout -k 5 10s grep x y", "read"),
    ("nohup python x.py &", "tool"),
    ("find . -name '*.txt' | xargs -n 1 grep -l lease", "read"),
    ("ls | xargs -I {} mv {} done/", "write"),
    ("LC_ALL=C sort names.txt", "read"),
    ("FOO=1 BAR='a b' python x.py", "tool"),
    ("env PYTHONPATH=. python x.py", "tool"),
    ('for f in *.txt; do cat "$f"; done', "read"),
    ("if test -f x; then rm x; fi", "write"),
    ("! grep -q x y", "read"),
    # several segments: write > tool > read > other
    ("cd documents && rg foo", "read"),
    ("rg foo || python x.py", "tool"),
    ("cat a; mv a b", "write"),
    ("cat a\npython x.py", "tool"),
    ("cat a & rm b", "write"),
    ("(cd x && cat y)", "read"),
    ("{ cat a; rm b; }", "write"),
    # redirections
    ("cat a > b", "write"),
    ("cat a >> b", "write"),
    ("echo hi >output/memo.md", "write"),
    ("echo hi &> log.txt", "write"),
    ("echo hi >| log.txt", "write"),
    ("grep x y 2>&1", "read"),
    ("grep x y 2>/dev/null", "read"),
    ("grep x y > /dev/null 2>&1", "read"),
    ("grep x y &>/dev/null", "read"),
    ("echo oops >&2", "other"),
    ("grep x y 2> errors.txt", "write"),
    ("cat <<'EOF' > memo.md\npython rm\nEOF", "write"),
    ("cat << EOF\nhello > there\nEOF", "read"),
    # what is quoted is not shell
    ("grep 'a > b' x.txt", "read"),
    ('grep "rm && mv | tee" x.txt', "read"),
    ("rg 'a;rm b' x", "read"),
    ("awk '{ if ($1 > 5) print }' x.csv", "read"),
    ("echo 'a' # rm -rf /", "other"),
    # substitutions are run
    ("echo $(cat x)", "read"),
    ('echo "$(python x.py)"', "tool"),
    ("X=$(rm y)", "write"),
    ("echo '$(rm y)'", "other"),
    ("echo `ls`", "read"),
    # our own tools
    ("solon tool xlsx_inspect --file a.xlsx", "read"),
    ("solon tool audit_all", "tool"),
    ("solon tool build_deliverable --out x.docx", "write"),
]


@pytest.mark.parametrize(("command", "bucket"), COMMANDS, ids=[c[:40] for c, _ in COMMANDS])
def test_shell_commands(command: str, bucket: str) -> None:
    assert classify_command(command) == bucket


TOOLS = [
    ("Read", {}, "read"),
    ("Glob", {}, "read"),
    ("Grep", {}, "read"),
    ("LS", {}, "read"),
    ("read", {}, "read"),
    ("Write", {}, "write"),
    ("Edit", {}, "write"),
    ("MultiEdit", {}, "write"),
    ("write_docx", {}, "write"),
    ("file_change", {}, "write"),
    ("Skill", {}, "tool"),
    ("Agent", {}, "tool"),
    ("Task", {}, "tool"),
    ("Bash", {"command": "cat x"}, "read"),
    ("Bash", {"command": "python x.py"}, "tool"),
    ("bash", {"command": "cat x > y"}, "write"),
    ("shell", {"command": ["bash", "-lc", "rg foo"]}, "read"),
    ("shell", {"command": ["ls", "-la"]}, "read"),
    ("Bash", {}, "other"),
    ("Bash", {"command": 7}, "other"),
    ("execute_bash", {"command": "mkdir x"}, "write"),
    ("str_replace_editor", {"command": "view", "path": "x"}, "read"),
    ("file_editor", {"command": "create", "path": "x"}, "write"),
    ("mcp__solon__number_scan", {}, "read"),
    ("mcp__solon__audit_all", {}, "tool"),
    ("mcp__solon__build_deliverable", {}, "write"),
    ("mcp__else__where", {}, "tool"),
    ("solon.date_scan", {}, "read"),
    ("ponder", {}, "other"),
    ("", {}, "other"),
]


@pytest.mark.parametrize(("tool", "arguments", "bucket"), TOOLS)
def test_named_tools(tool: str, arguments: dict[str, object], bucket: str) -> None:
    assert bucket_of(tool, arguments) == bucket


def test_every_tool_of_ours_has_a_bucket() -> None:
    tools = Path(__file__).resolve().parents[3] / "tasks" / "toolbox" / "tools"
    ours = {path.stem for path in tools.glob("[a-z]*.py")}
    assert {name: bucket_of(name, {}) for name in ours if bucket_of(name, {}) == "other"} == {}


def test_every_bucket_is_counted() -> None:
    actions = [Action(index=0, turn=1, tool="Read", bucket="read"), Action(index=1, turn=1, tool="x", bucket="read")]
    assert count_buckets(actions) == {"read": 2, "tool": 0, "write": 0, "other": 0}


def test_segments_keep_quotes_and_redirections() -> None:
    assert list(segments("A=1 cat 'a b' >out.md && ls")) == [["A=1", "cat", "'a b'", ">out.md"], ["ls"]]


@pytest.mark.parametrize(
    "command",
    ["$(" * 10_000, '"' * 19_999, "'" * 19_999, "`" * 19_999, "\\" * 19_999, "a" * 10**6, "(" * 20_000, ">" * 20_000,
     "<<A\n" * 5_000, "a=" * 10_000, "$((" * 5_000 + ")" * 9_000, "sudo " * 4_000, "bash -c " * 2_000 + "x",
     '"\\' * 9_999, "$(a " * 3_000 + "`" * 999, "x>" * 9_000, ">" + " " * 19_000, "2>&" * 6_000],
)  # fmt: skip
def test_hostile_commands_take_no_time(command: str, no_hang: None) -> None:
    assert classify_command(command) in ("read", "tool", "write", "other")


@settings(max_examples=300, deadline=None)
@given(st.text(alphabet="ab \n\t'\"\\$()`;&|<>{}!#=-/12", max_size=60))
def test_any_command_has_a_bucket(command: str) -> None:
    assert classify_command(command) in ("read", "tool", "write", "other")
