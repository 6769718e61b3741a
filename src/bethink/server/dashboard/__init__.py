"""The pages for people: rendered by the server, with a little script for what a page alone cannot do."""
