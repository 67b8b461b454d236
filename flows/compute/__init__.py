"""The compute plane: one protocol (`protocol`) and its three implementations: inline, Ray, Dask."""
