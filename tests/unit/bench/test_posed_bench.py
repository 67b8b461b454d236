"""``solon bench posed``: its JSON is a contract, and its shares are of the questions that were asked."""

from flows.bench.posed import measure_posed, render


def test_a_catalogue_of_two_kinds_is_asked_for_both_and_for_others():
    result = measure_posed(2, quick=True)

    assert list(result) == ["2"]
    assert set(result["2"]) == {"asked", "taken", "rightly", "strange", "strange_taken"}
    assert result["2"]["strange"] >= 150
    assert result["2"]["asked"] > 0
    assert result["2"]["taken"] > result["2"]["strange_taken"]
    assert "2 " in render(result)
