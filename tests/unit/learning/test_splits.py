"""The split of a corpus: proportional, extremes on the test side, giants apart, and frozen."""

from __future__ import annotations

import json
import random
from collections import Counter

import pytest

from tasks.learning.holdout import HoldoutLog
from tasks.learning.splits import Sized, frozen, split
from tasks.learning.terms import Terms
from tasks.matter.base import content_hash
from tasks.matter.failures import SolonError
from tasks.matter.records import Deliverable, DocumentRef, Matter


def sized(
    name: str, tokens: int = 1_000, area: str = "tax", work: str = "review", files: int = 1, out: int = 1
) -> Sized:
    documents = tuple(DocumentRef(name=f"{n}.txt", path=f"/{n}", sha256="0" * 64, size=1) for n in range(files))
    deliverables = tuple(Deliverable(name=str(n), filename=f"{n}.docx") for n in range(out))
    matter = Matter(
        matter_id=name, title=name, area=area, work_type=work, instructions="Do it.", documents=documents,
        deliverables=deliverables,
    )  # fmt: skip
    return Sized(matter=matter, tokens=tokens)


@pytest.fixture
def corpus() -> list[Sized]:
    rng = random.Random(1)
    kinds = [("tax", "draft")] * 40 + [("tax", "review")] * 20 + [("ip", "review")] * 60
    return [sized(f"m{n:03}", rng.randrange(900_000), *kind) for n, kind in enumerate(kinds)]


def test_every_side_is_like_the_corpus(corpus):
    found = split(corpus, seed=3, test=0.25, confirm=0.25)
    by_id = {s.matter.matter_id: s for s in corpus}
    assert [len(found.training), len(found.confirm), len(found.test)] == [60, 30, 30]
    assert sorted((*found.training, *found.confirm, *found.test)) == sorted(by_id)
    terciles = {m: at // 40 for at, m in enumerate(sorted(by_id, key=lambda m: by_id[m].tokens))}
    for side in (found.training, found.confirm, found.test):
        share = len(side) / len(corpus)
        for of, whole in ((lambda m: by_id[m].matter.area, 2), (lambda m: by_id[m].matter.work_type, 2)):
            counts = Counter(map(of, side))
            everywhere = Counter(map(of, by_id))
            assert all(abs(counts[k] - share * n) <= 3 for k, n in everywhere.items()), counts
            assert len(counts) == whole
        assert all(abs(n - share * 40) <= 4 for n in Counter(map(terciles.get, side)).values())


def test_what_is_forced_takes_no_area_from_the_sides_that_learn():
    """Of twelve matters of one area one was left to learn from, for three of another were forced into the test side."""
    areas = [("a", 12), ("b", 12), ("c", 12)]
    small = [sized(f"{area}{n:02}", 1_000 + 37 * n, area) for area, many in areas for n in range(many)]
    most = [sized("f-files", 2_000, "f", files=30), sized("d-long", 90_000, "d"), sized("e-out", 2_000, "e", out=9)]
    for seed in range(12):
        found = split([*small, *most], seed=seed, test=0.25, confirm=0.5)
        assert {m.matter_id for m in (s.matter for s in most)} <= set(found.test)
        for side, least, more in (("training", 2, 4), ("confirm", 5, 8), ("test", 2, 5)):
            counts = Counter(name[0] for name in getattr(found, side))
            assert all(least <= counts[area] <= more for area, _ in areas), (side, counts)


def test_extremes_are_forced_into_the_test_side_and_giants_stand_apart(corpus):
    most = [sized("files", files=30), sized("out", out=11), sized("long", 950_000), sized("huge", 2_000_000, files=99)]
    for seed in range(8):
        found = split([*corpus, *most], seed=seed, test=0.1, confirm=0.3)
        assert {"files", "out", "long"} <= set(found.test)
        assert found.giant == ("huge",)
        assert "huge" in found.matters
        assert "huge" not in {*found.training, *found.confirm, *found.test}


def test_the_order_says_nothing_and_the_seed_does(corpus):
    one = split(corpus, seed=1, test=0.25)
    assert one == split(list(reversed(corpus)), seed=1, test=0.25)
    assert one.digest != split(corpus, seed=2, test=0.25).digest
    assert one.confirm == ()


@pytest.mark.parametrize("count", [0, 1, 2, 3])
@pytest.mark.parametrize("share", [0.0, 0.5, 0.9])
def test_a_matter_is_always_left_to_learn_from(count, share):
    found = split([sized(f"m{n}") for n in range(count)], seed=1, test=share, confirm=0.05)
    assert len(found.training) >= min(1, count)
    assert len(found.training) + len(found.confirm) + len(found.test) == count


def test_a_frozen_split_is_what_a_later_start_goes_on_with(corpus, tmp_path):
    path = tmp_path / "l" / "split.json"
    first = frozen(path, split(corpus, seed=1, test=0.25, confirm=0.2))
    text = path.read_bytes()
    assert frozen(path, split(corpus, seed=1, test=0.25, confirm=0.2)) == first
    assert path.read_bytes() == text
    dealt = first.model_copy(update={"training": first.test, "test": first.training})
    path.write_text(dealt.model_dump_json())  # as another version might have dealt them out
    assert frozen(path, split(corpus, seed=1, test=0.25, confirm=0.2)) == dealt


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"seed": 2}, "--seed 1, not 2"),
        ({"test": 0.3}, "--holdout 0.25, not 0.3"),
        ({"confirm": 0.1}, "--confirm 0.2, not 0.1"),
        ({"candidates": 11}, "--candidates 10, not 11"),
        ({"giant_tokens": 5}, "--giant-tokens 1000000, not 5"),
    ],
)
def test_another_split_is_refused_by_name(corpus, tmp_path, changed, words):
    given = {"seed": 1, "test": 0.25, "confirm": 0.2}
    frozen(tmp_path / "split.json", split(corpus, **given))
    with pytest.raises(SolonError, match=words):
        frozen(tmp_path / "split.json", split(corpus, **{**given, **changed}))


