// Writes an Arazzo 1.0.1 document. Assertions become success criteria, and polling loops become retries.

import {
  isJsonArray,
  isJsonObject,
  isNumber,
  stringifyJson,
  type JsonObject,
  type JsonValue,
} from "@callsheet/format"
import { findResponses, identifiers, linearSteps, type LinearSteps, type LinearStep } from "./linear-steps.ts"
import { exportReasons as reasons } from "./messages.ts"
import { knownValue, shownText } from "./shown-text.ts"
import type {
  Check,
  CheckStep,
  Exported,
  Field,
  LoopStep,
  Ref,
  RequestStep,
  Slot,
  Template,
  Writer,
} from "./model.ts"

export const writeArazzo: Writer = (exported) => {
  const { source } = exported
  const writer = new ArazzoWriter(exported)
  const steps = writer.steps()
  const name = source.mask(source.name)
  const inputs = writer.inputs()
  const document = {
    arazzo: "1.0.1",
    info: { title: name, version: "1.0.0" },
    sourceDescriptions: [...source.documents].map(([api, file]) => ({
      name: api,
      url: source.relative(file),
      type: "openapi",
    })),
    workflows: [
      {
        workflowId: identifiers([], /[^A-Za-z0-9_-]+/g)(name),
        ...(inputs === undefined ? {} : { inputs }),
        steps,
      },
    ],
  }
  return { text: `${stringifyJson(document, { indent: 2 })}\n`, requests: steps.length }
}

interface MadeStep {
  readonly step: RequestStep
  readonly base: JsonObject
  readonly outputs: Map<string, string>
  readonly criteria: JsonObject[]
}

/** Returns whether a loop only repeats one request until its own response passes a check. */
const isPolling = ({ over, steps }: LoopStep): boolean =>
  over.mode === "until" &&
  steps.length === 1 &&
  steps[0]?.kind === "send" &&
  over.until.source.path.startsWith(`${steps[0].id}.`)

class ArazzoWriter {
  readonly #exported: Exported
  readonly #linear: LinearSteps
  readonly #responseAt: ReturnType<typeof findResponses>
  readonly #nameOf = identifiers([], /[^A-Za-z0-9_-]+/g)
  readonly #inputNames = identifiers()
  readonly #made: MadeStep[] = []
  readonly #inputs = new Map<string, JsonObject>()
  readonly #isSingle: boolean

