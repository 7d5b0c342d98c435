// Reads Arazzo documents 1.0 and 1.1. Steps refer to operations, which `bindOperations` finds in their documents.

import {
  isJsonArray,
  isJsonObject,
  setOwn,
  stringifyJson,
  unescapePointer,
  type JsonObject,
  type JsonValue,
} from "@callsheet/format"
import type { Reason } from "../losses.ts"
import { reasons } from "../messages.ts"
import type {
  Collection,
  Folder,
  Item,
  Loss,
  OperationReference,
  Pair,
  Request,
  Retry,
  SourceDocument,
} from "../model.ts"
import type { Check, ResponsePath, ResponseStep } from "../scripts/checks.ts"
import { plainText, type Text } from "../text.ts"
import { mapStrings } from "../carry/json-body.ts"
import { ArazzoInputs } from "./arazzo-inputs.ts"
import {
  expressionText,
  negate,
  pathOf,
  placeName,
  readCriterion,
  readExpression,
} from "./arazzo-expressions.ts"
import { list, member, object, text } from "./json.ts"
import { splitUrl, stemOf } from "./url.ts"

export const isArazzo = (value: JsonValue): boolean => text(value, "arazzo") !== undefined

export function readArazzo(value: JsonValue, file: string): Collection {
  const losses: Loss[] = []
  const lose = (where: string, what: string, reason: Reason): void =>
    void losses.push({ where, what, reason })
  const sources = list(value, "sourceDescriptions").map(
    (one): SourceDocument & { readonly type: string } => ({
      name: text(one, "name") ?? "",
      url: text(one, "url") ?? "",
      type: text(one, "type") ?? "openapi",
    }),
  )
  for (const { name, type } of sources)
    if (type !== "openapi") lose(file, `source ${name}`, reasons.sourceType(type))
  const documents = sources.filter(({ type }) => type === "openapi")
  const items = list(value, "workflows").map((workflow) =>
    new WorkflowReader({ document: value, file, documents, lose }).read(workflow),
  )
  const sourcesIn = (item: Item): readonly (string | undefined)[] =>
    item.kind === "folder" ? item.items.flatMap(sourcesIn) : [item.operation?.source]
  const used = new Set(items.flatMap(sourcesIn))
  const info = object(value, "info")
  return {
    source: "arazzo",
    root: {
      kind: "folder",
      name: text(info, "title") || stemOf(file),
      where: file,
      scripts: [],
      description: text(info, "description") ?? text(info, "summary"),
      items,
    },
    variables: [],
    environments: [],
    documents: documents.filter(({ name }) => used.has(name)),
    losses,
  }
}

interface Context {
  readonly document: JsonValue
  readonly file: string
  readonly documents: readonly SourceDocument[]
  readonly lose: (where: string, what: string, reason: Reason) => void
}

class WorkflowReader {
  readonly #context: Context
  readonly #lose: Context["lose"]
  #where = ""
  #workflow: JsonValue = null
  #inputs: ArazzoInputs
  /** The steps so far, with what they set. */
  readonly #steps = new Map<string, ResponseStep[]>()
  /** The variables that stand for others: an output may repeat an input. */
  readonly #aliases = new Map<string, string>()
  /** The numbers of the steps by their ids. */
  #places: ReadonlyMap<string, number> | undefined

  constructor(context: Context) {
    this.#context = context
    this.#lose = context.lose
    this.#inputs = this.#readInputs(undefined)
  }

