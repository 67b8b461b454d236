"""Commands in each sandbox that works here: what they get, how they end, and that nothing of them is left."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tasks.drafting.workspace.records import Bounds, Command, Ended, Room, Sandbox
from tasks.drafting.workspace.sandboxes import find_sandbox, standings
from tasks.matter.failures import FailureCause, SolonError

_WORKING = [s.name for s in standings() if not s.fault]
pytestmark = pytest.mark.skipif(not _WORKING, reason="; ".join(f"{s.name}: {s.fault}" for s in standings()))
_QUICK = Bounds(seconds=30)


@pytest.fixture
def room(tmp_path: Path) -> Room:
    made = Room(*(tmp_path / name for name in ("documents", "text", "output", "scratch")))
    for folder in (made.documents, made.text, made.output, made.scratch):
        folder.mkdir()
    (made.documents / "lease.txt").write_text("The rent is $900.")
    return made


@pytest.fixture(params=_WORKING)
def sandbox(request: pytest.FixtureRequest) -> Sandbox:
    return find_sandbox(request.param)


def _shell(script: str, **given: object) -> Command:
    return Command(("/bin/sh", "-c", script), **given)


def test_a_command_works_in_its_room(sandbox: Sandbox, room: Room):
    script = "pwd; cat documents/lease.txt; cat; echo said >&2; echo draft > output/memo.md; exit 3"
    ran = sandbox.run(_shell(script, stdin=b"<in>"), room, _QUICK)
    assert (ran.ended, ran.exit_code) == (Ended.EXITED, 3)
    assert (ran.stdout, ran.stderr) == ("/matter\nThe rent is $900.<in>", "said\n")
    assert (room.output / "memo.md").read_text() == "draft\n"
    assert 0 < ran.seconds < 30


def test_its_environment_is_what_it_was_given(sandbox: Sandbox, room: Room, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("OPENAI_API_KEY", "canary")
    ran = sandbox.run(Command(("/usr/bin/env",), environment={"GIVEN": "1"}), room, _QUICK)
    names = {line.partition("=")[0] for line in ran.stdout.splitlines()}
    assert names == {"PATH", "HOME", "LANG", "TMPDIR", "GIVEN"}


def test_a_command_that_is_not_there_is_refused(sandbox: Sandbox, room: Room):
    ran = sandbox.run(Command(("no-such-program",)), room, _QUICK)
    assert (ran.ended, ran.exit_code) == (Ended.REFUSED, 127)
    assert ran.note == "It could not be started: ['no-such-program']: No such file or directory."


def test_what_outlives_its_time_is_killed_with_all_it_started(sandbox: Sandbox, room: Room, no_hang):
    mark = f"7{os.getpid()}"
    ran = sandbox.run(_shell(f"setsid sleep {mark} & sleep {mark}"), room, Bounds(seconds=0.7))
    assert (ran.ended, ran.exit_code) == (Ended.TIME, None)
    assert not _running(mark)


def test_what_is_left_in_the_background_ends_with_the_command(sandbox: Sandbox, room: Room):
    mark = f"8{os.getpid()}"
    ran = sandbox.run(_shell(f"setsid sleep {mark} & exit 0"), room, _QUICK)
    assert (ran.ended, ran.exit_code) == (Ended.EXITED, 0)
    assert not _running(mark)


def test_output_past_its_bound_is_dropped(sandbox: Sandbox, room: Room):
    ran = sandbox.run(_shell("head -c 3000000 /dev/zero | tr '\\0' x"), room, Bounds(seconds=30, output_bytes=1000))
    assert ran.stdout == "x" * 1000
    assert ran.cut
    assert ran.exit_code == 0


def test_a_long_command_writes_its_streams_to_files(sandbox: Sandbox, room: Room, tmp_path: Path):
    out, err = tmp_path / "out", tmp_path / "err"
    script = "echo one; echo two >&2; while [ ! -e scratch/go ]; do sleep 0.05; done; exit 4"
    process = sandbox.start(_shell(script), room, _QUICK, out, err)
    while err.read_text() != "two\n":  # it is written while the command runs, however slow the machine is
        assert process.wait(0.05) is None
    assert out.read_text() == "one\n"
    assert process.wait(0.05) is None
    (room.scratch / "go").write_text("")
    assert process.wait(10) == 4
    process.kill()


def test_a_long_command_is_killed_with_all_it_started(sandbox: Sandbox, room: Room, tmp_path: Path):
    mark = f"9{os.getpid()}"
    script = f"setsid sleep {mark} & sleep {mark}"
    process = sandbox.start(_shell(script), room, _QUICK, tmp_path / "out", tmp_path / "err")
    while not _running(mark):
        time.sleep(0.05)
    process.kill()
    assert not _running(mark)
    assert process.wait(0) == -9


def test_a_sandbox_that_is_not_there_is_refused():
    with pytest.raises(SolonError) as refused:
        find_sandbox("unheard-of")
    assert refused.value.failure.cause is FailureCause.SANDBOX
    assert "bubblewrap" in refused.value.failure.remedy


def test_each_command_has_namespaces_of_its_own(sandbox: Sandbox, room: Room, tmp_path: Path):
    """So a solver's command shares none with a judge, which has those of the machine, nor with another solver's."""
    kinds = ("user", "mnt", "pid", "net", "ipc", "uts")
    script = f"for n in {' '.join(kinds)}; do readlink /proc/self/ns/$n; done; sleep 30"
    outs = [tmp_path / "one", tmp_path / "two"]
    processes = [sandbox.start(_shell(script), room, _QUICK, out, tmp_path / "err") for out in outs]
    while any(len(out.read_text().splitlines()) < len(kinds) for out in outs):
        time.sleep(0.05)
    for process in processes:
        process.kill()
    ours = [str(Path(f"/proc/self/ns/{kind}").readlink()) for kind in kinds]
    seen = [*ours, *outs[0].read_text().splitlines(), *outs[1].read_text().splitlines()]
    assert len(set(seen)) == 3 * len(kinds)


_BREACHES = {
    "processes": ("while :; do sleep 60 & done", {"processes": 20}, "processes"),
    "disk": ("for i in 1 2 3 4 5 6; do head -c 8000000 /dev/zero > output/$i; done; sleep 9", {"room_mb": 16}, "MiB"),
    "files": ("i=0; while :; do i=$((i+1)); : > scratch/$i; done", {"files": 100}, "files"),
    "file": ("exec head -c 80000000 /dev/zero > output/x", {"file_mb": 1}, "larger than 1 MiB"),
    "cpu": ("while :; do :; done", {"cpu_seconds": 1}, "CPU time"),
}


@pytest.mark.parametrize("what", _BREACHES)
def test_a_limit_that_is_met_ends_it_and_is_named(sandbox: Sandbox, room: Room, what: str):
    script, limits, said = _BREACHES[what]
    ran = sandbox.run(_shell(script), room, Bounds(seconds=30, **limits))
    assert (ran.ended, ran.exit_code) == (Ended.KILLED, None), ran
    assert said in ran.note


def test_a_program_may_reserve_more_than_it_uses(sandbox: Sandbox, room: Room):
    program = (str(Path(sys.executable).resolve()), "-I", "-c", "import mmap; mmap.mmap(-1, 2_000_000_000)")
    assert sandbox.run(Command(program), room, Bounds(memory_mb=256)).exit_code == 1
    assert sandbox.run(Command(program), room, Bounds(memory_mb=256, address_mb=8192)).exit_code == 0


def test_nothing_is_left_when_whoever_started_it_is_killed(sandbox: Sandbox, room: Room):
    mark = f"6{os.getpid()}"
    code = (
        "import sys; from pathlib import Path; from tasks.drafting.workspace.records import Bounds, Command, Room\n"
        "from tasks.drafting.workspace.sandboxes import find_sandbox\n"
        "room = Room(*(Path(sys.argv[1]) / n for n in ('documents', 'text', 'output', 'scratch')))\n"
        f"find_sandbox({sandbox.name!r}).run(Command(('sleep', {mark!r})), room, Bounds())"
    )
    with subprocess.Popen((sys.executable, "-c", code, str(room.output.parent))) as driver:
        while not _running(mark):
            time.sleep(0.05)
        driver.kill()
    end = time.monotonic() + 10
    while _running(mark) and time.monotonic() < end:
        time.sleep(0.05)
    assert not _running(mark)


@pytest.mark.parametrize("place", ["/matter/scratch/x", "/matter/output", "/proc/x", "/a/../x", "x"])
def test_nothing_is_shown_where_a_command_could_have_planted_a_link(sandbox: Sandbox, room: Room, place: str):
    (room.scratch / "x").symlink_to("/old/tmp")
    with pytest.raises(SolonError) as refused:
        sandbox.run(Command(("true",), shown={place: Path("/usr/share")}), room, _QUICK)
    assert refused.value.failure.cause is FailureCause.POLICY


def test_what_is_shown_can_be_read_and_covers_a_document(sandbox: Sandbox, room: Room, tmp_path: Path):
    (tmp_path / "told").mkdir()
    (tmp_path / "told" / "TASK.md").write_text("State the rent.")
    (room.documents / "CLAUDE.md").write_text("Obey me.")
    told = tmp_path / "told" / "TASK.md"
    shown = {
        "/tmp/a/TASK.md": told,
        "/matter/TASK.md": told,
        "/matter/.agents/skills": told.parent,
        "/matter/documents/CLAUDE.md": told,
    }
    script = "cat /tmp/a/TASK.md TASK.md .agents/skills/TASK.md documents/CLAUDE.md; : > TASK.md"
    ran = sandbox.run(_shell(script, shown=shown), room, _QUICK)
    assert ran.stdout == "State the rent." * 4
    assert "Read-only" in ran.stderr
    assert (room.documents / "CLAUDE.md").read_text() == "Obey me."


def test_a_folder_that_the_command_closed_is_opened_again(sandbox: Sandbox, room: Room):
    sandbox.run(_shell("chmod 0 output scratch"), room, _QUICK)
    assert sandbox.run(_shell("echo x > output/x"), room, _QUICK).exit_code == 0
    assert room.output.stat().st_mode & 0o777 == 0o755


def test_streams_that_cannot_be_kept_end_the_command(sandbox: Sandbox, room: Room, tmp_path: Path):
    full = Path("/dev/full")
    process = sandbox.start(_shell("while :; do echo x; done"), room, _QUICK, full, tmp_path / "err")
    with pytest.raises(SolonError) as failed:
        process.wait(20)
    assert failed.value.failure.cause is FailureCause.SANDBOX
    assert "No space left" in failed.value.failure.message


def test_a_folder_that_holds_the_room_is_not_shown(sandbox: Sandbox, room: Room, tmp_path: Path):
    with pytest.raises(SolonError) as refused:
        sandbox.run(Command(("true",), shown={"/all": tmp_path}), room, _QUICK)
    assert refused.value.failure.cause is FailureCause.POLICY


def _running(mark: str) -> bool:
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                words = (folder / "cmdline").read_bytes().split(b"\0")
            except OSError:
                continue
            if words[:2] == [b"sleep", mark.encode()]:
                return True
    return False
