"""Teams of agents: one plans, several work at once, one puts together what they found."""
