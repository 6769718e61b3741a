"""Say in what condition notes are: what of them is junk, said twice, outdated, contradicted, secret or out of reach."""
