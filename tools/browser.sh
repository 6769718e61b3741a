#!/bin/sh
# Make sure that Chromium is there, for the tests that look at pages.
set -eu
command -v chromium >/dev/null && exit 0
if ! command -v apt-get >/dev/null; then
    echo "Chromium is needed to test the dashboard: install it, so that 'chromium' is on the PATH" >&2
    exit 1
fi
as_root=
if [ "$(id -u)" != 0 ]; then
    if ! command -v sudo >/dev/null; then
        echo "Chromium is needed to test the dashboard: as root, run 'apt-get install chromium'" >&2
        exit 1
    fi
    as_root=sudo
fi
export DEBIAN_FRONTEND=noninteractive
$as_root apt-get update -qq
$as_root apt-get install -y -qq --no-install-recommends chromium fonts-dejavu-core >/dev/null
command -v chromium >/dev/null
