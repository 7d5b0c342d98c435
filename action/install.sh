#!/usr/bin/env bash
# Installs callsheet outside of the repository, from npm or from packed tarballs. Returns the path of the command.

set -euo pipefail

packages=()
if [ -n "$VERSION" ]; then packages+=("callsheet@$VERSION"); fi
while IFS= read -r path; do
  if [ -z "$path" ]; then continue; fi
  if [[ $path != *.tgz ]] || [ ! -f "$path" ]; then
    printf '::error title=callsheet action::%s\n' 'Each line of the input `packages` must be the path of a `.tgz` file.'
    exit 2
  fi
  packages+=("$(cd -- "$(dirname -- "$path")" && pwd)/$(basename -- "$path")")
done <<<"$PACKAGES"

directory=${RUNNER_TEMP//\\//}/callsheet/install
rm -rf -- "$directory"
mkdir -p -- "$directory"
cd -- "$directory"
# Without it, npm would install into a parent directory that has one.
printf '{}' >package.json
npm install --no-save --no-audit --no-fund --ignore-scripts -- "${packages[@]}"

program=$directory/node_modules/.bin/callsheet
if [ ! -x "$program" ]; then
  printf '::error title=callsheet action::%s\n' 'The input `packages` must name the tarball of callsheet.'
  exit 2
fi
printf 'program=%s\n' "$program" >>"$GITHUB_OUTPUT"
