"""Storage: units of work, and the SQLite and PostgreSQL drivers that run them."""
