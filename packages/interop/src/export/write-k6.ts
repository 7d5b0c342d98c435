// Writes a script for k6. Conditions, loops and groups become JavaScript. k6 refuses names of groups and checks with "::".

import {
  isJsonArray,
  isJsonObject,
  ownOf,
  parsePath,
  processVariableName,
  stringifyJson,
  type JsonValue,
  type OperatorName,
} from "@callsheet/format"
import type { Reason } from "../losses.ts"
import { commentText, identifierCode, joinCode, numberCode } from "./code.ts"
import { js, jsArray, jsKey, jsObject, jsString, jsValue, type Js } from "./js-code.ts"
import { K6_FUNCTIONS } from "./k6-functions.ts"
import { exportReasons as reasons } from "./messages.ts"
import { valueOfRef, displayText } from "./display-text.ts"
import type {
  Check,
  Encoding,
  Exported,
  ExportBody,
  Field,
  LoopStep,
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
  const insecure = writer.isInsecure ? js`, insecureSkipTLSVerify: true` : js``
  const lines = [
    js`// The workflow ${commentText(JSON.stringify(source.name))}.`,
    js`import http from "k6/http"`,
    js`import { check, fail, group, sleep } from "k6"`,
    js`import encoding from "k6/encoding"`,
    js``,
    js`export const options = { vus: 1, iterations: 1, thresholds: { checks: ["rate==1"] }${insecure} }`,
    js``,
    js`const variables = {`,
    ...variables.map((ref) => js`  ${jsKey(variableKey(ref))}: ${valueOfVariable(ref, exported)},`),
    js`}`,
    js`const inputs = {`,
    ...new Set(inputs.map(({ name = "" }) => js`  ${jsKey(name)}: ${valueOfInput(name, exported)},`)),
    js`}`,
    ...writer.files.map(
      (path, index) => js`const ${fileVariable(index)} = open(${jsString(source.relative(path))}, "b")`,
    ),
    K6_FUNCTIONS,
    js``,
    js`export default function () {`,
    js`  scope = Object.assign(Object.create(null), inputs)`,
    ...body,
    js`}`,
  ]
  return { text: `${joinCode(lines, "\n")}\n`, requests: writer.requests }
}

/** Writes a value. The script's functions keep an integer that JavaScript can't represent as its digits. */
const valueCode = (value: JsonValue): Js => jsValue(value, (integer) => jsString(`\ue000${integer}`))

const variableKey = ({ api = "", name = "" }: Ref): string => `${api}.${name}`

const fileVariable = (index: number): Js => js`file${numberCode(index + 1)}`

const indent = (lines: readonly Js[]): readonly Js[] => lines.map((line) => js`  ${line}`)

function valueOfVariable(ref: Ref, exported: Exported): Js {
  const { api = "", name = "" } = ref
  const value = valueOfRef(ref, exported)
  return value === undefined ? js`__ENV.${identifierCode(processVariableName(api, name))}` : valueCode(value)
}

function valueOfInput(name: string, exported: Exported): Js {
  const value = exported.source.inputs.get(name)?.value
  return valueCode(valueOfRef({ kind: "input", path: name, value, isSecret: false }, exported) ?? null)
}

class K6Writer {
  requests = 0
  isInsecure = false
  readonly files: string[] = []
  readonly #exported: Exported
  readonly #halts: boolean

  constructor(exported: Exported) {
    this.#exported = exported
    this.#halts = exported.source.onFailure !== "continue"
  }

