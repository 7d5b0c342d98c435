// Writes a bash script that sends the requests with curl. It needs no other program: functions in bash read earlier
// responses and encode values.

import { processVariableName, type JsonValue, ownOf } from "@callsheet/format"
import { bashFunctions, type BashFunction } from "./bash-functions.ts"
import { findResponses, identifiers, linearSteps } from "./linear-steps.ts"
import { exportReasons as reasons } from "./messages.ts"
import type { Encoding, ExportRequest, Part, Ref, RequestStep, Slot, Template, Writer } from "./model.ts"

export const writeCurl: Writer = (exported) => {
  const { source, lose, split } = exported
  const linear = linearSteps(exported, "curl")
  const responseAt = findResponses(linear)
  const nameOf = identifiers(["jar", "status", "body", "output", "REPLY", "TOKEN"])
  const requests = linear.steps.filter((step) => step.kind === "send")
  for (const step of linear.steps)
    if (step.kind === "check") lose(step.where, "assertions", reasons.checks("curl"))
  const writer = new CurlWriter({
    nameOf,
    jarOf: identifiers(),
    isAlone: requests.length === 1,
    placeOf: (path) => {
      const parts = split(path)
      const place = parts.every((part) => typeof part === "string") ? responseAt(path) : undefined
      return place && { name: nameOf(place.step.id), path: place.path }
    },
    headersOf: (step) => headersRead(requests, step, responseAt),
    lose,
  })
  const commands = requests.flatMap((step) => writer.request(step))
  const secrets = exported.used().filter(({ kind, isSecret }) => kind === "variable" && isSecret)
  const text = [
    "#!/usr/bin/env bash",
    `# The requests of the workflow ${oneLine(source.mask(source.name))}.`,
    ...(writer.readsFiles
      ? ["# Run it in the directory of the project, which contains the files that it sends."]
      : []),
    "",
    "LC_ALL=C",
    ...secrets.map((ref) => `: "\${${shellVariable(ref)}:?}"`),
    ...bashFunctions(writer.functions),
    ...commands,
  ]
  return { text: `${text.join("\n")}\n`, requests: writer.requests }
}

const oneLine = (text: string): string => text.replaceAll(/[\r\n]+/g, " ")

const shellVariable = ({ api = "", name = "" }: Ref): string => processVariableName(api, name)

interface Place {
  /** The start of the shell variables of the response. */
  readonly name: string
  readonly path: readonly string[]
}

interface Names {
  readonly nameOf: (id: string) => string
  readonly jarOf: (api: string) => string
  /** True if no request needs the response of another one. */
  readonly isAlone: boolean
  readonly placeOf: (path: string) => Place | undefined
  /** Returns the response headers that later requests read. */
  readonly headersOf: (step: RequestStep) => readonly string[]
  readonly lose: (where: string, what: string, reason: string) => undefined
}

/** Returns the headers of a response that requests read. */
function headersRead(
  requests: readonly RequestStep[],
  step: RequestStep,
  responseAt: ReturnType<typeof findResponses>,
): readonly string[] {
  const refs = requests.flatMap(({ request }) => slotsOf(request).map(({ ref }) => ref))
  const names = refs.flatMap(({ kind, path }) => {
    const place = kind === "result" ? responseAt(path) : undefined
    return place?.step === step && place.path[0] === "headers" ? [place.path[1] ?? ""] : []
  })
  return [...new Set(names)]
}

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

class CurlWriter {
  readonly functions = new Set<BashFunction>()
  readsFiles = false
  requests = 0
  readonly #names: Names
  /** The commands that set the shell variables of the current request. */
  #before: string[] = []
  #variables = new Map<string, string>()
  #isWhole = true

  constructor(names: Names) {
    this.#names = names
  }

