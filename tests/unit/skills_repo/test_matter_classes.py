"""Class skills: their form and law, how they go with the skill for the work, and which matter has which."""

from __future__ import annotations

import gzip
import json
import re
from dataclasses import replace
from itertools import combinations, cycle

import pytest

from skills_repo.class_cues import ClassCues, features, load_classes
from skills_repo.matter_classes import class_skill, classes_without_a_skill, composed, pitfalls, whole_body
from skills_repo.router import route
from skills_repo.schema import LEAST_FAILURES, LEAST_LAW, PARTS, Skill, SkillError, parse_skill, parts_of
from tasks.harness import find_harness, packaged
from tasks.learning.skill_audit import ALIKE, SAME_LAW, audit_skills, copied, likeness
from tasks.retrieval.knowledge import card_of

HARNESS = packaged()
CLASS_SKILLS = [s for s in HARNESS.skills if s.classes]
WORK = next(s for s in HARNESS.skills if not s.classes)
_WORD = re.compile(r"[^\W\d_]{3,}")
LAW = "".join(f'"Code § {n}" = "What section {n} decides in matters of this class."\n' for n in range(LEAST_LAW))
FAILURES = "- One thing goes wrong.\n- Another thing goes wrong."
GOOD = (
    '+++\nname = "N"\ndescription = "D"\nfamily = "matter-classes"\nclasses = ["tax/draft"]\n'
    f'mandatory_tools = ["authority"]\n\n[law]\n{LAW}+++\n'
) + "\n".join(f"## {i}. {part}\n\n{FAILURES if i == 2 else 'Text.'}\n" for i, part in enumerate(PARTS, 1))


def test_every_class_of_the_index_has_one_skill_and_no_two():
    named = [name for skill in CLASS_SKILLS for name in skill.classes]
    assert len(named) == len(set(named))
    assert classes_without_a_skill(HARNESS.skills, HARNESS.classes) == ()
    assert "tax/draft" in classes_without_a_skill([WORK], HARNESS.classes)


@pytest.mark.parametrize("skill", CLASS_SKILLS, ids=[s.skill_id for s in CLASS_SKILLS])
def test_a_class_skill_names_law_that_is_held_and_failures_of_its_own(skill):
    held = {row["citation"] for row in HARNESS.knowledge.law_called(skill.law)}
    assert set(skill.law) <= held
    assert len(held) >= LEAST_LAW
    assert len(HARNESS.knowledge.windows_called(skill.windows)) == len(skill.windows)
    assert pitfalls(skill).count(".") >= LEAST_FAILURES
    others = {line for s in CLASS_SKILLS if s is not skill for line in _failures(s)}
    assert sum(line not in others for line in _failures(skill)) >= LEAST_FAILURES


def _failures(skill) -> list[str]:
    return [x for x in parts_of(skill.body)["Failure modes corrected"].splitlines() if x.startswith("- ")]


def test_the_audit_finds_nothing_in_the_shipped_skills():
    assert audit_skills(HARNESS, find_harness()) == ()


def _changed(skill: Skill, every: int, of: int) -> Skill:
    """Return a copy in which of ``of`` words the first ``every`` are other words, and other law is named."""
    others = cycle(_WORD.findall(CLASS_SKILLS[-1 if skill is CLASS_SKILLS[0] else 0].body))
    count = iter(range(100_000))

    def other(text: str) -> str:
        return _WORD.sub(lambda m: next(others) if next(count) % of < every else m[0], text)

    heads = {line: line for line in skill.body.splitlines() if line.startswith("#")}
    body = "\n".join(heads.get(line) or other(line) for line in skill.body.splitlines())
    law = {f"Code § {n}": other(said) for n, said in enumerate(skill.law.values())}
    return skill.model_copy(
        update={"skill_id": "matter-classes/zz-copy", "body": body, "law": law, "classes": ("zz/draft",)}
    )


@pytest.mark.parametrize(("every", "of", "least"), [(1, 4, 0.7), (1, 3, 0.6), (1, 2, 0.45), (2, 3, 0.3)])
def test_a_copy_of_any_skill_is_refused_however_many_words_are_other_ones(every, of, least):
    """Up to two words of three, the citations too; see ``ALIKE``."""
    for one in CLASS_SKILLS:
        copy = _changed(one, every, of)
        alike = likeness(one, copy)
        assert (alike.words > max(least, ALIKE), alike.law) == (True, 0.0), one.skill_id
        assert copied(copy, [one]).startswith(f"is {one.skill_id} with words changed")


