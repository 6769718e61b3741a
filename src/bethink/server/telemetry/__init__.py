"""Telemetry: metrics and traces without content."""
