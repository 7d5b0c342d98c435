#!/usr/bin/env bash
# Installs callsheet outside of the repository, from npm or from packed tarballs. Returns the path of the command.

set -euo pipefail
source "$GITHUB_ACTION_PATH/action/fail.sh"

packages=()
if [ -n "$VERSION" ]; then packages+=("callsheet@$VERSION"); fi
while IFS= read -r path; do
  if [ -z "$path" ]; then continue; fi
  if [[ $path != *.tgz ]] || [ ! -f "$path" ]; then
    fail 'Each line of the input `packages` must be the path of a `.tgz` file.'
  fi
  packages+=("$(cd -- "$(dirname -- "$path")" && pwd)/$(basename -- "$path")")
done <<<"$PACKAGES"
[ "${#packages[@]}" -gt 0 ] || fail 'The input `packages` has only empty lines.'

directory=${RUNNER_TEMP//\\//}/callsheet/install
rm -rf -- "$directory"
mkdir -p -- "$directory"
cd -- "$directory"
# Without it, npm would install into a parent directory that has one.
printf '{}' >package.json
npm install --no-save --no-audit --no-fund --ignore-scripts -- "${packages[@]}"

program=$directory/node_modules/.bin/callsheet
[ -x "$program" ] || fail 'The input `packages` must name the tarball of callsheet.'
printf 'program=%s\n' "$program" >>"$GITHUB_OUTPUT"
