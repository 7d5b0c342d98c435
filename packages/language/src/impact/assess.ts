// Decides what the changes of a document mean for a project: which of its blocks send or read what has changed.

import {
  ANY_KEY,
  escapeKey,
  getOrCreate,
  type JsonPointer,
  type LineColumn,
  isJsonArray,
  isJsonObject,
  memoTexts,
  type JsonValue,
  type OperatorName,
  operators,
  type RequestBlock,
  type SourceFile,
  type WorkflowFile,
} from "@callsheet/format"
import type { Change } from "@callsheet/openapi"
import { expectsNothing } from "../validate/check-references.ts"
import { collectExpectedStatuses } from "../types/workflow-scope.ts"
import type { ExpectedStatuses } from "../types/response-type.ts"
import { placesIn } from "../references/uses.ts"
import { inputIn, type ValuesOf } from "./input-values.ts"
import { type FilePlace, readsOf, type ResponseRead, type ScriptsOf } from "./reads.ts"
import { satisfies } from "./satisfies.ts"
import { type ApiVersions, operationKey, placeOfTarget, type Sender, sendersIn, sentAt } from "./senders.ts"

/** A place of a workflow, a saved request or a script that a change breaks. */
export interface ImpactUse extends LineColumn {
  readonly workflow: string
  readonly block: string
  readonly file: string
}

/**
 * What a change means here: it breaks a use; it could break a client, but nothing here depends on it; or it breaks
 * nothing.
 */
export type ImpactClass = "breaks" | "unused" | "compatible"

export interface Impact {
  readonly change: Change
  readonly class: ImpactClass
  readonly uses: readonly ImpactUse[]
}

interface ImpactRequest {
  readonly workflows: Iterable<WorkflowFile>
  readonly versions: ApiVersions
  readonly changes: Iterable<Change>
  readonly scriptsOf: ScriptsOf
  readonly valuesOf: ValuesOf
}

/** Returns the changes in their order. */
export function assessChanges({ workflows, changes, ...ground }: ImpactRequest): readonly Impact[] {
  const index = new UseIndex(ground)
  for (const workflow of workflows) index.add(workflow)
  return [...changes].map((change) => index.assess(change))
}

/** A use of something that has changed. It is fine if the new document allows it, too. */
interface Use extends FilePlace {
  readonly workflow: string
  readonly block: string
  readonly isFine: boolean
}

interface KnownSender extends Sender {
  readonly expected: ExpectedStatuses
  readonly reads: readonly ResponseRead[]
}

/** Shared, because a change of a common schema is in thousands of operations. */
const noUses: readonly ImpactUse[] = []

type Ground = Pick<ImpactRequest, "versions" | "scriptsOf" | "valuesOf">

