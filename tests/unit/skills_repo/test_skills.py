"""Skills: the schema and its bounds, and the router on a table of matters."""

import re
from pathlib import Path

import pytest

import skills_repo
from skills_repo.router import route
from skills_repo.schema import FAMILIES, PARTS, SkillError, load_gates, load_prompts, load_skills, parse_skill

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
    assert skill.roles == ("solver",)
    assert len(skill.body) > 1_000
    assert (
        "audit_all" in skill.procedure.mandatory_tools
        or skill.family in ("other", "extraction-reconstruction")
        or skill
    )
    assert not re.search(r"\$\s?\d|\b(?:19|20)\d\d\b|\bC-?\d{3}\b|\d+\s?%", skill.body)


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


def test_prompts_and_gates_are_there():
    prompts = load_prompts(FOLDER)
    assert {"solver", "reviser", "learner"} <= set(prompts)
    assert "judge" not in prompts
    gates = load_gates(FOLDER)
    assert gates["order"] == ["number", "date", "skeleton", "citation", "completeness"]
    severities = {v for gate in gates["order"] for v in gates[gate].values() if isinstance(v, str)}
    assert severities <= {"block", "flag", "note"}
