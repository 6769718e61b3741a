"""The published tests of agent frameworks, run against what Bethink puts in the place of their stores."""
