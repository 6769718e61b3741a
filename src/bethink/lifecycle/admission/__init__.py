"""Admission: decide by the provenance of a note whether it is active at once, pending or quarantined."""
