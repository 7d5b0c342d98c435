// Reads the syntax of `.bru` files: blocks of pairs, of text or of names. A small reader, because Bruno's own parser
// brings four packages with it, and its errors have no lines.

import {
  CallsheetError,
  isJsonArray,
  problemAtOffset,
  type JsonObject,
  type JsonValue,
  type SourceFile,
} from "@callsheet/format"
import { messages } from "../messages.ts"

export interface BruBlock {
  /** Such as `get` or `body:json`. */
  readonly name: string
  /** The content of a block of text, without its indentation. */
  readonly text: string
  readonly pairs: readonly BruPair[]
}

interface BruPair {
  readonly name: string
  readonly value: string
  readonly disabled: boolean
}

/** Blocks of text. All others consist of pairs or names. */
const isText = (name: string): boolean =>
  /^(?:body(?::(?:json|text|xml|sparql|graphql|graphql:vars))?|script:.*|tests|docs|example)$/.test(name)

/** Reads a file. Throws `import-source` at the first invalid line. */
export const parseBru = (source: SourceFile): readonly BruBlock[] => new BruReader(source).read()

class BruReader {
  readonly #source: SourceFile
  readonly #lines: string[]
  #at = 0

  constructor(source: SourceFile) {
    this.#source = source
    this.#lines = source.text.split(/\r?\n/)
  }

