// Writes a bash script that sends the requests with curl. It needs no other program: functions in bash read earlier
// responses and encode values. Text gets into the script only through the positions of `curl-positions.ts`.

import { isHttpToken, ownOf, processVariableName, type JsonValue } from "@callsheet/format"
import type { Reason } from "../losses.ts"
import { bash, shellWord, type Bash } from "./bash-code.ts"
import { bashFunctions, type BashFunction } from "./bash-functions.ts"
import { commentText, identifierCode, joinCode, numberCode } from "./code.ts"
import {
  argument,
  encodingAt,
  literalAt,
  wordOf,
  type Piece,
  type Position,
  type ShellEncoding,
} from "./curl-positions.ts"
import { findResponses, identifiers, linearSteps, type ResponsePlace } from "./linear-steps.ts"
import { exportReasons as reasons } from "./messages.ts"
import type { ExportRequest, Part, Ref, RequestStep, Slot, Template, Writer } from "./model.ts"

export const writeCurl: Writer = (exported) => {
  const { source, lose, split } = exported
  const linear = linearSteps(exported, "curl")
  const responseAt = findResponses(linear)
  const nameOf = identifiers()
  const requests = linear.steps.filter((step) => step.kind === "send")
  for (const step of linear.steps)
    if (step.kind === "check") lose(step.where, "assertions", reasons.checks("curl"))
  const placeOf = (path: string): ResponsePlace | undefined =>
    split(path).every((part) => typeof part === "string") ? responseAt(path) : undefined
  const writer = new CurlWriter({
    nameOf: (id) => identifierCode(nameOf(id)),
    jarOf: identifiers(),
    isAlone: requests.length === 1,
    placeOf,
    placesIn: placesRead(requests, placeOf),
    lose,
  })
  const commands = requests.flatMap((step) => writer.request(step))
  const secrets = exported.used().filter(({ kind, isSecret }) => kind === "variable" && isSecret)
  const lines = [
    bash`#!/usr/bin/env bash`,
    bash`# The requests of the workflow ${commentText(source.name)}.`,
    ...(writer.readsFiles
      ? [bash`# Run it in the directory of the project, which contains the files that it sends.`]
      : []),
    bash``,
    bash`LC_ALL=C`,
    ...secrets.map((ref) => bash`: "\${${shellVariable(ref)}:?}"`),
    ...bashFunctions(writer.functions),
    ...[...writer.jars].map((jar) => bash`${jar}=`),
    ...commands,
  ]
  return { text: `${joinCode(lines, "\n")}\n`, requests: writer.requests }
}

const shellVariable = ({ api = "", name = "" }: Ref): Bash => identifierCode(processVariableName(api, name))

interface Names {
  readonly nameOf: (id: string) => Bash
  readonly jarOf: (api: string) => string
  /** True if no request needs the response of another one. */
  readonly isAlone: boolean
  readonly placeOf: (path: string) => ResponsePlace | undefined
  /** Returns the parts of a response that later requests read: `status`, `body`, and names of headers. */
  readonly placesIn: (step: RequestStep) => PlacesIn
  readonly lose: (where: string, what: string, reason: Reason) => undefined
}

interface PlacesIn {
  readonly status: boolean
  readonly body: boolean
  readonly headers: readonly string[]
}

function placesRead(requests: readonly RequestStep[], placeOf: Names["placeOf"]): Names["placesIn"] {
  const refs = requests.flatMap(({ request }) => slotsOf(request).map(({ ref }) => ref))
  const places = refs.flatMap(({ kind, path }) => (kind === "result" ? [placeOf(path)] : []))
  return (step) => {
    const paths = places.flatMap((place) => (place?.step === step ? [place.path] : []))
    const headers = paths.flatMap(([part, name = ""]) => (part === "headers" && canRead(name) ? [name] : []))
    return {
      status: paths.some(([part]) => part === "status"),
      body: paths.some(([part]) => part === "body"),
      headers: [...new Set(headers)],
    }
  }
}

/** Returns whether the format of `--write-out` can name a header. It reads `%` and `}` as its own. */
const canRead = (header: string): boolean => isHttpToken(header) && !header.includes("%")

