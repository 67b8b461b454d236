"""The information-flow log: each request by role and hash, and no word of it."""

import hashlib
from threading import Thread

from tasks.models.access import ModelAccess
from tasks.models.flow import log_flow, message_hash, read_flow
from tasks.models.ledger import Ledger
from tasks.models.records import Request
from tasks.models.transports.scripted import ScriptedModel

SECRET = "The landlord Ashgrove LLP shall pay £1,200."
CALL = {"role": "assistant", "content": None, "tool_calls": [{"id": "a", "function": {"name": "read"}}]}


def access(tmp_path, **fields):
    model = ScriptedModel(lambda messages: "yes")
    ledger = Ledger("m", file=tmp_path / "spent.jsonl")
    return ModelAccess({"m": {"model": "scripted"}}, ledger, flow=tmp_path / "flow.jsonl", transport=model, **fields)


def test_a_request_is_logged_by_role_size_and_hash_and_not_by_its_words(tmp_path):
    said = [{"role": "system", "content": "Read."}, {"role": "user", "content": SECRET}, CALL]
    access(tmp_path).client("m").complete(said)
    (entry,) = read_flow(tmp_path / "flow.jsonl")
    assert (entry.role, entry.profile, len(entry.key)) == ("solver", "m", 64)
    assert [(m.role, m.characters) for m in entry.messages][:2] == [("system", 5), ("user", len(SECRET))]
    assert entry.messages[1].sha256 == hashlib.sha256(SECRET.encode()).hexdigest() == message_hash(said[1])
    assert entry.messages[2].sha256 == message_hash(CALL)
    written = (tmp_path / "flow.jsonl").read_text()
    assert "Ashgrove" not in written
    assert entry.key in (tmp_path / "spent.jsonl").read_text()


def test_a_message_with_tool_calls_has_another_hash_than_its_words():
    plain = {"role": "assistant", "content": ""}
    assert message_hash(plain) != message_hash({**CALL, "content": ""})
    assert message_hash(plain) == message_hash({**plain, "cache": True})


def test_what_was_recorded_before_was_shown_all_the_same(tmp_path):
    for role in ("solver", "judge"):
        access(tmp_path, role=role, cache=tmp_path / "kept", mode="read_write").client("m").complete([CALL])
    assert [entry.role for entry in read_flow(tmp_path / "flow.jsonl")] == ["solver", "judge"]


def test_a_client_may_speak_for_another_role(tmp_path):
    access(tmp_path).client("m", role="chooser").complete([CALL])
    assert [entry.role for entry in read_flow(tmp_path / "flow.jsonl")] == ["chooser"]


def test_half_a_line_of_a_killed_process_costs_nothing_else(tmp_path):
    file = tmp_path / "flow.jsonl"
    file.write_text('{"role": "solver", "prof')
    access(tmp_path).client("m").complete([CALL])
    assert len(read_flow(file)) == 1
    assert read_flow(tmp_path / "none.jsonl") == ()


def test_long_lines_of_many_writers_do_not_mix(tmp_path):
    file = tmp_path / "flow.jsonl"
    messages = [{"role": "user", "content": str(n)} for n in range(300)]
    request = Request(messages=messages)

    def write(role):
        for n in range(20):
            log_flow(file, role, "m", str(n), request)

    threads = [Thread(target=write, args=(f"role {n}",)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    entries = read_flow(file)
    assert len(entries) == len(file.read_bytes().splitlines()) == 80
    assert {len(entry.messages) for entry in entries} == {300}
