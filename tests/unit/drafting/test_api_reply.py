"""Deliverables out of replies that stray from the form."""

import pytest

from tasks.drafting.api.reply import joined, match_name, parse_deliverables, without_fences

ONE, TWO = ("memo.docx",), ("memo.docx", "matrix.xlsx")
BODY = "# Memo\n\nText."


def marked(name="memo.docx", body=BODY, close="=== END FILE ==="):
    return f"=== FILE: {name} ===\n{body}\n{close}\n"


CASES = [
    ("as asked", marked(), ONE, {"memo.docx": BODY}),
    ("two files", marked() + marked("matrix.xlsx", "| a |"), TWO, {"memo.docx": BODY, "matrix.xlsx": "| a |"}),
    ("no closing line", marked(close=""), ONE, {"memo.docx": BODY}),
    ("closing line of its own kind", marked(close="=== END OF FILE: memo.docx ==="), ONE, {"memo.docx": BODY}),
    ("words before and after", "Sure!\n\n" + marked() + "Hope this helps.", ONE, {"memo.docx": BODY}),
    ("bold markers", f"**=== FILE: memo.docx ===**\n{BODY}\n**=== END FILE ===**", ONE, {"memo.docx": BODY}),
    ("lower case, no colon", f"== file memo.docx ==\n{BODY}\n== end file ==", ONE, {"memo.docx": BODY}),
    ("name in quotes and a folder", marked("`output/Memo.docx`"), TWO, {"memo.docx": BODY}),
    ("suffix lost", marked("memo"), TWO, {"memo.docx": BODY}),
    ("right file, wrong name, one wanted", marked("draft.docx"), ONE, {"memo.docx": BODY}),
    ("wrong file, one wanted", marked("draft.pdf"), ONE, {}),
    ("a refusal is no work product", "I cannot help with that.", ONE, {}),
    ("wrong name, two wanted", marked("draft.docx"), TWO, {}),
    ("a path that climbs", marked("../../etc/passwd"), TWO, {}),
    ("code fence inside", marked(body=f"```markdown\n{BODY}\n```"), ONE, {"memo.docx": BODY}),
    ("written twice: the last counts", marked(body="old") + marked(), ONE, {"memo.docx": BODY}),
    ("an empty body is no file", marked(body=""), ONE, {}),
    ("JSON instead", '{"deliverables": {"memo.docx": "# Memo"}}', TWO, {"memo.docx": "# Memo"}),
    ("JSON list", '[1] {"files": [{"path": "memo.docx", "content": "x"}, 3]}', TWO, {"memo.docx": "x"}),
    ("JSON of other names", '{"note": "no"}', TWO, {}),
    ("bare Markdown, one wanted", BODY, ONE, {"memo.docx": BODY}),
    ("bare Markdown with small talk", f"Here is the memo:\n\n{BODY}", ONE, {"memo.docx": BODY}),
    ("bare Markdown, two wanted", BODY, TWO, {}),
    ("a fenced block", f"Here:\n\n```md\n{BODY * 3}\n```", ONE, {"memo.docx": BODY * 3}),
    ("thinking is not the work", "<think>\n" + marked(body="plan") + "</think>\n" + marked(), ONE, {"memo.docx": BODY}),
    ("thinking without end", "<think> I wonder", ONE, {}),
    ("nothing", "", ONE, {}),
    ("blank", " \n ", TWO, {}),
]


@pytest.mark.parametrize(("reply", "wanted", "expected"), [c[1:] for c in CASES], ids=[c[0] for c in CASES])
def test_replies(reply, wanted, expected):
    assert parse_deliverables(reply, wanted) == expected


def test_a_heading_with_equals_signs_in_the_text_is_not_a_marker():
    body = "Total\n=====\n\na == b\n\nEND"
    assert parse_deliverables(marked(body=body), ONE) == {"memo.docx": body}


def test_names_that_could_mean_two_files_mean_none():
    assert match_name("memo", ("memo.docx", "memo.xlsx")) is None
    assert match_name("", ONE) is None


def test_fence_lines_copied_along_are_taken_out():
    assert without_fences("<<<DOCUMENT ab12 lease.txt\n# Memo\nEND ab12>>>\nEnd", "ab12") == "# Memo\nEnd"


REQUEST = "The reply was cut off. Continue exactly where it stopped, without repeating anything."


@pytest.mark.parametrize(
    ("more", "whole"),
    [
        ("the first day.", "Rent is due on the first day."),
        (f"{REQUEST}\nthe first day.", "Rent is due on the first day."),
        (f"> **{REQUEST.upper()}**\n\nthe first day.", "Rent is due on the first day."),
        ("The reply was cut off.\n\nthe first day.", "Rent is due on the first day."),
        (f"{REQUEST} {REQUEST} the first day.", "Rent is due on the first day."),
        ("Continue exactly where the lease stopped.", "Rent is due on Continue exactly where the lease stopped."),
        ("", "Rent is due on "),
    ],
)
def test_the_echo_of_a_request_falls_at_the_joint(more, whole):
    assert joined("Rent is due on ", more, REQUEST) == whole
