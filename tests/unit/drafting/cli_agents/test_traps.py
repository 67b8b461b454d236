"""The traps of agent programs, by scripted executables: each ends with the right outcome and cause, nothing is left.

A good run and a failure that says it is none are tried with every program. Any other trap is tried with one program, or
with two where the stream of openclaw, one object at its end, is another than the lines of the others; with more of them
it is `thorough`.
"""

from __future__ import annotations

import contextlib
import json
import os
from pathlib import Path

import pytest

from tasks.drafting.workspace.sandboxes import find_sandbox, standings

NAMES = ("claude-code", "codex", "opencode", "openhands", "openclaw")
START = "finish(START)\n"
SYSTEM_PYTHON = "/usr/bin/python3"


def some(*names, more=()):
    return pytest.mark.parametrize("name", [*names, *(pytest.param(n, marks=pytest.mark.thorough) for n in more)])


each = pytest.mark.parametrize("name", NAMES)


@pytest.mark.examples(2)
@each
def test_a_good_run_is_finished_and_its_deliverable_lands(stage, name):
    one = stage(name)
    product = one.run(START + "work()\nfinish()")
    assert (product.outcome, product.failures) == ("finished", ())
    assert [f.filename for f in product.files] == ["memo.docx"]
    assert product.final_message == "Done."
    assert product.solver.tools == {"build_deliverable": 1}
    assert one.job.models.ledger.used.calls == 2
    assert one.left_running == []


WORDS = "The rent is due on the first day of each month, and the tenant pays it to the landlord by a transfer. " * 3
ASIDE = f"model()\nopen({{0!r}}, 'w').write('# Memo\\n\\n' + {WORDS!r})\nfinish()"


@pytest.mark.parametrize(
    ("name", "place"),
    [("claude-code", "scratch/memo.docx.md"), ("codex", "scratch/memo.md"), ("opencode", "output/Memo.md")],
)
def test_a_deliverable_in_the_wrong_folder_or_form_is_landed(stage, name, place):
    product = stage(name).run(START + ASIDE.format(place))
    assert "memo.docx" in [f.filename for f in product.files]
    assert [f.mechanism for f in product.firings] == ["landing"]


@some("codex", more=("claude-code", "openhands", "openclaw"))
def test_an_expired_login_ends_the_run_with_one_clear_line(stage, name):
    one = stage(name, fail=lambda number: 401)
    product = one.run(START + "for _ in range(200):\n    model()\n    time.sleep(0.2)")
    assert product.outcome == "failed"
    assert product.failures[0].cause == "login"
    assert "401" in product.failures[0].message
    assert "FAKE_KEY" in product.failures[0].remedy
    assert len(one.endpoint.asked) == 1
    assert one.left_running == []


@some("claude-code", more=("openhands", "openclaw"))
def test_a_login_of_the_program_itself_is_told_by_its_words(stage, name):
    product = stage(name).run(START + "model()\nfinish(failed('Invalid API key · Please run /login'))")
    assert (product.outcome, product.failures[0].cause) == ("failed", "login")


@pytest.mark.examples(1)
@each
def test_success_that_is_an_error_is_a_failure(stage, name):
    product = stage(name).run(START + "work()\nfinish(failed('API Error: 500 internal server error'))\nsys.exit(0)")
    assert (product.outcome, product.failures[0].cause) == ("failed", "provider")
    assert "500" in product.failures[0].message


@some("openhands", more=("claude-code", "codex", "opencode", "openclaw"))
def test_a_run_that_hangs_is_ended_as_hung(stage, name):
    one = stage(name)
    product = one.run(
        START + "model()\nsubprocess.Popen(['sleep', '300'])\nsubprocess.Popen(['sleep', '300'])\ntime.sleep(300)",
        idle_seconds=1.0,
    )
    assert (product.outcome, product.failures[0].cause) == ("timeout", "timeout")
    assert "hung" in product.failures[0].message
    assert one.left_running == []


@some("codex", more=("claude-code", "opencode", "openhands", "openclaw"))
def test_a_wait_for_standard_input_comes_to_its_end(stage, name):
    product = stage(name).run(START + "sys.stdin.read()\nwork()\nfinish()")
    assert product.outcome == "finished"


@some("claude-code", "openclaw", more=("openhands",))
def test_a_stream_without_a_last_event_is_no_success(stage, name):
    product = stage(name).run(START + "work()\nsys.exit(0)")
    assert product.outcome == "failed"
    assert "without its last event" in product.failures[0].message
    assert [f.filename for f in product.files] == ["memo.docx"]


@some("codex", "openclaw", more=("openhands",))
def test_half_a_line_at_the_end_is_no_success(stage, name):
    product = stage(name).run(
        START + "work()\ntext = GOOD[-1] if isinstance(GOOD[-1], str) else json.dumps(GOOD[-1])\n"
        "sys.stdout.write(text[:len(text) // 2])\nsys.stdout.flush()\nos._exit(0)"
    )
    assert product.outcome == "failed"