  read(): readonly BruBlock[] {
    const blocks: BruBlock[] = []
    for (; this.#at < this.#lines.length; this.#at++) {
      const line = this.#line()
      if (line.trim() === "") continue
      if (line.startsWith("color:")) {
        blocks.push({ name: "color", text: line.slice("color:".length).trim(), pairs: [] })
        continue
      }
      const [, name, bracket, rest = ""] = /^\s*([a-z][\w:.-]*)\s*([{[])(.*)$/.exec(line) ?? []
      if (name === undefined) this.#refuse()
      else if (bracket === "[") blocks.push({ name, text: "", pairs: this.#names(rest) })
      else if (rest.trim() === "}") blocks.push({ name, text: "", pairs: [] })
      else if (isText(name)) blocks.push({ name, text: this.#text(), pairs: [] })
      else blocks.push({ name, text: "", pairs: this.#pairs() })
    }
    return blocks
  }

  #line = (): string => this.#lines[this.#at] ?? ""

  /** Goes to the next line. A block that doesn't end is an error. */
  #next(): string {
    if (++this.#at >= this.#lines.length) this.#refuse()
    return this.#line()
  }

  #refuse(): never {
    const before = this.#source.text.split("\n").slice(0, this.#at)
    const finding = messages["import-source"].bru(this.#source.file)
    const problem = problemAtOffset(this.#source, before.join("\n").length + Math.min(this.#at, 1), finding)
    throw new CallsheetError(finding, { problems: [problem] })
  }

  /** Blocks end with a brace at the start of a line. */
  #text(): string {
    const lines: string[] = []
    for (let line = this.#next(); !line.startsWith("}"); line = this.#next())
      lines.push(line.replace(/^ {2}/, ""))
    return lines.join("\n").trim()
  }

  #pairs(): readonly BruPair[] {
    const pairs: BruPair[] = []
    for (let line = this.#next(); !line.startsWith("}"); line = this.#next()) {
      if (line.trim() === "") continue
      if (/^\s*@[^\s():]+\s*(?:\(|$)/.test(line)) {
        if (line.includes("'''") && !/'''.*'''/.test(line)) while (!this.#next().includes("'''"));
        continue
      }
      const pair = /^(~?)(?:"((?:\\"|[^"])*)"\s*|([^:]*)):(.*)$/.exec(line.trimStart())
      if (pair === null) this.#refuse()
      const [, tilde = "", quoted, plain = "", value = ""] = pair
      pairs.push({
        name: quoted?.replaceAll('\\"', '"') ?? plain.trim(),
        value: this.#value(value.trim()),
        disabled: tilde !== "",
      })
    }
    return pairs
  }

  /** Values of several lines are in `'''`, and lists in brackets. */
  #value(start: string): string {
    if (start === "[")
      return this.#names("")
        .map(({ name }) => name)
        .join(",")
    if (!start.startsWith("'''")) return start
    const lines = [start.slice(3)]
    while (!lines.at(-1)?.includes("'''")) lines.push(this.#next().replace(/^ {1,4}/, ""))
    const [inside = "", after = ""] = lines.join("\n").split("'''")
    return `${inside.trim()}${after.trim() === "" ? "" : ` ${after.trim()}`}`
  }

  #names(start: string): readonly BruPair[] {
    const lines = [start]
    while (!lines.at(-1)?.includes("]")) lines.push(this.#next())
    return lines
      .filter((line) => !line.trim().startsWith("@"))
      .join(",")
      .replace(/\].*$/s, "")
      .split(",")
      .map((name) => name.trim())
      .filter((name) => name !== "")
      .map((name) => ({ name: name.replace(/^~/, ""), value: "", disabled: name.startsWith("~") }))
  }
}

const METHODS = /^(?:get|post|put|delete|patch|options|head|connect|trace|http)$/

/** Converts the blocks of a request, a folder or a collection to an item of OpenCollection. */
export function itemOf(blocks: readonly BruBlock[], isFolder: boolean): JsonObject {
  const pairs = (name: string): readonly BruPair[] =>
    blocks.flatMap((block) => (block.name === name ? block.pairs : []))
  const value = (name: string, key: string): string | undefined =>
    pairs(name).find((pair) => pair.name === key)?.value
  const text = (name: string): string | undefined => blocks.find((block) => block.name === name)?.text
  const method = blocks.find(({ name }) => METHODS.test(name))
  const isGraphql = value("meta", "type") === "graphql"
  const mode = isFolder ? value("auth", "mode") : value(method?.name ?? "", "auth")
  const shared = { headers: pairs("headers").map(entryOf), auth: authOf(mode, pairs(`auth:${mode}`)) }
  const runtime = {
    variables: pairs("vars:pre-request").map(entryOf),
    actions: pairs("vars:post-response").map((pair) => ({
      type: "set-variable",
      phase: "after-response",
      selector: { expression: pair.value, method: "jsonq" },
      variable: { name: pair.name.replace(/^@/, "") },
      disabled: pair.disabled,
    })),
    scripts: [
      { type: "before-request", code: text("script:pre-request") ?? "" },
      { type: "after-response", code: text("script:post-response") ?? "" },
      { type: "tests", code: text("tests") ?? "" },
    ],
  }
  const common = { info: objectOf(pairs("meta")), docs: text("docs") ?? "" }
  if (isFolder) return { ...common, request: { ...shared, ...runtime } }
  const isKnown = method !== undefined && (isGraphql || value("meta", "type") !== "app")
  const details = {
    ...shared,
    method: method?.name === "http" ? (value("http", "method") ?? "") : (method?.name ?? "").toUpperCase(),
    url: value(method?.name ?? "", "url") ?? "",
    params: ["query", "params:query", "params:path"].flatMap((name) =>
      pairs(name).map((pair) => ({ ...entryOf(pair), type: name === "params:path" ? "path" : "query" })),
    ),
    body: bodyOf(value(method?.name ?? "", "body") ?? "none", pairs, text),
  }
  return {
    ...common,
    ...(isKnown ? { http: details } : {}),
    runtime: {
      ...runtime,
      assertions: pairs("assert").map((pair) => ({
        expression: pair.name,
        ...operatorOf(pair.value),
        disabled: pair.disabled,
      })),
    },
    settings: objectOf(pairs("settings")),
    examples: blocks.filter(({ name }) => name === "example").map(() => ({})),
  }
}

/** Converts the blocks of an environment. Its name is that of the file. */
export const environmentOf = (blocks: readonly BruBlock[], name: string): JsonObject => ({
  name,
  color: blocks.find((block) => block.name === "color")?.text ?? "",
  variables: blocks.flatMap((block) =>
    block.pairs.map((pair) =>
      block.name === "vars:secret" ? { ...entryOf(pair), secret: true } : entryOf(pair),
    ),
  ),
})

const entryOf = ({ name, value, disabled }: BruPair): JsonObject => ({
  name: name.replace(/^@/, ""),
  value,
  disabled,
})

const objectOf = (pairs: readonly BruPair[]): JsonObject =>
  Object.fromEntries(pairs.map(({ name, value }) => [name, value]))

function authOf(mode: string | undefined, pairs: readonly BruPair[]): JsonValue {
  if (mode === "inherit") return mode
  return mode === undefined || mode === "none" ? null : { ...objectOf(pairs), type: mode }
}

function bodyOf(
  mode: string,
  pairs: (name: string) => readonly BruPair[],
  text: (name: string) => string | undefined,
): JsonValue {
  switch (mode) {
    case "none":
      return null
    case "graphql":
      return { query: text("body:graphql") ?? "", variables: text("body:graphql:vars") ?? "", type: mode }
    case "form-urlencoded":
    case "formUrlEncoded":
      return { type: "form-urlencoded", data: pairs("body:form-urlencoded").map(entryOf) }
    case "multipart-form":
    case "multipartForm":
      return { type: "multipart-form", data: pairs("body:multipart-form").map(partOf) }
    case "file":
      return {
        type: mode,
        data: pairs("body:file").map((pair) => {
          const { value, contentType } = partOf(pair)
          return {
            filePath: isJsonArray(value) ? (value[0] ?? "") : "",
            contentType,
            selected: !pair.disabled,
          }
        }),
      }
    default:
      return { type: mode, data: text(`body:${mode}`) ?? text("body") ?? "" }
  }
}

/** Reads `@file(a.png|b.png) @contentType(image/png)`. */
function partOf(pair: BruPair) {
  const at = pair.value.endsWith(")") ? pair.value.lastIndexOf("@contentType(") : -1
  const written = at === -1 ? pair.value : pair.value.slice(0, at).trimEnd()
  const contentType = at === -1 ? "" : pair.value.slice(at + "@contentType(".length, -1)
  const [, files] = /^@file\((.*)\)$/s.exec(written) ?? []
  const value = files === undefined ? written : files.split("|").filter((file) => file !== "")
  return { ...entryOf(pair), value, contentType, type: files === undefined ? "text" : "file" }
}

/** Reads `eq 200`. A value without an operator is compared. */
function operatorOf(written: string) {
  const [, operator, value = ""] = /^([a-zA-Z]+)(?:\s+(.*))?$/s.exec(written) ?? []
  return operator !== undefined && operators.has(operator)
    ? { operator, value }
    : { operator: "eq", value: written }
}

const operators = new Set(
  (
    "eq neq gt gte lt lte in notIn contains notContains length matches notMatches startsWith endsWith between isEmpty " +
    "isNotEmpty isNull isUndefined isDefined isTruthy isFalsy isJson isNumber isString isBoolean isArray"
  ).split(" "),
)
