"""Real agent programs as proposers, each in a real sandbox, against a fake local endpoint with canned replies."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from tasks.drafting.cli_agents.records import adapter
from tasks.drafting.workspace.sandboxes import standings
from tasks.learning.proposers.agent.proposer import AgentProposer
from tasks.learning.proposers.agent.running import Program
from tasks.matter.failures import FailureCause, SolonError
from tasks.models.client import ModelClient
from tasks.models.profile import ModelProfile
from tests.live.fake_endpoint import KEY, fake_endpoint
from tests.live.test_live_agents import shell
from tests.unit.learning.test_agent_proposer import SAID, SKILL, given

CHANGE = f"sed -i 's/^passages_per_topic = 3/passages_per_topic = 4/' output/harness/skills/{SKILL}/SKILL.md"


@pytest.fixture(params=["claude-code", "codex", "opencode"])
def name(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    if shutil.which(adapter(request.param).program) is None:
        pytest.skip(f"{adapter(request.param).program} is not on PATH")
    if all(standing.fault for standing in standings()):
        pytest.skip(f"no sandbox works here: {standings()[0].fault}")
    monkeypatch.setenv("FAKE_KEY", KEY)
    return str(request.param)


def proposer(tmp_path: Path, name: str, url: str) -> AgentProposer:
    model = "anthropic/fake" if adapter(name).speaks == "messages" else "openai/fake"
    client = ModelClient(ModelProfile(name="m", model=model, api_base=url, api_key_env="FAKE_KEY"))
    run = Program(adapter(name), seconds=150)
    return AgentProposer(("skills", "tools"), tmp_path, lambda: client, run, lambda _: None)


@pytest.mark.live
def test_a_real_program_edits_its_copy_and_goes_on_in_the_next_iteration(tmp_path: Path, name: str) -> None:
    record = f"cat > output/pending_eval.json <<'END'\n{json.dumps(SAID)}\nEND"
    steps: list[Any] = [shell(name, CHANGE), ("check_edit", {}), shell(name, record), "Done."]
    told = given()
    with fake_endpoint(steps) as endpoint:
        made = proposer(tmp_path, name, endpoint.url)
        (edit,) = made.propose(told, 1)
        assert edit.after == edit.before.replace("passages_per_topic = 3", "passages_per_topic = 4")
        assert edit.rationale == SAID["change"]
        assert '\\"passes\\": true' in json.dumps(endpoint.asked).replace("\\\\", "\\")
        before = len(endpoint.asked)
        with pytest.raises(SolonError, match="left no pending_eval"):  # the canned replies are used up
            made.propose(told, 1)
        assert "passages_per_topic = 4" in json.dumps(endpoint.asked[before])  # it remembers what it did


@pytest.mark.live
def test_a_real_program_that_looks_for_the_holdout_voids_its_iteration(tmp_path: Path, name: str) -> None:
    with fake_endpoint([shell(name, "find / -name 'split.json' 2>/dev/null; ls -la"), "Done."]) as endpoint:
        with pytest.raises(SolonError, match="is void") as raised:
            proposer(tmp_path, name, endpoint.url).propose(given(), 1)
        assert str(tmp_path) not in json.dumps(endpoint.asked)
    assert raised.value.failure.cause is FailureCause.POLICY
