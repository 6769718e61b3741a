"""The conformance suite and scripted doubles, for third parties too."""
