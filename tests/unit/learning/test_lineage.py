"""Lineage of skills, and the gates on class skills that a learner writes."""

from __future__ import annotations

import json
import shutil

from flows.cli import main
from tasks.harness import find_harness
from tasks.learning import ledger, skill_audit
from tasks.learning.gates import form_gate, generality_gate
from tasks.learning.harnesses import candidate
from tasks.learning.lineage import differences, lineage_of
from tasks.learning.records import Edit, LedgerRow
from tasks.learning.skill_audit import SkillFault

PATH = "skills/other/general/SKILL.md"
BASE = find_harness()
BEFORE = (BASE.skills / PATH).read_text(encoding="utf-8")
CLASS = (BASE.skills / "skills/matter-classes/tax-draft/SKILL.md").read_text(encoding="utf-8")


def learned(tmp_path):
    """Return a harness of a learning run with one accepted edit, its ledger beside it."""
    edit = Edit(surface="skills", path=PATH, before=BEFORE, after=f"{BEFORE}\n- One more.\n", rationale="say more")
    harness = candidate(BASE, edit, tmp_path / "harnesses")
    row = LedgerRow(
        learn_id="night", step=3, minibatch=1, base_version=BASE.version, candidate_version=harness.version,
        surface="skills", path=PATH, rationale="say more", diff="", edit_digest=edit.digest, gates=(), decision=None,
        accepted=True,
    )  # fmt: skip
    ledger.append(tmp_path / "ledger.jsonl", row)
    ledger.append(tmp_path / "ledger.jsonl", row.model_copy(update={"candidate_version": "f" * 64, "step": 4}))
    return harness


def test_a_learned_skill_tells_the_edit_that_made_it(tmp_path):
    harness = learned(tmp_path)
    told = {one.skill_id: one for one in lineage_of(harness)}
    one = told["other/general"]
    assert (one.origin, [(e.learn_id, e.step, e.rationale) for e in one.edits]) == (
        "changed",
        [("night", 3, "say more")],  # step 4 led to another version
    )
    assert {o.origin for name, o in told.items() if name != "other/general"} == {"shipped"}
    assert {o.origin for o in lineage_of(BASE)} == {"shipped"}


def test_two_harnesses_differ_by_skill_with_the_diff(tmp_path):
    harness = learned(tmp_path)
    (one,) = differences(BASE, harness)
    assert (one.skill_id, one.change) == ("other/general", "changed")
    assert "+- One more." in one.diff
    shutil.rmtree(harness.skills / "skills" / "other" / "general")
    assert [d.change for d in differences(BASE, find_harness(harness.skills.parent))] == ["removed"]
    assert [d.change for d in differences(find_harness(harness.skills.parent), BASE)] == ["added"]


def test_the_command_lists_and_diffs(tmp_path, capsys):
    root = str(learned(tmp_path).skills.parent)
    assert main(["skills", "list", "--harness", root, "--json"]) == 0
    rows = {row["skill_id"]: row for row in json.loads(capsys.readouterr().out)}
    assert rows["other/general"]["edits"][0]["learn_id"] == "night"
    assert rows["matter-classes/tax-draft"]["classes"] == ["tax/draft"]
    assert main(["skills", "diff", "--from", root]) == 0
    assert "1 skills differ" in capsys.readouterr().out
    assert main(["skills", "diff", "--from", str(tmp_path)]) == 2
    assert main(["skills", "diff", root]) == 2, "a folder without --from is not passed over in silence"


def test_the_command_audits_and_shows(tmp_path, capsys, monkeypatch):
    titles = tmp_path / "titles.csv"
    titles.write_text("title\nThe spin-off of Withholdium\n", encoding="utf-8")
    found, asked = [SkillFault(skill_id="other/general", gate="audit", message="is of one matter")], []
    monkeypatch.setattr(skill_audit, "audit_skills", lambda *given: asked.append(given) or tuple(found))
    assert main(["skills", "audit", "--titles", str(titles)]) == 1
    assert "other/general: audit: is of one matter" in capsys.readouterr().out
    found.clear()
    assert main(["skills", "audit", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["findings"] == []
    assert [given[2] for given in asked] == [("The spin-off of Withholdium",), ()]
    assert main(["skills", "audit", "--titles", "no-such.csv"]) == 2
    assert main(["skills", "show", "tax/draft"]) == 0
    assert "- 26 U.S.C. § 355: " in capsys.readouterr().out


def new_skill(text: str) -> Edit:
    return Edit(surface="skills", path="skills/matter-classes/new/SKILL.md", before="", after=text, rationale="r")


def test_law_that_is_held_is_no_clause_number_and_law_that_is_not_is_refused():
    assert generality_gate(new_skill(CLASS), []).passed
    assert form_gate(new_skill(CLASS), []).passed
    invented = CLASS.replace('"26 U.S.C. § 355"', '"26 U.S.C. § 99999"')
    assert "names law that the knowledge does not hold" in form_gate(new_skill(invented), []).reason
    assert generality_gate(new_skill(invented), []).reason == "holds a clause number"
    told = CLASS.replace("[law]\n", '[law]\n"26 U.S.C. § 61" = "As Section 4 of the deal provides for it."\n')
    assert generality_gate(new_skill(told), []).reason == "holds a clause number"
