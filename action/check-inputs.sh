#!/usr/bin/env bash
# Checks the inputs before anything is installed or sent. Returns the names and directories that later steps use.

set -euo pipefail
source "$GITHUB_ACTION_PATH/action/fail.sh"

# The pattern matches the whole value. An empty alternative, as in `(|a)`, is an error on macOS.
expect() {
  [[ $2 =~ ^$3$ ]] || fail "The input \`$1\` must be $4."
}

expect command "$COMMAND" '(run|merge)' '`run` or `merge`'
expect timings "$TIMINGS" '(true|false)' '`true` or `false`'
expect annotate "$ANNOTATE" '(true|false)' '`true` or `false`'
expect shard "$SHARD" '([0-9]+/[0-9]+)?' 'a part and a count, such as `2/4`'
expect version "$VERSION" '(latest|[0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.-]+)?)?' 'an exact version, such as `1.2.3`, or `latest`'
expect image "$IMAGE" '([a-z0-9][A-Za-z0-9._:/@-]*)?' 'a reference to an image, such as `ghcr.io/team/callsheet:1.2.3`'
expect artifact "$ARTIFACT" '[A-Za-z0-9][A-Za-z0-9._-]*' 'letters, digits, periods, underscores and hyphens'

sources=0
for source in "$VERSION" "$PACKAGES" "$IMAGE"; do
  if [ -n "$source" ]; then sources=$((sources + 1)); fi
done
[ "$sources" -le 1 ] || fail 'Use only one of the inputs `version`, `packages` and `image`.'
[ -z "$WORKFLOWS" ] || [ -z "$SUITE" ] || fail 'Use only one of the inputs `workflows` and `suite`.'
if [ "$COMMAND" = merge ]; then
  [ -z "$WORKFLOWS$SUITE$ENVIRONMENTS$CHANGED_SINCE$SHARD" ] ||
    fail 'With `merge`, leave out the inputs that select what runs: the records contain it.'
elif [ "$TIMINGS" = true ]; then
  [ -n "$SHARD" ] || fail 'The input `timings` needs `shard`.'
fi
[ -d "$PROJECT/apis" ] || fail 'The input `project` must be a directory that contains `apis/`. Is the repository checked out?'

artifact=$ARTIFACT
directory=${RUNNER_TEMP//\\//}/callsheet
if [ -n "$SHARD" ]; then artifact="$ARTIFACT-shard-${SHARD/\//-of-}"; fi
{
  printf 'artifact=%s\n' "$artifact"
  printf 'directory=%s\n' "$directory/out/$artifact"
  printf 'shards=%s\n' "$directory/shards/$ARTIFACT"
  printf 'timings=%s\n' "$directory/timings/$ARTIFACT"
} >>"$GITHUB_OUTPUT"
