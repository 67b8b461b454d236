"""The ``claude-code`` runtime: that agent program, as ``cli_agents/adapters/claude_code.toml`` says."""

from tasks.drafting.cli_agents.runtime import CliRuntime

RUNTIME = CliRuntime("claude-code")
