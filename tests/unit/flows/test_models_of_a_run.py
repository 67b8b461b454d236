"""Unknown profiles and missing keys are refused before a document is read."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from flows import cli
from flows.cli import main
from flows.runs.cells import resolve_cell
from flows.runs.models import models_named, models_of, require_callable
from flows.settings import load_settings
from tasks.drafting.records import Cell
from tasks.matter.failures import SolonError
from tasks.models.profile import ModelProfile
from tasks.models.transports.hosted import missing_key

TOML = """
[models.far]
model = "openai/x"
api_key_env = "FAR_KEY"

[models.near]
model = "openai/x"
api_base = "http://127.0.0.1:9/v1"

[models.vectors]
kind = "embeddings"
model = "openai/e"
api_key_env = "VECTOR_KEY"
"""


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "solon.toml").write_text(TOML)
    for name in ("FAR_KEY", "VECTOR_KEY", "SOLON_MODELS", "OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("SOLON_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("SOLON_PREFECT", "off")
    monkeypatch.chdir(tmp_path)

    def opened(*_: Any) -> None:
        raise AssertionError("a document was looked at")

    monkeypatch.setattr("tasks.matter.loading.load_corpus", opened)
    monkeypatch.setattr("flows.matter.open_matter", opened)
    return tmp_path


@pytest.mark.parametrize(
    "command",
    [
        ["run", "corpus", "--cell", "api:far"],
        ["run", "corpus", "--judge", "model:far"],
        ["run", "corpus", "--cell", "extractive", "--judge", "anchor+model:near,far"],
        ["matter", "room", "--ask", "Who pays?", "--cell", "api:far"],
        ["learn", "corpus", "--judge", "model:far"],
        ["judge", "r", "--profile", "anchor+model:far"],
    ],
)
def test_a_missing_key_is_named_before_any_document(
    command: list[str], place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(command) == 2
    said = capsys.readouterr().err.strip()
    assert said.startswith("solon: far: The key of this model profile is missing: FAR_KEY is not set")
    assert said.count("\n") == 0


@pytest.mark.parametrize(
    ("command", "told"),
    [
        (["run", "corpus", "--judge", "far"], "where <profile> is one of: far, near, scripted."),
        (["run", "corpus", "--judge", "model:nobody"], "use one of: far, near, scripted."),
        (["run", "corpus", "--cell", "api:nobody"], "use one of: far, near, scripted."),
        (["learn", "corpus", "--judge", "model:nobody"], "use one of: far, near, scripted."),
        (["judge", "r", "--profile", "strict"], "where <profile> is one of: far, near, scripted."),
        (["judge", "r", "--profile", "model:strict"], "use one of: far, near, scripted."),
        (["matter", "room", "--ask", "Who?", "--cell", "api:vectors"], "This profile is of kind embeddings"),
    ],
)
def test_an_unknown_profile_is_one_error_with_the_names_that_exist(
    command: list[str], told: str, place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(command) == 2
    said = capsys.readouterr().err.strip()
    assert told in said
    assert said.count("\n") == 0


def test_every_model_of_a_run_is_asked_for_once(place: Path) -> None:
    (place / "solon.toml").write_text(TOML + '[retrieval]\nembedder = "vectors"\n')
    settings = load_settings(cwd=place, env={})
    cells = [resolve_cell(name, settings) for name in ("api:far", "extractive", "api:near")]
    models = models_of(cells, settings, "anchor+model:far")
    assert [m.name for m in models] == ["far", "near", "vectors"]
    with pytest.raises(SolonError, match=r"FAR_KEY is not set; vectors: VECTOR_KEY"):
        require_callable(models)
    inline = Cell(name="i", runtime="api", options={"model": {"model": "openai/x", "api_key_env": "ODD"}})
    with pytest.raises(SolonError, match="ODD is not set"):
        require_callable(models_of([inline], load_settings(cwd=place.parent, env={})))


def test_fallbacks_and_what_a_route_may_choose_are_models_of_the_run(place: Path) -> None:
    route = '[routing.both]\namong = ["near", "chain"]\nrules = [{ area = "tax", profile = "last" }]\n'
    chain = '[models.chain]\nmodel = "openai/x"\napi_base = "http://127.0.0.1:9/v1"\nfallbacks = ["far"]\n'
    last = '[models.last]\nmodel = "openai/x"\napi_key_env = "LAST_KEY"\n'
    (place / "solon.toml").write_text(TOML + chain + last + route)
    settings = load_settings(cwd=place, env={})
    cell = resolve_cell("api:route:both:high", settings)
    assert (cell.profile, cell.effort, cell.runtime) == ("route:both", "high", "api")
    models = models_of([cell], settings)
    assert [m.name for m in models] == ["near", "chain", "far", "last", *(m.name for m in models[4:])]
    with pytest.raises(SolonError, match=r"FAR_KEY is not set; last: LAST_KEY"):
        require_callable(models)
    with pytest.raises(SolonError, match="No such route"):
        resolve_cell("api:route:other", settings)


def test_replayed_runs_and_keys_that_are_there_go_on(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = load_settings({"model_cache": "replay"}, cwd=place, env={})
    assert models_of([resolve_cell("api:far", settings)], settings, "anchor") == ()
    monkeypatch.setenv("FAR_KEY", "k")
    settings = load_settings(cwd=place, env={})
    require_callable(models_of([resolve_cell("api:far", settings)], settings, "model:near"))


@pytest.mark.parametrize(
    ("fields", "missing"),
    [
        ({"model": "openai/x", "api_key_env": "SOME"}, "SOME"),
        ({"model": "openai/x"}, "OPENAI_API_KEY"),  # the provider's usual variable
        ({"model": "openai/x", "api_base": "http://localhost:1"}, ""),  # a server of one's own wants none
        ({"model": "bedrock/x"}, ""),  # a role may stand in for a key
        ({"model": "ollama/x"}, ""),
        ({"model": "nobody/knows"}, ""),
    ],
)
def test_the_variable_that_is_missing(fields: dict[str, str], missing: str, place: Path) -> None:
    assert missing_key(ModelProfile(name="m", **fields)) == missing


@pytest.mark.parametrize(
    ("model", "base", "remedy"),
    [("qwen", "http://127.0.0.1:9/v1", 'model = "openai/qwen"'), ("foo/bar", "", 'model = "PROVIDER/bar"')],
)
def test_a_model_id_without_a_provider_is_refused_before_a_document_is_read(model: str, base: str, remedy: str) -> None:
    with pytest.raises(SolonError, match="no provider") as refused:
        require_callable([ModelProfile(name="p", model=model, api_base=base)])
    assert remedy in refused.value.failure.remedy
    require_callable([ModelProfile(name="p", model="openai/qwen", api_base="http://127.0.0.1:9/v1")])


def test_a_profile_that_a_flag_names_is_asked_unless_replies_are_replayed(place: Path) -> None:
    """`ask --model` and `bench --model` serve it alike."""
    live, replayed = (load_settings({"model_cache": kind}, cwd=place, env={}) for kind in ("read_write", "replay"))
    assert [profile.name for profile in models_named("far", live)] == ["far"]
    assert models_named("far", replayed) == models_named("", live) == ()
    with pytest.raises(SolonError, match="vectors"):
        models_named("vectors", live)
    for file in ("ask.py", "../bench/registry.py"):
        assert ".profile(" not in (Path(cli.__file__).parent / file).read_text("utf-8")
