"""The two proxies of a sandboxed agent: to its one model, and to Solon's tools."""
