"""Which leaves of a harness act: `solon bench liveness`."""
