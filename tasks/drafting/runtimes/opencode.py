"""The ``opencode`` runtime: that agent program, as ``cli_agents/adapters/opencode.toml`` says."""

from tasks.drafting.cli_agents.runtime import CliRuntime

RUNTIME = CliRuntime("opencode")
