"""What is done when nobody waits for it: jobs that one worker at a time holds, and tasks of agents."""
