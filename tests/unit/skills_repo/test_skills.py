"""Skills: the schema and its bounds, and the router on a table of matters."""

import re
from pathlib import Path

import pytest

import skills_repo
from skills_repo.release_gates import load_gates, loosened, parse_gates
from skills_repo.router import route
from skills_repo.schema import FAMILIES, MAX_BODY, PARTS, SkillError, default_procedure, load_skills, parse_skill
from tasks.reconcile.registry import CHECKS
from tasks.toolbox import ToolRegistry
from tasks.toolbox.names import tool_names

FOLDER = Path(str(skills_repo.__file__)).parent
SKILLS = load_skills(FOLDER)
GOOD = (
    '+++\nname = "N"\ndescription = "D"\nfamily = "other"\n[routes]\ntitle = ["audit"]\n[procedure]\n'
    "quote_words = 50\n+++\n" + "\n".join(f"## {i}. {part}\n\nText.\n" for i, part in enumerate(PARTS, 1))
)


def test_every_family_has_at_least_two_skills():
    for family in FAMILIES:
        assert sum(s.family == family for s in SKILLS) >= 2, family


@pytest.mark.parametrize("skill", SKILLS, ids=[s.skill_id for s in SKILLS])
def test_skills_are_procedures_and_nothing_else(skill):
    assert len(skill.body) > 1_000
    assert not re.search(r"\$\s?\d|\b(?:19|20)\d\d\b|\bC-?\d{3}\b|\d+\s?%", skill.body)


def test_every_skill_demands_tools_and_those_about_law_the_authorities():
    known = tool_names()
    for skill in SKILLS:
        assert skill.mandatory_tools, skill.skill_id
        assert set(skill.mandatory_tools) <= known, skill.skill_id
    about_law = [
        s for s in SKILLS if s.family in ("analysis-research", "drafting-production") and "redline" not in s.skill_id
    ]
    assert [s.skill_id for s in about_law if "authority" not in s.mandatory_tools] == []


def test_the_names_of_the_tools_are_known_without_importing_them():
    assert tool_names() == set(ToolRegistry().names())


def test_a_good_skill_is_read():
    skill = parse_skill(GOOD, "other/audit")
    assert (skill.procedure.quote_words, skill.procedure.passages_per_topic) == (50, 2)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("quote_words = 50", "quote_words = 5000", "quote_words"),
        ("quote_words = 50", "quote_words = -1", "quote_words"),
        ("quote_words = 50", "min_score = 1.5", "min_score"),
        ("quote_words = 50", "delete_everything = true", "delete_everything"),
        ("quote_words = 50", 'quote_words = "many"', "quote_words"),
        ("quote_words = 50", 'mandatory_tools = ["audit_all"]', "mandatory_tools"),
        ('family = "other"', 'family = "other"\nroles = ["solver"]', "roles"),
        ('family = "other"', 'family = "other"\nmandatory_tools = ["Audit All"]', "mandatory_tools"),
        ('family = "other"', 'family = "other"\nmandatory_tools = ["read", "read"]', "twice"),
        ('family = "other"', 'family = "analysis-research"', "family"),
        ("## 3. Legal frameworks", "## 3. Answers", "parts in order"),
        ("+++\nname", "---\nname", "front matter"),
        ('name = "N"', 'name = "N', "front matter"),
        ('title = ["audit"]', 'work_types = ["guess"]', "work_types"),
        ("Text.", "x" * 13_000, "characters"),
    ],
)
def test_edits_out_of_bounds_are_refused(old, new, message):
    with pytest.raises(SkillError, match=message):
        parse_skill(GOOD.replace(old, new, 1), "other/audit")


def test_what_a_skill_leaves_out_is_set_with_care():
    """The defaults act in every skill that does not say otherwise: the fuller, more cautious draft."""
    assert default_procedure(FOLDER).model_dump() == {
        "passages_per_topic": 2, "quote_words": 90, "min_score": 0.0, "sure_chance": 0.85,
        "near_chance": 0.2, "rival_chance": 0.1, "beside_chance": 0.05, "unlike": 0.5, "valueless": 0.1,
        "posed_near": 0.25, "posed_margin": 0.05, "posed_alike": 0.3, "posed_named": 0.6, "posed_sure": 0.45,
        "denied_chance": 0.1,
        "include_definitions": True, "include_exceptions": True, "include_cross_references": True,
        "not_found_statements": True, "answer_first": True, "compare_documents": False, "severity_ratings": False,
        "recommend_actions": True, "ledger": True, "memo_words": 1100, "matrix_words": 450,
        "guided_sure": False, "guided_near": 1.0, "guided_questions": 40, "guided_sentences": 4, "guided_words": 180,
        "guided_yes": 0.9, "guided_no": 0.1,
        "guided_choices": 0, "guided_choice_words": 320, "guided_plain": True, "guided_weight": 0.5, "guided_none": 0.5,
        "guided_shown": 1.1, "guided_follows": 1.1, "guided_works": False, "guided_views": False,
        "interrogator_turns": 60, "interrogator_raised": 2,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("setting", "most"),
    [
        ("passages_per_topic = {}", 12),
        ("quote_words = {}", 400),
        ("min_score = {}.0", 1),
    ],
)
def test_bounds_hold_to_their_edge(setting, most):
    for value, good in ((most, True), (most + 1, False)):
        text = GOOD.replace("quote_words = 50", setting.format(value))
        if good:
            parse_skill(text, "other/audit")
        else:
            with pytest.raises(SkillError, match=setting.split()[0]):
                parse_skill(text, "other/audit")