TERMS = Terms(
    cell="extractive", cell_digest="c", judge="anchor", judge_version="j", policy="best_so_far",
    numbers={"margin": 0.01, "draws": "minibatch"}, trials=3, minibatch=4, together=0,
)  # fmt: skip


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"cell": "interrogator"}, "--cell extractive, not interrogator"),
        ({"cell_digest": "d"}, "--cell extractive of another configuration"),
        ({"judge": "model:x"}, "--judge anchor, not model:x"),
        ({"judge_version": "k"}, "--judge anchor of another configuration"),
        ({"policy": "blended_margin"}, "--policy best_so_far, not blended_margin"),
        (
            {"numbers": {"margin": 0.02, "most": 9, "draws": "minibatch"}},
            r"--policy best_so_far of another configuration \(margin 0.01, not 0.02, most None, not 9\)",
        ),
        ({"trials": 1}, "--trials 3, not 1"),
        ({"minibatch": 5}, "--minibatch 4, not 5"),
        ({"together": 2, "cell": "api"}, "--cell extractive, not api; with --together 0, not 2"),
    ],
)
def test_other_terms_are_refused_by_name_and_those_of_an_earlier_version_are_not_known(
    corpus, tmp_path, changed, words
):
    path, given = tmp_path / "l" / "split.json", {"seed": 1, "test": 0.25}
    begun = frozen(path, split(corpus, **given, terms=TERMS))
    assert frozen(path, split(corpus, **given, terms=TERMS)) == begun
    other = split(corpus, **given, terms=TERMS.model_copy(update=changed))
    with pytest.raises(SolonError, match=words) as refused:
        frozen(path, other)
    assert "another --learn-id" in refused.value.failure.remedy
    earlier = json.loads(path.read_text())
    del earlier["terms"]
    path.write_text(json.dumps(earlier))
    goes_on = frozen(path, other)
    assert (goes_on.terms, goes_on.digest) == (None, content_hash(earlier)) == (None, begun.digest)


def test_another_corpus_and_a_spoiled_file_are_refused(corpus, tmp_path):
    path = tmp_path / "split.json"
    frozen(path, split(corpus, seed=1, test=0.25))
    edited = corpus[0].matter.model_copy(update={"instructions": "Do otherwise."})
    for other in (corpus[1:], [Sized(matter=edited, tokens=corpus[0].tokens), *corpus[1:]]):
        with pytest.raises(SolonError, match="other matters"):
            frozen(path, split(other, seed=1, test=0.25))
    moved = split(corpus, seed=1, test=0.25).model_copy(update={"training": ("m000",)})
    path.write_text(moved.model_dump_json())
    with pytest.raises(SolonError, match="on one side"):
        frozen(path, split(corpus, seed=1, test=0.25))
    path.write_text("{}")
    with pytest.raises(SolonError, match="no split"):
        frozen(path, split(corpus, seed=1, test=0.25))


def test_every_look_is_a_line_also_after_a_torn_one(tmp_path):
    log = HoldoutLog(tmp_path / "h.jsonl", "l", "s" * 64)
    assert log.looks() == []
    log.look("test", "gain", "v1", step=3, matters=5, attempts=10)
    with (tmp_path / "h.jsonl").open("a") as stream:
        stream.write('{"torn": ')
    log.look("giant", "best of k", "v2", step=4, matters=1, attempts=3)
    assert [(one.look, one.side, one.step) for one in log.looks()] == [(1, "test", 3), (2, "giant", 4)]
    (tmp_path / "h.jsonl").write_text('{"learn_id": "x"}\n')
    with pytest.raises(SolonError, match="no look"):
        log.looks()
