"""The bench of requests: what carries an answer, and what a lawyer makes of each ask."""

from __future__ import annotations

import hashlib
import os
import zipfile
from pathlib import Path

import pytest

from flows.bench.request import models_in_force
from flows.bench.requests.carried import carries
from flows.bench.requests.gold import HALVES, HERE, OPEN, GoldAnswer, GoldAsk, Request, requests_of
from flows.bench.requests.reading import reading_of
from flows.bench.requests.run import measure_requests, render
from flows.bench.requests.score import AskVerdict, score
from flows.settings import load_settings
from tasks.asks.records import Ask, AskKind, AskOutcome, AskState, Entry
from tasks.drafting.records import Cell
from tasks.harness import find_harness
from tasks.release.records import ReleaseReport, Status
from tasks.sources.records import CanonicalText, Span


@pytest.mark.parametrize(
    ("text", "alternative", "carried"),
    [
        ("The rent is $4,500.00 a month.", "money: $4,500", True),
        ("The rent is $45,000 a month.", "money: $4,500", False),
        ("It ends on March 31, 2024.", "date: 2024-03-31", True),
        ("It ends on March 30, 2024.", "date: 2024-03-31", False),
        ("upon thirty (30) days' notice", "period: 30 days", True),
        ("one year", "period: 12 months", False),
        ("Yes: freely", "yes:", True),
        ("Yes: freely", "no:", False),
        ("No such consent is required", "no: consent is not required", True),
        ("Consent is required", "no: consent is not required", False),
        ("Each party bears its own expenses.", "text: each party bears its own expenses", True),
        ("The landlord bears them.", "text: each party bears its own expenses", False),
        ("at most 8% of the price", "text: shall not exceed 5% of the price", False),
        ("under Rule 12(a)(1)", "name: Rule 12(a)", True),
        ("five per cent", "percent: 5 %", True),
    ],
)
def test_what_carries_an_answer(text: str, alternative: str, carried: bool) -> None:
    assert carries(text, alternative) is carried


BRIEF = "What is the rent? May we sublet? Should we sign?"
LEASE = CanonicalText(
    document="lease.txt", sha256="0", extractor="txt/1", media="txt", text="Rent is $900. Tenant shall not sublet."
)


def request(**asked: GoldAsk) -> Request:
    return Request(
        id="r", kind="facts", brief=BRIEF, deliverable="m.md", documents=(), asks=tuple(asked.values()), folder=Path()
    )


RENT = GoldAsk(
    words="What is the rent", kind="fact", expect="answered",
    answers=(GoldAnswer(document="lease.txt", must=(("money: $900",),), never=("money: $950",)),),
)  # fmt: skip
SIGN = GoldAsk(words="Should we sign", kind="judgment", expect="not_attempted")


def told(words: str, entry: Entry) -> AskOutcome:
    start = BRIEF.index(words)
    ask = Ask(ask_id="1", words=words, start=start, end=start + len(words), kind=AskKind.FACT, subject=words)
    return AskOutcome(ask=ask, state=entry.state, answer=entry.answer, entries=(entry,))


def verdict(gold: GoldAsk, *outcomes: AskOutcome, status: Status = "released") -> AskVerdict:
    report = ReleaseReport(matter_id="m", status=status, asks=outcomes, gates=(), coverage=(), deliverables=())
    return score(request(a=gold), report, {"lease.txt": LEASE}, {}).asks[0].verdict


def entry(answer: str, state: AskState = AskState.ANSWERED, **more: object) -> Entry:
    return Entry(document="lease.txt", state=state, answer=answer, **more)