@some("openhands", "openclaw")
def test_bytes_that_are_no_words_and_torn_lines_do_not_end_a_run(stage, name):
    one = stage(name)
    product = one.run(START + "sys.stdout.buffer.write(b'\\xff\\xfe{\\n[[[[\\n{\"type\": \\n'); work()\nfinish()")
    assert product.outcome == "finished"


@some("opencode", "openclaw", more=("openhands",))
def test_an_agent_that_never_exits_after_its_last_event_has_finished(stage, name):
    one = stage(name)
    product = one.run(START + "work()\nfinish()\nsubprocess.Popen(['sleep', '300'])\ntime.sleep(300)")
    assert product.outcome == "finished"
    assert json.loads((one.job.workspace / "agent.json").read_text())["end"] == "lingered"
    assert one.left_running == []


@pytest.mark.slow
@some("openclaw", more=("claude-code", "codex", "opencode", "openhands"))
def test_a_flood_is_ended_and_not_kept_in_memory(stage, name):
    one = stage(name)
    product = one.run(
        START + 'model()\nline = \'{"type": "noise", "x": "\' + \'y\' * 2**20 + \'"}\\n\'\n'
        "for _ in range(100):\n    sys.stdout.write(line)\ntime.sleep(60)",
        stream_mb=24,
    )
    assert (product.outcome, product.failures[0].cause) == ("failed", "capacity")
    assert one.left_running == []


@some("opencode", more=("claude-code", "openhands", "openclaw"))
def test_silent_retries_on_a_failing_endpoint_end_as_its_failure(stage, name):
    one = stage(name, fail=lambda number: 500)
    product = one.run(START + "while True:\n    model()\n    time.sleep(0.05)")
    assert (product.outcome, product.failures[0].cause) == ("failed", "provider")
    assert "500" in product.failures[0].message
    assert len(one.endpoint.asked) == 8


@some("opencode")
def test_waiting_in_silence_to_ask_again_is_told_as_the_failure_of_the_endpoint(stage, name):
    product = stage(name, fail=lambda number: 529).run(START + "model()\ntime.sleep(300)", idle_seconds=6.0)
    assert (product.outcome, product.failures[0].cause) == ("failed", "provider")


@some("openhands", more=("openclaw",))
def test_work_without_ever_asking_the_model_is_no_work(stage, name):
    product = stage(name).run(START + "tool('build_deliverable', path='memo.docx', markdown='# Memo')\nfinish()")
    assert product.outcome == "failed"
    assert "never asked its model" in product.failures[0].message


@some("openhands", more=("openclaw", "codex"))
def test_a_program_that_does_not_start_says_so(stage, name):
    product = stage(name).run("sys.stderr.write('panic: cannot open state\\n')\nsys.exit(3)")
    assert product.outcome == "failed"
    assert "exit code 3" in product.failures[0].message
    assert "panic" in product.failures[0].message


def test_the_wall_time_of_the_cell_ends_a_busy_agent(stage):
    one = stage("codex", limits={"wall_seconds": 2})
    product = one.run(START + "while True:\n    model()\n    time.sleep(0.2)")
    assert (product.outcome, product.failures[0].cause) == ("timeout", "timeout")
    assert one.left_running == []


@pytest.mark.parametrize(("limits", "calls"), [({"max_turns": 2}, 2), ({"max_tokens": 200}, 2), ({"max_usd": 1e-4}, 1)])
@some("claude-code", more=("codex", "openhands", "openclaw"))
def test_a_limit_is_told_to_the_agent_and_ends_the_attempt(stage, name, limits, calls):
    one = stage(name, limits=limits)
    product = one.run(
        START + "told = [model() for _ in range(4)][-1]\nopen('output/told.json', 'w').write(json.dumps(told))\n"
        "finish(failed('budget'))"
    )
    assert (product.outcome, product.failures[0].cause) == ("budget", "budget")
    assert len(one.endpoint.asked) == calls
    status, said = json.loads((one.job.workspace / "output" / "told.json").read_text())
    assert status == 400
    assert "Solon" in json.loads(said)["error"]["message"]


def test_a_revision_goes_on_with_the_session_of_the_pass_before(stage):
    one = stage("claude-code")
    keep = "os.makedirs(os.environ['CLAUDE_CONFIG_DIR'] + '/projects/m', exist_ok=True)\n"
    keep += "open(os.environ['CLAUDE_CONFIG_DIR'] + '/projects/m/s-1.jsonl', 'w').write('{}')\n"
    plant = "open(os.environ['CLAUDE_CONFIG_DIR'] + '/settings.json', 'w').write('{\"hooks\": 1}')\n"
    first = one.run(START + keep + plant + "work()\nfinish()")
    second = one.revise(
        START + "assert not os.path.exists(os.environ['CLAUDE_CONFIG_DIR'] + '/settings.json')\n"
        "assert os.path.exists('output/memo.docx')\nwork()\nfinish()"
    )
    assert (first.outcome, second.outcome) == ("finished", "finished")
    words = one.sandbox.started[-1].words
    assert words[words.index("--resume") + 1] == "s-1"
    assert json.loads((one.job.workspace / "agent.json").read_text())["continued"] is True
    assert (one.job.workspace / "transcript.jsonl").read_text().count('"result"') >= 2