  constructor(exported: Exported) {
    this.#exported = exported
    this.#linear = linearSteps(exported, "Arazzo", isPolling)
    const steps = this.#linear.steps.flatMap((step): readonly LinearStep[] =>
      step.kind === "repeat" ? [step, ...(step.steps as readonly RequestStep[])] : [step],
    )
    this.#responseAt = findResponses({ ...this.#linear, steps })
    this.#isSingle = exported.source.environments.size === 1
    if (exported.source.workflow.onFailure === "continue")
      exported.lose(exported.source.name, "onFailure", reasons.halts("Arazzo"))
  }

  steps(): readonly JsonObject[] {
    for (const step of this.#linear.steps) {
      if (step.kind === "send") this.#request(step, {})
      else if (step.kind === "check") this.#checks(step)
      else this.#poll(step)
    }
    return this.#made.map(({ base, outputs, criteria }) => ({
      ...base,
      ...(criteria.length === 0 ? {} : { successCriteria: criteria }),
      ...(outputs.size === 0 ? {} : { outputs: Object.fromEntries(outputs) }),
    }))
  }

  inputs(): JsonObject | undefined {
    if (this.#inputs.size === 0) return undefined
    const required = [...this.#inputs].flatMap(([name, input]) => ("default" in input ? [] : [name]))
    return {
      type: "object",
      properties: Object.fromEntries(this.#inputs),
      ...(required.length === 0 ? {} : { required }),
    }
  }

  #poll({ over, steps }: LoopStep): void {
    const [step] = steps
    if (over.mode !== "until" || step?.kind !== "send") return
    const retry = { name: "poll", type: "retry", retryAfter: over.delayMs / 1000, retryLimit: over.max - 1 }
    const made = this.#request(step, { onFailure: [retry] })
    if (made !== undefined) this.#check(over.until, step.where, made)
  }

  #request(step: RequestStep, more: JsonObject): MadeStep | undefined {
    const { request, where, description } = step
    const { operation, api } = request
    const lost = this.#lostOf(step)
    if (operation === undefined || lost !== undefined)
      return this.#exported.lose(where, "request", lost ?? reasons.noOperation())
    if (request.auth !== undefined)
      this.#lose(where, `${request.auth.kind} authentication`, reasons.auth("Arazzo"))
    const isNamed = !operation.name.includes(" ")
    const prefix = this.#isSingle ? "" : `$sourceDescriptions.${api}.`
    const pointer = `~1${operation.path.slice(1).replaceAll("~", "~0").replaceAll("/", "~1")}/${operation.method.toLowerCase()}`
    const parameters = this.#parameters(step)
    const body = this.#body(step)
    const base = {
      stepId: this.#nameOf(step.id),
      ...(description === undefined ? {} : { description }),
      ...(isNamed
        ? { operationId: prefix + operation.name }
        : { operationPath: `{$sourceDescriptions.${api}.url}#/paths/${pointer}` }),
      ...(parameters.length === 0 ? {} : { parameters }),
      ...(body === undefined ? {} : { requestBody: body }),
      ...more,
    }
    const made = { step, base, outputs: new Map<string, string>(), criteria: [] }
    this.#made.push(made)
    return made
  }

  /** Returns why a request can't be a step. */
  #lostOf({ request }: RequestStep): string | undefined {
    const { body } = request
    if (
      body?.kind === "file" ||
      (body?.kind === "multipart" && body.parts.some(({ content }) => "file" in content))
    )
      return reasons.file()
    const texts = [
      ...request.params.map(({ value }) => value),
      ...request.headers.map(({ value }) => value),
    ].flat()
    const refs = [
      ...texts.flatMap((part) => (typeof part === "object" ? [part.ref] : [])),
      ...this.#refsIn(request.bodyValue),
    ]
    const missing = refs.find((ref) => !this.#canRead(ref))
    return missing === undefined ? undefined : reasons.later(this.#plain(missing.path))
  }

  #canRead(ref: Ref): boolean {
    return (
      ref.kind !== "iterator" &&
      (ref.kind === "result"
        ? this.#place(ref) !== undefined
        : ref.kind !== "dynamic" || this.#exported.source.generate(ref.path) !== undefined)
    )
  }

  #place(ref: Ref) {
    const isPlain =
      ref.kind === "result" && this.#exported.split(ref.path).every((part) => typeof part === "string")
    const place = isPlain ? this.#responseAt(ref.path) : undefined
    const made = this.#made.find(({ step }) => step === place?.step)
    return place === undefined || made === undefined ? undefined : { made, path: place.path }
  }

  #parameters({ request, where }: RequestStep): readonly JsonObject[] {
    const { params, headers, url } = request
    const known = new Set(
      params.map((param) => `${param.in} ${param.in === "header" ? param.name.toLowerCase() : param.name}`),
    )
    const isOwn = ({ name }: Field): boolean =>
      name.toLowerCase() === "content-type" || known.has(`header ${name.toLowerCase()}`)
    const credentials = [
      ...headers.filter((header) => !isOwn(header)).map((field) => ({ in: "header", ...field })),
      ...secretQuery(url)
        .filter(({ name }) => !known.has(`query ${name}`))
        .map((field) => ({ in: "query", ...field })),
    ]
    const written = params.filter(
      (param) => !(param.in === "header" && param.name.toLowerCase() === "content-type"),
    )
    return [...written, ...credentials].map((param) => ({
      name: param.name,
      in: param.in,
      value: this.#text(param.value, where),
    }))
  }

  #body({ request, where }: RequestStep): JsonObject | undefined {
    if (request.body === undefined || request.bodyValue === undefined) return undefined
    return { contentType: request.body.mediaType, payload: this.#json(request.bodyValue, where) }
  }

  #json(value: JsonValue, where: string): JsonValue {
    if (typeof value === "string")
      return this.#text(
        this.#exported
          .split(value)
          .map((part) => (typeof part === "string" ? part : { ref: part, as: "raw" })),
        where,
      )
    if (isJsonArray(value)) return value.map((item) => this.#json(item, where))
    if (!isJsonObject(value)) return value
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => [this.#plain(name), this.#json(item, where)]),
    )
  }

  #text(template: Template, where: string): string {
    const [only, ...others] = template
    if (typeof only === "object" && others.length === 0) return this.#expression(only, where)
    return template
      .map((part) => {
        if (typeof part === "object") return `{${this.#expression(part, where)}}`
        if (
          /^\$(?:url|method|statusCode|request|response|inputs|outputs|steps|workflows|sourceDescriptions|components)\b|\{\$/.test(
            part,
          )
        )
          this.#lose(where, "text", reasons.looksLikeExpression())
        return part
      })
      .join("")
  }

  #expression({ ref, as }: Slot, where: string): string {
    const expression = this.#ref(ref, where)
    if (as === "base64") this.#lose(where, "Basic authentication", reasons.base64(expression))
    return expression
  }

  /** Returns the expression of a value outside its own step. */
  #ref(ref: Ref, where: string): string {
    const place = this.#place(ref)
    if (place === undefined) return `$inputs.${this.#input(ref, where)}`
    const name = place.path.join("_").replaceAll(/[^A-Za-z0-9_.-]/g, "_")
    place.made.outputs.set(name, responseExpression(place.path))
    return `$steps.${this.#nameOf(place.made.step.id)}.outputs.${name}`
  }

  #input(ref: Ref, where: string): string {
    const { api = "", name = "", value, isSecret, kind, path } = ref
    if (kind === "dynamic") {
      const made = this.#inputNames(`${path.slice(1)} ${this.#inputs.size}`)
      const generated = this.#exported.source.generate(path) ?? ""
      this.#inputs.set(made, { type: isNumber(generated) ? "number" : "string", default: generated })
      this.#lose(where, path, reasons.dynamic("Arazzo"))
      return made
    }
    const own = this.#inputNames(kind === "input" ? path : this.#isSingle ? name : `${api}_${name}`)
    const known = knownValue(ref, this.#exported)
    this.#inputs.set(own, {
      type: typeOf(value),
      ...(isSecret ? { format: "password" } : {}),
      ...(known === undefined ? {} : { default: known }),
    })
    return own
  }

  #checks({ checks, where }: CheckStep): void {
    for (const check of checks) {
      const refs = [check.source, ...this.#refsIn(check.value)]
      const places = refs.map((ref) => this.#place(ref)?.made)
      const made = this.#made.findLast((one) => places.includes(one))
      if (made === undefined || !refs.every((ref) => this.#canRead(ref) && ref.kind !== "dynamic"))
        this.#lose(
          where,
          `assertion ${this.#plain(check.source.path)}`,
          reasons.later(this.#plain(refs.find((ref) => !this.#canRead(ref))?.path ?? check.source.path)),
        )
      else this.#check(check, where, made)
    }
  }

  #check({ source, operator, value }: Check, where: string, made: MadeStep): void {
    const ref = (one: Ref): string => {
      const place = this.#place(one)
      return place?.made === made ? responseExpression(place.path) : this.#ref(one, where)
    }
    const criterion = criterionOf(
      ref(source),
      operator,
      value === undefined ? undefined : this.#operand(value, ref),
    )
    if (criterion === undefined)
      this.#lose(where, `assertion ${this.#plain(source.path)} ${operator}`, reasons.operator("Arazzo"))
    else if (!made.criteria.some((one) => JSON.stringify(one) === JSON.stringify(criterion)))
      made.criteria.push(criterion)
  }

  #operand(value: JsonValue, ref: (one: Ref) => string): Operand | undefined {
    if (typeof value === "string") {
      const parts = this.#exported.split(value)
      const [only = "", ...others] = parts
      if (others.length > 0) return undefined
      return typeof only === "string"
        ? { text: only, code: `'${only.replaceAll("'", "''")}'` }
        : { code: ref(only) }
    }
    return typeof value === "object" && value !== null ? undefined : { code: stringifyJson(value) }
  }

  #refsIn(value: JsonValue | undefined): readonly Ref[] {
    if (typeof value === "string")
      return this.#exported.split(value).filter((part) => typeof part === "object")
    if (isJsonArray(value)) return value.flatMap((item) => this.#refsIn(item))
    return isJsonObject(value) ? Object.values(value).flatMap((item) => this.#refsIn(item)) : []
  }

  #lose(where: string, what: string, reason: string): undefined {
    return this.#exported.lose(where, what, reason)
  }

  #plain(text: string): string {
    return shownText(this.#exported.split, text)
  }
}

