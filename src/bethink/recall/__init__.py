"""Find what was said or remembered, and say why."""
