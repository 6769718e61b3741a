"""Cases, metrics and suites that measure the memory."""
