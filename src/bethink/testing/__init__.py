"""Conformance suites and test doubles, for third parties too."""
