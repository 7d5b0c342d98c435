// Writes a script for k6. Conditions, loops and groups become JavaScript. k6 refuses names of groups and checks with "::".

import {
  isJsonArray,
  isJsonObject,
  parsePath,
  processVariableName,
  stringifyJson,
  type JsonValue,
  ownOf,
} from "@callsheet/format"
import { K6_FUNCTIONS } from "./k6-functions.ts"
import { exportReasons as reasons } from "./messages.ts"
import { knownValue, shownText } from "./shown-text.ts"
import type {
  Check,
  Encoding,
  Exported,
  ExportBody,
  ExportRequest,
  Part,
  Ref,
  RequestStep,
  Step,
  Template,
  Writer,
} from "./model.ts"

export const writeK6: Writer = (exported) => {
  const writer = new K6Writer(exported)
  const body = indent(writer.steps(exported.steps))
  const { source, used } = exported
  const variables = used().filter(({ kind }) => kind === "variable")
  const inputs = used().filter(({ kind, name }) => kind === "input" && name !== undefined)
  const lines = [
    `// The workflow ${JSON.stringify(source.mask(source.name))}.`,
    `import http from "k6/http"`,
    `import { check, fail, group, sleep } from "k6"`,
    `import encoding from "k6/encoding"`,
    "",
    `export const options = { vus: 1, iterations: 1, thresholds: { checks: ["rate==1"] }${writer.isInsecure ? ", insecureSkipTLSVerify: true" : ""} }`,
    "",
    "const variables = {",
    ...variables.map((ref) => `  ${js(variableKey(ref))}: ${valueOfVariable(ref, exported)},`),
    "}",
    "const inputs = {",
    ...new Set(
      inputs.map(
        ({ name = "" }) =>
          `  ${js(name)}: ${js(knownValue({ kind: "input", path: name, value: source.inputs.get(name), isSecret: false }, exported) ?? null)},`,
      ),
    ),
    "}",
    ...writer.files.map((path, index) => `const file${index + 1} = open(${js(source.relative(path))}, "b")`),
    K6_FUNCTIONS,
    "",
    "export default function () {",
    "  scope = { ...inputs }",
    ...body,
    "}",
  ]
  return { text: `${lines.join("\n")}\n`, requests: writer.requests }
}

const js = (value: JsonValue): string => {
  // The script's functions keep an integer that JavaScript can't represent as its digits.
  if (typeof value === "bigint") return JSON.stringify(`\ue000${value}`)
  if (isJsonArray(value)) return `[${value.map(js).join(", ")}]`
  if (isJsonObject(value))
    return `{ ${Object.entries(value)
      .map(([name, item]) => `${key(name)}: ${js(item)}`)
      .join(", ")} }`
  return JSON.stringify(value)
}

const variableKey = ({ api = "", name = "" }: Ref): string => `${api}.${name}`

/** Writes the name of a member. In an object literal, a plain `__proto__` would set the prototype. */
const key = (name: string): string => (name === "__proto__" ? `["__proto__"]` : js(name))

const indent = (lines: readonly string[]): readonly string[] => lines.map((line) => `  ${line}`)

function valueOfVariable(ref: Ref, exported: Exported): string {
  const { api = "", name = "" } = ref
  const value = knownValue(ref, exported)
  return value === undefined ? `__ENV.${processVariableName(api, name)}` : js(value)
}

class K6Writer {
  requests = 0
  isInsecure = false
  readonly files: string[] = []
  readonly #exported: Exported
  readonly #halts: boolean

  constructor(exported: Exported) {
    this.#exported = exported
    this.#halts = exported.source.workflow.onFailure !== "continue"
  }