interface Operand {
  readonly code: string
  /** Set for a literal text. */
  readonly text?: string
}

const comparisons: { readonly [O in Check["operator"]]?: string } = {
  equals: "==",
  notEquals: "!=",
  greaterThan: ">",
  lessThan: "<",
}

function criterionOf(
  source: string,
  operator: Check["operator"],
  value: Operand | undefined,
): JsonObject | undefined {
  const comparison = comparisons[operator]
  if (comparison !== undefined) return value && { condition: `${source} ${comparison} ${value.code}` }
  if (operator === "hasValue" || operator === "hasNoValue")
    return { condition: `${source} ${operator === "hasValue" ? "!=" : "=="} null` }
  const body = /^\$response\.body#(.+)$/.exec(source)?.[1]
  if (operator === "exists" && body !== undefined)
    return { context: "$response.body", type: "jsonpath", condition: jsonPath(body) }
  if (operator !== "contains" || value?.text === undefined) return undefined
  const pattern = value.text.replaceAll(/[.*+?^${}()|[\]\\/]/g, (char) => `\\${char}`)
  return { context: source, type: "regex", condition: pattern }
}

/** Converts a JSON Pointer to a JSONPath. */
const jsonPath = (pointer: string): string =>
  `$${pointer
    .slice(1)
    .split("/")
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"))
    .map((part) =>
      /^\d+$/.test(part) ? `[${part}]` : `['${part.replaceAll(/[\\']/g, (char) => `\\${char}`)}']`,
    )
    .join("")}`

/** Returns the expression of a value in the response of the same step. */
function responseExpression([part, ...path]: readonly string[]): string {
  if (part === "status") return "$statusCode"
  if (part === "headers") return `$response.header.${path[0] ?? ""}`
  const pointer = path.map((segment) => `/${segment.replaceAll("~", "~0").replaceAll("/", "~1")}`).join("")
  return pointer === "" ? "$response.body" : `$response.body#${pointer}`
}

const typeOf = (value: JsonValue | undefined): string =>
  isNumber(value ?? "")
    ? "number"
    : typeof value === "boolean"
      ? "boolean"
      : isJsonArray(value ?? "")
        ? "array"
        : isJsonObject(value ?? "")
          ? "object"
          : "string"

/** Returns the query parameters whose values are secrets. */
const secretQuery = (url: Template): readonly Field[] =>
  url.flatMap((part, at) => {
    const before = url[at - 1]
    const name = typeof before === "string" ? /[?&]([^?&=]+)=$/.exec(before)?.[1] : undefined
    return typeof part === "object" && part.ref.isSecret && name !== undefined
      ? [{ name: decodeURIComponent(name), value: [{ ref: part.ref, as: "raw" }] }]
      : []
  })
