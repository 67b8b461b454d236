"""The audit that sees no rubric, and the yes or no of those who do."""

from __future__ import annotations

import json

import pytest

from tasks.harness import find_harness
from tasks.judging.vocabulary import RUN, shares_words
from tasks.learning.audit import audit_problem, general_words
from tasks.learning.gates import run_gates
from tasks.learning.records import Edit
from tasks.matter.loading import load_corpus

GENERAL = frozenset({"lease", "tenant", "review", "the", "of"})


def problem(added: str, rationale: str = "", names=("Review of the Larkfield lease",), shares=None) -> str:
    return audit_problem(added, rationale, names, GENERAL, shares)


def test_a_single_word_of_one_matter_is_refused_and_not_repeated():
    """The leakage gate looks for whole names: a word of one passes it."""
    for text in ("As in the matter of LARKFIELD.", "larkfield tenants"):
        assert problem(text) == "holds a word that only the matters it learned from use"
    assert "arkfield" not in problem("Larkfield")
    assert problem("", "as Larkfield showed")  # the rationale is told to later proposers
    assert problem("Review the lease of the tenant.") == ""


def test_the_judges_side_is_asked_about_what_is_added_and_answers_one_word():
    asked = []

    def shares(text, general):
        asked.append((text, general))
        return "estoppel" in text

    assert problem("Ask for estoppel.", "because", shares=shares) == "shares words with what the work is judged by"
    assert problem("Ask for notice.", "of estoppel", shares=shares) == ""
    assert asked == [("Ask for estoppel.", GENERAL), ("Ask for notice.", GENERAL)]


def test_words_of_the_harness_are_general():
    harness = find_harness()
    words = general_words(harness)
    assert {"lease", "assignment", "warranty"} <= words
    assert "canaryheliotrope" not in words


def test_words_of_code_and_of_what_is_no_text_are_not_general(tmp_path):
    """A learned tool may be about one matter: only what the harness says in prose and tables is in general use."""
    (tmp_path / "skills_repo/tools").mkdir(parents=True)
    (tmp_path / "knowledge_db/data").mkdir(parents=True)
    (tmp_path / "skills_repo/tools/count.py").write_text("canaryheliotrope = 1\n")
    (tmp_path / "knowledge_db/data/words.csv").write_text("canaryjonquil,1\n")
    words = general_words(find_harness(tmp_path))
    assert "canaryjonquil" in words
    assert "canaryheliotrope" not in words


def test_the_gate_stands_between_generality_and_the_unit_tests():
    before = "+++\n+++\n"
    edit = Edit(surface="agents", path="gates.toml", before=before, after=before, rationale="r")
    from tasks.learning import gates

    plain = [lambda *_, name=name: gates._yes(name) for name in ("scope", "generality")]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(gates, "GATES", tuple(plain))
        refused = run_gates(edit, [], None, lambda added, rationale, names: "is of one matter")
        passed = run_gates(edit, [], None, lambda added, rationale, names: "")
        patch.setattr(gates, "added_words", lambda edit: "")
        knowledge = run_gates(edit.model_copy(update={"surface": "knowledge"}), [], None, lambda *_: "is of one")
    assert [(g.gate, g.passed) for g in refused] == [("scope", True), ("generality", True), ("audit", False)]
    assert [g.gate for g in passed] == ["scope", "generality", "audit"]
    assert knowledge[-1].gate == "audit"


@pytest.mark.usefixtures("sealed_here")
@pytest.mark.parametrize(
    ("text", "shared"),
    [
        ("the tenant pays", False),
        ("ask about heliotrope", True),  # a word of the criterion
        ("look for Atlantis", True),  # a word of the gold
        ("the draft names the party", False),  # a run of five general words
        ("whether the draft names the party", True),
        ("party the names draft the whether who", False),
    ],
)
def test_a_text_that_shares_words_with_a_rubric(make_task, tmp_path, text, shared):
    anchor = {
        "document": "a.txt",
        "scope": ["a.txt"],
        "facet": ["law"],
        "match": {"kind": "value", "any": ["Atlantis"]},
    }
    make_task(
        "leases/one",
        {"a.txt": "Lease."},
        [
            {
                "id": "C-1",
                "title": "Names heliotrope",
                "match_criteria": "PASS if the tenant is named.",
                "anchors": [anchor],
            },
            {"id": "C-2", "title": "t", "match_criteria": "Whether the draft names the party who pays."},
        ],
    )
    (matter,) = load_corpus(tmp_path / "corpus", tmp_path / "sealed").matters
    general = {"ask", "about", "look", "for", "whether", "draft", "names", "party", "who", "pays", "tenant", "the"}
    assert RUN == 6
    assert shares_words(text, [matter], tmp_path / "sealed", general, tmp_path / "cache") is shared


@pytest.mark.parametrize(("others", "shared"), [(0, True), (1, True), (2, False)])
def test_what_papers_of_other_matters_say_too_tells_nothing_of_one(make_task, tmp_path, others, shared):
    """A rubric quotes a contract, and every contract has its usual words; how a rubric is worded stands in none."""
    usual = "Any consent is not to be unreasonably withheld."
    asked = [{"id": "C-1", "title": "t", "match_criteria": f"PASS if the draft says in substance: {usual}"}]
    make_task("leases/one", {"a.txt": f"Lease of a mill. {usual}", "copy.txt": f"Copy of a mill. {usual}"}, asked)
    for n in range(2):
        text = f"Lease of barn {n}. {usual if n < others else 'No consent is given.'}"
        make_task(f"leases/other-{n}", {"b.txt": text}, [{"id": "C-1", "title": "t", "match_criteria": "Other."}])
    matters = load_corpus(tmp_path / "corpus", tmp_path / "sealed").matters
    general = {*f"{usual} pass if the draft says in substance".casefold().replace(".", "").split()}

    def shares(text):
        return shares_words(text, matters, tmp_path / "sealed", general, tmp_path / "cache")

    assert shares("consent not to be unreasonably withheld") is False  # no run of six: "is" is left out
    assert shares("consent is not to be unreasonably withheld") is shared
    assert shares("if the draft says in substance") is True


def test_what_the_gate_says_holds_no_word_of_a_rubric():
    said = json.dumps(problem("Ask for estoppel.", shares=lambda text, general: True))
    assert "estoppel" not in said