function slotsOf({ url, headers, cookies, body }: ExportRequest): readonly Slot[] {
  const parts =
    body?.kind === "multipart" ? body.parts.map(({ content }) => ("file" in content ? [] : content)) : []
  const text = body !== undefined && "text" in body ? body.text : []
  return [url, ...headers.map(({ value }) => value), ...cookies.map(({ value }) => value), text, ...parts]
    .flat()
    .filter((part) => typeof part === "object")
}

/** Shell arguments are limited to 128 KiB on Linux. */
const MAX_ARGUMENT_CHARACTERS = 30_000

/** The start of each command. No URL or redirect makes curl read a file or use another protocol. */
const curl = bash`curl --silent --show-error --proto =http,https --globoff`

class CurlWriter {
  readonly functions = new Set<BashFunction>()
  readonly jars = new Set<Bash>()
  readsFiles = false
  requests = 0
  readonly #names: Names
  /** The commands that set the shell variables of the current request. */
  #before: Bash[] = []
  #variables = new Map<string, Bash>()
  #isWhole = true

  constructor(names: Names) {
    this.#names = names
  }

  request(step: RequestStep): readonly Bash[] {
    const { where, description } = step
    this.#before = []
    this.#variables = new Map()
    this.#isWhole = true
    const words = this.#words(step)
    if (!this.#isWhole) return []
    this.requests++
    const comment = commentText<"bash">(description === undefined ? where : `${where}: ${description}`)
    const sent = this.#names.isAlone ? [wrap([curl, ...words])] : this.#send(step, words)
    return [bash``, bash`# ${comment}`, ...this.#before, ...sent]
  }

  #send(step: RequestStep, words: readonly Bash[]): readonly Bash[] {
    this.functions.add("send")
    const { headers, cookies, api } = step.request
    const name = this.#names.nameOf(step.id)
    const hasOwn = headers.some((header) => header.name.toLowerCase() === "cookie")
    const jar = identifierCode<"bash">(`jar_${this.#names.jarOf(api)}`)
    const read = this.#names.placesIn(step)
    const writes = read.headers.map((header) => `:%header{${header}}`).join(String.raw`\n`)
    const without = cookies.map((cookie) => cookie.name).join(" ")
    const variables = read.headers.map((_, at) => bash`IFS= read -r ${headerVariable(name, at)}`)
    if (!hasOwn) this.jars.add(jar)
    return [
      hasOwn ? bash`jar=` : bash`jar=$${jar}`,
      wrap([bash`send ${name} ${shellWord(without)} ${shellWord(writes)}`, ...words]),
      ...(hasOwn ? [] : [bash`${jar}=$jar`]),
      ...(read.status ? [bash`status_${name}=$status`] : []),
      ...(read.body ? [bash`body_${name}=$body`] : []),
      ...(variables.length === 0 ? [] : [bash`{ ${joinCode(variables, "; ")}; } <<<"$headers"`]),
    ]
  }

  #words({ request, where }: RequestStep): readonly Bash[] {
    const { url, headers, cookies, body, auth } = request
    const at = (position: Position, text: Template): readonly Piece[] => this.#at(position, text, where)
    const words = [...this.#method(request, where), bash`--url ${wordOf(at("url", url))}`]
    if (!startsAsUrl(url)) this.#lost(where, "request", reasons.scheme())
    if (request.followRedirects) words.push(bash`--location`, bash`--max-redirs 10`)
    if (request.timeoutMs !== 30_000) words.push(bash`--max-time ${numberCode(request.timeoutMs / 1000)}`)
    if (!request.verifyTls) words.push(bash`--insecure`)
    if (auth?.kind === "digest") words.push(bash`--digest`, this.#user(auth.variable, where))
    if (auth?.kind === "sigv4") this.#names.lose(where, "AWS Signature Version 4", reasons.auth("curl"))
    for (const { name, value } of headers) words.push(this.#header(name, value, where))
    for (const { name, value } of cookies) {
      // curl would read a file if the argument had no "=".
      const pieces = [...at("token", [name]), argument`=`, ...at("cookie", value)]
      if (value.length > 0) words.push(bash`--cookie ${wordOf(pieces)}`)
    }
    if (body === undefined) {
      // Without a body, curl would send no length.
      if (/^(?:POST|PUT|PATCH)$/.test(request.method))
        words.push(bash`--header Content-Type:`, bash`--data-raw ''`)
    } else if (body.kind === "multipart") words.push(...this.#multipart(body.mediaType, body.parts, where))
    else if (body.kind === "file") {
      this.readsFiles = true
      words.push(bash`--data-binary ${wordOf([argument`@`, ...at("file", [body.file])])}`)
    } else words.push(this.#data(body.text, where))
    return words
  }

  #method({ method, body }: ExportRequest, where: string): Bash[] {
    if (method === "HEAD" && body === undefined) return [bash`--head`]
    const usual = body !== undefined || /^(?:POST|PUT|PATCH)$/.test(method) ? "POST" : "GET"
    return method === usual ? [] : [bash`--request ${wordOf(this.#at("token", [method], where))}`]
  }

  #header(name: string, value: Template, where: string): Bash {
    const [scheme, slot] = value
    if (scheme === "Basic " && typeof slot === "object" && slot.as === "base64")
      return this.#user(slot.ref, where)
    const start = this.#at("token", [name], where)
    const pieces =
      value.length === 0
        ? [...start, argument`;`]
        : [...start, argument`: `, ...this.#at("header", value, where)]
    return bash`--header ${wordOf(pieces, "latin1")}`
  }

  #user(ref: Ref, where: string): Bash {
    return bash`--user ${wordOf(this.#at("user", [{ ref, as: "raw" }], where))}`
  }

  #data(text: Template, where: string): Bash {
    const literal = text.map((part) => (typeof part === "string" ? part : "")).join("")
    if (literal.includes("\0") && text.length === 1) {
      const escaped = literal.replaceAll("\\", "\\\\").replaceAll("\0", String.raw`\0000`)
      return bash`--data-binary @<(printf '%b' ${shellWord(escaped)})`
    }
    const word = wordOf(this.#at("text", text, where))
    return word.length > MAX_ARGUMENT_CHARACTERS
      ? bash`--data-binary @<(printf %s ${word})`
      : bash`--data-raw ${word}`
  }

  #multipart(mediaType: string, parts: readonly Part[], where: string): readonly Bash[] {
    const isUsual = /^multipart\/form-data$/i.test(mediaType)
    return [
      ...(isUsual ? [] : [this.#header("content-type", [mediaType], where)]),
      ...parts.map((part) => this.#part(part, where)),
    ]
  }

  #part({ name, filename = "", contentType, content }: Part, where: string): Bash {
    const at = (position: Position, text: Template): readonly Piece[] => this.#at(position, text, where)
    const start = at("partName", [name])
    const type = contentType === undefined ? [] : [argument`;type=`, ...at("partType", [contentType])]
    if ("file" in content) {
      this.readsFiles = true
      const file = [argument`=@"./`, ...at("partFile", [content.file]), argument`"`]
      const shown = [argument`;filename="`, ...at("partFile", [filename]), argument`"`]
      return bash`--form ${wordOf([...start, ...file, ...shown, ...type])}`
    }
    return contentType === undefined
      ? bash`--form-string ${wordOf([...start, argument`=`, ...at("text", content)])}`
      : bash`--form ${wordOf([...start, argument`="`, ...at("partText", content), argument`"`, ...type])}`
  }

  /** Writes a text for its position. The request isn't exported if the text can't stand there. */
  #at(position: Position, text: Template, where: string): readonly Piece[] {
    return text.map((part): Piece => {
      if (typeof part === "object") return { variable: this.#value(part, encodingAt(position), where) }
      const literal = literalAt(position, part)
      if (literal.ok) return literal.argument
      this.#lost(where, position === "partName" ? `form field ${part}` : "request", literal.reason)
      return argument``
    })
  }

  #lost(where: string, what: string, reason: Reason): void {
    this.#isWhole = false
    this.#names.lose(where, what, reason)
  }

  /** Returns the name of the shell variable that contains an encoded value. */
  #value({ ref, as }: Slot, position: ShellEncoding, where: string): Bash {
    const encoding = as === "raw" || as === "base64" ? position : as
    // JSON in a quoted argument is encoded twice.
    const outer = encoding !== position && position === "quoted" ? bash` && encode quoted "$REPLY"` : bash``
    const key = JSON.stringify([ref.kind, ref.path, encoding, outer])
    const known = this.#variables.get(key)
    if (known !== undefined) return known
    const given = ref.kind === "variable" ? shellVariable(ref) : undefined
    const set =
      given === undefined ? this.#read(ref, encoding) : this.#encode(encoding, bash`"$${given}"`, ref.value)
    if (set === undefined) {
      this.#lost(where, "request", reasons.later(ref.path))
      return bash`REPLY`
    }
    const isSame = given !== undefined && !changing.has(encoding) && outer === ""
    const name = isSame ? given : bash`value_${numberCode(this.#variables.size + 1)}`
    this.#variables.set(key, name)
    if (!isSame) this.#before.push(bash`${set}${outer} && ${name}=$REPLY`)
    else if (encoding !== "raw") this.#before.push(set)
    return name
  }

  #encode(as: ShellEncoding, word: Bash, value: JsonValue | undefined): Bash {
    const own = as === "json" && value !== undefined && typeof value !== "string" ? "raw" : as
    if (own === "raw") return bash`REPLY=${word}`
    this.functions.add("encode")
    return bash`encode ${identifierCode(own)} ${word}`
  }

  #read(ref: Ref, as: ShellEncoding): Bash | undefined {
    if (ref.kind === "dynamic") return this.#dynamic(ref.path, as)
    const place = ref.kind === "result" ? this.#names.placeOf(ref.path) : undefined
    if (place === undefined) return undefined
    const [part, ...path] = place.path
    const name = this.#names.nameOf(place.step.id)
    if (part === "status") return bash`REPLY=$status_${name}`
    if (part === "headers") {
      const at = this.#names.placesIn(place.step).headers.indexOf(path[0] ?? "")
      return at === -1 ? undefined : this.#encode(as, bash`"\${${headerVariable(name, at)}#:}"`, "")
    }
    if (part !== "body") return undefined
    this.functions.add("pick")
    const words = path.map((segment) => shellWord(segment))
    return joinCode([bash`pick`, identifierCode(as), bash`"$body_${name}"`, ...words], " ")
  }

