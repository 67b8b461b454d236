"""The guard of the tests that must end: what backtracks is stopped, by what the processor did."""

from __future__ import annotations

import re
import signal

import pytest


def test_a_pattern_that_backtracks_is_stopped(no_hang: None) -> None:
    assert signal.getitimer(signal.ITIMER_PROF)[0] > 0
    signal.setitimer(signal.ITIMER_PROF, 0.1)
    with pytest.raises(pytest.fail.Exception, match="it hangs"):
        re.match("(a+)+$", "a" * 60 + "!")
