"""A cell that demands a sandbox, and what the doctor says of sandboxes, whatever this machine has."""

from __future__ import annotations

from pathlib import Path

import pytest

from flows import health
from flows.runs.cells import resolve_cell
from flows.settings import Settings
from tasks.drafting.workspace import sandboxes
from tasks.matter.failures import FailureCause, SolonError


@pytest.fixture
def only(monkeypatch: pytest.MonkeyPatch):
    """Let one kind of sandbox work here, or none."""

    def let(*working: str) -> None:
        monkeypatch.setattr(sandboxes, "_tried", lambda name: "" if name in working else "the kernel refuses it")

    return let


def _settings(tmp_path: Path, wanted: object) -> Settings:
    table = {"runtime": "extractive", "options": {"sandbox": wanted}}
    return Settings(home=tmp_path, cells={"kept-in": table})


@pytest.mark.parametrize("wanted", ["namespaces", "any"])
def test_a_cell_whose_sandbox_works_is_taken(tmp_path: Path, only, wanted: str):
    only("namespaces")
    assert resolve_cell("kept-in", _settings(tmp_path, wanted)).options["sandbox"] == wanted


@pytest.mark.parametrize("wanted", ["bubblewrap", "any", "docker", True])
def test_a_cell_whose_sandbox_does_not_work_is_refused_before_the_run(tmp_path: Path, only, wanted: object):
    only(*(["namespaces"] if wanted != "any" else []))
    with pytest.raises(SolonError) as refused:
        resolve_cell("kept-in", _settings(tmp_path, wanted))
    assert refused.value.failure.cause is FailureCause.SANDBOX
    assert refused.value.failure.remedy


def test_the_first_that_works_is_used_where_a_cell_names_none(only):
    only("bubblewrap", "namespaces")
    assert sandboxes.find_sandbox().name == "bubblewrap"
    only("namespaces")
    assert sandboxes.find_sandbox().name == "namespaces"
    only()
    with pytest.raises(SolonError, match="the kernel refuses it"):
        sandboxes.find_sandbox()


def test_the_doctor_names_each_sandbox_and_the_one_that_is_used(only):
    only("namespaces")
    bubblewrap, namespaces = health._sandboxes()
    assert (bubblewrap.name, bubblewrap.ok, bubblewrap.detail) == ("bubblewrap", False, "the kernel refuses it")
    assert bubblewrap.optional
    assert "bubblewrap" in bubblewrap.remedy
    assert namespaces.ok
    assert "used where a cell names none" in namespaces.detail
    assert "seccomp" in namespaces.detail


def test_a_program_that_does_not_confine_is_not_trusted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """A bwrap that only starts its command, without confining it, is found out by its try."""
    fake = tmp_path / "bwrap"
    fake.write_text('#!/bin/sh\nwhile [ "$1" != -- ]; do shift; done\nshift\nexec "$@"\n')
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    sandboxes._tried.cache_clear()
    try:
        assert sandboxes._tried("bubblewrap")
    finally:
        sandboxes._tried.cache_clear()
