"""Messages that come in by webhooks, and news that go out by them."""