  steps(steps: readonly Step[]): readonly string[] {
    return steps.flatMap((step) => this.#step(step))
  }

  #step(step: Step): readonly string[] {
    const { description } = step
    const comment =
      description === undefined ? [] : description.split(/[\r\n\u2028\u2029]+/).map((line) => `// ${line}`)
    return [...comment, ...this.#code(step)]
  }

  #code(step: Step): readonly string[] {
    const id = this.#text(step.id)
    switch (step.kind) {
      case "send":
        return this.#request(step, id)
      case "check": {
        const checks = step.checks.map(
          (check) => `  ${js(this.#title(check).replaceAll("::", ": :"))}: () => ${this.#check(check)},`,
        )
        return [
          `${this.#halts ? "if (!" : ""}check(null, {`,
          ...checks,
          this.#halts ? `})) fail(${id})` : "})",
        ]
      }
      case "outputs": {
        const outputs = step.outputs.map(
          ({ name, source }) => `  ${key(this.#clean(name))}: ${this.#found(source)},`,
        )
        return [`scope[${id}] = {`, ...outputs, "}"]
      }
      case "branch": {
        const otherwise =
          step.otherwise.length === 0 ? [] : ["} else {", ...indent(this.steps(step.otherwise))]
        return [`if (${this.#check(step.check)}) {`, ...indent(this.steps(step.then)), ...otherwise, "}"]
      }
      case "repeat": {
        const { over, isParallel, where } = step
        if (isParallel) this.#exported.lose(where, "execution", reasons.sequential())
        const iterator = step.iterator === undefined ? "undefined" : js(step.iterator)
        const inner = indent(this.steps(step.steps))
        if (over.mode === "until") {
          const open = `if (!repeatUntil(${over.max}, ${over.delayMs}, ${iterator}, () => {`
          return [open, ...inner, `}, () => ${this.#check(over.until)})) fail(${id})`]
        }
        const items =
          over.mode === "times"
            ? `Array.from({ length: ${over.count} }, (_, index) => index)`
            : this.#value(over.source)
        return [`repeat(${items}, ${iterator}, () => {`, ...inner, "})"]
      }
      case "section":
        return [`group(${id.replaceAll("::", ": :")}, () => {`, ...indent(this.steps(step.steps)), "})"]
    }
  }

  #request({ request, where }: RequestStep, id: string): readonly string[] {
    this.requests++
    const { method, url, headers, cookies, body, auth, followRedirects, timeoutMs, verifyTls } = request
    const lose = (what: string, reason: string): void => this.#exported.lose(where, what, reason)
    if (auth !== undefined) lose(`${auth.kind} authentication`, reasons.auth("k6"))
    this.isInsecure ||= !verifyTls
    const sent = cookies.filter(({ value }) => value.length > 0)
    if (sent.length < cookies.length) lose("empty cookie", reasons.emptyCookie("k6"))
    if (
      headers.some(({ value }) =>
        value.some((part) => typeof part === "string" && /[^\u0000-\u007f]/.test(part)),
      )
    )
      lose("headers", reasons.latin1("k6"))
    const params = [
      `headers: { ${headers.map(({ name, value }) => `${js(name)}: ${this.#template(value)}`).join(", ")} }`,
      ...(sent.length === 0
        ? []
        : [
            `cookies: { ${sent.map(({ name, value }) => `${js(name)}: { value: ${this.#template(value)}, replace: true }`).join(", ")} }`,
          ]),
      ...(sent.length < cookies.length ? ["jar: new http.CookieJar()"] : []),
      ...(followRedirects ? [] : ["redirects: 0"]),
      `timeout: ${timeoutMs}`,
    ]
    const before = body?.kind === "multipart" ? [`const boundary = "callsheet-" + uuid()`] : []
    if (body?.kind === "multipart") params[0] = this.#multipartHeaders(request, body.mediaType)
    const call = [
      "send(",
      `  ${id},`,
      `  ${js(method)},`,
      `  ${this.#template(url)},`,
      `  ${body === undefined ? "null" : this.#body(body)},`,
      `  { ${params.join(", ")} },`,
      ")",
    ]
    return before.length === 0 ? call : ["{", ...indent([...before, ...call]), "}"]
  }

  #multipartHeaders({ headers }: ExportRequest, mediaType: string): string {
    const own = headers.map(({ name, value }) => `${js(name)}: ${this.#template(value)}`)
    return `headers: { ${[...own, `"content-type": ${js(`${mediaType}; boundary=`)} + boundary`].join(", ")} }`
  }

  #body(body: ExportBody): string {
    if (body.kind === "file") return this.#file(body.file)
    if (body.kind !== "multipart") return this.#template(body.text)
    return `multipart(boundary, [${body.parts.map((part) => this.#part(part)).join(", ")}])`
  }

