"""The doors of the toolbox: command line and MCP."""
