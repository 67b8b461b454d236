"""An interrupted command says which run it leaves, also where it chose the name itself."""

from __future__ import annotations

import argparse

import pytest

from flows import cli
from flows.cli import build_parser
from flows.corpus import _named_where_stopped


def test_a_stopped_run_is_named_and_one_that_ended_is_not(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(KeyboardInterrupt), _named_where_stopped("20261123-1"):
        raise KeyboardInterrupt
    assert "--run-id 20261123-1 goes on with it" in capsys.readouterr().err
    with _named_where_stopped("20261123-1"):
        pass
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("words", "goes_on"),
    [
        (["run", "examples"], True),
        (["bench", "liveness"], False),
        (["bench", "ablation", "--run-id", "tuesday"], True),
    ],
)
def test_only_what_can_be_resumed_is_told_to_start_again(
    words: list[str], goes_on: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    args = build_parser().parse_args(words)

    def stopped(_: argparse.Namespace) -> int:
        raise KeyboardInterrupt

    stopped.__module__ = args.run.__module__
    args.run = stopped
    assert cli._run(args) == 1
    assert ("--run-id" in capsys.readouterr().err) is goes_on


def test_the_ablation_goes_on_with_the_run_that_is_named() -> None:
    assert build_parser().parse_args(["bench", "ablation", "--run-id", "tuesday"]).run_id == "tuesday"
