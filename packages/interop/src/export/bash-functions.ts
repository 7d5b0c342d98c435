// Defines the bash functions of exported scripts. They call no program except curl, and treat text as bytes (`LC_ALL=C`). In this
// file, `@{` stands for the start of an expansion of bash.

const functions = {
  send: String.raw`# Sends a request with the cookies of a jar, without those named. Sets <name>_status, <name>_body and <name>_headers.
no_cookies=
send() {
  local name=$1 jar=$2 without=" $3 " write=$4 kept= removed= line output cookie tab=$'\t'
  shift 4
  while IFS= read -r line; do
    cookie=@{line%"$tab"*}
    if [[ $line == *"$tab"* && $without == *" @{cookie##*"$tab"} "* ]]; then removed+=$line$'\n'
    else kept+=$line$'\n'; fi
  done <<<"@{!jar-}"
  output=$(curl --silent --show-error --cookie-jar - --cookie <(printf %s "$kept") \
    --write-out "\n--- callsheet %{http_code}\n$write\n---\n" "$@") ||
    { printf '%s\n' "$name: curl failed" >&2; exit 1; }
  printf -v "@{name}_body" %s "@{output%$'\n--- callsheet '*}"
  output=@{output##*$'\n--- callsheet '}
  printf -v "@{name}_status" %s "@{output%%$'\n'*}"
  output=@{output#*$'\n'}
  printf -v "@{name}_headers" %s "@{output%$'\n---\n'*}"
  [[ $jar == no_cookies ]] || printf -v "$jar" %s "@{output##*$'\n---\n'}"$'\n'"$removed"
  line=@{name}_body output=@{name}_status
  printf '%s\n' "$name: @{!output}" "@{!line}"
}`,
  encode: String.raw`# Encodes a text for where it stands. Sets REPLY.
encode() {
  local text=$2 at char code
  REPLY=
  if [[ $1 == url || $1 == form ]]; then
    for ((at = 0; at < @{#text}; at++)); do
      char=@{text:at:1}
      if [[ $char == [A-Za-z0-9._~-] ]]; then REPLY+=$char
      elif [[ $1 == form && $char == ' ' ]]; then REPLY+=+
      else printf -v code %d "'$char" && printf -v char '%%%02X' $((code & 255)) && REPLY+=$char; fi
    done
  elif [[ $1 == json* ]]; then
    text=@{text//\\/\\\\} text=@{text//\"/\\\"} text=@{text//$'\n'/\\n} text=@{text//$'\r'/\\r} text=@{text//$'\t'/\\t}
    text=@{text//$'\b'/\\b} text=@{text//$'\f'/\\f}
    for ((code = 1; code < 32; code++)); do
      printf -v char '\\x%02x' "$code" && printf -v char "$char" && printf -v at '\\u%04x' "$code" && text=@{text//"$char"/$at}
    done
    if [[ $1 == json ]]; then REPLY="\"$text\""; else REPLY=$text; fi
  else REPLY=$text; fi
}`,
  pick: String.raw`# Reads the JSON value at the start of $rest. Sets token.
token_pattern='^[[:space:]]*("([^"\\]|\\.)*"|[][{}:,]|[^][{}:,"[:space:]]+)'
read_json() {
  local depth=0
  token=
  while [[ $rest =~ $token_pattern ]]; do
    rest=@{rest:@{#BASH_REMATCH[0]}}
    token+=@{BASH_REMATCH[1]}
    case @{BASH_REMATCH[1]} in '[' | '{') ((++depth)) ;; ']' | '}') ((depth--)) ;; esac
    ((depth > 0)) || return 0
  done
  return 1
}
# Sets REPLY to the text of a JSON string.
unquote() {
  local text=@{1:1:@{#1}-2} code size
  REPLY=
  while [[ $text == *\\* ]]; do
    REPLY+=@{text%%\\*} text=@{text#*\\} size=1
    case $text in
      n*) REPLY+=$'\n' ;;
      r*) REPLY+=$'\r' ;;
      t*) REPLY+=$'\t' ;;
      b*) REPLY+=$'\b' ;;
      f*) REPLY+=$'\f' ;;
      u*)
        code=$((16#@{text:1:4})) size=5
        if ((code >> 10 == 54)); then code=$((65536 + ((code & 1023) << 10) + (16#@{text:7:4} & 1023))) size=11; fi
        utf8 "$code"
        ;;
      *) REPLY+=@{text:0:1} ;;
    esac
    text=@{text:size}
  done
  REPLY+=$text
}
utf8() {
  local bytes
  if (($1 < 128)); then printf -v bytes '\\x%02x' "$1"
  elif (($1 < 2048)); then printf -v bytes '\\x%02x' $((192 | $1 >> 6)) $((128 | $1 & 63))
  elif (($1 < 65536)); then printf -v bytes '\\x%02x' $((224 | $1 >> 12)) $((128 | $1 >> 6 & 63)) $((128 | $1 & 63))
  else printf -v bytes '\\x%02x' $((240 | $1 >> 18)) $((128 | $1 >> 12 & 63)) $((128 | $1 >> 6 & 63)) $((128 | $1 & 63)); fi
  printf -v bytes "$bytes"
  REPLY+=$bytes
}
# Reads a value in a JSON text by its path, and encodes it for where it stands. Sets REPLY.
pick() {
  local as=$1 rest=$2 token key at
  shift 2
  for key; do
    [[ $rest =~ ^[[:space:]]*([[{]) ]] || missing "$key"
    rest=@{rest#*"@{BASH_REMATCH[1]}"}
    if [[ @{BASH_REMATCH[1]} == '[' ]]; then
      for ((at = 0; at < key; at++)); do { read_json && [[ $rest =~ ^[[:space:]]*, ]]; } || missing "$key"; rest=@{rest#*,}; done
      [[ ! $rest =~ ^[[:space:]]*\] ]] || missing "$key"
    else
      while :; do
        { read_json && [[ $token == \"* ]]; } || missing "$key"
        unquote "$token"
        rest=@{rest#*:}
        [[ $REPLY == "$key" ]] && break
        { read_json && [[ $rest =~ ^[[:space:]]*, ]]; } || missing "$key"
        rest=@{rest#*,}
      done
    fi
  done
  if (($# == 0)) && [[ $as != json && ! $rest =~ ^[[:space:]]*[[{\"] ]]; then encode "$as" "$rest"; return; fi
  read_json || missing body
  if [[ $token != \"* ]]; then encode "@{as/#json/raw}" "$token"
  else unquote "$token" && encode "$as" "$REPLY"; fi
}
missing() { printf '%s\n' "the response has no $1" >&2; exit 1; }`,
  uuid: String.raw`uuid() {
  local part parts=() at
  for ((at = 0; at < 8; at++)); do printf -v part %04x $((RANDOM * 2 + RANDOM % 2)) && parts+=("$part"); done
  REPLY=@{parts[0]}@{parts[1]}-@{parts[2]}-4@{parts[3]:1}-a@{parts[4]:1}-@{parts[5]}@{parts[6]}@{parts[7]}
}`,
} as const

export type BashFunction = keyof typeof functions

/** Returns the definitions of functions. */
export const bashFunctions = (used: ReadonlySet<BashFunction>): readonly string[] =>
  (Object.keys(functions) as BashFunction[])
    .filter((name) => used.has(name))
    .map((name) => functions[name].replaceAll("@{", "${"))
