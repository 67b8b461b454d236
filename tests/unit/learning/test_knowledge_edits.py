"""A learner's edit of the knowledge is a data diff: bounded, general, safe, checked by the suites, and evaluated."""

from __future__ import annotations

import shutil
import tomllib
from pathlib import Path

import pytest

from knowledge_db import PACKAGED, KnowledgeBase
from knowledge_db.provisions import load_provisions
from tasks.harness import find_harness
from tasks.learning.acceptance import BestSoFar
from tasks.learning.comparison import Arena
from tasks.learning.gates import run_gates, static_safety_gate
from tasks.learning.harnesses import candidate
from tasks.learning.knowledge.edits import added_patterns, added_words, family_of, row_changes
from tasks.learning.knowledge.rules import KNOWLEDGE_RULES, TAUGHT, edits_for
from tasks.learning.knowledge.suites import KnowledgeReport
from tasks.learning.proposers.rules import RulesProposer
from tasks.learning.records import Edit, LearnerInput, Observation, Signal
from tasks.learning.step import LearnSettings, learn_step
from tasks.matter.reasons import ErrorClass, Failed, MatchKind, Reason
from tasks.matter.records import Matter

CONCEPTS = "concept,aliases,provenance\nrent,rental;hire,drafting usage\nterm,duration,drafting usage\n"
CUES = '[[row]]\ndocument_type = "lease"\npattern = \'\\blease\\b\'\nwhere = "head"\nretrieve = ["rent"]\n'
CLAUSES = """# Clauses.
[[provision]]
name = "term"
aliases = ["period of the agreement"]
headings = ['\\bterm\\b']
strong = ['\\bterm of (?:this|the) agreement\\b']

[[provision]]
name = "oral disclosures"
aliases = []
headings = ['\\bnon-?disclosure\\b']
strong = ['\\bdisclosed orally\\b']
"""
PRINT = "Federal Rules of Civil Procedure, committee print of 1 December 2022"
LAW = """citation,kind,jurisdiction,title,keywords,note,provenance,as_of
11 U.S.C. § 362,statute,US,Automatic stay,stay;rent,,"PRINT",2022
11 U.S.C. § 365,statute,US,Leases,leases,,general legal knowledge,2024
""".replace("PRINT", PRINT)


@pytest.fixture
def knowledge(tmp_path) -> Path:
    """A small knowledge."""
    folder = tmp_path / "harness" / "knowledge_db" / "data"
    shutil.copytree(PACKAGED / "provenance", folder / "provenance")
    texts = {"synonyms/concepts.csv": CONCEPTS, "inference/cues.toml": CUES, "provisions/a.toml": CLAUSES}
    for path, text in {**texts, "authorities/us.csv": LAW}.items():
        (folder / path).parent.mkdir()
        (folder / path).write_text(text, encoding="utf-8")
    return folder


@pytest.fixture
def suites_pass(monkeypatch):
    """Let the suites pass without being run: they have tests of their own and cost a second each time."""
    report = KnowledgeReport(folder=Path())
    monkeypatch.setattr("tasks.learning.knowledge.gates.check_knowledge", lambda folder, families: report)


def edit(path: str, before: str, after: str) -> Edit:
    return Edit(surface="knowledge", path=path, before=before, after=after, rationale="r")


def test_an_edit_is_the_rows_it_changes():
    after = CONCEPTS.replace("rental;hire", "hire;rental;tenancy payment").replace("term,duration,drafting usage\n", "")
    after += "notice,notification,drafting usage\n"
    changes = {change.key: change for change in row_changes(edit("synonyms/concepts.csv", CONCEPTS, after))}
    assert set(changes) == {"rent", "term", "notice"}
    assert (changes["rent"].fields, changes["rent"].added("aliases")) == (("aliases",), ("tenancy payment",))
    assert (changes["term"].after, changes["notice"].before) == ({}, {})
    assert added_words(edit("synonyms/concepts.csv", CONCEPTS, after)).split("\n") == [
        "notice", "notification", "tenancy payment",
    ]  # fmt: skip


