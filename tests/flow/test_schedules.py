"""Schedules: read from solon.toml, served to Prefect, and the deployment file that a worker would read."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
import yaml

from flows.schedule import read_schedules
from flows.settings import load_settings
from tasks.matter.failures import SolonError
from tests.flow.conftest import PROJECT, ask

NIGHTLY = '[schedules.nightly]\ncorpus = "corpus"\ncells = ["extractive"]\ncron = "0 3 * * *"\n'


def test_corpora_lie_beside_the_file(tmp_path: Path) -> None:
    (tmp_path / "solon.toml").write_text(NIGHTLY)
    (tmp_path / "deep").mkdir()
    found = read_schedules(load_settings(cwd=tmp_path / "deep", env={}))
    assert found["nightly"].corpus == str(tmp_path / "corpus")
    assert found["nightly"].timezone == "UTC"


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ('cron = "0 3 * *"', "five fields"),
        ('timezone = "Mars/Olympus"', "not known"),
        ("cells = 3", "cells"),
        ("limt = 3", "limt"),
    ],
)
def test_a_malformed_schedule_is_one_line(tmp_path: Path, change: str, words: str) -> None:
    key = change.partition(" =")[0]
    kept = [line for line in NIGHTLY.splitlines() if not line.startswith(f"{key} ")]
    (tmp_path / "solon.toml").write_text("\n".join([*kept, change]))
    with pytest.raises(SolonError, match=r"schedules\.nightly") as caught:
        read_schedules(load_settings(cwd=tmp_path, env={}))
    assert words in str(caught.value) or words in caught.value.failure.message
    assert "\n" not in str(caught.value)


def test_the_deployment_file_names_our_flow() -> None:
    from prefect.schedules import Cron

    from flows.deployed import corpus_flow

    given = yaml.safe_load((PROJECT / "deploy" / "prefect.yaml").read_text())
    for deployment in given["deployments"]:
        file, name = deployment["entrypoint"].split(":")
        assert (PROJECT / file).is_file()
        assert name == "corpus_flow"
        corpus_flow.validate_parameters(deployment["parameters"])
        for schedule in deployment["schedules"]:
            assert Cron(schedule["cron"], timezone=schedule["timezone"]).cron == schedule["cron"]


def test_serve_registers_the_schedules(tmp_path: Path, server: str) -> None:
    (tmp_path / "solon.toml").write_text(NIGHTLY)
    serving = subprocess.Popen(
        [sys.executable, "-m", "flows.cli", "serve", "--json"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(PROJECT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert serving.stdout
        ready = json.loads(serving.stdout.readline())
        assert ready["deployments"] == ["nightly"]
        found = _deployments(server)
    finally:
        serving.send_signal(signal.SIGINT)
        said = serving.communicate(timeout=60)[1]
    assert [(d["name"], d["schedules"][0]["schedule"]["cron"]) for d in found] == [("nightly", "0 3 * * *")], said
    assert "Traceback" not in said


def _deployments(url: str) -> list[dict[str, Any]]:
    for _ in range(480):
        if found := ask(url, "deployments"):
            return found
        time.sleep(0.25)
    return []
