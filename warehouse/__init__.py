"""Warehouse: what lands, how it is written, checked, queried and reported."""