  read(workflow: JsonValue): Folder {
    const name = text(workflow, "workflowId") ?? "workflow"
    this.#workflow = workflow
    this.#where = `${this.#context.file}: ${name}`
    this.#inputs = this.#readInputs(member(workflow, "inputs"))
    for (const key of ["dependsOn", "successActions"])
      if (list(workflow, key).length > 0) this.#lose(this.#where, key, reasons.controlFlow())
    const steps = list(workflow, "steps")
    const read = steps.map((step) => this.#step(step))
    const jumps = steps.map((step, at) => this.#jumps(step, at))
    const items = this.#nest({ read, jumps, from: 0, to: steps.length, depth: 0, level: 0 })
    const outputs = this.#outputs(object(workflow, "outputs"))
    return {
      kind: "folder",
      name,
      where: this.#where,
      scripts: [],
      description: text(workflow, "description") ?? text(workflow, "summary"),
      items,
      inputs: this.#inputs.all(),
      values: this.#inputs.values,
      outputs,
    }
  }

  #readInputs = (schema: JsonValue | undefined): ArazzoInputs =>
    new ArazzoInputs(schema, {
      resolve: (one) => this.#resolve(one),
      lose: (what, reason) => this.#lose(this.#where, what, reason),
    })

  /** Follows `#/components/inputs/x`. */
  #resolve(schema: JsonValue | undefined): JsonValue | undefined {
    let found = schema
    for (let depth = 0; depth < MAX_REFERENCES; depth++) {
      const [, name] = /^#\/components\/inputs\/([^/]+)$/.exec(text(found, "$ref") ?? "") ?? []
      if (name === undefined) return found
      found = member(object(object(this.#context.document, "components"), "inputs"), name)
    }
    return undefined
  }

  /** Returns the variable that an expression reads. Undefined if a workflow can't read it. */
  #nameOf = (expression: string): string | undefined => {
    const read = readExpression(expression)
    if (read?.is !== "variable") return undefined
    const { path } = read
    const name = this.#aliases.get(read.name) ?? read.name
    const full = placeName(name, path)
    if (name.startsWith("inputs.")) {
      // An output may stand for a place in an input.
      const [input = "", place = ""] = name.slice("inputs.".length).split("#/")
      return this.#inputs.nameOf(input, [...place.split("/").filter((key) => key !== ""), ...path])
    }
    const [, step = ""] = name.split(".")
    const source = this.#sourceOfOutput(name)
    if (source === undefined) this.#lose(this.#where, `value of ${expression}`, reasons.setElsewhere())
    if (source !== undefined && path.length > 0)
      this.#steps.get(step)?.push({
        is: "set",
        variable: full,
        output: `${name.split(".").at(-1) ?? ""}_${path.join("_")}`,
        source: [...source, ...path],
      })
    return full
  }

  #sourceOfOutput(name: string): ResponsePath | undefined {
    const [, step = ""] = name.split(".")
    return this.#steps.get(step)?.find((one) => one.is === "set" && one.variable === name)?.source
  }

