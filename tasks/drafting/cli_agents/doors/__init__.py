"""The two doors of a sandboxed agent: to its one model, and to Solon's tools."""
