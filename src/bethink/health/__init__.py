"""How a memory is: whether what it holds can be read, and how much of it there is."""
