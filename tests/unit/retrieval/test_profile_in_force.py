"""The index profile that ``[retrieval]`` of solon.toml sets."""

import pytest

from tasks.matter.failures import SolonError
from tasks.retrieval.indexed_documents import IndexProfile
from tasks.retrieval.stage import profile_in_force


@pytest.mark.parametrize(
    ("table", "expected"),
    [
        ("", {}),
        ("[models.x]\nmodel = 'a/b'", {}),
        ("[retrieval]\nembedder = 'bge-small'", {"embedder": "bge-small", "dense_weight": 1.0}),
        ("[retrieval]\nembedder = 'bge-small'\ndense_weight = 0.5", {"embedder": "bge-small", "dense_weight": 0.5}),
        ("[retrieval]\nreranker = 'minilm-reranker'", {"reranker": "minilm-reranker"}),
        ("[retrieval]\nembedder = 'none'\n[retrieval.actors]\ncount = 2", {"embedder": "none"}),
    ],
)
def test_what_the_table_sets(tmp_path, monkeypatch, table, expected):
    file = tmp_path / "solon.toml"
    file.write_text(table, encoding="utf-8")
    monkeypatch.setenv("SOLON_MODELS", str(file))
    assert profile_in_force() == profile_in_force(file) == IndexProfile(**expected)


def test_nothing_is_in_force_without_a_file(monkeypatch):
    monkeypatch.delenv("SOLON_MODELS", raising=False)
    assert profile_in_force() == IndexProfile()


@pytest.mark.parametrize(
    "table", ["[retrieval]\nembeder = 'none'", "[retrieval]\ndense_weight = 'much'", "retrieval = 3", "["]
)
def test_a_table_that_cannot_be_understood(tmp_path, table):
    file = tmp_path / "solon.toml"
    file.write_text(table, encoding="utf-8")
    with pytest.raises(SolonError) as error:
        profile_in_force(file)
    assert error.value.failure.remedy
