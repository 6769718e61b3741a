"""The profile: structured facts about a user."""
