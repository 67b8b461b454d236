"""The ``openclaw`` runtime: that agent program, as ``cli_agents/adapters/openclaw.toml`` says."""

from tasks.drafting.cli_agents.runtime import CliRuntime

RUNTIME = CliRuntime("openclaw")