  steps(steps: readonly Step[]): readonly Js[] {
    return steps.flatMap((step) => this.#step(step))
  }

  #step(step: Step): readonly Js[] {
    const { description } = step
    const comment =
      description === undefined
        ? []
        : description.split(/[\r\n\u2028\u2029]+/).map((line) => js`// ${commentText(line)}`)
    return [...comment, ...this.#code(step)]
  }

  #code(step: Step): readonly Js[] {
    const id = this.#text(step.id)
    switch (step.kind) {
      case "send":
        return this.#request(step, id)
      case "check": {
        const titleOf = numberRepeated()
        const checks = step.checks.map((check) => {
          const title = titleOf(this.#title(check).replaceAll("::", ": :"))
          return js`  ${jsKey(title)}: () => ${this.#check(check)},`
        })
        return [
          js`${this.#halts ? js`if (!` : js``}check(null, {`,
          ...checks,
          this.#halts ? js`})) fail(${id})` : js`})`,
        ]
      }
      case "outputs": {
        const outputs = step.outputs.map(({ name, source }) => js`  ${jsKey(name)}: ${this.#found(source)},`)
        return [js`scope[${id}] = {`, ...outputs, js`}`]
      }
      case "branch": {
        const otherwise =
          step.otherwise.length === 0 ? [] : [js`} else {`, ...indent(this.steps(step.otherwise))]
        return [js`if (${this.#check(step.check)}) {`, ...indent(this.steps(step.then)), ...otherwise, js`}`]
      }
      case "repeat":
        return this.#repeat(step, id)
      case "section": {
        const name = this.#text(step.id.replaceAll("::", ": :"))
        return [js`group(${name}, () => {`, ...indent(this.steps(step.steps)), js`})`]
      }
    }
  }

  #repeat(step: LoopStep, id: Js): readonly Js[] {
    const { over, isParallel, where } = step
    if (isParallel) this.#exported.lose(where, "execution", reasons.sequential())
    const iterator = step.iterator === undefined ? js`undefined` : jsString(step.iterator)
    const inner = indent(this.steps(step.steps))
    if (over.mode === "until") {
      const limits = js`${numberCode(over.max)}, ${numberCode(over.delayMs)}`
      const open = js`if (!repeatUntil(${limits}, ${iterator}, () => {`
      return [open, ...inner, js`}, () => ${this.#check(over.until)})) fail(${id})`]
    }
    const items =
      over.mode === "times"
        ? js`Array.from({ length: ${numberCode(over.count)} }, (_, index) => index)`
        : this.#value(over.source)
    return [js`repeat(${items}, ${iterator}, () => {`, ...inner, js`})`]
  }

  #request({ request, where }: RequestStep, id: Js): readonly Js[] {
    this.requests++
    const { method, url, headers, cookies, body, auth, followRedirects, timeoutMs, verifyTls } = request
    const lose = (what: string, reason: Reason): void => this.#exported.lose(where, what, reason)
    if (auth !== undefined) lose(`${auth.kind} authentication`, reasons.auth("k6"))
    this.isInsecure ||= !verifyTls
    const sent = cookies.filter(({ value }) => value.length > 0)
    if (sent.length < cookies.length) lose("empty cookie", reasons.emptyCookie("k6"))
    const isAscii = (part: Template[number]): boolean => typeof part !== "string" || /^[\0-\x7f]*$/.test(part)
    if (!headers.every(({ value }) => value.every(isAscii))) lose("headers", reasons.latin1("k6"))
    const isMultipart = body?.kind === "multipart"
    const boundary = isMultipart ? js`${jsString(`${body.mediaType}; boundary=`)} + boundary` : undefined
    const ofCookies = sent.map(
      ({ name, value }) =>
        [name, js`{ value: ${this.#template(value, "inCookie")}, replace: true }`] as const,
    )
    const params = [
      js`headers: ${this.#headers(headers, boundary)}`,
      ...(sent.length === 0 ? [] : [js`cookies: ${jsObject(ofCookies)}`]),
      ...(sent.length < cookies.length ? [js`jar: new http.CookieJar()`] : []),
      ...(followRedirects ? [] : [js`redirects: 0`]),
      js`timeout: ${numberCode(timeoutMs)}`,
    ]
    const call = [
      js`send(`,
      js`  ${id},`,
      js`  ${jsString(method)},`,
      js`  ${this.#template(url)},`,
      js`  ${body === undefined ? js`null` : this.#body(body)},`,
      js`  { ${joinCode(params, ", ")} },`,
      js`)`,
    ]
    return isMultipart
      ? [js`{`, ...indent([js`const boundary = "callsheet-" + uuid()`, ...call]), js`}`]
      : call
  }

  #headers(headers: readonly Field[], contentType: Js | undefined): Js {
    const own = headers.map(({ name, value }) => [name, this.#template(value, "inHeader")] as const)
    return jsObject(contentType === undefined ? own : [...own, ["content-type", contentType]])
  }

  #body(body: ExportBody): Js {
    if (body.kind === "file") return this.#file(body.file)
    if (body.kind !== "multipart") return this.#template(body.text)
    return js`multipart(boundary, ${jsArray(body.parts.map((part) => this.#part(part)))})`
  }

