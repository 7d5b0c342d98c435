#!/usr/bin/env bash
# Runs workflows, or merges shards. Returns the exit code, and the files that exist. Exits as callsheet does.

set -euo pipefail
source "$GITHUB_ACTION_PATH/action/fail.sh"

# Finds the project's own command as npx does, but never downloads it.
find_program() {
  local directory=$PWD workspace
  # As bash writes it: Windows' path has backslashes.
  workspace=$(cd -- "$GITHUB_WORKSPACE" && pwd)
  until [ -x "$directory/node_modules/.bin/callsheet" ]; do
    if [ "$directory" = "$workspace" ] || [ "$directory" = "$(dirname -- "$directory")" ]; then
      type -P callsheet || fail 'callsheet is not installed. Run `npm ci` first, or use the input `version`, `packages` or `image`.'
      return
    fi
    directory=$(dirname -- "$directory")
  done
  printf '%s\n' "$directory/node_modules/.bin/callsheet"
}

# The container sees the repository and the files of this action, at the same paths, and no other variables.
run_image() {
  local name options=()
  while IFS= read -r name; do
    case $name in
      CALLSHEET_* | CI | GITHUB_ACTIONS | GITHUB_STEP_SUMMARY | GITHUB_WORKSPACE | NO_COLOR | FORCE_COLOR | TZ)
        options+=(--env "$name")
        ;;
    esac
  done < <(compgen -e)
  for name in "$GITHUB_WORKSPACE" "$RUNNER_TEMP/callsheet" "$GITHUB_STEP_SUMMARY"; do
    options+=(--volume "$name:$name")
  done
  docker run --rm --init --read-only --tmpfs /tmp --network host --user "$(id -u):$(id -g)" \
    --workdir "$PWD" "${options[@]}" "$IMAGE" "$@"
}

callsheet() {
  if [ -n "$IMAGE" ]; then run_image "$@"; else "$program" "$@"; fi
}

# Adds an option for each line of a text.
add_lines() {
  local line
  while IFS= read -r line; do
    if [ -n "$line" ]; then arguments+=("$1$line"); fi
  done <<<"$2"
}

arguments=()
choose_run() {
  arguments=(run "--record=$record")
  add_lines --env= "$ENVIRONMENTS"
  if [ -n "$CHANGED_SINCE" ]; then arguments+=("--changed-since=$CHANGED_SINCE"); fi
  if [ -n "$SHARD" ]; then
    arguments+=("--shard=$SHARD")
    if [ -d "$TIMINGS" ]; then arguments+=("--timings=$TIMINGS"); fi
  fi
  if [ -n "$SUITE" ]; then arguments+=("--suite=$SUITE"); fi
  if [ -z "$SUITE$WORKFLOWS" ]; then arguments+=(--all); fi
}

choose_merge() {
  arguments=(report)
  shards=("$SHARDS"/*.callsheet)
  [ -f "${shards[0]}" ] ||
    fail 'There are no shards to merge. Run the jobs with `shard` first, with the same `artifact`.'
}

cd -- "$PROJECT"
if [ -z "$IMAGE" ]; then program=${INSTALLED:-$(find_program)}; fi
report=$DIRECTORY/report.html
record=$DIRECTORY/$ARTIFACT.callsheet
rm -rf -- "$DIRECTORY"
mkdir -p -- "$DIRECTORY"

"choose_$COMMAND"
# The report of all shards has the annotations.
if [ "$ANNOTATE" = true ] && [ -z "$SHARD" ]; then arguments+=(--reporter=github); else arguments+=(--reporter=pretty); fi
arguments+=("--reporter=html=$report")
add_lines '' "$ARGUMENTS"
# A name that starts with a hyphen is not an option.
arguments+=(--)
if [ "$COMMAND" = run ]; then add_lines '' "$WORKFLOWS"; else arguments+=("${shards[@]}"); fi

code=0
callsheet "${arguments[@]}" || code=$?
printf 'exit-code=%s\n' "$code" >>"$GITHUB_OUTPUT"
if [ -f "$report" ]; then printf 'report=%s\n' "$report" >>"$GITHUB_OUTPUT"; fi
if [ -f "$record" ]; then printf 'record=%s\n' "$record" >>"$GITHUB_OUTPUT"; fi
if [ "$code" -eq 0 ]; then
  [ -f "$report" ] || fail 'callsheet passed, but wrote no report.'
  if [ "$COMMAND" = merge ]; then
    # The next run balances its shards by them.
    rm -rf -- "$TIMINGS"
    mkdir -p -- "$TIMINGS"
    cp -- "${shards[@]}" "$TIMINGS"
  else
    [ -f "$record" ] || fail 'callsheet passed, but kept no record.'
  fi
fi
exit "$code"
