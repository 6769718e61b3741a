"""Background work: leased jobs, and scheduled tasks of agents."""
