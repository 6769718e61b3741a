"""Webhooks: incoming messages, and outgoing events."""
