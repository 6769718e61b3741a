"""LiteLLM: its real proxy runs our callback, over a model that is scripted."""

from __future__ import annotations

from conformance.suites import Framework

FRAMEWORK = Framework(
    title="LiteLLM",
    extra="postgres",
    packages=("litellm[proxy]==1.106.2",),
    ours=("tests/integrations/test_litellm_callback.py",),
    remarks="it publishes no tests of callbacks. Ours in `tests/integrations/test_litellm_callback.py` start its proxy "
    "with `examples/litellm_callback.py` over a scripted provider, with streams and without.",
)
