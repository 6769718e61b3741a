"""Teams of agents: a planner, parallel workers, and a synthesizer."""
