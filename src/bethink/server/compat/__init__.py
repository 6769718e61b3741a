"""HTTP APIs of other memories, answered by this one."""
