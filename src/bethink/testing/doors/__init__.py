"""Conformance of the public API, as pytest classes that need `face`, `url` and `tenant` fixtures.

Every test is written once, with `await`, and runs on the asynchronous and on the blocking face.
"""
