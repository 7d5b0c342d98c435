// Reads curl commands, from a script or as a browser copies them.

import { CallsheetError, problemAtOffset, type SourceFile } from "@callsheet/format"
import type { Reason } from "../losses.ts"
import { messages, reasons } from "../messages.ts"
import type { Auth, Body, BodyPart, Collection, Item, Loss, Pair, Request, Variable } from "../model.ts"
import { fillText, hasVariables, variablesIn, type Text } from "../text.ts"
import { bodyOfData, fieldsOf, pieceOf } from "./curl-data.ts"
import { splitScript, type ShellCommand, type Unclosed } from "./shell-words.ts"
import { nameOfRequest, splitUrl, stemOf } from "./url.ts"

/** Returns whether a text is a script with a curl command. */
export const isCurl = (text: string): boolean =>
  /\bcurl\b/.test(text) && splitScript(text).commands.some((command) => curlWords(command) !== undefined)

/** Returns whether a text is a URL and nothing else. */
export const isUrl = (text: string): boolean => /^\s*https?:\/\/\S+\s*$/i.test(text)

/** Reads a single URL as a request with GET. */
export const readUrl = (text: string, file: string): Collection =>
  readCurl(`curl '${text.trim().replaceAll("'", String.raw`'\''`)}'`, file)

