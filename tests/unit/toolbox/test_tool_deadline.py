"""The deadline tool: every way to say a period, and a typed refusal for what makes none."""

from __future__ import annotations

import pytest

from tasks.matter.failures import SolonError
from tasks.toolbox.registry import ToolRegistry


@pytest.mark.parametrize(
    ("arguments", "due"),
    [
        ({"trigger": "2024-03-01", "days": 30}, "2024-04-01"),
        ({"trigger": "March 1, 2024", "days": 30}, "2024-04-01"),
        ({"trigger": "2024-03-01", "business_days": 5, "calendar": "nyse"}, "2024-03-08"),
        ({"trigger": "2024-03-01", "days": 5, "counting": "clear", "calendar": "england_wales"}, "2024-03-11"),
        ({"trigger": "2024-01-31", "months": 1, "calendar": "germany", "roll": "none"}, "2024-02-29"),
        ({"trigger": "2024-03-30", "days": 1, "roll": "modified_following", "calendar": "nyse"}, "2024-03-28"),
        ({"trigger": "2024-03-01", "weeks": 2, "direction": "before"}, "2024-02-16"),
        ({"trigger": "2024-03-01", "rule": "frcp_12_a_1_b"}, "2024-03-22"),
        ({"trigger": "2024-03-01", "rule": "frcp_12_a_1_b", "by_mail": True}, "2024-03-25"),
        ({"trigger": "2024-03-01", "rule": "Fed. R. Civ. P. 12(a)(1)(B)", "service_days": 3}, "2024-03-25"),
        ({"trigger": "2024-03-01", "years": 1}, "2025-03-03"),
        ({"trigger": "2024-03-01", "rule": "civil_procedure/answer", "court": "nysd"}, "2024-03-22"),
        ({"trigger": "2024-03-01", "rule": "29 U.S.C. § 2102(a)"}, "2024-01-01"),
        ({"trigger": "2024-03-01", "days": 14, "court": "nysd", "inaccessible": ["March 15, 2024"]}, "2024-03-18"),
        ({"trigger": "2024-02-29", "months": 6, "month_end": True, "calendar": "nyse"}, "2024-08-30"),
        ({"trigger": "2024-01-15", "months": 3, "first_day": True, "roll": "none"}, "2024-04-14"),
        ({"trigger": "2024-01-15", "rule": "Equality Act 2010 s. 123(1)(a)"}, "2024-04-14"),
        # cited as they are spoken, or without the part that holds the only period
        ({"trigger": "2024-03-01", "rule": "CPLR 3012(b)"}, "2024-03-21"),
        ({"trigger": "2024-03-01", "rule": "CCP § 412.20(a)(3)"}, "2024-04-02"),
        ({"trigger": "2024-03-01", "rule": "CCP 412.20"}, "2024-04-02"),
        ({"trigger": "2024-03-04", "rule": "Tex. R. Civ. P. 99"}, "2024-03-25"),
    ],
)
def test_due(arguments: dict[str, object], due: str) -> None:
    found = ToolRegistry().call("deadline", arguments)
    assert found["due"] == due
    assert all(step["rule"] and step["note"] for step in found["steps"])


def test_hours_keep_the_time_of_day() -> None:
    found = ToolRegistry().call("deadline", {"trigger": "2024-03-01T14:30", "hours": 24})
    assert found["due_at"] == "2024-03-04T14:30:00"  # Saturday rolls to Monday, the same time


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"trigger": "2024-03-01"}, "exactly one"),
        ({"trigger": "2024-03-01", "days": 3, "months": 1}, "exactly one"),
        ({"trigger": "2024-03-01", "days": -3}, "not a period"),
        ({"trigger": "soon", "days": 3}, "not one day"),
        ({"trigger": "2024-02-30", "days": 3}, "not one day"),
        ({"trigger": "2024-03-01", "hours": 3}, "time of the event"),
        ({"trigger": "2024-03-01", "days": 3, "calendar": "mars"}, "known: "),
        (
            {"trigger": "2024-03-01", "days": 3, "calendar": "ny"},
            r"perhaps .*state_ny.*; known: .*us_federal_courts_PLACE",
        ),
        ({"trigger": "2024-03-01", "days": 3, "court": "sdny"}, "perhaps nysd"),
        ({"trigger": "2024-03-01"}, r"civil_procedure/answer.*`authority` lists.*england_wales.*us_federal_courts"),
        ({"trigger": "2024-03-01", "rule": "answer"}, r"known: .*civil_procedure/answer \(Fed. R. Civ. P. 12\(a\)"),
        (
            {"trigger": "2024-03-01", "rule": "Fed. R. Civ. P. 12(a)"},
            r"known: civil_procedure/answer \(.*21 days after",
        ),
        ({"trigger": "2024-03-01", "rule": "nowhere"}, "known: none like it"),
        ({"trigger": "2024-03-01", "days": 3, "business_days": 3}, "give only one"),
        ({"trigger": "2024-03-01", "rule": "frcp_12_a_1_a_i", "by_mail": True}, "adds no days"),
        ({"trigger": "2024-03-01", "days": 3, "by_mail": True}, "needs a rule"),
        ({"trigger": "2024-03-01", "days": 3, "court": "nysd", "calendar": "nyse"}, "not both"),
        (
            {"trigger": "2024-03-01", "rule": "Fed. R. Civ. P. 12(a)(1)(A)(ii)"},
            r"several periods; name one by its id: \S+ \(Fed.*; \S+ \(",
        ),
        ({"trigger": "2024-03-01", "days": 3, "claimed": "soon"}, "not one day"),
        ({"trigger": "2024-03-01", "hours": 3, "first_day": True}, "beginning_with needs"),
    ],
)
def test_refusals_say_what_is_wrong(arguments: dict[str, object], words: str) -> None:
    with pytest.raises(SolonError, match=words):
        ToolRegistry().call("deadline", arguments)