def test_what_a_lawyer_makes_of_an_answer() -> None:
    asked = RENT.words
    assert verdict(RENT, told(asked, entry("$900 a month"))) is AskVerdict.RIGHT
    assert verdict(RENT, told(asked, entry("$950 a month"))) is AskVerdict.MISLEADING
    assert verdict(RENT, told(asked, entry("$800 a month"))) is AskVerdict.WRONG
    assert verdict(RENT, told(asked, entry("$800 a month", certain=False))) is AskVerdict.OPEN
    assert verdict(RENT, told(asked, entry("none", AskState.NOT_FOUND))) is AskVerdict.DENIED
    assert verdict(RENT, told(asked, entry("", AskState.NOT_ATTEMPTED))) is AskVerdict.OPEN
    assert verdict(RENT, told("May we sublet", entry("$900"))) is AskVerdict.DROPPED
    quoted = entry("it is provided for", support=(Span(document="lease.txt", start=0, end=13),))
    assert verdict(RENT, told(asked, quoted)) is AskVerdict.SHOWN


def test_a_judgment_must_be_left_open() -> None:
    asked = SIGN.words
    assert verdict(SIGN, told(asked, entry("", AskState.NOT_ATTEMPTED))) is AskVerdict.RIGHT
    assert verdict(SIGN, told(asked, entry("Yes"))) is AskVerdict.MISLEADING
    none = GoldAsk(words="May we sublet", kind="yes_no", expect="not_found")
    assert verdict(none, told(none.words, entry("none", AskState.NOT_FOUND))) is AskVerdict.RIGHT
    assert verdict(none, told(none.words, entry("Yes"))) is AskVerdict.WRONG


def test_a_release_over_a_dropped_ask_is_wrong() -> None:
    report = ReleaseReport(
        matter_id="m",
        status="released",
        asks=(told(RENT.words, entry("$900")),),
        gates=(),
        coverage=(),
        deliverables=(),
    )
    scored = score(request(a=RENT, b=SIGN), report, {}, {})
    assert [a.verdict for a in scored.asks] == [AskVerdict.RIGHT, AskVerdict.DROPPED]
    assert scored.released_wrongly
    assert not scored.status_right


@pytest.mark.parametrize(
    ("draft", "wanted"),
    [
        ("Payment is due within 30 days of the invoice.", AskVerdict.RIGHT),
        ("Payment is due within 30 days, claims within 5 days.", AskVerdict.WRONG),
        ("Payment is due within 30 days, claims within 15 days.", AskVerdict.RIGHT),
        ("Payment is due at once.", AskVerdict.WRONG),
    ],
)
def test_a_change_is_judged_in_the_file_that_was_asked_for(draft: str, wanted: AskVerdict) -> None:
    change = GoldAsk(
        words="What is the rent", kind="drafting", expect="answered",
        answers=(GoldAnswer(must=(("period: 30 days",),), never=("period: 5 days",)),),
    )  # fmt: skip
    files = {name: LEASE.model_copy(update={"document": name, "text": text})
             for name, text in {"m.md": draft, "m-note.md": "30 days instead of 5 days"}.items()}  # fmt: skip
    outcome = told(change.words, entry("marked up"))
    report = ReleaseReport(matter_id="m", status="released", asks=(outcome,), gates=(), coverage=(), deliverables=())
    assert score(request(a=change), report, {}, files).asks[0].verdict is wanted


def test_every_request_is_sound_and_the_halves_share_nothing(tmp_path: Path) -> None:
    halves = {half: list(requests_of(half, tmp_path / half)) for half in HALVES.values()}
    for half, found in halves.items():
        redlines = "redlines" in half  # an exam of one kind
        assert len(found) >= (7 if redlines else 20), half
        assert redlines or len({r.kind for r in found}) >= 8, half
        for one in found:
            assert all(a.words in one.brief for a in one.asks), one.request_id
            assert all((one.folder / d).is_file() for d in one.documents if d.startswith("own/")), one.request_id
            groups = [g for a in one.asks for x in a.answers for g in (*x.must, x.never)]
            assert all(carries("", alternative) in (True, False) for g in groups for alternative in g), one.request_id
    names = [r.request_id for found in halves.values() for r in found]
    assert len(names) == len(set(names))
    for held in set(halves) - OPEN:
        with zipfile.ZipFile(HERE / f"{held}.zip") as packed:
            assert all(not n.startswith(("/", "..")) for n in packed.namelist())


