"""What ``solon tool NAME --help`` says: every argument explained, an example that parses, nothing of the inside."""

import shlex

import pytest

from tasks.toolbox.interfaces.cli import argument_parser, parse
from tasks.toolbox.registry import ToolRegistry

TOOLS = ToolRegistry().tools


@pytest.mark.parametrize("name", sorted(TOOLS))
def test_help_explains_every_argument_and_shows_an_example(name: str) -> None:
    parser = argument_parser(TOOLS[name])
    text = parser.format_help()
    assert f"example:\n  solon tool {name} " in text
    assert "What the caller may look at" not in text
    assert [a.dest for a in parser._actions if not a.help] == []


@pytest.mark.parametrize("name", sorted(TOOLS))
def test_the_example_is_a_call_that_can_be_made(name: str) -> None:
    call = parse(ToolRegistry(), name, shlex.split(TOOLS[name].example))
    assert call.arguments