def test_patterns_are_told_from_words():
    after = CLAUSES.replace("['\\bterm\\b']", "['\\bterm\\b', '\\bduration\\b']").replace(
        "aliases = []", 'aliases = ["spoken words"]'
    )
    one = edit("provisions/a.toml", CLAUSES, after)
    assert added_patterns(one) == ("\\bduration\\b",)
    assert added_words(one) == "spoken words"


@pytest.mark.parametrize(
    ("path", "family"),
    [
        ("synonyms/concepts.csv", "synonyms"),
        ("provisions/10-term.toml", "provisions"),
        ("provenance/sources.toml", ""),
        ("calendars/countries.toml", ""),
        ("synonyms/../provenance/sources.toml", ""),
        ("synonyms/a/b.csv", ""),
        ("synonyms/.hidden.csv", ""),
        ("synonyms/x.py", ""),
        ("../synonyms/x.csv", ""),
        ("/synonyms/x.csv", ""),
        ("", ""),
    ],
)
def test_which_files_a_learner_may_edit(path, family):
    assert family_of(path) == family


def added(line: str, base: str = CONCEPTS, path: str = "synonyms/concepts.csv") -> Edit:
    return edit(path, base, base + line + "\n")


def clause(old: str, new: str) -> Edit:
    return edit("provisions/a.toml", CLAUSES, CLAUSES.replace(old, new, 1))


GOOD = [
    added("notice,notification,drafting usage"),
    edit("synonyms/concepts.csv", CONCEPTS, CONCEPTS.replace("hire", "hire;tenancy payment")),
    edit("synonyms/learned.csv", "", "concept,aliases,provenance\nnotice,notification,drafting usage\n"),
    clause("['\\bterm\\b']", "['\\bterm\\b', '\\bduration\\b.{0,40}\\bagreement\\b']"),
    added("11 U.S.C. § 541,statute,US,Property of the estate,estate,,general legal knowledge,2024", LAW,
          "authorities/us.csv"),
]  # fmt: skip


@pytest.mark.parametrize("one", GOOD, ids=range(len(GOOD)))
def test_a_good_edit_passes_every_gate(knowledge, one, suites_pass):
    verdicts = run_gates(one, ["Larkfield Museum"], knowledge)
    assert [(v.gate, v.passed, v.reason) for v in verdicts] == [
        (gate, True, "") for gate in ("scope", "form", "static_safety", "leakage", "generality", "unit_tests")
    ]


