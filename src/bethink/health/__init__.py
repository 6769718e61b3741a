"""Health checks: integrity of what is stored, and how much there is."""
