"""The ``openhands`` runtime: that agent program, as ``cli_agents/adapters/openhands.toml`` says."""

from tasks.drafting.cli_agents.runtime import CliRuntime

RUNTIME = CliRuntime("openhands")
