"""Knowledge: general legal objects as data, with a read API. It answers; tools check."""