  #dynamic(name: string, as: ShellEncoding): Bash | undefined {
    const set = ownOf(dynamicValues, name)
    if (set === undefined) return undefined
    if (name === "$uuid") this.functions.add("uuid")
    return as === "json" && /uuid|iso/i.test(name) ? bash`${set} && REPLY="\\"$REPLY\\""` : set
  }
}

/** Encodings that change a text. Others only check it. */
const changing: ReadonlySet<ShellEncoding> = new Set(["url", "form", "json", "jsonText", "quoted"])

const dynamicValues: Readonly<Record<string, Bash>> = {
  $uuid: bash`uuid`,
  $timestamp: bash`printf -v REPLY '%(%s)T' -1`,
  $isoTimestamp: bash`TZ=UTC printf -v REPLY '%(%Y-%m-%dT%H:%M:%S.000Z)T' -1`,
  $randomInt: bash`REPLY=$((RANDOM * 65536 + RANDOM * 2 + RANDOM % 2))`,
}

const headerVariable = (name: Bash, at: number): Bash => bash`header_${numberCode(at + 1)}_${name}`

/** Returns whether curl reads a text as an HTTP URL: not as an option, a file or another protocol. */
const startsAsUrl = ([first]: Template): boolean =>
  typeof first === "string" ? /^https?:\/\//i.test(first) : first?.as === "raw"

/** Joins words to a command, one per line if it is long. */
const wrap = (words: readonly Bash[]): Bash => {
  const line = joinCode(words, " ")
  return line.length <= 100 ? line : joinCode(words, " \\\n  ")
}
