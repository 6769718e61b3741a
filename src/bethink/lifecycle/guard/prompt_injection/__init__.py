"""Orders: text that tells the model what to do, instead of telling something about the user."""