@pytest.mark.parametrize(
    ("rule", "kind", "words", "fixed"),
    [
        # thirty days from 1 March end on Sunday 31 March, 15 U.S.C. 18a(k) moves them to Monday, closing from Tuesday
        ("hsr_30", "waiting", "waiting period", {"ends": "2024-04-01", "earliest": "2024-04-02"}),
        ("11 U.S.C. § 547(b)(4)(A)", "look_back", "the law looks back", {"since": "2023-12-02"}),
        ("intellectual_property/tm_use_opens", "earliest", "only fixes the first day", {"earliest": "2029-03-01"}),
        ("intellectual_property/ipr_after_grant", "earliest", "first day", {"earliest": "2024-12-02"}),
        ("trusts_estates/estate_lien", "duration", "a state lasts", {"ends": "2034-03-01"}),
        ("eu_procedure/mar_closed_period", "duration", "a state lasts", {"begins": "2024-01-31"}),
        ("uk/part36", "minimum", "the least period", {"least_until": "2024-03-22"}),
    ],
)
def test_what_is_no_deadline_has_no_due_date_and_says_what_it_fixes(
    rule: str, kind: str, words: str, fixed: dict[str, str]
) -> None:
    found = ToolRegistry().call("deadline", {"trigger": "2024-03-01", "rule": rule})
    assert (found["kind"], found["due"], found["due_at"]) == (kind, None, None)
    assert {
        name: found[name] for name in ("earliest", "ends", "begins", "since", "least_until") if name in found
    } == fixed
    assert words in found["said"]
    assert all(day in found["said"] for day in fixed.values())
    claimed = ToolRegistry().call("deadline", {"trigger": "2024-03-01", "rule": rule, "claimed": "2024-04-01"})
    assert (claimed["claimed"]["status"], "has none" in claimed["claimed"]["reason"]) == ("human", True)


def test_a_decision_is_due_from_the_one_who_decides() -> None:
    found = ToolRegistry().call("deadline", {"trigger": "2024-03-01", "rule": "procurement/gao_decision"})
    assert (found["kind"], found["due"], found["decision_by"]) == ("decision", "2024-06-09", "2024-06-09")
    assert "the time of an authority" in found["said"]


def test_a_deadline_tells_its_kind_its_rule_of_counting_and_what_changes_it() -> None:
    found = ToolRegistry().call("deadline", {"trigger": "2024-03-01", "rule": "civil_procedure/answer"})
    assert (found["kind"], found["said"], found["tolling"]) == ("deadline", "", "")
    assert found["exceptions"].startswith("United States: 60 days")
    assert found["basis"]["counting"]["authority"] == "Fed. R. Civ. P. 6(a)"
    assert (
        "counting"
        not in ToolRegistry().call("deadline", {"trigger": "2024-03-01", "days": 3, "calendar": "nyse"})["basis"]
    )


def test_a_claimed_due_date_is_explained_or_sent_to_a_human() -> None:
    asked = {"trigger": "2021-01-19", "rule": "civil_procedure/answer", "court": "nysd"}
    assert ToolRegistry().call("deadline", {**asked, "claimed": "2021-02-09"})["claimed"]["status"] == "explained"
    said = ToolRegistry().call("deadline", {**asked, "claimed": "2021-02-08"})["claimed"]
    assert said["status"] == "human"
    assert "20 days" in said["reason"]
    said = ToolRegistry().call("deadline", {"trigger": "2021-01-19", "days": 3, "claimed": "2021-02-08"})["claimed"]
    assert "the count gives 2021-01-22" in said["reason"]


@pytest.mark.parametrize(
    ("arguments", "read", "other", "due", "due_then"),
    [
        ({"trigger": "03/04/2026", "days": 3}, "2026-03-04", "2026-04-03", "2026-03-09", "2026-04-06"),
        (
            {"trigger": "03/04/2026", "days": 3, "calendar": "germany"},
            "2026-04-03",
            "2026-03-04",
            "2026-04-07",
            "2026-03-09",
        ),
        ({"trigger": "3/4/26", "rule": "gdpr_33_1"}, "2026-04-03", "2026-03-04", "2026-04-06", "2026-03-07"),
    ],
)
def test_an_ambiguous_day_is_marked_with_what_the_other_reading_gives(arguments, read, other, due, due_then) -> None:
    found = ToolRegistry().call("deadline", arguments)
    (unclear,) = found["ambiguous"]
    assert (unclear["read_as"], unclear["or"], found["trigger"], found["due"]) == (read, other, read, due)
    assert unclear["due_then"] == due_then
    assert found["attention"][0] == unclear["said"]
    assert all(word in unclear["said"] for word in (arguments["trigger"], "ambiguous", other, due_then))


def test_a_claimed_day_is_marked_and_a_clear_one_is_not() -> None:
    asked = {"trigger": "2026-03-04", "days": 3, "claimed": "09/03/2026"}
    found = ToolRegistry().call("deadline", asked)
    assert [(row["argument"], row["or"]) for row in found["ambiguous"]] == [("claimed", "2026-03-09")]
    for clear in ("2026-03-04", "March 4, 2026", "03/14/2026", "14/03/2026", "04/04/2026", "4.3.2026"):
        assert ToolRegistry().call("deadline", {"trigger": clear, "days": 3})["ambiguous"] == []
