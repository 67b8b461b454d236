"""The harness runtimes, one file each."""
