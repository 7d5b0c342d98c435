// Writes an Arazzo 1.0.1 document. Assertions become success criteria, and polling loops become retries.

import {
  escapePointer,
  isJsonArray,
  isJsonObject,
  isNumber,
  operators,
  pointerKeys,
  stringifyJson,
  type JsonObject,
  type JsonValue,
} from "@callsheet/format"
import type { Reason } from "../losses.ts"
import {
  findResponses,
  identifiers,
  linearSteps,
  loseSettings,
  type LinearBranch,
  type LinearSteps,
  type LinearStep,
} from "./linear-steps.ts"
import { exportReasons as reasons } from "./messages.ts"
import { valueOfRef, displayText } from "./display-text.ts"
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
  const { name } = source
  const inputs = writer.inputs()
  const document = {
    arazzo: "1.0.1",
    info: { title: name, version: "1.0.0" },
    sourceDescriptions: writer.documents().map(([api, file]) => ({
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
  /** The limits of a polling loop. */
  readonly polls: { readonly retryAfter: number; readonly retryLimit: number } | undefined
  /** The criterion that a polling loop waits for. */
  until?: Criterion | undefined
  readonly outputs: Map<string, string>
  readonly outputNames: ReturnType<typeof identifiers>
  readonly criteria: JsonObject[]
  /** The branch around the step. */
  readonly branch: LinearBranch | undefined
  /** The branches right after the step, in order. */
  readonly jumps: Jump[]
}

/** Skips a branch. */
interface Jump {
  readonly name: string
  readonly criterion: JsonObject
  /** The step after the branch. Undefined if it is the end. */
  stepId?: string
}

interface Criterion {
  readonly passes: JsonObject
  /** The opposite criterion. Undefined if Arazzo can't express it. */
  readonly fails: JsonObject | undefined
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
  #branch: LinearBranch | undefined
  /** The step after which the next one runs in any case. */
  #last: MadeStep | undefined
  /** The jumps to the next step. */
  #open: Jump[] = []
  readonly #inputs = new Map<string, JsonObject>()
  readonly #isSingle: boolean

  constructor(exported: Exported) {
    this.#exported = exported
    this.#linear = linearSteps(exported, "Arazzo", (step) => step.kind === "branch" || isPolling(step))
    const inside = (step: LinearStep): readonly LinearStep[] =>
      "steps" in step ? (step.steps as readonly LinearStep[]).flatMap(inside) : [step]
    this.#responseAt = findResponses({ ...this.#linear, steps: this.#linear.steps.flatMap(inside) })
    this.#isSingle = exported.source.hasOneApi
    if (exported.source.onFailure === "continue")
      exported.lose(exported.source.name, "onFailure", reasons.halts("Arazzo"))
  }

  steps(): readonly JsonObject[] {
    this.#write(this.#linear.steps)
    return this.#made.map(({ base, outputs, criteria, polls, until, jumps }) => ({
      ...base,
      ...(criteria.length === 0 ? {} : { successCriteria: criteria }),
      ...(jumps.length === 0 ? {} : { onSuccess: jumps.map(actionOf) }),
      ...(until === undefined ? {} : { onFailure: [retryOf(polls, until)] }),
      ...(outputs.size === 0 ? {} : { outputs: Object.fromEntries(outputs) }),
    }))
  }

  /** Returns the documents whose operations the steps call. At least one is required. */
  documents(): readonly (readonly [api: string, file: string])[] {
    const all = [...this.#exported.source.documents]
    const used = all.filter(([api]) => this.#made.some(({ step }) => step.request.api === api))
    const { source, lose } = this.#exported
    for (const [api] of used)
      if (source.movedApis.has(api)) lose(source.name, `${api}.baseUrl`, reasons.server())
    return used.length === 0 ? all : used
  }

  #write(steps: readonly LinearStep[]): void {
    for (const step of steps) {
      if (step.kind === "send") this.#request(step)
      else if (step.kind === "check") this.#checks(step)
      else if (step.kind === "branch") this.#condition(step)
      else this.#poll(step)
    }
  }

  /** Skips the steps of a branch after the step before it. Two branches in a row have no such step. */
  #condition(branch: LinearBranch): void {
    const { check, where, otherwise } = branch
    const from = this.#last
    const isWhole = otherwise.every(({ kind }) => kind === "check") && this.#isReadable(check)
    const skips = from && isWhole ? this.#criterion(check, where, from)?.fails : undefined
    if (from === undefined || skips === undefined)
      return this.#lose(where, "condition", reasons.kind("Arazzo"))
    for (const step of otherwise) this.#lose(step.where, "assertions", reasons.conditional())
    const [before, count, outer] = [from.jumps.length, this.#made.length, this.#branch]
    const jump: Jump = { name: this.#plain(branch.id), criterion: skips }
    from.jumps.push(jump)
    this.#branch = branch
    this.#write(branch.steps)
    this.#branch = outer
    if (this.#made.length === count) return void from.jumps.splice(before)
    this.#open.push(jump)
    this.#last = undefined
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

  #poll({ over, steps, where }: LoopStep): void {
    const [step] = steps
    if (over.mode !== "until" || step?.kind !== "send") return
    const polls = { retryAfter: over.delayMs / 1000, retryLimit: over.max - 1 }
    const made = this.#request(step, polls)
    if (made !== undefined) this.#check(over.until, where, made, true)
  }

  #request(step: RequestStep, polls?: MadeStep["polls"]): MadeStep | undefined {
    const { request, where, description } = step
    const { operation, api } = request
    const lost = this.#lostOf(step)
    if (operation === undefined || lost !== undefined)
      return this.#exported.lose(where, "request", lost ?? reasons.noOperation())
    loseSettings(step, this.#exported.lose, "Arazzo")
    if (request.auth !== undefined)
      this.#lose(where, `${request.auth.kind} authentication`, reasons.auth("Arazzo"))
    const isNamed = /^[^\s${}]+$/.test(operation.name)
    if (!isNamed && operation.path.includes("{$"))
      return this.#exported.lose(where, "request", reasons.looksLikeExpression())
    const prefix = this.#isSingle ? "" : `$sourceDescriptions.${api}.`
    const pointer = `${escapePointer(operation.path)}/${operation.method.toLowerCase()}`
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
    }
    const outputNames = identifiers([], /[^A-Za-z0-9_-]+/g)
    const inner = { outputs: new Map<string, string>(), outputNames, criteria: [], jumps: [] }
    const made: MadeStep = { step, base, polls, branch: this.#branch, ...inner }
    for (const jump of this.#open.splice(0)) jump.stepId = base.stepId
    this.#made.push(made)
    this.#last = made
    return made
  }

  /** Returns why a request can't be a step. */
  #lostOf({ request }: RequestStep): Reason | undefined {
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
    const expression = place && responseExpression(place.path)
    return made === undefined || expression === undefined ? undefined : { made, expression }
  }

  #parameters({ request, where }: RequestStep): readonly JsonObject[] {
    const { params, headers, url, cookies } = request
    const known = new Set(
      params.map((param) => `${param.in} ${param.in === "header" ? param.name.toLowerCase() : param.name}`),
    )
    const isOwn = ({ name }: Field): boolean =>
      name.toLowerCase() === "content-type" || known.has(`header ${name.toLowerCase()}`)
    const credentials = [
      ...headers.filter((header) => !isOwn(header)).map((field) => ({ in: "header", ...field })),
      ...cookies
        .filter(({ name }) => !known.has(`cookie ${name}`))
        .map((field) => ({ in: "cookie", ...field })),
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
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, this.#json(item, where)]))
  }

  #text(template: Template, where: string): string {
    const parts = template.map((part, at) => {
      if (typeof part === "object") return { expression: this.#expression(part, where) }
      const isExpression = (at === 0 && part.startsWith("$")) || /\{(?:\$|$)/.test(part)
      return isExpression ? { expression: `$inputs.${this.#literalInput(part)}` } : part
    })
    const [only, ...others] = parts
    if (typeof only === "object" && others.length === 0) return only.expression
    return parts.map((part) => (typeof part === "string" ? part : `{${part.expression}}`)).join("")
  }

  /** Adds an input for a text that would be an expression. The default of an input is always a literal. */
  #literalInput(text: string): string {
    const name = this.#inputNames("text", `text ${text}`)
    this.#inputs.set(name, { type: "string", default: text })
    return name
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
    const { expression, made } = place
    const name = made.outputNames(expression.replace(/^\$(?:response\.)?/, ""))
    made.outputs.set(name, expression)
    return `$steps.${this.#nameOf(made.step.id)}.outputs.${name}`
  }

  #input(ref: Ref, where: string): string {
    const { api = "", name = "", value, isSecret, kind, path } = ref
    const { source } = this.#exported
    const description = kind === "input" ? source.inputs.get(name)?.description : undefined
    if (kind === "dynamic") {
      const made = this.#inputNames(`${path.slice(1)} ${this.#inputs.size}`)
      const generated = source.generate(path) ?? ""
      this.#inputs.set(made, { type: isNumber(generated) ? "number" : "string", default: generated })
      this.#lose(where, path, reasons.dynamic("Arazzo"))
      return made
    }
    const shown = kind === "input" ? path : this.#isSingle ? name : `${api}_${name}`
    const own = this.#inputNames(shown, ref.path)
    const known = valueOfRef(ref, this.#exported)
    this.#inputs.set(own, {
      type: typeOf(value),
      ...(isSecret ? { format: "password" } : {}),
      ...(known === undefined ? {} : { default: known }),
      ...(description === undefined ? {} : { description }),
    })
    return own
  }

  #checks({ checks, where }: CheckStep): void {
    for (const check of checks) {
      const refs = [check.source, ...this.#refsIn(check.value)]
      const places = refs.map((ref) => this.#place(ref)?.made)
      const made = this.#made.findLast((one) => places.includes(one))
      if (made !== undefined && made.branch !== this.#branch)
        this.#lose(where, `assertion ${this.#plain(check.source.path)}`, reasons.conditional())
      else if (made === undefined || !this.#isReadable(check))
        this.#lose(
          where,
          `assertion ${this.#plain(check.source.path)}`,
          reasons.later(this.#plain(refs.find((ref) => !this.#canRead(ref))?.path ?? check.source.path)),
        )
      else this.#check(check, where, made)
    }
  }

  #isReadable = ({ source, value }: Check): boolean =>
    [source, ...this.#refsIn(value)].every((ref) => this.#canRead(ref) && ref.kind !== "dynamic")

  #criterion({ source, operator, value }: Check, where: string, made: MadeStep): Criterion | undefined {
    const ref = (one: Ref): string => {
      const place = this.#place(one)
      return place?.made === made ? place.expression : this.#ref(one, where)
    }
    const places = [source, ...this.#refsIn(value)].map((one) => this.#place(one)?.expression ?? "")
    if (!places.every(isPlainExpression)) return undefined
    return criterionOf(ref(source), operator, value === undefined ? undefined : this.#operand(value, ref))
  }

  #check(check: Check, where: string, made: MadeStep, isUntil = false): void {
    const { source, operator, value } = check
    const criterion = this.#criterion(check, where, made)
    const what = `assertion ${this.#plain(source.path)} ${operator}`
    if (criterion === undefined) return this.#lose(where, what, reasons.operator("Arazzo"))
    // In Arazzo, a missing value equals null.
    if (operator === "equals" && value === null)
      this.#check({ source, operator: "exists", value: undefined }, where, made)
    if (isUntil) made.until = criterion
    else if (made.until !== undefined && made.until.fails === undefined)
      return this.#lose(where, what, reasons.polled())
    const isKnown = made.criteria.some((one) => JSON.stringify(one) === JSON.stringify(criterion.passes))
    if (!isKnown) made.criteria.push(criterion.passes)
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

  #lose(where: string, what: string, reason: Reason): undefined {
    return this.#exported.lose(where, what, reason)
  }

  #plain(text: string): string {
    return displayText(this.#exported.split, text)
  }
}

interface Operand {
  readonly code: string
  /** Set for a literal text. */
  readonly text?: string
}

function criterionOf(
  source: string,
  operator: Check["operator"],
  value: Operand | undefined,
): Criterion | undefined {
  const { arazzo: comparison, takesValue } = operators[operator]
  if (comparison !== undefined) {
    const code = takesValue ? value?.code : "null"
    const [passes, fails] = comparison.map((sign) => ({ condition: `${source} ${sign} ${code}` }))
    if (code === undefined || passes === undefined || (operator === "notEquals" && code === "null"))
      return undefined
    return { passes, fails: operator === "equals" && code === "null" ? undefined : fails }
  }
  const body = /^\$response\.body#(.+)$/.exec(source)?.[1]
  if (operator === "exists" && body !== undefined)
    return {
      passes: { context: "$response.body", type: "jsonpath", condition: jsonPath(body) },
      fails: undefined,
    }
  if (operator !== "contains" || value?.text === undefined) return undefined
  const pattern = value.text.replaceAll(/[.*+?^${}()|[\]\\/]/g, (char) => `\\${char}`)
  return { passes: { context: source, type: "regex", condition: pattern }, fails: undefined }
}

const actionOf = ({ name, criterion, stepId }: Jump): JsonObject => ({
  name,
  ...(stepId === undefined ? { type: "end" } : { type: "goto", stepId }),
  criteria: [criterion],
})

/** Repeats a step until a criterion passes. Other criteria of the step don't repeat it. */
const retryOf = (polls: MadeStep["polls"], { fails }: Criterion): JsonObject => ({
  name: "poll",
  type: "retry",
  ...polls,
  ...(fails === undefined ? {} : { criteria: [fails] }),
})

/** Converts a JSON Pointer to a JSONPath. */
const jsonPath = (pointer: string): string =>
  `$${pointerKeys(pointer)
    .map((part) =>
      /^\d+$/.test(part) ? `[${part}]` : `['${part.replaceAll(/[\\']/g, (char) => `\\${char}`)}']`,
    )
    .join("")}`

/** Returns the expression of a value in the response of the same step. Undefined if Arazzo has none. */
function responseExpression([part, ...path]: readonly string[]): string | undefined {
  if (part === "status" && path.length === 0) return "$statusCode"
  if (part === "headers" && path.length === 1) return `$response.header.${path[0] ?? ""}`
  if (part !== "body") return undefined
  const pointer = path.map((segment) => `/${escapePointer(segment)}`).join("")
  return pointer === "" ? "$response.body" : `$response.body#${pointer}`
}

/** Returns whether a condition that contains an expression still has only its own operators. */
const isPlainExpression = (expression: string): boolean => !/[\s'"()<>=!&|{}[\]]/.test(expression)

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
