"""Third-party agent programs: each is an adapter (data), started in a sandbox with two proxies to the outside."""