BAD = [
    (edit("provenance/sources.toml", "", "[[row]]\n"), "scope", "not a file of a family"),
    (edit("synonyms/concepts.csv", CONCEPTS, CONCEPTS), "scope", "no row changes"),
    (edit("synonyms/concepts.csv", CONCEPTS, CONCEPTS + "\n# a comment? no: a row"), "scope", "number of fields"),
    (added("\n".join(f"c{chr(97 + i)},x{chr(97 + i)},drafting usage" for i in range(6))), "scope", "at most 5"),
    (edit("provisions/a.toml", CLAUSES, "secrets = 1\n"), "scope", "no row"),
    (edit("provisions/a.toml", CLAUSES, "[[provision"), "scope", "TOML"),
    (edit("authorities/us.csv", LAW, LAW.replace("Automatic stay", "No stay")), "scope", "read in an official text"),
    (edit("authorities/us.csv", LAW, "\n".join(LAW.split("\n")[::2])), "scope", "read in an official text"),
    (
        added(f'11 U.S.C. § 541,statute,US,Estate,,,"{PRINT}",2022', LAW, "authorities/us.csv"),
        "scope",
        "claims to have been read",
    ),
    (added("notice,,drafting usage"), "form", "aliases"),
    (added("11 U.S.C. § 541,gossip,US,Estate,,,x,2024", LAW, "authorities/us.csv"), "form", "kind"),
    (clause("aliases = []", "aliases = 'x'"), "form", "aliases"),
    (clause("['\\bterm\\b']", "['\\bterm\\b', '(unclosed']"), "form", "unterminated"),
    (clause("['\\bterm\\b']", "['\\bterm\\b', '(?:\\w+\\s?)+$']"), "static_safety", "more ways than can be tried"),
    (clause("aliases = []", "denial = '(?:\\w+\\s?)+$'"), "static_safety", "more ways than can be tried"),
    (clause("aliases = []", "effects = [{ says = 'x', when = '(b|b)+c' }]"), "static_safety", "more ways than"),
    (clause("aliases = []", f"veto = {[chr(97 + n) + 'x' for n in range(21)]}"), "static_safety", "at most 20"),
    (clause("aliases = []", "denial = '('"), "form", "unterminated"),
    (clause("aliases = []", "severity = 'none'"), "form", "severity"),
    (clause("aliases = []", "threshold = 99"), "form", "threshold"),
    (clause("aliases = []", "answer = 'anything'"), "form", "answer"),
    (clause("['\\bterm\\b']", "['\\bterm\\b', 'x*']"), "static_safety", "asks for nothing"),
    (added("notice,import os,drafting usage\nimport os,x,drafting usage"), "static_safety", "code"),
    (added("landlord,larkfield,drafting usage"), "leakage", "names of the matters"),
    (clause("['\\bterm\\b']", "['\\bterm\\b', '\\bL[a]rkf.eld\\b']"), "leakage", "meets a name"),
    (clause("['\\bterm\\b']", "['\\bterm\\b', '\\bMUSEUM\\b']"), "leakage", "names of the matters"),
    (added("deposit,$750 deposit,drafting usage"), "generality", "number"),
    (added("deposit,thirty days,drafting usage"), "generality", "number"),
    (clause("['\\bterm\\b']", "['\\bterm\\b', '\\b2028\\b']"), "generality", "number in a pattern"),
    (added("rent,lease payment,drafting usage"), "unit_tests", "suite synonyms: a concept is held once"),
    (clause("aliases = []", 'aliases = ["term"]'), "unit_tests", "means one kind of provision"),
]  # fmt: skip


@pytest.mark.examples(11)
@pytest.mark.parametrize(("one", "gate", "reason"), BAD, ids=[f"{g}: {r}" for _, g, r in BAD])
def test_a_bad_edit_is_refused_by_its_gate(knowledge, one, gate, reason):
    last = run_gates(one, ["Larkfield Museum", "rent-review.docx"], knowledge)[-1]
    assert (last.gate, last.passed) == (gate, False), last.reason
    assert reason in last.reason


@pytest.mark.parametrize(("count", "passed"), [(60, True), (61, False)])
def test_a_file_that_was_not_there_may_bring_more_patterns_than_a_change(count, passed):
    cues = [f"\\bcue{chr(97 + n // 26)}{chr(97 + n % 26)}\\b" for n in range(count)]
    new = edit("provisions/b.toml", "", f'[[provision]]\nname = "x"\nanswer = "clause"\nstrong = {cues}\n')
    verdict = static_safety_gate(new, ())
    assert verdict.passed is passed
    assert passed or "at most 60 may be" in verdict.reason


def test_what_was_broken_before_is_not_held_against_an_edit(knowledge):
    """An edit may not make things worse; the sins of the incumbent are not its own. And suites pass what is good."""
    broken = CONCEPTS + "rent,lease payment,drafting usage\n"
    (knowledge / "synonyms" / "concepts.csv").write_text(broken, encoding="utf-8")
    assert run_gates(added("notice,notification,drafting usage", broken), [], knowledge)[-1].passed
    worse = run_gates(added("term,period,drafting usage", broken), [], knowledge)[-1]
    assert (worse.gate, worse.passed) == ("unit_tests", False)


def test_general_words_of_names_are_no_leak(knowledge, suites_pass):
    """ "Rent Review Ltd" does not make "rent" a secret: the knowledge holds the word; "quillwork" it does not."""
    assert run_gates(added("tenancy,rent,drafting usage"), ["Rent Review Ltd"], knowledge)[-1].passed
    last = run_gates(added("tenancy,quillwork,drafting usage"), ["Quillwork Rent Ltd"], knowledge)[-1]
    assert (last.gate, last.passed) == ("leakage", False)


