"""The languages that are understood: one file of data each, read by one engine that knows none of them."""
