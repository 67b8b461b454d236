"""A model server lives as long as the command that needs it: it is waited for, shared, and ended, whatever happens."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import time
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from flows.health import examine
from flows.runs.serving import served
from flows.settings import Settings, load_settings
from tasks.matter.failures import FailureCause, SolonError
from tasks.models.client import ModelClient
from tasks.models.loading import load_profiles
from tasks.models.profile import ModelProfile
from tasks.models.serving import served_addresses

ROOT = Path(__file__).resolve().parents[3]
MODEL = (sys.executable, "-m", "flows.bench.faults.solver", "{port}")
LEASE = "This Lease is dated March 3, 2021. It is governed by the laws of the State of Ohio."


def profile(command: tuple[str, ...] = MODEL, **serve: Any) -> ModelProfile:
    fields = {"model": "openai/local", "serve": {"command": list(command), **serve}, "retries": 0}
    return load_profiles({"house": fields})["house"]


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return load_settings({"home": tmp_path / "home"}, cwd=tmp_path, env={})


def gone(port: str, seconds: float = 10.0) -> bool:
    """Whether nobody answers at an address any more."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        try:
            urllib.request.urlopen(f"{port}/models", timeout=1).close()
        except OSError:
            return True
        time.sleep(0.05)
    return False


def test_a_server_is_started_waited_for_and_ended(settings: Settings) -> None:
    house = profile()
    with served([house], settings):
        address = served_addresses()["house"]
        reply = ModelClient(house).complete([{"role": "user", "content": LEASE}])
        assert "The agreement date is March 3, 2021" in reply.text
        assert reply.usage.cost_source == "none"  # no public price is that of a model of one's own
        with served([house], settings):  # a command within the command shares it
            assert served_addresses() == {"house": address}
        assert served_addresses() == {"house": address}
    assert gone(address)
    assert served_addresses() == {}
    with pytest.raises(SolonError, match="is not running"):
        ModelClient(house).complete([{"role": "user", "content": LEASE}])


def test_a_run_that_serves_no_model_leaves_the_environment_as_it_was(settings: Settings) -> None:
    before = dict(os.environ)  # what a worker is told decides whether runs can share it
    hosted = load_profiles({"hosted": {"model": "openai/hosted"}})["hosted"]
    with served([hosted], settings):
        assert dict(os.environ) == before
    assert dict(os.environ) == before


@pytest.mark.parametrize(
    ("command", "cause", "words"),
    [
        ((sys.executable, "-c", "import sys; sys.exit('no weights: {port}')"), FailureCause.PROVIDER, "no weights: "),
        (("/nowhere/server", "{port}"), FailureCause.PROVIDER, "/nowhere/server: No such file"),
        ((sys.executable, "-c", "import time; time.sleep(60) # {port}"), FailureCause.TIMEOUT, "within 1 s"),
    ],
)  # fmt: skip
def test_a_server_that_does_not_come_up_is_named(
    command: tuple[str, ...], cause: FailureCause, words: str, settings: Settings
) -> None:
    with pytest.raises(SolonError) as caught, served([profile(command, seconds=1.0)], settings):
        pytest.fail("it was said to be ready")
    assert caught.value.failure.cause is cause
    assert caught.value.failure.subject == "house"
    assert words in str(caught.value)
    assert served_addresses() == {}


@pytest.mark.slow
@pytest.mark.parametrize("kind", [signal.SIGKILL, signal.SIGTERM])
def test_a_killed_command_leaves_no_server_nor_what_it_started(kind: signal.Signals, tmp_path: Path) -> None:
    child = textwrap.dedent(
        """
        import subprocess, sys
        helper = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
        print(helper.pid, flush=True)
        from flows.bench.faults.solver import main
        main(sys.argv[1])
        """
    )
    driver = textwrap.dedent(
        f"""
        import sys, time
        from pathlib import Path
        from flows.prefect.ending import ended_by_signals
        from flows.runs.serving import served
        from flows.settings import load_settings
        from tasks.models.loading import load_profiles
        from tasks.models.serving import served_addresses
        fields = {{"model": "openai/x", "serve": {{"command": [sys.executable, "-c", {child!r}, "{{port}}"]}}}}
        home = Path({str(tmp_path)!r})
        with ended_by_signals(), served([load_profiles({{"house": fields}})["house"]], load_settings({{"home": home}})):
            print(served_addresses()["house"], flush=True)
            time.sleep(60)
        """
    )
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    process = subprocess.Popen([sys.executable, "-c", driver], stdout=subprocess.PIPE, text=True, env=env, cwd=tmp_path)
    assert process.stdout
    address = process.stdout.readline().strip()
    assert address.startswith("http://127.0.0.1:")
    helper = int((tmp_path / "logs" / "serve-house.log").read_text().split()[0])
    process.send_signal(kind)
    process.wait(20)
    process.stdout.close()
    assert gone(address)
    assert _ended(helper)


def _ended(pid: int, seconds: float = 10.0) -> bool:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            return True
        if state == "Z":
            return True
        time.sleep(0.05)
    return False


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"serve": {"command": ["server"]}}, "{port}"),
        ({"serve": {"command": []}}, "serve.command"),
        ({"serve": {"command": ["s", "{port}"]}, "api_base": "http://x/v1"}, "api_base has no effect"),
    ],
)
def test_a_serve_table_that_cannot_work_is_refused(fields: dict[str, Any], words: str) -> None:
    with pytest.raises(SolonError) as caught:
        load_profiles({"house": {"model": "openai/x", **fields}})
    assert words in str(caught.value)


def test_the_command_belongs_to_the_configuration_and_the_port_does_not() -> None:
    one, same = profile(), profile(seconds=5.0)
    other = profile((*MODEL, "--other-weights"))
    assert one.digest == same.digest != other.digest
    assert ModelProfile(name="a", model="m").digest == ModelProfile(name="b", model="m").digest


def test_doctor_lists_the_servers_that_solon_starts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = [
        f'[models.{n}]\nmodel = "openai/x"\nserve = {{ command = ["{c}", "{{port}}"] }}'
        for n, c in (("here", sys.executable), ("away", "/nowhere/server"))
    ]
    (tmp_path / "solon.toml").write_text("\n".join(lines))
    monkeypatch.delenv("SOLON_MODELS", raising=False)
    found = {c.name: c for c in examine(load_settings({"home": tmp_path / "home"}, cwd=tmp_path, env={}))}
    assert found["model here"].ok
    assert (found["model away"].ok, found["model away"].optional) == (False, True)
