"""Harness versions, and the knowledge gathered for a matter."""

import hashlib
import re
import shutil
from pathlib import Path

import pytest

from tasks.harness import find_harness, harness_version, packaged, parsed, validated
from tasks.matter.failures import SolonError
from tasks.matter.records import Deliverable, DocumentRef, Matter
from tasks.retrieval.knowledge import gather
from tasks.sources.records import DocumentState, MatterState
from tasks.sources.stage import inventory


def matter(**fields) -> Matter:
    base = {
        "matter_id": "commercial-contracts/key-terms",
        "title": "Key Terms: 3 agreements",
        "area": "commercial-contracts",
        "work_type": "analyze",
        "tags": ("key-terms",),
        "instructions": "Prepare a key-terms memorandum. For each agreement give the governing law. Output: `m.docx`.",
        "deliverables": (Deliverable(name="m", filename="key-terms-memo.docx"),),
    }
    return Matter(**{**base, **fields})


STATE = MatterState(matter_id="x", documents=(), coverage=())


@pytest.fixture
def candidate(tmp_path) -> Path:
    packaged = find_harness()
    shutil.copytree(packaged.knowledge, tmp_path / "knowledge_db" / "data")
    shutil.copytree(packaged.skills, tmp_path / "skills_repo", ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path


def test_a_copy_has_the_version_of_its_original(candidate):
    assert find_harness(candidate).version == find_harness().version
    assert len(find_harness().version) == 64


@pytest.mark.examples(2)
@pytest.mark.parametrize(
    ("name", "changes"),
    [
        ("knowledge_db/data/synonyms/concepts.csv", True),
        ("skills_repo/gates.toml", True),
        ("skills_repo/prompts/reviser.md", True),
        ("skills_repo/skills/other/general/SKILL.md", True),
        ("skills_repo/tools/new_tool.py", True),
        ("skills_repo/skills/__pycache__/x.pyc", False),
        ("knowledge_db/data/.hidden", False),
        ("knowledge_db/data/synonyms/concepts.csv~", False),
        ("skills_repo/router.py", False),
    ],
)
def test_the_version_follows_the_editable_surfaces_alone(candidate, name, changes):
    before = find_harness(candidate).version
    path = candidate / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes((path.read_bytes() if path.exists() else b"") + b"\n# an edit\n")
    assert (find_harness(candidate).version != before) is changes


def test_renaming_a_file_changes_the_version_but_order_does_not(tmp_path):
    for root, names in (("a", ["x", "y"]), ("b", ["y", "x"]), ("c", ["x", "z"])):
        for name in names:
            (tmp_path / root).mkdir(exist_ok=True)
            (tmp_path / root / f"{name}.toml").write_text(name.replace("z", "y"))
    versions = [harness_version(tmp_path / root, tmp_path / "none") for root in "abc"]
    assert versions[0] == versions[1] != versions[2]


@pytest.mark.slow
def test_gather_is_deterministic_and_names_its_version():
    harness = find_harness()
    one, two = (gather(matter(), STATE, parsed(harness)) for _ in range(2))
    assert one == two
    assert one.harness_version == harness.version
    assert one.skill.skill_id == "extraction-reconstruction/key-terms"
    assert one.skill.procedure.passages_per_topic == 3
    assert one.skill.description.startswith("Report the same list of terms")
    assert one.skeletons["key-terms-memo.docx"].deliverable_type == "key_terms_memo"
    assert any(section.title == "Not found" for section in one.skeletons["key-terms-memo.docx"].sections)


def test_gather_brings_the_law_that_the_brief_speaks_of():
    pack = gather(
        matter(
            title="Antitrust risk and HSR filing strategy",
            area="antitrust-competition",
            tags=("HSR filing", "merger clearance"),
            instructions="Analyse the HSR waiting period and second request risk of the merger.",
            deliverables=(Deliverable(name="m", filename="antitrust-risk-memo.docx"),),
        ),
        STATE,
        packaged(),
    )
    assert "15 U.S.C. § 18a" in [row["citation"] for row in pack.authorities]
    assert "antitrust/hsr_wait" in [row["window_id"] for row in pack.windows]
    assert all(row["reason"] and row["provenance"] for row in (*pack.authorities, *pack.windows))
    assert pack.skeletons["antitrust-risk-memo.docx"].deliverable_type == "hsr_memo"


def test_gather_without_deliverables_and_with_documents():
    state = STATE.model_copy(
        update={"documents": (DocumentState(document="a", sha256="0" * 64, media="txt", document_type="lease"),)}
    )
    assert gather(matter(deliverables=(), title="", tags=(), instructions=""), state, packaged()).skeletons == {}


def documents(*kinds: tuple[str, tuple[str, ...]]) -> MatterState:
    made = [DocumentState(document=k, sha256="0" * 64, media="txt", document_type=k, triggers=t) for k, t in kinds]
    return STATE.model_copy(update={"documents": tuple(made)})


def test_the_types_of_the_documents_bring_their_law():
    state = documents(("separation agreement", ("OWBPA",)), ("subpoena", ("Fed. R. Civ. P. 45",)))
    pack = gather(matter(), state, packaged())
    assert {"29 U.S.C. § 626", "Fed. R. Civ. P. 45"} <= {row["citation"] for row in pack.authorities}
    assert [row["window_id"] for row in pack.windows] == ["civil_procedure/subpoena_objection"]
    assert {row["reason"] for row in pack.windows} == {
        "the data room holds a document of type subpoena: Fed. R. Civ. P. 45"
    }


def test_where_no_document_brings_law_the_practice_area_does():
    def reasons(area: str) -> set[str]:
        found = gather(matter(area=area), documents(("letter", ())), packaged()).authorities
        return {row["reason"] for row in found if not row["reason"].startswith(("matched", "the class of"))}

    assert reasons("commercial-contracts") == {"a matter of commercial-contracts: statute of frauds"}
    assert reasons("tax") == {"a matter of tax: tax"}
    assert reasons("") == set()


def test_an_edit_of_the_cues_reaches_the_inventory_though_the_document_is_cached(candidate, tmp_path):
    path = tmp_path / "acme.txt"
    path.write_text("WIDGET ACCORD\n\nThe parties are agreed.")
    sha256 = hashlib.sha256(path.read_bytes()).hexdigest()
    ref = DocumentRef(name=path.name, path=path, sha256=sha256, size=path.stat().st_size)
    asked, cache = matter(documents=(ref,)), tmp_path / "cache"
    assert inventory(asked, cache, packaged().knowledge).documents[0].document_type == ""
    cues = candidate / "knowledge_db" / "data" / "inference" / "learned.toml"
    cues.write_text('[[row]]\ndocument_type = "accord"\npattern = "accord"\nwhere = "name"\nretrieve = ["OWBPA"]\n')
    found = inventory(asked, cache, parsed(find_harness(candidate)).knowledge).documents[0]
    assert (found.document_type, found.triggers) == ("accord", ("OWBPA",))


def test_law_of_a_state_that_nobody_named_comes_last():
    found = [row["citation"] for row in packaged().knowledge.law_on("statute of frauds", "a sale", 2)]
    assert found[0].startswith("U.C.C.")
    assert packaged().knowledge.law_on("statute of frauds", "a sale in Texas", 9) != found
    assert packaged().knowledge.law_on("accord and widget", "a sale", 9) == []


def test_prompts_and_knowledge_come_from_the_candidate(candidate):
    (candidate / "skills_repo" / "prompts" / "reviser.md").write_text("changed")
    found = parsed(find_harness(candidate))
    assert found.prompts.reviser.text == "changed"
    assert found.knowledge.search_authorities("12(b)(6) motion to dismiss", 1)


def test_an_edit_of_the_provision_catalogue_reaches_the_harness(candidate):
    before = packaged().knowledge.provisions
    assert len(before) > 40
    extra = candidate / "knowledge_db" / "data" / "provisions" / "99-learned.toml"
    extra.write_text('[[provision]]\nname = "step-in right"\nstrong = ["step in"]\n')
    names = [p.name for p in parsed(find_harness(candidate)).knowledge.provisions]
    assert names == [*(p.name for p in before), "step-in right"]


@pytest.mark.examples(2)
@pytest.mark.parametrize(
    ("name", "old", "new", "said"),
    [
        ("gates.toml", "[date]", "[dates]", "gates.toml: date: Field required"),
        ("gates.toml", "rule_reach_days = 14", "rule_reach_days = 14\nnear_miss_days = 3", "date.near_miss_days"),
        ("gates.toml", 'fabricated = "block"', 'fabricated = "flag"', "citation.fabricated"),
        ("procedure.toml", "quote_words = 90", "", "procedure.toml: quote_words: Field required"),
        ("procedure.toml", "quote_words = 90", "quote_words = 9000", "procedure.toml: quote_words"),
        ("prompts/api.md", None, "", "prompts/api.md: is missing or empty"),
        ("prompts/api.md", "{skill}", "{skil}", "prompts/api.md: holds {skil}, which nothing fills"),
        ("prompts/api.md", "{skill}", "", "prompts/api.md: lacks the slot {skill}"),
        ("prompts/reviser.md", "The report", "The {report}", "prompts/reviser.md: holds {report}, which nothing fills"),
        ("prompts/judge.md", None, "x", "prompts/judge.md: no role has this prompt"),
    ],
)
def test_what_the_harness_does_not_know_is_refused_by_name(candidate, name, old, new, said):
    path = candidate / "skills_repo" / name
    text = path.read_text() if path.exists() else ""
    path.write_text(new if old is None else text.replace(old, new))
    with pytest.raises(SolonError, match=re.escape(said)):
        parsed(find_harness(candidate))


def test_a_broken_family_of_the_knowledge_is_refused_before_a_run_starts(candidate):
    path = candidate / "knowledge_db" / "data" / "vocabulary" / "families.toml"
    path.write_text('families = ["no list"]')
    ref = find_harness(candidate)
    parsed(ref)
    with pytest.raises(SolonError, match="is not a list of words"):
        validated(ref)


def test_a_harness_that_lacks_a_file_is_refused_by_the_name_of_it(candidate):
    (candidate / "knowledge_db" / "data" / "jurisdictions" / "jurisdictions.toml").unlink()
    with pytest.raises(SolonError, match=r"jurisdictions\.toml"):
        validated(find_harness(candidate))
