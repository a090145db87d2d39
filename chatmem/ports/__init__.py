"""Protocols for the outside world. Adapters implement them for the product, `tests/fakes` for the tests."""