class UseIndex {
  readonly #ground: Ground
  readonly #senders = new Map<string, KnownSender[]>()
  readonly #lines = new Map<SourceFile, (pointer: JsonPointer) => LineColumn>()
  readonly #keys = memoTexts((operation: string) => {
    const [, method = "", path = ""] = /^(\S+) (.*)$/s.exec(operation) ?? []
    return operationKey(method, path)
  })

  constructor(ground: Ground) {
    this.#ground = ground
  }

  add(file: WorkflowFile): void {
    const senders = sendersIn(file, this.#ground.versions)
    if (senders.length === 0 || file.readable === undefined) return
    const savedOf = new Map(senders.map(({ block, saved }) => [block, saved]))
    const request = { file, savedRequestOf: savedOf.get.bind(savedOf), scriptsOf: this.#ground.scriptsOf }
    const reads = new Map<RequestBlock, ResponseRead[]>()
    for (const read of readsOf(request)) getOrCreate(reads, read.of, () => []).push(read)
    const expected = collectExpectedStatuses(file.readable.workflow.blocks)
    for (const sender of senders) {
      const { block, before, after } = sender
      const known = { ...sender, expected: expected(block.id), reads: reads.get(block) ?? [] }
      for (const key of new Set([before, after]))
        if (key !== undefined) getOrCreate(this.#senders, key, () => []).push(known)
    }
  }

  assess(change: Change): Impact {
    if (change.breaks === undefined) return { change, class: "compatible", uses: noUses }
    const uses = this.#sendersOf(change).flatMap((sender) => usesOf(change, sender, this.#ground.valuesOf))
    const broken = uses.filter(({ isFine }) => !isFine)
    if (broken.length > 0) return { change, class: "breaks", uses: this.#located(broken) }
    return { change, class: uses.length > 0 ? "compatible" : "unused", uses: noUses }
  }

  #sendersOf({ operation, kind }: Change): readonly KnownSender[] {
    if (operation === "*") return [...new Set([...this.#senders.values()].flat())]
    const key = this.#keys(operation)
    // What an old name now refers to has changed for the block, not for the operation.
    return (this.#senders.get(key) ?? []).filter(
      ({ before, after }) => (kind === "operation-removed" ? before : (after ?? before)) === key,
    )
  }

  #located(uses: readonly Use[]): readonly ImpactUse[] {
    const all = uses.map(({ workflow, block, source, at }) => {
      const line =
        typeof at === "function" ? at() : getOrCreate(this.#lines, source, () => placesIn(source))(at)
      return { workflow, block, file: source.file, ...line }
    })
    return [...new Map(all.map((use) => [JSON.stringify(use), use])).values()]
  }
}

function usesOf(change: Change, sender: KnownSender, valuesOf: ValuesOf): readonly Use[] {
  const of = (place: FilePlace, isFine: boolean, block = sender.block.id): Use => ({
    source: place.source,
    at: place.at,
    workflow: sender.workflow.name,
    block,
    isFine,
  })
  switch (change.breaks) {
    case "calls":
      return [of(placeOfTarget(sender), change.kind === "operation-removed" && sender.after !== undefined)]
    case "names":
      return nameUses(change, sender).map(({ place, isFine }) => of(place, isFine))
    case "sends": {
      const { given, isUnknown } = sentAt(sender, change.path)
      return isUnknown
        ? [of(placeOfTarget(sender), false)]
        : given.flatMap((sent) => {
            const input = inputIn(sent.value, sender.workflow)
            const values = input === undefined ? [] : valuesOf(sender.workflow, input)
            return (values.length === 0 ? [sent] : values).map((one) =>
              of(one, satisfies(change, one.value, sent.isText)),
            )
          })
    }
    case "omits": {
      const { isOmitted, given } = sentAt(sender, change.path)
      if (isOmitted) return [of(placeOfTarget(sender), false)]
      return given.map((sent) => of(sent, true))
    }
    case "reads":
      return isExpected(change, sender.expected)
        ? sender.reads.flatMap((read) => {
            const verdict = readVerdict(change, read)
            return verdict === undefined ? [] : [of(read, verdict === "fine", read.block)]
          })
        : []
    case undefined:
      return []
  }
}

interface NameUse {
  readonly place: FilePlace
  readonly isFine: boolean
}

function nameUses(change: Change, sender: Sender): readonly NameUse[] {
  const { request } = sender.block
  const isFine = sender.after !== undefined
  if (change.kind === "operation-renamed") {
    if (request.operation === change.facts.from && change.facts.from !== undefined)
      return [{ place: placeOfTarget(sender, "operation"), isFine }]
    const { saved } = sender
    if (saved?.request?.operation === undefined || saved.request.operation !== change.facts.from) return []
    return [{ place: { source: saved, at: ["operation"] }, isFine }]
  }
  if (change.kind === "resource-changed")
    return request.resource === undefined ? [] : [{ place: placeOfTarget(sender, "resource"), isFine }]
  if (change.kind === "parameter-renamed")
    return sentAt(sender, `/path/${escapeKey(change.facts.from)}`).given.map((place) => ({
      place,
      isFine: false,
    }))
  return [{ place: placeOfTarget(sender), isFine: false }]
}

/**
 * Returns whether the workflow expects a response of this status, so that its reads are of that response. Without a
 * check of a success, it expects any success.
 */
function isExpected({ status }: Change, { exact, isOpen }: ExpectedStatuses): boolean {
  if (status === undefined || isOpen) return true
  const mayPass = ![...exact].some((number) => number >= 200 && number < 300)
  const isSuccess = status.startsWith("2") || status === "default"
  return [...exact].some((number) => isStatus(status, number)) || (mayPass && isSuccess)
}

const isStatus = (documented: string, status: number): boolean =>
  documented === "default" ||
  documented.toUpperCase() === `${String(status).slice(0, 1)}XX` ||
  documented === `${status}`

/** Returns what a change means for a place that reads a response. Undefined if it reads something else. */
function readVerdict(change: Change, { path, assertion }: ResponseRead): "fine" | "broken" | undefined {
  if (change.kind === "status-removed") {
    if (path[0] !== "status" || assertion === undefined) return undefined
    const { value } = assertion
    return typeof value === "number" && isStatus(change.facts.status, value) ? "broken" : undefined
  }
  const { isAt } = change
  const pointers = pointersTo(path)
  const isInside = pointers.some(isAt)
  if (!isInside) return comparesWhole(change, path, assertion) ? "broken" : undefined
  const isExact = isAt(pointers.at(-1) ?? "")
  switch (change.kind) {
    case "enum-changed":
      return isExact && assertion !== undefined && operators[assertion.operator].takesValue
        ? "broken"
        : "fine"
    case "type-changed":
    case "nullable-changed":
    case "limit-changed":
    case "format-changed":
      return isExact && assertion !== undefined && !operators[assertion.operator].takesValue
        ? "fine"
        : "broken"
    default:
      return assertion !== undefined && expectsNothing(assertion.operator) ? "fine" : "broken"
  }
}

/** Returns whether an assertion compares an object or a list with a literal that has the changed part. */
function comparesWhole(
  change: Change,
  path: readonly string[],
  assertion: ResponseRead["assertion"],
): boolean {
  if (assertion === undefined || !comparing.has(assertion.operator) || assertion.value === undefined)
    return false
  const segments = change.path.split("/").slice(1)
  const isAround = path.every(
    (segment, at) => segments[at] === ANY_KEY || segments[at] === escapeKey(segment),
  )
  if (!isAround || path.length === 0) return false
  return segments
    .slice(path.length)
    .reduce<readonly JsonValue[]>(
      (values, segment) => values.flatMap((value) => membersOf(value, segment)),
      [assertion.value],
    )
    .some((value) => typeof value !== "string" || !value.includes("{{"))
}

const comparing: ReadonlySet<OperatorName> = new Set(["equals", "notEquals"])

function membersOf(value: JsonValue, segment: string): readonly JsonValue[] {
  if (isJsonArray(value)) return segment === ANY_KEY ? value : []
  if (!isJsonObject(value)) return []
  return Object.entries(value).flatMap(([name, inner]) =>
    segment === ANY_KEY || escapeKey(name) === segment ? [inner] : [],
  )
}

/** Returns the pointers to a value and to those around it, the outermost first. */
function pointersTo(path: readonly string[]): readonly string[] {
  let pointer = ""
  return path.map((segment) => (pointer += `/${escapeKey(segment)}`))
}