def test_the_body_is_bounded_and_stripped():
    room = MAX_BODY - len(parse_skill(GOOD, "other/audit").body)
    text = GOOD.rstrip()
    assert len(parse_skill(text + "x" * room + "\n", "other/audit").body) == MAX_BODY
    with pytest.raises(SkillError, match="characters"):
        parse_skill(text + "x" * (room + 1), "other/audit")
    assert not parse_skill(GOOD, "other/audit").body.startswith("+")


@pytest.mark.parametrize("skill_id", ["audit", "other/", "other/../x", "unknown/audit", "other/Audit"])
def test_skills_lie_where_they_belong(skill_id):
    with pytest.raises(SkillError):
        parse_skill(GOOD, skill_id)


ROUTES = [
    (
        "Key Terms: 3 agreements",
        "analyze",
        ["key-terms-memo.docx"],
        "For each agreement give the governing law.",
        "key-terms",
    ),
    (
        "Consent Review: 4 agreements",
        "review",
        ["consent-memo.docx"],
        "change of control, required to close",
        "consent-and-change-of-control",
    ),
    (
        "Risk Allocation: 3 agreements",
        "review",
        ["risk-memo.docx"],
        "cap on liability, insurance",
        "contract-risk-review",
    ),
    (
        "Extract Conditions Precedent: Checklist",
        "analyze",
        ["cp-checklist.docx"],
        "Extract all CPs",
        "provision-matrix",
    ),
    ("Build a Chronology of Events", "analyze", ["chronology.docx"], "timeline from the emails", "chronology"),
    ("Identify Issues in H-1B Petition", "review", ["issues-memo.docx"], "flag deficiencies", "issues-memorandum"),
    ("Diligence Review: Target Co", "review", ["red-flags-report.md"], "Review the data room", "due-diligence"),
    (
        "Gap Analysis: Plan vs. Undertaking",
        "analyze",
        ["gap-analysis-report.docx"],
        "map each commitment",
        "gap-analysis",
    ),
    (
        "Triage Counterparty Redlines: Deviation Report",
        "review",
        ["deviation-report.docx"],
        "against our template and playbook",
        "markup-review",
    ),
    (
        "Compare Records against Disclosure",
        "analyze",
        ["discrepancy-report.docx"],
        "prepare a discrepancy report",
        "document-comparison",
    ),
    (
        "Draft Limited Partnership Agreement",
        "draft",
        ["fund-lpa.docx"],
        "Draft the LPA from the term sheet",
        "agreement",
    ),
    ("Redline License Agreement Subsequent Turn", "", ["turn-2-redline.docx"], "Prepare a redline", "redline"),
    ("Draft Motion to Dismiss", "draft", ["motion-to-dismiss.docx"], "for the court", "court-filing"),
    ("Draft Demand Letter", "draft", ["demand-letter.docx"], "write to the seller", "letter"),
    (
        "Draft Board Resolutions",
        "draft",
        ["board-resolutions.docx"],
        "written consent of the board",
        "corporate-instrument",
    ),
    (
        "Escalate Vendor Agreement Out Of Policy Terms",
        "",
        ["escalation-approval-memo.docx"],
        "requesting approval",
        "escalation-memo",
    ),
    (
        "Negotiate Services Agreement Contested Terms",
        "",
        ["compromise-clauses-and-rationale.docx"],
        "compromise clause language",
        "negotiation",
    ),
    (
        "Research Fiduciary Duty Standards",
        "research",
        ["fiduciary-duty-memorandum.docx"],
        "legal memo on the standard of review",
        "research-memo",
    ),
    (
        "Early Case Assessment of Breach Claims",
        "analyze",
        ["case-assessment-memo.docx"],
        "claims, defenses, damages",
        "case-assessment",
    ),
    ("Count of M&A Deals with a No-Shop", "", [], "", "portfolio-question"),
    ("Zzz", "", [], "", "general"),
]


@pytest.mark.parametrize(
    ("title", "work_type", "files", "instructions", "expected"), ROUTES, ids=[r[0] for r in ROUTES]
)
def test_routes(title, work_type, files, instructions, expected):
    found = route(SKILLS, title=title, work_type=work_type, deliverables=files, instructions=instructions)
    assert found.skill.skill_id.split("/")[1] == expected, f"{found.skill.skill_id}: {found.reason}"
    assert found.reason


def test_the_route_does_not_depend_on_the_order_of_skills():
    for title, work_type, files, instructions, _ in ROUTES:
        asked = {"title": title, "work_type": work_type, "deliverables": files, "instructions": instructions}
        assert route(SKILLS, **asked).skill == route(SKILLS[::-1], **asked).skill