def test_a_copy_in_other_words_and_another_order_is_refused_by_its_law():
    one = CLASS_SKILLS[0]
    law = dict.fromkeys(sorted(one.law), "What nobody has said of it before, in words of its own.")
    copy = one.model_copy(update={"skill_id": "matter-classes/zz-copy", "body": WORK.body, "law": law})
    assert likeness(one, copy).words < ALIKE
    assert copied(copy, [one])
    half = dict(list(law.items())[: len(law) // 2])
    assert copied(copy.model_copy(update={"law": half}), [one]) == ""  # half of the law in other words is no copy


def test_the_audit_names_the_copy_and_no_two_of_the_shipped_skills_are_near_a_copy():
    copy = _changed(CLASS_SKILLS[0], 1, 2)
    found = audit_skills(replace(HARNESS, skills=(*CLASS_SKILLS[:3], copy)), find_harness())
    alike = [f for f in found if f.gate == "similarity"]
    assert [f.skill_id for f in alike] == [CLASS_SKILLS[0].skill_id]
    assert "matter-classes/zz-copy" in alike[0].message
    near = [likeness(one, other) for one, other in combinations(CLASS_SKILLS, 2)]
    assert max(alike.words for alike in near) < 0.75 * ALIKE
    assert max(alike.law for alike in near) < 0.5 * SAME_LAW


def test_a_caption_tells_what_changed_of_its_authority_since_the_knowledge_was_read():
    """26 U.S.C. § 1031: since 2018 of real property alone, as a row of the changes says."""
    one = next(s for s in CLASS_SKILLS if "26 U.S.C. § 1031" in s.law)

    def faults(caption: str) -> list[str]:
        said = one.model_copy(update={"law": {**one.law, "26 U.S.C. § 1031": caption}})
        return [f.message for f in audit_skills(replace(HARNESS, skills=(said,)), find_harness())]

    assert faults("Exchange of real property alone, through an intermediary.") == []
    assert "26 U.S.C. § 1031 on 2018-01-01" in faults("Exchange of like property, through an intermediary.")[0]


def test_a_copy_that_a_learner_adds_is_named_and_a_skill_is_no_copy_of_itself():
    one = CLASS_SKILLS[0]
    copy = one.model_copy(update={"skill_id": "matter-classes/zz-copy", "classes": ("zz/draft",)})
    assert copied(copy, HARNESS.skills).startswith(f"is {one.skill_id} with words changed")
    assert copied(one, HARNESS.skills) == ""


def test_the_audit_names_what_is_of_one_matter_and_law_that_is_not_held():
    one = CLASS_SKILLS[0]
    cases = [
        ({"body": one.body + "\nAs in the Larkfieldium lease."}, "audit"),
        ({"body": one.body + "\nThe price was $4,000,000."}, "generality"),
        ({"law": {**one.law, "99 U.S.C. § 9999": "A section that nobody ever enacted."}}, "law"),
        ({"windows": ("tax/never",)}, "windows"),
    ]
    for change, gate in cases:
        bad = replace(HARNESS, skills=(one.model_copy(update=change), *CLASS_SKILLS[1:2]))
        titles = ["Review of the Larkfieldium lease"] if gate == "audit" else []
        found = audit_skills(bad, find_harness(), titles)
        assert [f.gate for f in found if f.skill_id == one.skill_id] == [gate], gate
        assert "arkfieldium" not in found[0].message


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('classes = ["tax/draft"]\n', "", "names its classes"),
        ('"Code § 0"', '#"Code § 0"', "at least 3 authorities"),
        ("- Another thing goes wrong.", "", "at least 2 failure modes"),
        ("[law]", "[procedure]\nquote_words = 50\n[law]", "no procedure"),
        ("[law]", '[routes]\ntitle = ["x"]\n[law]', "no routes"),
        ("tax/draft", "tax/guess", "classes"),
        ("What section 1 decides in matters of this class.", "Short.", "law"),
    ],
)
def test_class_skills_out_of_form_are_refused(old, new, message):
    parse_skill(GOOD, "matter-classes/tax-draft")
    with pytest.raises(SkillError, match=message):
        parse_skill(GOOD.replace(old, new, 1), "matter-classes/tax-draft")


