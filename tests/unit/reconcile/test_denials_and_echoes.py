"""A denial is cross-checked with the document; words of the harness's prompts never pass for a draft."""

from __future__ import annotations

from dataclasses import fields

import pytest
from reconcile_fixtures import matter, pack, run, state, text

from tasks.harness import packaged
from tasks.reconcile.check import CheckJob
from tasks.reconcile.citations import check_citations
from tasks.reconcile.coverage import check_coverage
from tasks.reconcile.echoes import prompt_sentences
from tasks.reconcile.registry import run_check
from tasks.retrieval.records import Passage
from tasks.sources.records import Span

LEASE = (
    "LEASE\n\n1. Assignment. Tenant shall not assign this Lease without the prior written consent of Landlord, and any "
    "attempt to do so is void.\n\n2. Cover. Tenant shall at all times maintain commercial general liability insurance "
    "with limits of not less than one million dollars for each occurrence.\n\n3. Garden. The blue gnome stays in the "
    "front garden until the tenant leaves.\n\n4. Third parties. Nobody but the parties has rights under this Lease.\n"
)


def denied(draft: str) -> list[tuple[str, str]]:
    found = run(
        check_citations, draft, sources={"lease.txt": LEASE}, matter=matter("memo.md", documents=("lease.txt",))
    )
    return [(f.kind, f.text) for f in found.findings if f.kind == "false_denial"]


@pytest.mark.parametrize(
    ("draft", "topics"),
    [
        ("No assignment provision was found [Lease].", ["restriction on assignment"]),
        ("The lease contains no insurance clause.", ["insurance"]),
        ("There is no provision on insurance in the lease.", ["insurance"]),
        ("It is silent on: non-compete, insurance, most favored nation.", ["insurance"]),
        ("The lease does not address the assignment of the lease.", ["restriction on assignment"]),
        ("No blue front garden gnome clause was found.", ["blue front garden gnome"]),
        ("- **Insurance**: none seen in Lease.", ["insurance"]),
        ("| 4 | Who insures (insurance) | not found | none seen in lease.txt | Not found |", ["insurance"]),
        ("No provision was found in lease.txt on insurance or non-compete.", ["insurance"]),
        ("No insurance provision was found [Lease § 3].", ["insurance"]),
        # what is truly absent, and what is no denial
        ("No non-compete provision was found.", []),
        ("The lease contains no arbitration clause.", []),
        ("No garden shed heating provision was found.", []),
        ("Tenant may not assign; no consent was found in the file.", []),
        ("Insurance is required; the lease is not silent.", []),
        # it says where it rests
        ("- **Non-compete**: none seen in Lease.", []),
        ("No assignment clause was found; it is forbidden [Lease § 1].", []),
        ("No insurance provision was found beyond the cover clause [Lease § 2].", []),
    ],
)
def test_a_denial_is_cross_checked(draft: str, topics: list[str]) -> None:
    assert denied(draft) == [("false_denial", topic) for topic in topics]


def test_a_false_denial_shows_the_clause() -> None:
    check = run(check_citations, "No insurance provision was found [lease.txt].", sources={"lease.txt": LEASE})
    (finding,) = check.findings
    assert finding.severity == "flag"
    assert finding.grounding is not None
    assert "general liability insurance" in LEASE[finding.grounding.start : finding.grounding.end]


class OneHit:
    """A searcher that knows one passage."""

    def __init__(self, start: int, end: int) -> None:
        self.start, self.end = start, end
        self.asked: list[tuple[str, object]] = []

    def search(self, query: str, k: int = 8, documents: object = None) -> list[Passage]:
        self.asked.append((query, documents))
        span = Span(document="lease.txt", start=self.start, end=self.end)
        return [Passage(span=span, text=LEASE[self.start : self.end], score=1.0)]

    def clauses(self, document: str) -> tuple[()]:
        return ()


@pytest.mark.parametrize(("words", "held"), [("2. Cover", True), ("3. Garden", False)])
def test_the_search_of_the_matter_is_asked_where_there_is_one(words: str, held: bool) -> None:
    start = LEASE.index(words)
    index = OneHit(start, LEASE.index("\n\n", start))
    sources = {"lease.txt": text("lease.txt", LEASE, media="txt")}
    drafts = {"memo.md": text("memo.md", "No insurance provision was found.")}
    room = matter("memo.md", documents=("lease.txt",))
    found = check_citations(CheckJob(drafts, sources, room, state(), pack(), packaged(), index=index))
    assert bool(found.findings) is held
    assert index.asked == [("insurance", ["lease.txt"])]


ECHO = "The reply was cut off. Continue exactly where it stopped, without repeating anything."


def blocked(draft: str, **options) -> list[str]:
    drafts = {"memo.md": text("memo.md", draft)}
    sources = {name: text(name, words) for name, words in options.pop("sources", {}).items()}
    room = matter("memo.md", documents=tuple(sources), instructions=options.pop("brief", "Review."))
    check = run_check("completeness", CheckJob(drafts, sources, room, state(), pack(), packaged()))
    return [f"{f.severity}: {f.text}" for f in check.findings if f.kind == "prompt_text"]


def test_words_of_a_prompt_block_the_release() -> None:
    draft = f"# Memo\n\nThe rent is due on\n{ECHO.upper()}\nthe first day."
    assert blocked(draft) == [f"block: {part.upper()}" for part in ("The reply was cut off",
                              "Continue exactly where it stopped, without repeating anything")]  # fmt: skip
    assert blocked("# Memo\n\nThe reply of May 3 was cut short. The rent goes on exactly where it stopped.") == []


@pytest.mark.slow
def test_every_prompt_of_the_harness_is_known() -> None:
    prompts = packaged().prompts
    told = list(prompt_sentences(prompts, packaged().gates.completeness.prompt_words))
    silent = {"chooser_passage", "guided_passages"}  # nothing but slots
    assert {name for _, name in told} == {f.name for f in fields(prompts)} - silent
    for words, _ in told:
        assert blocked(f"Memo. {words}"), words


def test_words_that_the_brief_or_a_document_has_are_no_echo() -> None:
    assert blocked(ECHO, brief=f"What does “{ECHO}” mean in the chat log?") == []
    assert blocked(ECHO, sources={"chat.txt": f"10:02 {ECHO}"}) == []


def test_the_completeness_gate_counts_what_it_did_before() -> None:
    drafts = {"memo.md": text("memo.md", "A memo.")}
    check = check_coverage(CheckJob(drafts, {}, matter("memo.md", documents=()), state(), pack(), packaged()))
    assert (check.checked, check.findings) == (1, ())
