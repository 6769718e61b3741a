"""What `python -m bethink.cli` runs."""

from bethink.cli import main

main()
