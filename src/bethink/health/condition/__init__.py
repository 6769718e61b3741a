"""The health score of notes: junk, duplicates, contradictions, staleness, secrets, unreachable notes."""
