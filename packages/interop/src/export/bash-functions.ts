// Defines the bash functions of exported scripts. They call no program except curl, and treat text as bytes (`LC_ALL=C`). In this
// file, `@{` stands for the start of an expansion of bash.
//
// bash evaluates text as code in arithmetic, including offsets of `${text:at}` and array subscripts, and in `eval`, `[[ -v`,
// `${!name}` and `printf -v "$name"`. No text from a response, the environment or the workflow gets there: keys are compared as
// text, and only `printf %d` converts digits (tests/export/bash-functions.test.ts).

import type { Bash } from "./bash-code.ts"

const functions = {
  stop: String.raw`stop() { printf '%s\n' "$1" >&2; exit 1; }`,
  send: String.raw`# Sends a request with the cookies in $jar, without those named. Sets jar, status, body and headers.
send() {
  local name=$1 without=" $2 " write=$3 kept= removed= line cookie output tab=$'\t'
  shift 3
  while IFS= read -r line; do
    cookie=@{line%"$tab"*}
    if [[ $line == *"$tab"* && $without == *" @{cookie##*"$tab"} "* ]]; then removed+=$line$'\n'
    else kept+=$line$'\n'; fi
  done <<<"$jar"
  output=$(curl --silent --show-error --proto =http,https --globoff --cookie-jar - --cookie <(printf %s "$kept") \
    --write-out "\n--- callsheet %{http_code}\n$write\n---\n" "$@") || stop "$name: curl failed"
  body=@{output%$'\n--- callsheet '*}
  output=@{output##*$'\n--- callsheet '}
  status=@{output%%$'\n'*}
  output=@{output#*$'\n'}
  headers=@{output%%$'\n---\n'*}
  jar=@{output##*$'\n---\n'}$'\n'$removed
  # A terminal would run control characters.
  printf '%s\n' "$name: $status" "@{body//[$'\x01'-$'\x08'$'\x0b'$'\x0c'$'\x0e'-$'\x1f'$'\x7f']/?}"
}`,
  encode: String.raw`cookie_value='^[]!#-+./-:<-[^-~-]*$'
base_url=$'^[Hh][Tt][Tt][Pp][Ss]?://[^\x01-\x20\x7f]+$'
# Encodes a text for where it stands, or ends the script if it can't stand there. Sets REPLY.
encode() {
  local text=$2 at code char escape
  REPLY=$text
  case $1 in
    url | form)
      REPLY=
      for ((at = 0; at < @{#text}; at++)); do
        char=@{text:at:1}
        if [[ $char == [A-Za-z0-9._~-] ]]; then REPLY+=$char
        elif [[ $1 == form && $char == ' ' ]]; then REPLY+=+
        else printf -v code %d "'$char" && printf -v char '%%%02X' $((code & 255)) && REPLY+=$char; fi
      done
      ;;
    json | jsonText)
      text=@{text//\\/\\\\} text=@{text//\"/\\\"} text=@{text//$'\n'/\\n} text=@{text//$'\r'/\\r} text=@{text//$'\t'/\\t}
      text=@{text//$'\b'/\\b} text=@{text//$'\f'/\\f}
      for ((code = 1; code < 32; code++)); do
        printf -v char '\\x%02x' "$code" && printf -v char "$char" && printf -v escape '\\u%04x' "$code"
        text=@{text//"$char"/"$escape"}
      done
      if [[ $1 == json ]]; then REPLY="\"$text\""; else REPLY=$text; fi
      ;;
    quoted) text=@{text//\\/\\\\} REPLY=@{text//\"/\\\"} ;;
    header) [[ $text != *[$'\x01'-$'\x08'$'\x0a'-$'\x1f'$'\x7f']* ]] || stop "a header can't contain a control character" ;;
    cookie) [[ $text =~ $cookie_value ]] || stop "a cookie can't contain this character" ;;
    user) [[ $text == *:* && $text != *[$'\x01'-$'\x1f'$'\x7f']* ]] || stop "expected name:password" ;;
    base) [[ $text =~ $base_url ]] || stop "expected a URL that starts with http:// or https://" ;;
  esac
}`,
  pick: String.raw`json_space=$'[ \t\n\r]*'
json_string=$'"([^"\\\\\x01-\x1f]|\\\\(["\\\\/bfnrt]|u[0-9a-fA-F]{4}))*"'
json_token="^$json_space($json_string|[][{}:,]|-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]+)?|true|false|null)"
# Takes the next token from the start of $rest, and sets part. Fails if there is none.
take() {
  [[ $rest =~ $json_token ]] || return
  part=@{BASH_REMATCH[1]}
  rest=@{rest:@{#BASH_REMATCH[0]}}
}
# Takes the JSON value at the start of $rest, and sets token. Fails if it isn't JSON.
read_json() {
  local open= next=value
  token=
  while take; do
    case "$next $part" in
      'value [' | 'first [') open+='[' next=first ;;
      'value {' | 'first {') open+='{' next=first_key ;;
      'first ]' | 'after ]') [[ $open == *'[' ]] || return; open=@{open%?} next=after ;;
      'first_key }' | 'after }') [[ $open == *'{' ]] || return; open=@{open%?} next=after ;;
      'after ,') if [[ $open == *'{' ]]; then next=key; else next=value; fi ;;
      'colon :') next=value ;;
      *' '[]}:,]) return 1 ;;
      'key "'* | 'first_key "'*) next=colon ;;
      'value '* | 'first '*) next=after ;;
      *) return 1 ;;
    esac
    token+=$part
    [[ -n $open ]] || return 0
  done
  return 1
}
# Sets REPLY to the text of a JSON string.
unquote() {
  local text=@{1#\"} code low
  text=@{text%\"} REPLY=
  while [[ $text == *\\* ]]; do
    REPLY+=@{text%%\\*} text=@{text#*\\}
    case $text in
      n*) REPLY+=$'\n' ;;
      r*) REPLY+=$'\r' ;;
      t*) REPLY+=$'\t' ;;
      b*) REPLY+=$'\b' ;;
      f*) REPLY+=$'\f' ;;
      u*)
        [[ $text =~ ^u([0-9a-fA-F]{4})(\\u([dD][c-fC-F][0-9a-fA-F]{2}))? ]] || malformed
        text=@{text#u???}
        printf -v code %d "0x@{BASH_REMATCH[1]}"
        printf -v low %d "0x@{BASH_REMATCH[3]:-0}"
        if ((code == 0)); then stop "a value of the response contains NUL"
        elif ((code >> 10 == 54 && low > 0)); then text=@{text#?\\u????} text=.$text code=$((65536 + ((code & 1023) << 10) + (low & 1023)))
        elif ((code >> 11 == 27)); then code=65533; fi
        utf8
        ;;
      *) REPLY+=@{text%"@{text#?}"} ;;
    esac
    text=@{text#?}
  done
  REPLY+=$text
}
# Appends the character with the number $code to REPLY.
utf8() {
  local bytes
  if ((code < 128)); then printf -v bytes '\\x%02x' "$code"
  elif ((code < 2048)); then printf -v bytes '\\x%02x' $((192 | code >> 6)) $((128 | code & 63))
  elif ((code < 65536)); then printf -v bytes '\\x%02x' $((224 | code >> 12)) $((128 | code >> 6 & 63)) $((128 | code & 63))
  else printf -v bytes '\\x%02x' $((240 | code >> 18)) $((128 | code >> 12 & 63)) $((128 | code >> 6 & 63)) $((128 | code & 63)); fi
  printf -v bytes "$bytes"
  REPLY+=$bytes
}
# Reads a value in a JSON text by its path, and encodes it for where it stands. Sets REPLY.
pick() {
  local as=$1 rest=$2 token part key at
  shift 2
  for key; do
    take && [[ $part == ['[{'] ]] || missing "$key"
    if [[ $part == '[' ]]; then
      for ((at = 0; ; at++)); do
        [[ ! $rest =~ ^$json_space\] ]] || missing "$key"
        [[ $at != "$key" ]] || break
        read_json || malformed
        take && [[ $part == [],] ]] || malformed
        [[ $part == , ]] || missing "$key"
      done
    else
      while :; do
        take || malformed
        [[ $part != '}' ]] || missing "$key"
        [[ $part == \"* ]] || malformed
        unquote "$part"
        take && [[ $part == : ]] || malformed
        [[ $REPLY != "$key" ]] || break
        read_json || malformed
        take && [[ $part == ['},'] ]] || malformed
        [[ $part == , ]] || missing "$key"
      done
    fi
  done
  if (($# == 0)) && [[ $as != json && ! $rest =~ ^[[:space:]]*[[{\"] ]]; then encode "$as" "$rest"; return; fi
  read_json && [[ $rest =~ ^$json_space([],}]|$) ]] || malformed
  if [[ $token != \"* ]]; then encode "@{as/#json/raw}" "$token"
  else unquote "$token" && encode "$as" "$REPLY"; fi
}
missing() { stop "the response has no $1"; }
malformed() { stop "the response is not valid JSON"; }`,
  uuid: String.raw`uuid() {
  local part parts=() at
  for ((at = 0; at < 8; at++)); do printf -v part %04x $((RANDOM * 2 + RANDOM % 2)) && parts+=("$part"); done
  REPLY=@{parts[0]}@{parts[1]}-@{parts[2]}-4@{parts[3]:1}-a@{parts[4]:1}-@{parts[5]}@{parts[6]}@{parts[7]}
}`,
} as const

export type BashFunction = keyof typeof functions

const needs: { readonly [F in BashFunction]?: readonly BashFunction[] } = {
  send: ["stop"],
  encode: ["stop"],
  pick: ["encode", "stop"],
}

/** Returns the definitions of functions, and of those that they need. */
export function bashFunctions(used: ReadonlySet<BashFunction>): readonly Bash[] {
  const all = new Set([...used].flatMap((name) => [name, ...(needs[name] ?? [])]))
  return (Object.keys(functions) as BashFunction[])
    .filter((name) => all.has(name))
    .map((name) => functions[name].replaceAll("@{", "${") as Bash)
}
