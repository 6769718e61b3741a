"""Detectors of secrets and personal data (PII), by format, check digit and surrounding words."""
