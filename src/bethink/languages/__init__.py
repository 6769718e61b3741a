"""Languages: one data file each (TOML), read by one engine that knows none of them."""
