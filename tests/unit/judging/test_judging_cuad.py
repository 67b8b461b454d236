"""Trivial drafts over real contracts: the floors that the data set states, and an oracle."""

import json

import pytest

from tasks.judging.anchors.judge import AnchorJudge
from tasks.matter.rubric import Anchor, Criterion, Rubric


@pytest.fixture(scope="module")
def matters(shared_data):
    folder = shared_data / "cuad_matters"
    if not folder.is_dir():
        pytest.skip("../shared/data/cuad_matters is absent")
    found = []
    for path in sorted(folder.rglob("task.json")):
        task = json.loads(path.read_text(encoding="utf-8"))
        criteria = tuple(
            Criterion(
                id=c["id"], title=c["title"], match_criteria=c["match_criteria"],
                anchors=(Anchor.model_validate(c["anchors"]),),
            )
            for c in task["criteria"]
        )  # fmt: skip
        rubric = Rubric(
            matter_id=path.parent.name, matter_digest="0" * 64, title="", instructions="", criteria=criteria
        )
        found.append((rubric, sorted(p.name for p in (path.parent / "documents").iterdir())))
    return found


def rate(matters, kit, draft):
    """Pooled pass rate of a draft made from a rubric, and the rate by kind."""
    passed, total = {}, {}
    for rubric, documents in matters:
        text = kit.markdown(draft(rubric))
        judge = AnchorJudge.prepare(rubric, documents, {"memo.docx": text})
        for criterion in rubric.criteria:
            kind = criterion.anchors[0].match.kind
            total[kind] = total.get(kind, 0) + 1
            passed[kind] = passed.get(kind, 0) + (judge.judge(criterion).status == "pass")
    return sum(passed.values()) / sum(total.values()), {k: passed[k] / total[k] for k in total}


def by_contract(rubric, answer):
    sections = {}
    for c in rubric.criteria:
        sections.setdefault(c.anchors[0].document, []).append(f"## {c.anchors[0].facet[0]}\n{answer(c.anchors[0])}")
    return "\n".join(f"# {d}\n" + "\n".join(parts) for d, parts in sections.items())


def test_an_empty_draft_passes_nothing(matters, kit):
    assert rate(matters, kit, lambda r: "")[0] == 0.0


def test_no_provision_everywhere_passes_the_absences_alone(matters, kit):
    pooled, kinds = rate(matters, kit, lambda r: by_contract(r, lambda a: "No such provision was found."))
    assert pooled == pytest.approx(0.27, abs=0.01)
    assert kinds == {"date": 0, "value": 0, "span": 0, "absence": 1}


def test_one_sentence_about_everything_passes_nothing(matters, kit):
    assert rate(matters, kit, lambda r: "# Memorandum\nNo such provision was found anywhere.")[0] == 0.0


def test_the_right_answers_pass_and_next_contract_s_answers_do_not(matters, kit):
    def truth(anchor):
        return "Not found." if anchor.match.kind == "absence" else anchor.match.any[0]

    def swapped(rubric):
        documents = sorted({c.anchors[0].document for c in rubric.criteria})
        following = dict(zip(documents, documents[1:] + documents[:1], strict=True))
        return "\n".join(
            f"# {following[c.anchors[0].document]}\n## {c.anchors[0].facet[0]}\n{truth(c.anchors[0])}"
            for c in rubric.criteria
        )

    pooled, kinds = rate(matters, kit, lambda r: by_contract(r, truth))
    assert pooled > 0.99, kinds
    # What still passes is what two contracts have in common (same law, same silence).
    assert rate(matters, kit, swapped)[0] < 0.25


def test_right_answers_without_headings_or_under_one_heading_fail(matters, kit):
    def dump(rubric):
        return "# Agreements\n" + "\n".join(c.anchors[0].match.any[0] for c in rubric.criteria)

    assert rate(matters, kit, dump)[0] < 0.02
