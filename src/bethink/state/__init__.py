"""The profile: the structured part of what is known of a user."""
