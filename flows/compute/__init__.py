"""The compute plane: one protocol (`protocol`) and its three ways: inline, Ray, Dask."""
