"""The interfaces of the toolbox: command line and MCP."""
