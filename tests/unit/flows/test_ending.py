"""A process ends with its parent, and a command within seconds of being told, whatever it is busy with."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tasks.matter.lifetime import PARENT

PROJECT = Path(__file__).resolve().parents[3]
BUSY = "import re; re.match('(a*)*b', 'a' * 40)"  # one call of C code for hours: no Python runs beside it


def start(script: str, **environ: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(script)],
        env={**os.environ, "PYTHONPATH": str(PROJECT), **environ},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def lives(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def soon(true: Callable[[], bool], seconds: float = 10.0) -> bool:
    deadline = time.monotonic() + seconds
    while not true() and time.monotonic() < deadline:
        time.sleep(0.05)
    return true()


PARENT_OF_A_BUSY_CHILD = f"""
    import os, subprocess, sys, time
    from tasks.matter import lifetime
    child = "from tasks.matter.lifetime import end_with_parent; end_with_parent(); print('armed', flush=True); {BUSY}"
    env = {{**os.environ, **lifetime.lifetime_environment()}}
    started = subprocess.Popen([sys.executable, "-c", child], env=env, stdout=subprocess.PIPE)
    started.stdout.readline()
    print(started.pid, flush=True)
    time.sleep(60)
"""


def test_a_child_in_a_long_call_ends_with_its_killed_parent() -> None:
    parent = start(PARENT_OF_A_BUSY_CHILD)
    assert parent.stdout
    child = int(parent.stdout.readline())
    assert lives(child)
    parent.kill()
    parent.wait()
    assert soon(lambda: not lives(child))


def test_a_child_whose_parent_is_already_gone_ends() -> None:
    late = start(
        "from tasks.matter.lifetime import end_with_parent; end_with_parent(); print('went on')", **{PARENT: "1"}
    )
    assert late.communicate(timeout=30)[0] == ""
    assert late.returncode == 1


READER = """
    import os, sys, threading
    from pathlib import Path
    from tasks.sources import pool
    def readers():
        found = Path(f"/proc/{os.getpid()}/task").glob("*/children")
        return [int(p) for f in found for p in f.read_text().split()]
    document = Path("note.txt"); document.write_text("The rent is $900.")
    mine = pool.ReaderPool(1)
    caller = threading.Thread(target=mine.read, args=(document, "note.txt"))
    caller.start(); caller.join()
    first = readers()
    mine.read(document, "note.txt")
    print(first == readers(), *first, flush=True)
    os.kill(os.getpid(), 9)
"""


def test_a_reader_outlives_the_thread_that_asked_for_it_and_not_its_process(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    owner = start(READER)
    said, complaint = owner.communicate(timeout=60)
    same, *readers = said.split()
    assert same == "True", complaint
    assert readers
    assert soon(lambda: not any(lives(int(pid)) for pid in readers))


COMMAND = """
    import sys, time
    from flows.prefect import ending
    with ending.ended_by_signals(patience=float(sys.argv[1]) if len(sys.argv) > 1 else 30.0):
        try:
            print("ready", flush=True)
            {work}
        except KeyboardInterrupt:
            print("told", flush=True)
            {tidying}
    print("tidy", flush=True)
"""


def command(work: str, tidying: str = "pass", patience: float = 30.0, before: str = "") -> subprocess.Popen[str]:
    script = before + textwrap.dedent(COMMAND.format(work=work, tidying=tidying)).replace("30.0", str(patience))
    process = start(script)
    assert process.stdout
    assert process.stdout.readline() == "ready\n"
    return process


@pytest.mark.parametrize("kind", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_every_word_to_end_is_an_interrupt(kind: signal.Signals) -> None:
    started_by_a_terminal = "import signal; signal.signal(signal.SIGHUP, signal.SIG_DFL)\n"  # not by `nohup make test`
    process = command("time.sleep(60)", before=started_by_a_terminal)
    process.send_signal(kind)
    assert process.communicate(timeout=20)[0] == "told\ntidy\n"
    assert process.returncode == 0


def test_a_command_under_nohup_outlives_its_terminal() -> None:
    process = command("time.sleep(1)", before="import signal; signal.signal(signal.SIGHUP, signal.SIG_IGN)\n")
    process.send_signal(signal.SIGHUP)
    assert process.communicate(timeout=20)[0] == "tidy\n"


def test_the_same_signal_twice_at_once_is_one() -> None:
    process = command("time.sleep(60)", tidying="time.sleep(0.5)")
    process.send_signal(signal.SIGINT)
    time.sleep(0.2)
    process.send_signal(signal.SIGINT)
    assert process.communicate(timeout=20)[0] == "told\ntidy\n"


def test_a_second_interrupt_ends_it_at_once() -> None:
    process = command("time.sleep(60)", tidying="time.sleep(60)")
    process.send_signal(signal.SIGINT)
    time.sleep(1.5)
    process.send_signal(signal.SIGINT)
    said, complaint = process.communicate(timeout=10)
    assert (said, process.returncode) == ("told\n", 1)
    assert "ended at once" in complaint


def test_tidying_up_has_an_end() -> None:
    process = command("time.sleep(60)", tidying="time.sleep(60)", patience=0.5)
    process.send_signal(signal.SIGTERM)
    assert process.communicate(timeout=10)[0] == "told\n"
    assert process.returncode == 1


def test_a_closed_stream_is_not_taken_by_a_file(tmp_path: Path) -> None:
    """With standard error closed the next file opened would have its number, and receive what libraries print."""
    script = "from flows.cli import main; main(['config', '--json']); f = open('x', 'w'); print(f.fileno() > 2)"
    shell = f'exec {sys.executable} -c "{script}" <&- 2>&-'
    done = subprocess.run(
        ["sh", "-c", shell],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(PROJECT)},
        capture_output=True,
        check=False,
    )
    assert done.stdout.splitlines()[-1] == b"True"


def test_progress_that_nobody_reads_ends_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    from flows.runs.progress import write_status

    read, write = os.pipe()
    os.close(read)
    broken = os.fdopen(write, "w")
    monkeypatch.setattr(sys, "stderr", broken)
    write_status("[1/2] a matter has ended")
    with pytest.raises(BrokenPipeError):
        broken.close()  # what was said, and is still in its buffer