@pytest.mark.parametrize(
    ("cue", "name", "passes"),
    [
        ("hire", "Hireling Coffee Ltd", True),  # a word of the knowledge inside a name
        ("h.re", "Hireling Coffee Ltd", True),
        ("(?:h|coff)[ei]", "Coffee Ltd", False),
        (".offe+", "Coffee Ltd", False),
        ("hire(?=ling)", "Hireling Ltd", False),  # what it looks for, it names
        ("hire(?!l.ng)", "Hireling Ltd", False),
        ("(?<=hire)ling", "Hireling Ltd", False),
        ("hire|.ireling", "Hireling Ltd", False),  # behind another
        ("hire|lin[g]", "Hireling Ltd", False),
        ("hire(?!s)", "Hireling Ltd", True),
    ],
)
def test_a_cue_inside_a_name_is_no_name(knowledge, suites_pass, cue, name, passes):
    """What a pattern meets of a name is held against it, unless that is a word that the knowledge holds."""
    last = run_gates(clause("['\\bterm\\b']", f"['\\bterm\\b', '{cue}']"), [name], knowledge)[-1]
    assert last.passed is passes, last.reason
    assert passes or last.gate == "leakage"


def test_a_party_that_is_called_what_every_lawyer_says_is_not_named_by_the_word(knowledge, suites_pass):
    """A lease that calls a party "Hire" does not forbid a rationale about hire; "Birch" and "Hire Birch" it does."""
    said = {"rationale": "a lease is called a hire too"}
    one = added("term,period,drafting usage").model_copy(update=said)
    assert run_gates(one, ["Hire"], knowledge)[-1].passed
    for name in ("Birch", "Hire too"):
        told = one.model_copy(update={"rationale": f"{one.rationale}, as birch leases are"})
        assert run_gates(told, [name], knowledge)[-1].gate == "leakage"


def test_who_stands_in_a_leading_case_may_be_a_party_too(knowledge, suites_pass):
    """ "Kahn" is a word of the knowledge, as the name of a case; a client of that name is named by it all the same."""
    cases = knowledge / "authorities" / "us.csv"
    cases.write_text(LAW + "Kahn v. Lynch,case,Delaware,Kahn v. Lynch,rent,,general legal knowledge,2024\n", "utf-8")
    assert run_gates(added("tenancy,kahn,drafting usage"), ["Kahn Ltd"], knowledge)[-1].gate == "leakage"
    told = added("tenancy,rent,drafting usage").model_copy(update={"rationale": "as kahn wants it"})
    assert run_gates(told, ["Kahn"], knowledge)[-1].gate == "leakage"
    assert run_gates(told, ["Kahneman"], knowledge)[-1].passed


def test_without_the_knowledge_nothing_of_it_passes():
    assert not run_gates(GOOD[0], [], None)[-1].passed


def packaged_tables() -> dict[str, str]:
    paths = [path for family in TAUGHT for path in sorted((PACKAGED / family).glob("*.*"))]
    return {path.relative_to(PACKAGED).as_posix(): path.read_text(encoding="utf-8") for path in paths}


@pytest.mark.slow
def test_rules_propose_small_edits_of_words_that_the_knowledge_holds():
    tables = packaged_tables()
    for rule in KNOWLEDGE_RULES:
        for one in list(edits_for(rule, tables))[:4]:
            (change,) = row_changes(one)
            assert change.fields == (rule.field,)
            assert 1 <= len(change.added(rule.field)) <= 3
            assert change.before
            assert change.after
            assert one.after.count("\n") == one.before.count("\n")
    assert list(edits_for(KNOWLEDGE_RULES[0], tables))


def test_rules_keep_the_comments_and_all_other_rows():
    one = next(edits_for(KNOWLEDGE_RULES[1], {"provisions/a.toml": CLAUSES}))
    assert one.after.startswith("# Clauses.\n")
    rows = tomllib.loads(one.after)["provision"]
    assert rows[0] == tomllib.loads(CLAUSES)["provision"][0]
    assert rows[1]["headings"] == ["\\bnon-?disclosure\\b", "\\boral[ -]disclosures\\b"]


