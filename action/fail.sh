# Ends a step with an annotation. No message quotes an input, which could contain a workflow command.
# Standard output may be a variable of the script.
fail() {
  printf '::error title=callsheet action::%s\n' "$1" >&2
  exit 2
}
