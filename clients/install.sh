#!/usr/bin/env bash
# Installs what the tests of clients need into $ALMANAC_CLIENTS, or else
# ~/.cache/almanac-clients: a virtual environment of Python and packages of npm, in the
# versions of requirements.txt and package.json. Modules of Go go where Go keeps them. What is
# there already stays.
# Prints the time that each took.
set -euo pipefail
cd "$(dirname "$0")"
folder="${ALMANAC_CLIENTS:-${XDG_CACHE_HOME:-$HOME/.cache}/almanac-clients}"
mkdir -p "$folder"

# Two runs at the same time must not install into one folder.
exec 9>"$folder/lock"
flock 9

if ! cmp -s requirements.txt "$folder/requirements.txt"; then
	began=$SECONDS
	python3 -m venv "$folder/python"
	"$folder/python/bin/pip" install --quiet --disable-pip-version-check -r requirements.txt
	cp requirements.txt "$folder/requirements.txt"
	echo "packages of Python: $((SECONDS - began)) s"
fi

if ! cmp -s package.json "$folder/installed.json"; then
	began=$SECONDS
	cp package.json "$folder/package.json"
	npm install --prefix "$folder" --no-audit --no-fund --no-package-lock --ignore-scripts --loglevel=error
	cp package.json "$folder/installed.json"
	echo "packages of npm: $((SECONDS - began)) s"
fi

go -C testdata/oapi-codegen mod download