  request(step: RequestStep): readonly string[] {
    const { where, description } = step
    this.#before = []
    this.#variables = new Map()
    this.#isWhole = true
    const words = this.#words(step)
    if (!this.#isWhole) return []
    this.requests++
    const comment = `# ${oneLine(where)}${description === undefined ? "" : `: ${oneLine(description)}`}`
    const sent = this.#names.isAlone
      ? [wrap(["curl --silent --show-error", ...words])]
      : this.#send(step, words)
    return ["", comment, ...this.#before, ...sent]
  }

  #send(step: RequestStep, words: readonly string[]): readonly string[] {
    this.functions.add("send")
    const { headers, cookies, api } = step.request
    const name = this.#names.nameOf(step.id)
    const hasOwn = headers.some((header) => header.name.toLowerCase() === "cookie")
    const jar = hasOwn ? "no_cookies" : `jar_${this.#names.jarOf(api)}`
    const read = this.#names.headersOf(step)
    const writes = read.map((header) => `%header{${header}}`).join("\\n")
    const without = cookies.map((cookie) => cookie.name).join(" ")
    const variables = read.map((header) => `IFS= read -r ${name}_${headerVariable(header)}`)
    return [
      wrap([`send ${name} ${jar} ${quote(without)} ${quote(writes)}`, ...words]),
      ...(variables.length === 0 ? [] : [`{ ${variables.join("; ")}; } <<<"$${name}_headers"`]),
    ]
  }

  #words({ request, where }: RequestStep): readonly string[] {
    const { method, url, headers, cookies, body, auth } = request
    const words = [...methodWords(method, body !== undefined), ...this.#url(url, where)]
    if (request.followRedirects) words.push("--location", "--max-redirs 10")
    if (request.timeoutMs !== 30_000) words.push(`--max-time ${request.timeoutMs / 1000}`)
    if (!request.verifyTls) words.push("--insecure")
    if (auth?.kind === "digest") words.push("--digest", `--user "$${shellVariable(auth.variable)}"`)
    if (auth?.kind === "sigv4") this.#names.lose(where, "AWS Signature Version 4", reasons.auth("curl"))
    for (const { name, value } of headers) words.push(...this.#header(name, value, where))
    const sent = cookies.filter(({ value }) => value.length > 0)
    for (const { name, value } of sent) words.push(`--cookie ${this.#word([`${name}=`, ...value], where)}`)
    if (body === undefined) {
      // Without a body, curl would send no length.
      if (/^(?:POST|PUT|PATCH)$/.test(method)) words.push("--header Content-Type:", "--data-raw ''")
    } else if (body.kind === "multipart") words.push(...this.#multipart(body.mediaType, body.parts, where))
    else if (body.kind === "file") words.push(`--data-binary ${this.#file("@", body.file)}`)
    else words.push(`--data-${this.#data(body.text, where)}`)
    return words
  }

  #url(url: Template, where: string): readonly string[] {
    const hasGlob = url.some((part) => typeof part === "string" && /[[\]{}]/.test(part))
    return [...(hasGlob ? ["--globoff"] : []), this.#word(url, where)]
  }

  #header(name: string, value: Template, where: string): readonly string[] {
    const [scheme, slot] = value
    if (scheme === "Basic " && typeof slot === "object" && slot.as === "base64")
      return [`--user ${this.#word([{ ref: slot.ref, as: "raw" }], where)}`]
    return [
      `--header ${value.length === 0 ? quote(`${name};`) : this.#word([`${name}: `, ...value], where, "latin1")}`,
    ]
  }

  #data(text: Template, where: string): string {
    const literal = text.map((part) => (typeof part === "string" ? part : "")).join("")
    if (literal.includes("\0")) {
      if (text.length > 1) this.#lost(where, "body", reasons.nul())
      return `binary @<(printf '%b' ${quote(literal.replaceAll("\\", "\\\\").replaceAll("\0", String.raw`\0000`))})`
    }
    const word = this.#word(text, where)
    return word.length > MAX_ARGUMENT_CHARACTERS ? `binary @<(printf %s ${word})` : `raw ${word}`
  }

  #multipart(mediaType: string, parts: readonly Part[], where: string): readonly string[] {
    const words = /^multipart\/form-data$/i.test(mediaType)
      ? []
      : [`--header ${quote(`content-type: ${mediaType}`)}`]
    return [
      ...words,
      ...parts.map(({ name, filename, contentType, content }) => {
        if (name.includes("=")) this.#lost(where, `form field ${name}`, reasons.partName())
        const type = contentType === undefined ? "" : `;type=${contentType}`
        if ("file" in content)
          return `--form ${this.#file(`${name}=@`, content.file, `;filename="${formQuoted(filename ?? "")}"${type}`)}`
        if (contentType === undefined) return `--form-string ${this.#word([`${name}=`, ...content], where)}`
        const quoted = content.map((part) => (typeof part === "string" ? formQuoted(part) : part))
        return `--form ${this.#word([`${name}="`, ...quoted, `"${type}`], where)}`
      }),
    ]
  }