  #part({ name, filename, contentType, content }: Part): string {
    const escape = (text: string): string =>
      text.replaceAll("\n", "%0A").replaceAll("\r", "%0D").replaceAll('"', "%22")
    const head =
      `content-disposition: form-data; name="${escape(name)}"` +
      (filename === undefined ? "" : `; filename="${escape(filename)}"`) +
      (contentType === undefined ? "" : `\r\ncontent-type: ${contentType}`)
    return `{ head: ${js(head)}, content: ${"file" in content ? this.#file(content.file) : this.#template(content)} }`
  }

  #file(path: string): string {
    if (!this.files.includes(path)) this.files.push(path)
    return `file${this.files.indexOf(path) + 1}`
  }

  #template(template: Template): string {
    if (template.length === 0) return `""`
    const words = template.map((part) =>
      typeof part === "string" ? js(part) : encoders[part.as](this.#value(part.ref)),
    )
    return words.join(" + ")
  }

  /** Returns the code of a text with marks. */
  #text(text: string): string {
    return this.#template(
      this.#exported.split(text).map((part) => (typeof part === "string" ? part : { ref: part, as: "raw" })),
    )
  }

  #clean(text: string): string {
    return shownText(this.#exported.split, text)
  }

  #value(ref: Ref): string {
    if (ref.kind === "variable") return `variables[${js(variableKey(ref))}]`
    const dynamic = ref.kind === "dynamic" ? ownOf(dynamicValues, ref.path) : undefined
    return dynamic ?? `read(${this.#path(ref.path)})`
  }

  #path(path: string): string {
    const parsed = parsePath(path)
    return `[${(parsed.ok ? parsed.segments : [path]).map((segment) => this.#text(segment)).join(", ")}]`
  }

  /** Returns the code of a value that may not exist. */
  #found(ref: Ref): string {
    return ref.kind === "variable" ? this.#value(ref) : `find(${this.#path(ref.path)})`
  }

  #check({ source, operator, value }: Check): string {
    return `operators.${operator}(${this.#found(source)}${value === undefined ? "" : `, ${this.#json(value)}`})`
  }

  #title({ source, operator, value }: Check): string {
    const expected =
      value === undefined ? "" : ` ${this.#clean(typeof value === "string" ? value : stringifyJson(value))}`
    return `${this.#clean(source.path)} ${operator}${expected}`
  }

  #json(value: JsonValue): string {
    if (typeof value === "string") {
      const [only, ...others] = this.#exported.split(value)
      return typeof only === "object" && others.length === 0 ? this.#value(only) : this.#text(value)
    }
    if (isJsonArray(value)) return `[${value.map((item) => this.#json(item)).join(", ")}]`
    if (!isJsonObject(value)) return js(value)
    return `{ ${Object.entries(value)
      .map(([name, item]) => `${key(this.#clean(name))}: ${this.#json(item)}`)
      .join(", ")} }`
  }
}

const encoders: { readonly [E in Encoding]: (value: string) => string } = {
  url: (value) => `inUrl(${value})`,
  form: (value) => `inForm(${value})`,
  json: (value) => `toJson(${value})`,
  jsonText: (value) => `inJson(${value})`,
  raw: (value) => `text(${value})`,
  base64: (value) => `encoding.b64encode(${value})`,
}

const dynamicValues: Readonly<Record<string, string>> = {
  $uuid: "uuid()",
  $timestamp: "Math.floor(Date.now() / 1000)",
  $isoTimestamp: "new Date().toISOString()",
  $randomInt: "Math.floor(Math.random() * 2147483648)",
}