RESUMED = {
    "openhands": ("conversations/s-1", "events.json", "--resume"),
    "opencode": ("data/opencode", "s.db", "--session"),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", RESUMED)
def test_the_others_that_keep_sessions_go_on_with_theirs(stage, name):
    folder, file, flag = RESUMED[name]
    one = stage(name)
    home = "os.path.dirname(os.environ['OPENCODE_CONFIG'])" if name == "opencode" else "os.environ['PERSISTENCE_DIR']"
    keep = f"os.makedirs({home} + '/{folder}', exist_ok=True)\nopen({home} + '/{folder}/{file}', 'w').write('{{}}')\n"
    one.run(START + keep + "work()\nfinish()")
    product = one.revise(START + f"assert os.path.exists({home} + '/{folder}/{file}')\nwork()\nfinish()")
    assert product.outcome == "finished"
    words = one.sandbox.started[-1].words
    assert words[words.index(flag) + 1] == "s-1"


def test_an_agent_without_sessions_begins_its_revision_anew(stage):
    one = stage("openclaw")
    one.run(START + "work()\nfinish()")
    assert one.revise(START + "assert os.path.exists('output/memo.docx')\nwork()\nfinish()").outcome == "finished"
    words = [process.words for process in one.sandbox.started]
    assert words[0][words[0].index("--session-id") + 1] != words[1][words[1].index("--session-id") + 1]


def test_a_session_with_the_name_of_a_flag_is_not_resumed(stage):
    one = stage("claude-code")
    place = "os.makedirs(os.environ['CLAUDE_CONFIG_DIR'] + '/projects/m', exist_ok=True)\n"
    place += "open(os.environ['CLAUDE_CONFIG_DIR'] + '/projects/m/s.jsonl', 'w').write('{}')\n"
    one.run("say({'type': 'system', 'session_id': '--settings=/evil'})\n" + place + "work()\nfinish()")
    one.revise(START + "work()\nfinish()")
    assert "--resume" not in one.sandbox.started[-1].words


@some("openclaw")
def test_an_object_in_the_middle_of_the_work_is_no_end(stage, name):
    """A pause after something that looks like the last object does not end a program that goes on."""
    body = START + "finish()\ntime.sleep(0.7)\nprint('[agent] goes on', flush=True)\nwork()\ntime.sleep(0.7)\nfinish()"
    product = stage(name).run(body, linger_seconds=1.0)
    assert (product.outcome, [f.filename for f in product.files]) == ("finished", ["memo.docx"])


@some("codex", more=("openhands",))
def test_a_session_that_is_gone_is_not_resumed(stage, name):
    one = stage(name)
    one.run(START + "work()\nfinish()")
    product = one.revise(START + "work()\nfinish()")
    assert product.outcome == "finished"
    assert not {"--resume", "resume", "--session"} & set(one.sandbox.started[-1].words)


def test_a_missing_session_with_exit_code_0_is_no_success(stage):
    product = stage("opencode").run("sys.stderr.write('Session not found\\n')\nsys.exit(0)")
    assert product.outcome == "failed"
    assert "Session not found" in product.failures[0].message


def test_the_session_file_is_kept_where_the_stream_broke_off(stage):
    one = stage("claude-code")
    one.run(
        START + "model()\nplace = os.environ['CLAUDE_CONFIG_DIR'] + '/projects/m'\nos.makedirs(place)\n"
        "open(place + '/s-1.jsonl', 'w').write('{\"type\": \"assistant\"}\\n')\nos._exit(1)"
    )
    assert (one.job.workspace / "session.jsonl").read_text() == '{"type": "assistant"}\n'


@pytest.mark.slow
def test_a_run_that_hangs_in_a_real_sandbox_is_ended_with_all_that_it_started(stage):
    """The other traps run in a sandbox of the tests that confines nothing; this one in the first that works here."""
    if all(standing.fault for standing in standings()):
        pytest.skip(f"no sandbox works here: {standings()[0].fault}")
    if not Path(SYSTEM_PYTHON).exists():
        pytest.skip(f"{SYSTEM_PYTHON} is not here, and what lies elsewhere is not in a sandbox")
    one = stage("claude-code", python=SYSTEM_PYTHON, sandbox=find_sandbox())
    mark = f"3{os.getpid()}.25"  # seconds of a sleep that nobody else sleeps
    body = (
        f"model()\nopen('output/memo.md', 'w').write('# Memo')\nsubprocess.Popen(['sleep', '{mark}'])\ntime.sleep(300)"
    )
    product = one.run(START + body, idle_seconds=5.0)
    assert (product.outcome, product.failures[0].cause) == ("timeout", "timeout")
    assert "hung" in product.failures[0].message
    assert "memo.md" in [f.filename for f in product.files]
    assert not [line for line in command_lines() if mark in line and "sleep" in line]


def command_lines():
    """Return the command lines of all processes; one that ends meanwhile has none."""
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            yield path.read_bytes().decode("utf-8", "replace")