  /** Returns what a criterion reads: the response, or the result of an earlier step. */
  #sourceOf = (expression: string): Pick<Check, "source" | "variable"> | undefined => {
    const read = readExpression(expression)
    if (read?.is === "response") return { source: read.path }
    const variable = this.#nameOf(expression)
    return variable === undefined ? undefined : { source: [], variable }
  }

  #step(step: JsonValue): readonly Request[] {
    const name = text(step, "stepId") ?? "step"
    const where = `${this.#where} / ${name}`
    const operation = this.#operation(step)
    if (operation === undefined) {
      this.#lose(where, "step", reasons.noOperationOfStep())
      return []
    }
    const parameters = this.#parameters(step)
    const inPlace = (place: string): readonly Pair[] =>
      parameters.flatMap((one) =>
        (text(one, "in") ?? "query") === place
          ? this.#pairs(text(one, "name") ?? "", member(one, "value"), where)
          : [],
      )
    const cookies = inPlace("cookie").map((pair) => `${pair.name}=${pair.value}`)
    const whole = inPlace("querystring").flatMap(({ value }) => splitUrl(`?${value}`).query)
    const steps: ResponseStep[] = []
    this.#steps.set(name, steps)
    this.#readOutputs(object(step, "outputs"), { name, where, steps })
    const checks = list(step, "successCriteria").flatMap((criterion, at) =>
      this.#criterion(criterion, `${where} / criterion ${at + 1}`),
    )
    const retry = this.#retry(step, checks, where)
    // The loop fails if its own checks don't pass.
    const repeated = new Set(retry?.until.map((one) => JSON.stringify(one)))
    for (const check of checks) if (!repeated.has(JSON.stringify(check))) steps.push(check)
    const timeout = Number(text(step, "timeout"))
    return [
      {
        kind: "request",
        name,
        where,
        method: "",
        url: { base: "", path: [], query: [...inPlace("query"), ...whole] },
        operation: {
          ...operation,
          params: new Map(inPlace("path").map((pair) => [pair.name, pair.value])),
          body: this.#body(object(step, "requestBody"), where),
        },
        headers: [
          ...inPlace("header"),
          ...(cookies.length > 0 ? [{ name: "Cookie", value: cookies.join("; ") }] : []),
        ],
        scripts: [],
        steps,
        retry,
        description: text(step, "description"),
        ...(timeout > 0 ? { timeoutMs: timeout } : {}),
      },
    ]
  }
  /** Finds what a step calls. Undefined for one that calls another workflow, or a channel of messages. */
  #operation(step: JsonValue): Pick<OperationReference, "source" | "name"> | undefined {
    const [first] = this.#context.documents
    const id = text(step, "operationId")
    const [, source, own] = /^\$sourceDescriptions\.([\w-]+)\.(.+)$/s.exec(id ?? "") ?? []
    if (id !== undefined) return { source: source ?? first?.name ?? "", name: own ?? id }
    const [, name, pointer] =
      /^\{?\$sourceDescriptions\.([\w-]+)\.url\}?#?(\/paths\/.+)$/s.exec(text(step, "operationPath") ?? "") ??
      []
    const [, , path = "", method = ""] = pointer?.split("/") ?? []
    if (name === undefined || method === "") return undefined
    return { source: name, name: `${method.toUpperCase()} ${unescapePointer(path)}` }
  }

  /** Reads the only action after a failure that a loop can express. Others are lost. */
  #retry(step: JsonValue, checks: readonly Check[], where: string): Retry | undefined {
    const own = this.#actions(step, "onFailure")
    const names = new Set(own.map((action) => text(action, "name")))
    const shared = this.#actions(this.#workflow, "failureActions")
    const all = [...own, ...shared.filter((action) => !names.has(text(action, "name")))]
    // Without an action, a failure ends the workflow.
    const end = all.findIndex((one) => text(one, "type") === "end" && list(one, "criteria").length === 0)
    const [action, ...others] = end === -1 ? all : all.slice(0, end)
    if (action === undefined) return undefined
    const until = others.length === 0 ? this.#until(action, checks) : []
    if (until.length === 0) {
      const isOwn = own.length > 0
      this.#lose(isOwn ? where : this.#where, isOwn ? "onFailure" : "failureActions", reasons.controlFlow())
      return undefined
    }
    const [limit, after] = [Number(text(action, "retryLimit") ?? 1), Number(text(action, "retryAfter") ?? 0)]
    return {
      until,
      maxRequests: Math.min(Math.max(Math.trunc(limit) || 0, 0) + 1, MAX_INTEGER),
      delayMs: Math.min(Math.max(Math.round(after * 1000) || 0, 0), MAX_INTEGER),
    }
  }

  #actions = (holder: JsonValue, key: string): readonly JsonValue[] =>
    list(holder, key).map((one) => {
      const [, kind = "", name = ""] =
        /^\$components\.(successActions|failureActions)\.(.+)$/.exec(text(one, "reference") ?? "") ?? []
      return member(object(object(this.#context.document, "components"), kind), name) ?? one
    })

  /** Returns the steps that a step skips, each with the condition under which it doesn't. Other actions are lost. */
  #jumps(step: JsonValue, at: number): readonly Jump[] {
    const name = text(step, "stepId") ?? "step"
    const where = `${this.#where} / ${name}`
    const all = list(this.#workflow, "steps")
    this.#places ??= placesOf(all)
    const places = this.#places
    const jumps = this.#actions(step, "onSuccess").map((action): Jump | undefined => {
      const [criterion, ...others] = list(action, "criteria")
      const written = text(criterion, "condition") ?? ""
      const target = places.get(text(action, "stepId") ?? "") ?? -1
      const isEnd = text(action, "type") === "end"
      const end = isEnd
        ? all.length
        : text(action, "type") === "goto" && !text(action, "workflowId")
          ? target
          : -1
      if (others.length > 0 || text(criterion, "type") || end <= at + 1) return undefined
      const opposite = this.#only(negate(written))
      const check = opposite ?? this.#only(written)
      const isNegated = opposite === undefined
      return check && { name: text(action, "name") ?? `after ${name}`, end, check, isNegated, where }
    })
    const isNested = jumps.every(
      (one, index) => one !== undefined && one.end <= (jumps[index - 1]?.end ?? all.length),
    )
    if (isNested) return jumps.filter((one) => one !== undefined)
    this.#lose(where, "onSuccess", reasons.controlFlow())
    return []
  }

  /** Reads a condition that is a single check. */
  #only(condition: string | undefined): Check | undefined {
    const criterion = { condition: condition ?? "", type: "simple", context: undefined }
    const [check, ...others] = readCriterion(criterion, this.#sourceOf, this.#nameOf) ?? []
    return others.length === 0 ? check : undefined
  }

  /** Puts the steps that may be skipped in folders. A jump out of another one's steps is lost. */
  #nest({ read, jumps, from, to, depth, level }: Nesting): readonly Item[] {
    const items: Item[] = []
    for (let at = from; at < to; at++) {
      const own = jumps[at - 1] ?? []
      const skipped = at === from ? depth : 0
      const next = level > MAX_NESTED ? -1 : own.findIndex(({ end }, index) => index >= skipped && end <= to)
      for (const { where } of own.slice(skipped, next === -1 ? undefined : next))
        this.#lose(where, "onSuccess", reasons.controlFlow())
      const jump = own[next]
      if (jump === undefined) {
        items.push(...(read[at] ?? []))
        continue
      }
      const { name, check, isNegated, where, end } = jump
      const inner = this.#nest({ read, jumps, from: at, to: end, depth: next + 1, level: level + 1 })
      const condition = { check, isNegated, after: where }
      items.push({ kind: "folder", name, where, scripts: [], condition, items: inner })
      at = end - 1
    }
    return items
  }

  /** Returns the checks that end the repetition. Empty if a loop can't express it. */
  #until(action: JsonValue, checks: readonly Check[]): readonly Check[] {
    if (text(action, "type") !== "retry" || text(action, "stepId") || text(action, "workflowId")) return []
    const criteria = list(action, "criteria")
    if (criteria.length === 0) return checks
    if (criteria.length > 1 || text(criteria[0], "type") !== undefined) return []
    const until = this.#only(negate(text(criteria[0], "condition") ?? ""))
    return until !== undefined && checks.some((check) => implies(check, until)) ? [until] : []
  }

  /** Returns the parameters of a step, and those of its workflow that it doesn't override. */
  #parameters(step: JsonValue): readonly JsonValue[] {
    const byName = new Map<string, JsonValue>()
    for (const one of [...list(this.#workflow, "parameters"), ...list(step, "parameters")]) {
      const [, name] = /^\$components\.parameters\.(.+)$/.exec(text(one, "reference") ?? "") ?? []
      const shared =
        name === undefined ? undefined : object(object(this.#context.document, "components"), "parameters")
      const found = shared === undefined ? one : member(shared, name ?? "")
      const value = member(one, "value")
      const own = isJsonObject(found) && value !== undefined ? { ...found, value } : found
      if (own !== undefined) byName.set(`${text(own, "in") ?? ""} ${text(own, "name") ?? ""}`, own)
    }
    return [...byName.values()]
  }

  /** A list has a pair for each item. */
  #pairs(name: string, value: JsonValue | undefined, where: string): readonly Pair[] {
    if (value === undefined || name === "") return []
    if (isJsonArray(value)) return value.flatMap((item) => this.#pairs(name, item, where))
    return [
      {
        name: plainText(name),
        value: this.#text(typeof value === "string" ? value : stringifyJson(value), where),
      },
    ]
  }

  /** Converts a text. An expression that no workflow can read is lost. */
  #text = (written: string, where: string): Text =>
    expressionText(written, (expression) => {
      const name = this.#nameOf(expression)
      if (name === undefined && isExpression(expression))
        this.#lose(where, `expression ${expression}`, reasons.expression())
      return name
    })

  #body(body: JsonObject | undefined, where: string): OperationReference["body"] {
    const payload = member(body, "payload")
    if (payload === undefined) return undefined
    let value = mapStrings(payload, (written) => this.#text(written, where))
    for (const replacement of list(body, "replacements")) {
      const target = text(replacement, "target") ?? ""
      const given = mapStrings(member(replacement, "value") ?? null, (written) => this.#text(written, where))
      const replaced = /^(?:\/|$)/.test(target)
        ? replaceAt(value, pathOf(`#${target}`) ?? [], given)
        : undefined
      if (replaced === undefined) this.#lose(where, `replacement ${target}`, reasons.replacement())
      else value = replaced
    }
    return { payload: value, mediaType: text(body, "contentType") }
  }

  #readOutputs(
    outputs: JsonObject | undefined,
    { name, where, steps }: { readonly name: string; readonly where: string; readonly steps: ResponseStep[] },
  ): void {
    for (const [output, value] of Object.entries(outputs ?? {})) {
      const variable = `steps.${name}.outputs.${output}`
      const written = typeof value === "string" ? value : ""
      const read = readExpression(written)
      const alias = read?.is === "variable" ? this.#nameOf(written) : undefined
      if (read?.is === "response") steps.push({ is: "set", variable, output, source: read.path })
      else if (alias !== undefined) this.#aliases.set(variable, alias)
      else this.#lose(where, `output ${output}`, reasons.expression())
    }
  }

  #outputs(outputs: JsonObject | undefined): ReadonlyMap<string, string> {
    const found = new Map<string, string>()
    for (const [output, value] of Object.entries(outputs ?? {})) {
      const name = typeof value === "string" ? this.#nameOf(value) : undefined
      if (name === undefined) this.#lose(this.#where, `output ${output}`, reasons.expression())
      else found.set(output, name)
    }
    return found
  }

  #criterion(value: JsonValue, where: string): readonly Check[] {
    const written = member(value, "type")
    const criterion = {
      condition: text(value, "condition") ?? "",
      type: (typeof written === "string" ? written : text(written, "type")) ?? "simple",
      context: text(value, "context"),
    }
    const checks = readCriterion(criterion, this.#sourceOf, this.#nameOf)
    if (checks === undefined) this.#lose(where, `${criterion.type} criterion`, reasons.criterion())
    return checks ?? []
  }
}

/** Returns the number of each step by its id. The first of several steps with the same id counts. */
const placesOf = (steps: readonly JsonValue[]): ReadonlyMap<string, number> =>
  new Map([...steps.entries()].toReversed().map(([at, step]) => [text(step, "stepId") ?? "", at]))

/** Steps that are skipped unless a check passes. */
interface Jump {
  readonly name: string
  /** The number of the step after them. */
  readonly end: number
  readonly check: Check
  /** True if they are skipped when the check passes. */
  readonly isNegated: boolean
  /** The place of the step before them. */
  readonly where: string
}

interface Nesting {
  readonly read: readonly (readonly Request[])[]
  readonly jumps: readonly (readonly Jump[])[]
  readonly from: number
  readonly to: number
  /** The number of jumps over the first step that are around it. */
  readonly depth: number
  /** The number of conditions around these steps. */
  readonly level: number
}

const MAX_REFERENCES = 20
/** The maximum number of conditions around a step. */
const MAX_NESTED = 100

/** The maximum number of milliseconds and of iterations in a workflow. */
const MAX_INTEGER = 2_147_483_647

const isSame = (one: object, other: object): boolean => JSON.stringify(one) === JSON.stringify(other)

/** Returns whether a check fails as long as another one does: `== 200` as long as `!= 503` does. */
function implies(check: Check, other: Check): boolean {
  if (isSame(check, other)) return true
  const differs = check.operator === "equals" && other.operator === "notEquals" && check.value !== other.value
  return differs && isSame({ ...check, operator: "", value: "" }, { ...other, operator: "", value: "" })
}

const isExpression = (text: string): boolean =>
  /^\$(?:url|method|statusCode|request|response|inputs|outputs|steps|workflows|sourceDescriptions|components|message)\b/.test(
    text,
  )

/** Sets a value at a path whose parents exist. Returns the changed value. Undefined if a parent is missing. */
function replaceAt(value: JsonValue, path: ResponsePath, given: JsonValue): JsonValue | undefined {
  const last = path.at(-1)
  if (last === undefined) return given
  let parent: JsonValue | undefined = value
  for (const key of path.slice(0, -1))
    parent = isJsonArray(parent) ? parent[Number(key)] : member(parent, key)
  if (isJsonArray(parent)) {
    if (!(Number(last) in parent)) return undefined
    ;(parent as JsonValue[])[Number(last)] = given
  } else if (isJsonObject(parent)) {
    const own = parent as Record<string, JsonValue>
    // The member moves to the end.
    delete own[last]
    setOwn(own, last, given)
  } else return undefined
  return value
}
