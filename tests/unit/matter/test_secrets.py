"""Keys leave the words of a failure as it is made, in whatever spelling a provider repeats them."""

from __future__ import annotations

import base64
import io
import json
import sys
import traceback
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from tasks.matter.failures import Failure, FailureCause
from tasks.matter.secrets import redact_keys, redacted_stderr, strike_keys

KEY = "zq9/vine+yard=7731-heliotrope"


def failure(message: str, remedy: str = "") -> Failure:
    return Failure(cause=FailureCause.PROVIDER, stage="models", subject="m", message=message, remedy=remedy)


@pytest.mark.parametrize("name", ["ACME_API_KEY", "ACME_TOKEN", "DB_SECRET", "my_password", "LOCAL_KEY"])
@pytest.mark.parametrize(
    "spelled",
    [
        KEY,
        KEY.upper(),
        quote(KEY, safe=""),
        quote(KEY, safe="").lower(),
        base64.b64encode(KEY.encode()).decode(),
        base64.b64encode(b"u:" + KEY.encode()).decode(),
        base64.b64encode(b"us:" + KEY.encode()).decode(),
        base64.urlsafe_b64encode(b"use:" + KEY.encode()).decode(),
        KEY.replace("/", "\\/"),
        KEY.encode().hex(),
        "".join(f"%{ord(c):02X}" for c in KEY),
        "".join(f"\\u{ord(c):04x}" for c in KEY),
        "".join(f"&#{ord(c)};" for c in KEY),
        KEY[:-4] + "****",
        "****" + KEY[4:],
    ],
)
def test_every_spelling_of_a_key_is_struck(monkeypatch: pytest.MonkeyPatch, name: str, spelled: str) -> None:
    monkeypatch.setenv(name, KEY)
    said = failure(f"Refused ({spelled}).", f"Check {spelled}")
    assert spelled not in said.message + said.remedy
    assert spelled[4:-4] not in said.message + said.remedy
    assert said.message.startswith("Refused (")
    assert Failure.model_validate_json(said.model_dump_json()) == said


@pytest.mark.parametrize("write", [json.dumps, repr], ids=["json", "repr"])
def test_a_key_is_struck_where_its_quotation_marks_are_escaped(monkeypatch: pytest.MonkeyPatch, write: Any) -> None:
    key = "zq9\\vine'yard\"7731é-heliotrope"
    monkeypatch.setenv("ACME_API_KEY", key)
    assert failure(f"Refused: {write({'key': key})}").message == f"Refused: {write({'key': 'K'})}".replace("K", "[key]")


@pytest.mark.parametrize("cut", range(5, len(KEY)))
def test_a_cut_message_does_not_end_in_half_a_key(monkeypatch: pytest.MonkeyPatch, cut: int) -> None:
    monkeypatch.setenv("ACME_API_KEY", KEY)
    assert failure(f"Refused: {KEY[:cut]}").message == "Refused: [key]"


@pytest.mark.parametrize("cut", range(1, 5))
def test_a_word_that_ends_as_a_key_begins_stays(monkeypatch: pytest.MonkeyPatch, cut: int) -> None:
    monkeypatch.setenv("ACME_API_KEY", KEY)
    assert failure(f"Refused: {KEY[:cut]}").message == f"Refused: {KEY[:cut]}"


def test_keys_that_are_given_are_struck_unless_they_are_as_short_as_words() -> None:
    assert redact_keys(f"Refused {KEY} and sesame12: the rent is due.", (KEY, "sesame12", "rent")) == (
        "Refused [key] and [key]: the rent is due."
    )


def test_a_key_of_a_profile_is_known_whatever_its_variable_is_called(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("ODD_NAME", KEY)
    assert KEY in failure(KEY).message
    (tmp_path / "solon.toml").write_text('[models.far]\napi_key_env = "ODD_NAME"\n')
    monkeypatch.setenv("SOLON_MODELS", str(tmp_path / "solon.toml"))
    assert failure(KEY).message == "[key]"


@pytest.mark.parametrize("settings", [None, "[models.far\n", '[models.far]\napi_key_env = ["ODD_NAME"]\n'])
def test_settings_that_cannot_be_understood_do_not_let_a_key_through(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, settings: str | None
) -> None:
    if settings is not None:
        (tmp_path / "solon.toml").write_text(settings)
    monkeypatch.setenv("SOLON_MODELS", str(tmp_path / "solon.toml"))
    monkeypatch.setenv("ACME_API_KEY", KEY)
    assert failure(f"Refused {KEY}").message == "Refused [key]"


@pytest.mark.parametrize(
    "said",
    [
        "Authorization: Bearer abc123def456ghi789",
        "Incorrect API key provided: sk-proj-****abcd1234567890zz",
        "api_key=foofoofoofoo123",
        "GET https://x.test/v1?key=AIzaSyA12345678901234567890&alt=json",
    ],
)
def test_what_is_shaped_like_a_key_is_struck(said: str) -> None:
    assert "[key]" in redact_keys(said)
    assert not any(part in redact_keys(said) for part in ("abc123", "1234567890", "foofoo"))


@pytest.mark.parametrize(
    "said",
    [
        "bearer instruments of the company",
        "a basic consideration",
        "The key terms: rent and term.",
        "task-2023-001 is no matter",
        "the risk-weighted-assets-of-2023 table",
    ],
)
def test_ordinary_words_stay(said: str) -> None:
    assert failure(said).message == said


def test_short_values_strike_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ACME_TOKEN", "rent")
    assert failure("The rent is due.").message == "The rent is due."


def test_a_trace_in_a_log_holds_no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ACME_API_KEY", KEY)
    log = io.StringIO()
    monkeypatch.setattr(sys, "stderr", log)
    with redacted_stderr():
        try:
            raise ValueError(f"refused {KEY}")
        except ValueError:
            traceback.print_exc()
    assert "refused [key]" in log.getvalue()
    assert KEY not in log.getvalue()
    assert sys.stderr is log


def test_what_needs_a_real_stream_finds_one_below(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with (tmp_path / "log.txt").open("w") as log:
        monkeypatch.setattr(sys, "stderr", log)
        with redacted_stderr():
            assert sys.stderr.fileno() == log.fileno()  # a child process and the handler of crashes write there
            assert not sys.stderr.isatty()


def test_a_reply_keeps_its_words_and_loses_the_key() -> None:
    reply = "The password of Basic 12345678901234 is not disclosed. "
    assert strike_keys(reply, (KEY,)) == reply
    assert strike_keys(f"{reply}{KEY}.", (KEY,)) == f"{reply}[key]."
    assert strike_keys(f"{reply}{KEY[:20]}... and {KEY[3:]}!", (KEY,)) == f"{reply}[key]... and [key]!"
    assert strike_keys(reply, ("short", "")) == reply
    assert strike_keys(f"a {KEY[:11]} b", (KEY,)) == f"a {KEY[:11]} b"