def test_a_provision_gets_the_names_of_its_concept():
    tables = {"provisions/a.toml": CLAUSES, "synonyms/concepts.csv": CONCEPTS}
    (one,) = edits_for(KNOWLEDGE_RULES[0], tables)
    assert one.rationale.startswith("provisions/a.toml: term: aliases + duration:")
    (back,) = edits_for(KNOWLEDGE_RULES[2], tables)
    assert "term,duration;period of the agreement,drafting usage\n" in back.after


def signal_of(**reasons: int) -> Signal:
    said = {"span": Reason.WORDS_NOT_CONVEYED, "date": Reason.DATE_WRONG}
    return Signal(
        work_type="review", documents="1-3", document_formats=(".pdf",), deliverable_formats=(".docx",),
        skill_id="a/b", tool_uses={}, passed=1, failed=1, unscored=0,
        reasons={said[name]: n for name, n in reasons.items()}, final_message="",
    )  # fmt: skip


def test_the_proposer_asks_the_knowledge_after_the_skills_and_never_twice():
    tables = {"provisions/a.toml": CLAUSES, "synonyms/concepts.csv": CONCEPTS}
    given = LearnerInput(signals=(signal_of(span=2),), skills={}, history=(), knowledge=tables)
    found = RulesProposer().propose(given, 10)
    assert [one.surface for one in found] == ["knowledge"] * 3
    again = given.model_copy(update={"history": (found[0].rationale,)})
    assert RulesProposer().propose(again, 10) == found[1:]
    assert RulesProposer(surfaces=("skills",)).propose(given, 10) == []
    assert RulesProposer().propose(given, 0) == []
    unrelated = given.model_copy(update={"signals": (signal_of(date=1),)})
    assert RulesProposer().propose(unrelated, 10) == []


def test_a_step_keeps_the_row_that_helps_and_nothing_that_does_not(knowledge, tmp_path, suites_pass):
    """In this world a matter asks for the "duration"; a provision known by that name passes."""
    (knowledge.parents[1] / "skills_repo").mkdir()
    harness = find_harness(knowledge.parents[1])

    def evaluate(version, matters, epochs=(1,)):
        names = {n for row in load_provisions(version.knowledge) for n in row.aliases}
        failed = (
            () if "duration" in names else (Failed(match_kind=MatchKind.SPAN, error_class=ErrorClass.MISSING_FACTS),)
        )
        return [
            Observation(
                matter_key=m.matter_id, work_type="review", document_suffixes=(), deliverable_suffixes=(),
                skill_id="a/b", passed=4 - len(failed), failed=failed, unscored=0,
            )
            for m in matters
        ]  # fmt: skip

    settings = LearnSettings(
        learn_id="k", proposer=RulesProposer(), policy=BestSoFar(), store=tmp_path / "store",
        ledger=tmp_path / "ledger.jsonl", inputs=tmp_path / "inputs", max_edits=3,
    )  # fmt: skip
    matters = [Matter(matter_id="tax/a-1", title="A", area="tax", instructions="Do it.")]
    after, rows = learn_step(harness, matters, 0, Arena(evaluate), settings)
    assert [(row.surface, row.accepted) for row in rows] == [
        ("knowledge", True),
        ("knowledge", False),
        ("knowledge", False),
    ]
    assert rows[0].gates[-3].gate == "unit_tests"
    assert '+aliases = ["period of the agreement", "duration"]' in rows[0].diff
    assert "duration" in load_provisions(after.knowledge)[0].aliases
    assert KnowledgeBase(after.knowledge).synonyms == KnowledgeBase(harness.knowledge).synonyms
    assert (harness.knowledge / "provisions" / "a.toml").read_text(encoding="utf-8") == CLAUSES
    assert "tax/a-1" not in (tmp_path / "inputs" / "step-0000.json").read_text(encoding="utf-8")


def test_an_edit_made_from_another_text_is_not_applied(knowledge, tmp_path):
    (knowledge.parents[1] / "skills_repo").mkdir()
    with pytest.raises(Exception, match="another text"):
        candidate(find_harness(knowledge.parents[1]), edit("provisions/a.toml", "", CLAUSES), tmp_path / "store")
