"""The ``codex`` runtime: that agent program, as ``cli_agents/adapters/codex.toml`` says."""

from tasks.drafting.cli_agents.runtime import CliRuntime

RUNTIME = CliRuntime("codex")