/** Reads a script. Throws `import-source` if the end of a command is unknown. */
export function readCurl(text: string, file: string): Collection {
  const { commands, unclosed } = splitScript(text)
  if (unclosed !== undefined) refuse({ file, text }, unclosed)
  const losses: Loss[] = []
  const variables: Variable[] = []
  const items: Item[] = []
  for (const command of commands) {
    const where = `${file}:${command.line}`
    const words = curlWords(command)
    if (words !== undefined) {
      if (command.substitutes)
        losses.push({ where, what: "command substitution", reason: reasons.substitution() })
      for (const item of new CurlReader({ where, losses, variables }).read(words)) items.push(item)
      continue
    }
    const assigned = command.words.map((word) => /^(?:export )?([A-Za-z_]\w*)=(.*)$/s.exec(word))
    const [first] = command.words
    const all = first === "export" ? assigned.slice(1) : assigned
    if (all.length > 0 && all.every((one) => one !== null) && !command.substitutes)
      for (const one of all) variables.push({ name: one[1] ?? "", value: one[2] ?? "" })
    else losses.push({ where, what: `command ${commandName(first)}`, reason: reasons.otherCommand() })
  }
  const [request] = items
  const host =
    request !== undefined && request.kind !== "folder" ? request.url.base.replace(/^https?:\/\//, "") : ""
  // Only a file has an ending. Standard input and pasted text are named after the server.
  const isFile = /\.[^./\\]+$/.test(file)
  const name = isFile ? stemOf(file) : hasVariables(host) || host === "" ? "curl" : host
  const root = { kind: "folder", name, where: file, scripts: [], items } as const
  return { source: "curl", root, variables, environments: [], losses }
}

function refuse(source: SourceFile, { mark, line, column }: Unclosed): never {
  const finding = messages["import-source"].unclosed(source.file, mark)
  const before = source.text.split("\n").slice(0, line - 1)
  const offset = before.join("\n").length + Math.min(before.length, 1) + column - 1
  throw new CallsheetError(finding, { problems: [problemAtOffset(source, offset, finding)] })
}

/** Only the name of a command is shown, because its arguments may contain secrets. */
const commandName = (word = ""): string => /^[\w./-]+/.exec(word)?.[0] ?? "?"

/** Returns the words after `curl`, without a prompt and assignments before it. */
function curlWords({ words }: ShellCommand): readonly Text[] | undefined {
  const at = words.findIndex((word) => word !== "$" && !/^[A-Za-z_]\w*=/.test(word))
  return /^(?:.*[/\\])?curl(?:\.exe)?$/.test(words[at] ?? "") ? words.slice(at + 1) : undefined
}

const short = new Map(
  [
    "X request H header d data F form u user b cookie A user-agent e referer G get I head L location k insecure",
    "m max-time T upload-file x proxy E cert o output w write-out D dump-header c cookie-jar K config r range",
    "y speed-time Y speed-limit z time-cond C continue-at Q quote U proxy-user t telnet-option s silent S show-error",
    "v verbose i include f fail g globoff N no-buffer # progress-bar O remote-name J remote-header-name R remote-time",
    "n netrc q disable 0 http1.0 4 ipv4 6 ipv6",
  ].flatMap((names) =>
    [...names.matchAll(/(\S) (\S+)/g)].map(([, letter = "", name = ""]) => [letter, name] as const),
  ),
)

// cspell:disable
const withValue = new Set(
  [
    "request header data data-raw data-binary data-ascii data-urlencode json form form-string user cookie user-agent",
    "referer max-time upload-file proxy cert key cacert output write-out dump-header cookie-jar config range url",
    "oauth2-bearer aws-sigv4 connect-timeout retry retry-delay retry-max-time resolve connect-to interface proxy-user",
    "speed-time speed-limit time-cond continue-at quote telnet-option ciphers tls-max pass cert-type key-type capath",
    "limit-rate max-redirs unix-socket stderr trace trace-ascii dns-servers doh-url noproxy proto proto-default",
    "abstract-unix-socket alt-svc create-file-mode crlfile curves delegation dns-interface dns-ipv4-addr dns-ipv6-addr",
    "ech egd-file engine etag-compare etag-save expect100-timeout ftp-account ftp-alternative-to-user ftp-method ftp-port",
    "ftp-ssl-ccc-mode happy-eyeballs-timeout-ms haproxy-clientip help hostpubmd5 hostpubsha256 hsts ipfs-gateway",
    "keepalive-time keepalive-cnt krb libcurl local-port login-options mail-auth mail-from mail-rcpt max-filesize",
    "netrc-file output-dir parallel-max pinnedpubkey preproxy proto-redir proxy-cacert proxy-capath proxy-cert",
    "proxy-cert-type proxy-ciphers proxy-crlfile proxy-header proxy-key proxy-key-type proxy-pass proxy-pinnedpubkey",
    "proxy-service-name proxy-tls13-ciphers proxy-tlsauthtype proxy-tlspassword proxy-tlsuser proxy1.0 pubkey random-file",
    "rate request-target sasl-authzid service-name socks4 socks4a socks5 socks5-gssapi-service socks5-hostname",
    "tftp-blksize tls13-ciphers tlsauthtype tlspassword tlsuser trace-config url-query variable vlan-priority ip-tos",
  ].flatMap((names) => names.split(" ")),
)
// cspell:enable

/** What separates the parts of an argument. */
const separators: ReadonlyMap<string, RegExp> = new Map([
  ["header", /[:;]/],
  ["cookie", /=/],
  ["user", /:/],
  ["form", /=/],
  ["form-string", /=/],
  ["data-urlencode", /[=@]/],
  ["request", /^[A-Za-z]+$/],
])

/** Values of variables may contain variables. */
const MAX_DEPTH = 10

/** Options about output and the connection, which change nothing that callsheet sends. */
const withoutEffect = new Set(
  [
    "location silent show-error verbose include fail fail-with-body no-buffer progress-bar output write-out dump-header",
    "remote-name remote-header-name remote-time compressed http1.0 http1.1 http2 http2-prior-knowledge http3 ipv4",
    "ipv6 no-progress-meter stderr trace trace-ascii tcp-nodelay keepalive no-keepalive disable parallel styled-output",
    "connect-timeout retry retry-delay retry-max-time tlsv1.2 tlsv1.3 path-as-is location-trusted basic create-dirs",
  ].flatMap((names) => names.split(" ")),
)

interface CurlRequest {
  readonly where: string
  readonly losses: Loss[]
  readonly variables: readonly Variable[]
}

class CurlReader {
  readonly #where: string
  readonly #losses: Loss[]
  readonly #values: ReadonlyMap<string, Variable["value"]>

  /** `variables` are those that the script has set before the command. */
  constructor({ where, losses, variables }: CurlRequest) {
    this.#where = where
    this.#losses = losses
    this.#values = new Map(variables.map(({ name, value }) => [name, value]))
  }

  /** Reads one command. `--next` separates requests. */
  read(words: readonly Text[]): readonly Request[] {
    const parts: Text[][] = [[]]
    for (const word of words) {
      if (word === "--next" || word === "-:") parts.push([])
      else parts.at(-1)?.push(word)
    }
    return parts.flatMap((part) => this.#requests(part))
  }

  #lose(what: string, reason: Reason): void {
    this.#losses.push({ where: this.#where, what, reason })
  }

  /**
   * Returns the argument of an option with its name and value apart, even if both are in a variable. Undefined if the
   * value of that variable is unknown, which is a loss.
   */
  #argument(option: string, written: Text): Text | undefined {
    const separator = separators.get(option)
    let text: Text | undefined = written
    for (let depth = 0; depth < MAX_DEPTH && text !== undefined; depth++) {
      if (separator === undefined || !hasVariables(text) || separator.test(text)) return text
      text = fillText(text, (name) => {
        const value = this.#values.get(name)
        return typeof value === "string" ? value : undefined
      })
    }
    // Without a value, the user or the method is a loss of the request.
    if (option === "user" || option === "request") return written
    const names = variablesIn(written).map((name) => `$${name}`)
    this.#lose(`option --${option} ${names.join(", ")}`, reasons.partsInVariable(names.join(", ")))
    return undefined
  }

  #requests(words: readonly Text[]): readonly Request[] {
    const { urls, options } = this.#options(words)
    const all = (...names: readonly string[]): readonly Text[] =>
      options.flatMap(([name, value]) => (names.includes(name) ? [value] : []))
    const has = (name: string): boolean => options.some(([own]) => own === name)
    const isJson = has("json")
    const given = this.#headers(all)
    const accepts = given.some(({ name }) => name.toLowerCase() === "accept")
    const headers = isJson && !accepts ? [...given, { name: "Accept", value: "application/json" }] : given
    const data = options.filter(([name]) => /^(?:data|json)/.test(name))
    const ofQuery = all("url-query").map((value) =>
      value.startsWith("+") ? { text: value.slice(1) } : pieceOf(["data-urlencode", value]),
    )
    const pieces = [...ofQuery, ...(has("get") ? data.map(pieceOf) : [])]
    const ending = pieces.some((piece) => "file" in piece) ? { data: pieces } : {}
    const query = "data" in ending ? [] : fieldsOf(pieces)
    const body = has("get")
      ? undefined
      : this.#body({
          data,
          forms: options.filter(([name]) => name.startsWith("form")),
          uploads: all("upload-file"),
          headers,
        })
    const implied = has("head")
      ? "HEAD"
      : all("upload-file").length > 0
        ? "PUT"
        : body === undefined
          ? "GET"
          : "POST"
    const method = (all("request").at(-1) ?? implied).toUpperCase()
    const timeout = Number(all("max-time").at(-1))
    if (urls.length === 0) this.#lose("request", reasons.noUrl())
    return urls.map((written) => {
      if (!has("globoff") && /\{[^{},]*,[^{}]*\}|\[\w+-\w+(?::\d+)?\]/.test(written))
        this.#lose("URL pattern", reasons.pattern())
      // curl adds the name of an uploaded file to a directory.
      const [upload = ""] = all("upload-file")
      const address = /^[^?#]*\/$/.test(written) ? written + (upload.split("/").at(-1) ?? "") : written
      const url = splitUrl(address)
      return {
        kind: "request",
        name: nameOfRequest(method, url),
        where: this.#where,
        method,
        url: { ...url, query: [...url.query, ...query], ...ending },
        headers,
        body,
        auth: this.#auth(all("user"), all("oauth2-bearer"), has),
        scripts: [],
        ...(timeout > 0 ? { timeoutMs: Math.round(timeout * 1000) } : {}),
      }
    })
  }

  #options(words: readonly Text[]) {
    const urls: Text[] = []
    const options: (readonly [name: string, value: Text])[] = []
    for (let at = 0; at < words.length; at++) {
      const word = words[at] ?? ""
      const found = readOption(word)
      if (found === undefined) {
        urls.push(word)
        continue
      }
      for (const { name, value } of found) {
        const given = value ?? (withValue.has(name) ? (words[++at] ?? "") : "")
        if (name === "url") urls.push(given)
        else if (handled.has(name)) {
          const argument = this.#argument(name, given)
          if (argument !== undefined) options.push([name, argument])
        } else if (!withoutEffect.has(name)) this.#lose(`option --${name}`, reasons.setting())
      }
    }
    return { urls, options }
  }

  #headers(all: (...names: readonly string[]) => readonly Text[]): readonly Pair[] {
    const headers = all("header").flatMap((header): readonly Pair[] => {
      if (header.startsWith("@")) {
        this.#lose("headers from a file", reasons.setting())
        return []
      }
      const cut = header.search(/[:;]/)
      if (cut < 1) return []
      const [name, value] = [header.slice(0, cut).trim(), header.slice(cut + 1).trim()]
      // `Name:` removes one of curl's own headers, and `Name;` sends an empty one.
      return value === "" && header.charAt(cut) === ":"
        ? []
        : /^accept-encoding$/i.test(name)
          ? []
          : [{ name, value }]
    })
    const cookies = all("cookie").filter((cookie) => {
      if (!cookie.includes("=")) this.#lose("cookies from a file", reasons.setting())
      return cookie.includes("=")
    })
    return [
      ...headers,
      ...all("user-agent").map((value) => ({ name: "User-Agent", value })),
      ...all("referer").map((value) => ({ name: "Referer", value })),
      ...(cookies.length > 0 ? [{ name: "Cookie", value: cookies.join("; ") }] : []),
    ]
  }

  #auth(users: readonly Text[], tokens: readonly Text[], has: (name: string) => boolean): Auth | undefined {
    const scheme = ["digest", "ntlm", "negotiate", "anyauth", "aws-sigv4"].find(has)
    if (scheme !== undefined) return { kind: "other", name: scheme }
    const token = tokens.at(-1)
    if (token !== undefined) return { kind: "bearer", token }
    const user = users.at(-1)
    if (user === undefined) return undefined
    const cut = user.indexOf(":")
    return cut === -1
      ? { kind: "basic", username: user, password: "" }
      : { kind: "basic", username: user.slice(0, cut), password: user.slice(cut + 1) }
  }

  #body(given: {
    readonly data: readonly (readonly [string, Text])[]
    readonly forms: readonly (readonly [string, Text])[]
    readonly uploads: readonly Text[]
    readonly headers: readonly Pair[]
  }): Body | undefined {
    const { data, forms, uploads, headers } = given
    const [upload] = uploads
    if (upload !== undefined) return { kind: "file", path: upload }
    if (forms.length > 0) return { kind: "multipart", parts: forms.flatMap((form) => this.#part(form)) }
    if (data.length === 0) return undefined
    const declared = headers.find(({ name }) => name.toLowerCase() === "content-type")?.value
    const isJson = data.some(([name]) => name === "json")
    const mediaType = declared ?? (isJson ? "application/json" : "application/x-www-form-urlencoded")
    const pieces = data.map(pieceOf)
    const [piece] = pieces
    if (piece !== undefined && pieces.length === 1 && "file" in piece && piece.encodes !== true)
      return { kind: "file", path: piece.file, mediaType, removesBreaks: piece.removesBreaks }
    const body = { kind: "data", pieces, mediaType, isJson } as const
    return pieces.some((one) => "file" in one) ? body : bodyOfData(body)
  }

  /** Reads `name=value`, `name=@file`, `name=<file` and `name=@file;type=text/plain;filename=a.txt`. */
  #part([option, form]: readonly [string, Text]): readonly BodyPart[] {
    const cut = form.indexOf("=")
    const [name, content] = [form.slice(0, Math.max(cut, 0)), form.slice(cut + 1)]
    if (name === "") return []
    if (option === "form-string") return [{ name, content: { value: content } }]
    const [value = "", ...settings] = content.match(/(?:"(?:\\.?|[^"\\])*(?:"|$)|[^;"])+/gs) ?? []
    const setting = (key: string): string | undefined =>
      settings
        .map((one) => one.trim())
        .find((one) => one.startsWith(`${key}=`))
        ?.slice(key.length + 1)
        .replaceAll('"', "")
    const [contentType, filename] = [setting("type"), setting("filename")]
    if (value.startsWith("<"))
      return [{ name, content: { textOf: value.slice(1).replaceAll(/^"|"$/g, "") }, contentType }]
    if (!value.startsWith("@")) {
      const whole = contentType === undefined && !value.startsWith('"') ? content : value
      const [, quoted] = /^"((?:\\.|[^"\\])*)"$/s.exec(whole) ?? []
      return [{ name, content: { value: quoted?.replaceAll(/\\(["\\])/g, "$1") ?? whole }, contentType }]
    }
    const file = value.slice(1).replaceAll(/^"|"$/g, "")
    return [
      {
        name,
        content: { file, ...(filename === undefined ? {} : { filename }) },
        ...(contentType === undefined ? {} : { contentType }),
      },
    ]
  }
}

const handled = new Set(
  [
    "request header data data-raw data-binary data-ascii data-urlencode json form form-string user cookie user-agent",
    "referer get head max-time upload-file url-query globoff oauth2-bearer digest ntlm negotiate anyauth aws-sigv4",
  ].flatMap((names) => names.split(" ")),
)

/** Reads `--name`, `-X` and `-sXPOST`. Undefined for a URL. */
function readOption(word: Text): readonly { readonly name: string; readonly value?: Text }[] | undefined {
  if (word.startsWith("--")) return [{ name: word.slice(2) }]
  if (!word.startsWith("-") || word === "-") return undefined
  const found: { readonly name: string; readonly value?: Text }[] = []
  for (let at = 1; at < word.length; at++) {
    const name = short.get(word.charAt(at)) ?? word.charAt(at)
    const rest = word.slice(at + 1)
    if (withValue.has(name)) return [...found, rest === "" ? { name } : { name, value: rest }]
    found.push({ name })
  }
  return found
}