  #part({ name, filename, contentType, content }: Part): Js {
    const oneLine = (text: string): string => text.replaceAll("\n", "%0A").replaceAll("\r", "%0D")
    const escape = (text: string): string => oneLine(text).replaceAll('"', "%22")
    const head =
      `content-disposition: form-data; name="${escape(name)}"` +
      (filename === undefined ? "" : `; filename="${escape(filename)}"`) +
      (contentType === undefined ? "" : `\r\ncontent-type: ${oneLine(contentType)}`)
    const value = "file" in content ? this.#file(content.file) : this.#template(content)
    return js`{ head: ${jsString(head)}, content: ${value} }`
  }

  #file(path: string): Js {
    if (!this.files.includes(path)) this.files.push(path)
    return fileVariable(this.files.indexOf(path))
  }

  /** Writes the code of a text. `position` is where the values stand that the request doesn't encode itself. */
  #template(template: Template, position: keyof typeof positions = "anywhere"): Js {
    if (template.length === 0) return js`""`
    const words = template.map((part) =>
      typeof part === "string"
        ? jsString(part)
        : (part.as === "raw" ? positions[position] : encoders[part.as])(this.#value(part.ref)),
    )
    return joinCode(words, " + ")
  }

  /** Returns the code of a text with marks. */
  #text(text: string): Js {
    return this.#template(
      this.#exported.split(text).map((part) => (typeof part === "string" ? part : { ref: part, as: "raw" })),
    )
  }

  #clean(text: string): string {
    return displayText(this.#exported.split, text)
  }

  #value(ref: Ref): Js {
    if (ref.kind === "variable") return js`variables[${jsString(variableKey(ref))}]`
    const dynamic = ref.kind === "dynamic" ? ownOf(dynamicValues, ref.path) : undefined
    return dynamic ?? js`read(${this.#path(ref.path)})`
  }

  #path(path: string): Js {
    const parsed = parsePath(path)
    return jsArray((parsed.ok ? parsed.segments : [path]).map((segment) => this.#text(segment)))
  }

  /** Returns the code of a value that may not exist. */
  #found(ref: Ref): Js {
    return ref.kind === "variable" ? this.#value(ref) : js`find(${this.#path(ref.path)})`
  }

  #check({ source, operator, value }: Check): Js {
    const words = [this.#found(source), ...(value === undefined ? [] : [this.#json(value)])]
    return js`operators.${identifierCode(operator satisfies OperatorName)}(${joinCode(words, ", ")})`
  }

  #title({ source, operator, value }: Check): string {
    const expected =
      value === undefined ? "" : ` ${this.#clean(typeof value === "string" ? value : stringifyJson(value))}`
    return `${this.#clean(source.path)} ${operator}${expected}`
  }

  #json(value: JsonValue): Js {
    if (typeof value === "string") {
      const [only, ...others] = this.#exported.split(value)
      return typeof only === "object" && others.length === 0 ? this.#value(only) : this.#text(value)
    }
    if (isJsonArray(value)) return jsArray(value.map((item) => this.#json(item)))
    if (!isJsonObject(value)) return valueCode(value)
    return jsObject(Object.entries(value).map(([name, item]) => [name, this.#json(item)]))
  }
}

const encoders: { readonly [E in Exclude<Encoding, "raw">]: (value: Js) => Js } = {
  url: (value) => js`inUrl(${value})`,
  form: (value) => js`inForm(${value})`,
  json: (value) => js`toJson(${value})`,
  jsonText: (value) => js`inJson(${value})`,
  base64: (value) => js`encoding.b64encode(${value})`,
}

const positions = {
  anywhere: (value: Js): Js => js`text(${value})`,
  inHeader: (value: Js): Js => js`inHeader(${value})`,
  inCookie: (value: Js): Js => js`inCookie(${value})`,
}

const dynamicValues: Readonly<Record<string, Js>> = {
  $uuid: js`uuid()`,
  $timestamp: js`Math.floor(Date.now() / 1000)`,
  $isoTimestamp: js`new Date().toISOString()`,
  $randomInt: js`Math.floor(Math.random() * 2147483648)`,
}

/** Returns a function that numbers repeated titles. Members of an object with the same name would replace each other. */
function numberRepeated(): (title: string) => string {
  const counts = new Map<string, number>()
  return (title) => {
    const count = (counts.get(title) ?? 0) + 1
    counts.set(title, count)
    return count === 1 ? title : `${title} (${count})`
  }
}
