"""LangChain: its kits for tools and retrievers."""

from __future__ import annotations

from conformance.suites import Framework, Suite

FRAMEWORK = Framework(
    title="LangChain",
    extra="langchain",
    packages=(
        "langchain==1.4.7",
        "langchain-core==1.7.2",
        "langchain-tests==1.1.9",
    ),
    suites=(
        Suite(
            name="tools and retrievers",
            source="langchain-tests==1.1.9",
            classes=("langchain_kits.py",),
            options=("-o", "asyncio_mode=auto"),
            left_out={
                "*::TestListMemoriesUnit::test_input_schema_matches_invoke_params": "the kit has no example for a "
                "tool that takes no arguments",
            },
        ),
    ),
    remarks="nothing is published for middleware: ours is tested with scripted agents in "
    "`tests/integrations/test_langchain.py`.",
)
