"""What each framework calls the parts of a message: one small file a family, and one registry that reads them all."""