def test_a_harness_without_skills_says_so():
    with pytest.raises(LookupError):
        route([], title="x")


GATES_TEXT = (FOLDER / "gates.toml").read_text(encoding="utf-8")


def test_the_gate_settings_name_every_kind_of_finding_and_no_other():
    settings = parse_gates(GATES_TEXT)
    assert set(settings.order) <= set(CHECKS)
    for name in settings.order:
        assert set(settings.gate(name).kinds()) == set(CHECKS[name].kinds), name
    assert settings.gate("planted").severity("purple") == settings.gate("order").severity("purple") == "flag"
    assert load_gates(FOLDER).completeness.missing_deliverable == "block"
    with pytest.raises(KeyError, match="knows no finding"):
        settings.number.severity("rounding_least")


def test_a_harness_without_gate_settings_is_refused(tmp_path):
    with pytest.raises(SkillError, match=r"gates.toml: is missing"):
        load_gates(tmp_path)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('unsourced = "flag"', 'unsourced = "off"', "number.unsourced"),
        ('unsourced = "flag"', "unsourced = 1", "number.unsourced"),
        ('unsourced = "flag"', 'unsorced = "flag"', "number.unsourced"),
        ('unsourced = "flag"', 'unsourced = "flag"\nignore_below = 10', "number.ignore_below"),
        ('missing_deliverable = "block"', 'missing_deliverable = "flag"', "completeness.missing_deliverable"),
        ('unreadable_deliverable = "block"\n', "", "completeness.unreadable_deliverable"),
        ("rounding_most = 0.05", "rounding_most = 0.5", "rounding_most"),
        ("rounding_most = 0.05", "rounding_most = -0.1", "rounding_most"),
        ("rounding_most = 0.05", 'rounding_most = "0.05"', "rounding_most"),
        ("rule_reach_days = 14", "rule_reach_days = 63", "rule_reach_days"),
        ("rule_reach_days = 14", "rule_reach_days = 1.5", "rule_reach_days"),
        ("rule_reach_days = 14", "rule_reach_days = true", "rule_reach_days"),
        ("quote_minimum_words = 4", "quote_minimum_words = 0", "quote_minimum_words"),
        ("quote_minimum_words = 4", "quote_minimum_words = 13", "quote_minimum_words"),
        ("block_share = 1.0", "block_share = 0.0", "block_share"),
        ("block_share = 1.0", "block_share = 1.1", "block_share"),
        ("block_share = 1.0", "", "block_share"),
        ("block_from = 5", "block_from = 0", "block_from"),
        ("block_from = 5", "block_from = 5\nenabled = false", "enabled"),
        ('"number", "date", ', '"date", ', "each gate once"),
        ('"number", "date", ', '"date", "date", ', "each gate once"),
        ("[completeness]", "[incompleteness]", "completeness"),
        ("[number]", "[number", "is no TOML"),
    ],
)
def test_gate_settings_out_of_form_are_refused(old, new, message):
    assert old in GATES_TEXT
    with pytest.raises(SkillError, match=message):
        parse_gates(GATES_TEXT.replace(old, new, 1))


LOOSER = [
    ('unsourced = "flag"', 'unsourced = "note"'),
    ('unread_document = "flag"', 'unread_document = "note"'),
    ("rounding_most = 0.05", "rounding_most = 0.06"),
    ("rule_reach_days = 14", "rule_reach_days = 13"),
    ("heading_likeness = 88.0", "heading_likeness = 80.0"),
    ("quote_minimum_words = 4", "quote_minimum_words = 6"),
    ("fabricated_words = 8", "fabricated_words = 9"),
    ("findings_per_gate = 200", "findings_per_gate = 100"),
    ("block_from = 5", "block_from = 6"),
]
STRICTER = [
    ('unsourced = "flag"', 'unsourced = "block"'),
    ('uncited_document = "note"', 'uncited_document = "flag"'),
    ("rounding_most = 0.05", "rounding_most = 0.04"),
    ("rule_reach_days = 14", "rule_reach_days = 20"),
    ("block_share = 1.0", "block_share = 0.5"),
    ('"number", "date", ', '"date", "number", '),
    ("# Release gates", "# The release gates"),
]


@pytest.mark.parametrize(("old", "new"), LOOSER)
def test_what_loosens_a_gate_is_told(old, new):
    assert old in GATES_TEXT
    assert loosened(parse_gates(GATES_TEXT), parse_gates(GATES_TEXT.replace(old, new, 1)))


@pytest.mark.parametrize(("old", "new"), STRICTER)
def test_what_makes_a_gate_stricter_passes(old, new):
    assert old in GATES_TEXT
    after = parse_gates(GATES_TEXT.replace(old, new, 1))
    assert loosened(parse_gates(GATES_TEXT), after) == ""
    if "# " not in old and '"date"' not in old:
        assert loosened(after, parse_gates(GATES_TEXT))  # and the way back is refused