  #file(before: string, path: string, after = ""): string {
    this.readsFiles = true
    return quote(after === "" ? before + path : `${before}"${formQuoted(path)}"${after}`)
  }

  #word(template: Template, where: string, charset?: "latin1"): string {
    const words = joinTexts(template).map((part) => {
      if (typeof part !== "string") return `"$${this.#value(part, where)}"`
      if (part.includes("\0")) this.#lost(where, "request", reasons.nul())
      return quote(part, charset)
    })
    return words.join("") || "''"
  }

  #lost(where: string, what: string, reason: string): void {
    this.#isWhole = false
    this.#names.lose(where, what, reason)
  }

  /** Returns the name of the shell variable that contains an encoded value. */
  #value({ ref, as }: Slot, where: string): string {
    const key = JSON.stringify([ref.kind, ref.path, as])
    const known = this.#variables.get(key)
    if (known !== undefined) return known
    const given = ref.kind === "variable" ? shellVariable(ref) : undefined
    if (given !== undefined && as === "raw") return given
    const set = given === undefined ? this.#read(ref, as) : this.#encode(as, `"$${given}"`, ref.value)
    if (set === undefined) {
      this.#lost(where, "request", reasons.later(ref.path))
      return "REPLY"
    }
    const name = `value_${this.#variables.size + 1}`
    this.#variables.set(key, name)
    this.#before.push(`${set} && ${name}=$REPLY`)
    return name
  }

  #encode(as: Encoding, word: string, value: JsonValue | undefined): string {
    const own = as === "json" && value !== undefined && typeof value !== "string" ? "raw" : as
    return own === "raw" ? `REPLY=${word}` : (this.functions.add("encode"), `encode ${own} ${word}`)
  }

  #read(ref: Ref, as: Encoding): string | undefined {
    if (ref.kind === "dynamic") return this.#dynamic(ref.path, as)
    const place = ref.kind === "result" ? this.#names.placeOf(ref.path) : undefined
    if (place === undefined) return undefined
    const [part = "", ...path] = place.path
    if (part === "status") return `REPLY=$${place.name}_status`
    if (part === "headers") return this.#encode(as, `"$${place.name}_${headerVariable(path[0] ?? "")}"`, "")
    if (part !== "body") return undefined
    this.functions.add("pick").add("encode")
    return ["pick", as, `"$${place.name}_body"`, ...path.map((segment) => quote(segment))].join(" ")
  }

  #dynamic(name: string, as: Encoding): string | undefined {
    const set = ownOf(dynamicValues, name)
    if (set === undefined) return undefined
    if (name === "$uuid") this.functions.add("uuid")
    return as === "json" && /uuid|iso/i.test(name) ? `${set} && REPLY="\\"$REPLY\\""` : set
  }
}

const dynamicValues: Readonly<Record<string, string>> = {
  $uuid: "uuid",
  $timestamp: "printf -v REPLY '%(%s)T' -1",
  $isoTimestamp: "TZ=UTC printf -v REPLY '%(%Y-%m-%dT%H:%M:%S.000Z)T' -1",
  $randomInt: "REPLY=$((RANDOM * 65536 + RANDOM * 2 + RANDOM % 2))",
}

const headerVariable = (name: string): string => `header_${name.replaceAll(/[^a-z0-9]/g, "_")}`

function methodWords(method: string, hasBody: boolean): string[] {
  if (method === "HEAD" && !hasBody) return ["--head"]
  const usual = hasBody || /^(?:POST|PUT|PATCH)$/.test(method) ? "POST" : "GET"
  return method === usual ? [] : [`--request ${quote(method)}`]
}

/** Escapes text inside the double quotes of `--form`. */
const formQuoted = (text: string): string => text.replaceAll(/[\\"]/g, (char) => `\\${char}`)

/** Quotes text as part of one word for bash. With `latin1`, writes letters beyond ASCII as single bytes. */
function quote(text: string, charset?: "latin1"): string {
  if (/^[\w./:@%+=,-]+$/.test(text)) return text
  if (charset === "latin1" && /[\u0080-\u00ff]/.test(text))
    return `$'${text.replaceAll(/[\\']/g, (char) => `\\${char}`).replaceAll(/[^\u0020-\u007e]/g, (char) => `\\x${char.charCodeAt(0).toString(16).padStart(2, "0")}`)}'`
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}

/** Joins texts that follow each other. */
function joinTexts(template: Template): Template {
  const joined: (string | Slot)[] = []
  for (const part of template) {
    const last = joined.at(-1)
    if (typeof part === "string" && typeof last === "string") joined[joined.length - 1] = last + part
    else joined.push(part)
  }
  return joined
}

/** Joins words to a command, one per line if it is long. */
const wrap = (words: readonly string[]): string => {
  const line = words.join(" ")
  return line.length <= 100 ? line : words.join(" \\\n  ")
}