def test_a_skill_for_the_work_names_no_class():
    text = GOOD.replace('"matter-classes"', '"other"')
    with pytest.raises(SkillError, match="are for skills of the family matter-classes"):
        parse_skill(text, "other/tax-draft")


def test_what_a_solver_follows_is_both_and_nothing_twice():
    law = parse_skill(GOOD.replace("Text.\n", "Text.\nOnly of the class.\n"), "matter-classes/tax-draft")
    work = WORK.model_copy(update={"body": whole_body(WORK).replace("## 1. Triage\n", "## 1. Triage\n\nText.", 1)})
    both = composed(work, law)
    assert (both.skill_id, both.procedure) == (work.skill_id, work.procedure)
    parts = parts_of(both.body)
    assert tuple(parts) == PARTS
    assert parts["Triage"].count("Text.") == 1
    assert parts["Triage"].endswith("Only of the class.")
    assert "- Code § 1: What section 1 decides" in parts["Legal frameworks"]
    assert set(both.mandatory_tools) == {*work.mandatory_tools, "authority"}
    assert len(both.mandatory_tools) == len(set(both.mandatory_tools))


def test_a_composed_skill_is_what_the_solver_is_given():
    law = CLASS_SKILLS[0]
    card = card_of(WORK, law)
    assert (card.skill_id, card.class_id) == (WORK.skill_id, law.skill_id)
    assert all(line in card.body for line in whole_body(law).splitlines() if not line.startswith("#"))
    assert card.pitfalls
    assert (card_of(WORK).class_id, card_of(WORK).pitfalls) == ("", "")


CUES = ClassCues.model_validate(
    {
        "least": 0.6,
        "areas": {
            "tax": {"base": 0.0, "aliases": ["revenue"], "cues": {"tax": 3.0}, "work_types": {"draft": 0, "review": 0}},
            "contracts": {"base": 0.0, "cues": {"agreement": 3.0, "first turn": 2.0}},
        },
        "work_types": {"draft": {"base": 0.0, "cues": {"^draft": 2.0}}, "review": {"base": 0.0, "cues": {}}},
    }
)


@pytest.mark.parametrize(
    ("title", "area", "work_type", "first"),
    [
        ("Draft the tax opinions", "", "", "tax/draft"),
        ("Opinions on taxes", "", "review", "tax/review"),
        ("Redline agreements, first turn", "", "", "contracts"),
        ("Redline agreements", "tax", "review", "tax/review"),
        ("Draft anything", "revenue", "", "tax/draft"),
        ("Draft anything", "an area that nobody knows", "", "contracts"),
    ],
)
def test_the_class_follows_area_and_work_type_and_else_the_title(title, area, work_type, first):
    guesses = CUES.rank(title, area, work_type)
    assert guesses[0].name == first
    assert sum(g.share for g in guesses) == pytest.approx(1.0)


def test_a_class_in_doubt_has_no_skill():
    skill = parse_skill(GOOD, "matter-classes/tax-draft")
    assert class_skill([skill], CUES, "Draft the tax opinions") is skill
    assert class_skill([skill], CUES, "Opinions") is None  # no class is likely enough
    assert class_skill([skill], CUES, "", "tax", "review") is None  # the class is known, and has none
    assert class_skill([skill], ClassCues(), "Draft the tax opinions", "tax", "draft") is None


def test_features_are_words_pairs_and_the_first():
    assert features("Draft Policies") == {"draft", "policy", "draft policy", "^draft"}


def test_the_router_for_the_work_passes_over_class_skills():
    assert not route(HARNESS.skills, title="Antitrust analysis").skill.classes
    with pytest.raises(LookupError, match="only class skills"):
        route(CLASS_SKILLS, title="x")


def test_a_table_of_titles_out_of_form_is_refused(tmp_path):
    assert load_classes(tmp_path).areas == {}
    for text, said in (("least = 2", "least"), ("least = ", "no TOML"), ("[areas.tax]\ncues = {}", "base")):
        (tmp_path / "classes.toml").write_text(text, encoding="utf-8")
        with pytest.raises(SkillError, match=said):
            load_classes(tmp_path)


def test_no_skill_is_about_a_matter_of_the_index(shared_data):
    with gzip.open(shared_data / "lab/inventory_2010.jsonl.gz", "rt", encoding="utf-8") as rows:
        titles = tuple(json.loads(row)["title"] for row in rows)
    assert [str(found) for found in audit_skills(HARNESS, find_harness(), titles)] == []
