"""The bench of judging counts what was sent, and says where the verdicts of batches are others."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from flows.bench.judge import run
from flows.bench.judge.meter import READ_RATE, TOKENIZER, TitleMeter
from flows.bench.registry import render
from flows.cli import main
from tasks.drafting.records import Cell
from tasks.harness import find_harness, validated
from tasks.models.profile import ModelProfile
from tasks.models.records import Reply, Request
from tasks.models.tokens import count_message

CELL = Cell(name="extractive", runtime="extractive")
WORK = "The fee is USD 12,000.\nThe town is Ashford."


def question(*titles: str) -> Request:
    shared = f"Task: t\n\n<<<c0de\n{WORK}"
    items = "\n\n".join(f"[{n:010x}] {title}\nHow to decide: so." for n, title in enumerate(titles))
    asked = {"role": "user", "content": f"{shared}\nc0de>>>\n\n{items}", "cache": len(shared)}
    return Request(messages=[{"role": "system", "content": "Judge."}, asked])


def send(meter: TitleMeter, request: Request) -> Reply:
    return meter.send(ModelProfile(name="counted", model="scripted"), request)


def test_the_meter_counts_every_token_and_those_of_a_prefix_it_knows() -> None:
    meter, asked = TitleMeter(), question("States the fee 12,000")
    send(meter, asked)
    once = sum(count_message(TOKENIZER, {"role": m["role"], "content": m["content"]}) for m in asked.messages)
    assert (meter.calls, meter.input, meter.read, meter.cached) == (1, once, 0, once)
    send(meter, question("States the town Ashford"))
    assert meter.calls == 2
    assert 0 < meter.read < once
    assert meter.cached == pytest.approx(meter.input - (1 - READ_RATE) * meter.read)


def test_the_meter_knows_a_passage_that_a_criterion_quotes() -> None:
    shared = f"<<<c0de\n{WORK}"
    rules = ["PASS if it holds “The fee is USD 12,000.”", "PASS if it holds “The fee is nil.”"]
    items = "\n\n".join(f"[{n:010x}] Holds it\nHow to decide: {rule}" for n, rule in enumerate(rules))
    asked = {"role": "user", "content": f"{shared}\nc0de>>>\n\n{items}", "cache": len(shared)}
    said = json.loads(send(TitleMeter(), Request(messages=[{"role": "system", "content": "J"}, asked])).text)[
        "verdicts"
    ]
    assert [v["verdict"] for v in said] == ["pass", "fail"]


def test_the_meter_judges_each_item_whatever_stands_beside_it() -> None:
    both = json.loads(send(TitleMeter(), question("States the town Ashford", "States the town Calder")).text)[
        "verdicts"
    ]
    assert [(v["verdict"], v["quote"]) for v in both] == [("pass", "The town is Ashford."), ("fail", "")]
    alone = json.loads(send(TitleMeter(), question("States the town Ashford")).text)["verdicts"]
    assert alone[0]["verdict"] == "pass"


@pytest.mark.usefixtures("sealed_here")
def test_batches_of_a_real_size_send_a_tenth_at_the_same_verdicts(tmp_path: Path) -> None:
    harness = validated(find_harness(None))
    result = run.measure_judging(None, CELL, harness, tmp_path / "cache", tmp_path, None)
    (row,) = result["matters"].values()
    assert (row["criteria"], row["single"]["calls"], row["unscored"]) == (57, 57, 0)
    assert 0 < row["passed"] < 57
    assert 5_500 < row["words"] < 6_500
    assert row["same_verdicts"]
    assert row["share"]["batched"] < 0.1
    assert row["share"]["batched_cached"] < row["share"]["cached"] < 0.2
    assert result["broke"] == []
    table = render("judge", result)
    assert "8." in table
    assert "the same in all ways" in table


@pytest.mark.usefixtures("sealed_here")
def test_the_command_breaks_where_a_batch_is_judged_otherwise(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Careless(TitleMeter):
        def send(self, profile: ModelProfile, request: Request) -> Reply:
            said: dict[str, Any] = json.loads(super().send(profile, request).text)
            if len(said["verdicts"]) > 1:  # all of a batch but its canaries
                hasty = {"verdict": "fail"}
                said["verdicts"] = [v | (hasty if "States fee" in v["reasoning"] else {}) for v in said["verdicts"]]
            return Reply(text=json.dumps(said), finish_reason="stop")

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(run, "TitleMeter", Careless)
    monkeypatch.setattr(run, "AIM", 0.01)
    assert main(["bench", "judge", "--home", str(tmp_path / "home"), "--json"]) == 1
    said = json.loads(capsys.readouterr().out)
    assert len(said["broke"]) == 2
    assert "not those of single calls" in said["broke"][0]
    assert "batches send 8." in said["broke"][1]