@pytest.mark.slow
def test_a_request_runs_and_the_held_out_half_tells_totals_alone(tmp_path: Path) -> None:
    cell = Cell(name="extractive", runtime="extractive")
    result = measure_requests(
        tmp_path, cell, find_harness(), tmp_path / "cache", half="held_out_third", only=["calculation"]
    )
    assert "details" not in result
    assert result["requests"] >= 1
    assert result["asks"] == sum(result[v.value] for v in AskVerdict)
    assert "held" not in render(result)


def test_the_reading_of_a_brief_is_counted_beside_the_asks_of_a_lawyer() -> None:
    brief = request(a=RENT, b=SIGN)
    both = told(brief.brief, entry("$900")).ask.model_copy(update={"start": 0, "end": len(brief.brief)})
    assert reading_of(brief, [], several=False).dropped == 2
    merged = reading_of(brief, [both], several=False)
    assert (merged.asks, merged.dropped, merged.merged, merged.split, merged.extra) == (2, 0, 2, 0, 0)
    alone = told(RENT.words, entry("$900")).ask
    found = reading_of(brief, [alone], several=False)
    assert (found.dropped, found.merged, found.kind_right) == (1, 0, int(alone.kind == RENT.kind))


def test_papers_of_an_ask_are_counted_where_there_are_several() -> None:
    answers = tuple(GoldAnswer(document=d, must=(("text: x",),)) for d in ("a.txt", "b.txt"))
    brief = request(a=RENT.model_copy(update={"answers": answers}))
    alone = told(RENT.words, entry("$900")).ask
    assert reading_of(brief, [alone], several=False).of_papers == 0
    wrong = reading_of(brief, [alone.model_copy(update={"documents": ("a.txt",)})], several=True)
    assert (wrong.of_papers, wrong.papers_wrong, wrong.not_each) == (1, 1, 1)
    right = reading_of(brief, [alone.model_copy(update={"each": True})], several=True)
    assert (right.papers_wrong, right.not_each) == (0, 0)


@pytest.mark.parametrize("before", [None, "/of/the/user.toml"])
def test_the_models_of_a_bench_are_forgotten_after_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, before: str | None
) -> None:
    monkeypatch.delenv("SOLON_MODELS", raising=False)
    if before:
        monkeypatch.setenv("SOLON_MODELS", before)
    file = tmp_path / "own" / "solon.toml"
    file.parent.mkdir()
    file.write_text('[models.mine]\nvia = "openai"\nmodel = "m"\nbase_url = "http://127.0.0.1:1/v1"\n')

    def fails() -> None:
        with models_in_force(load_settings({}, cwd=file.parent, env={})):
            assert os.environ["SOLON_MODELS"] == str(file)
            raise KeyError

    with pytest.raises(KeyError):
        fails()
    assert os.environ.get("SOLON_MODELS") == before
    with models_in_force(load_settings({}, cwd=tmp_path, env={})):  # no file of theirs: the user's stays
        assert os.environ.get("SOLON_MODELS") == before


@pytest.mark.slow
def test_a_sample_is_the_first_requests_by_the_hash_of_their_names(tmp_path: Path) -> None:
    cell = Cell(name="extractive", runtime="extractive")
    own = [r for r in requests_of("development", tmp_path) if all(p.is_file() for p in r.paths(tmp_path))]
    words = [r.request_id for r in own]
    first = min(words, key=lambda name: hashlib.sha256(name.encode()).hexdigest())
    result = measure_requests(tmp_path, cell, find_harness(), tmp_path / "cache", only=words, sample=1)
    assert [told["request_id"] for told in result["details"]] == [first]
    assert (result["cost"]["calls"], result["cost"]["ended"]) == (0, {"finished": 1})
    assert "cost: calls 0" in render(result)
