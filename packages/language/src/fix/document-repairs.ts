// Finds the repairs of requests that follow from a change of their document and need no decision.

import {
  checkHeader,
  escapeKey,
  getOrCreate,
  type InstanceFile,
  isJsonArray,
  isHalfWritten,
  isJsonObject,
  isSameParameter,
  type JsonPointer,
  type JsonValue,
  memberType,
  type Params,
  parsePathOnce,
  type RequestBlock,
  type SourceFile,
  type ValueType,
  type WorkflowFile,
  formatPath,
} from "@callsheet/format"
import {
  bodyKindOf,
  type Change,
  listOperations,
  type Operation,
  type Parameter,
  parametersOf,
  requestBodyType,
  schemaType,
} from "@callsheet/openapi"
import { type ApiVersions, operationKey, type Sender, sendersIn } from "../impact/senders.ts"
import { repairTexts } from "../messages.ts"
import { findTarget } from "../requests/target.ts"
import { collectExpectedStatuses } from "../types/workflow-scope.ts"
import { composeBody } from "../validate/check-body.ts"
import { isMissing } from "../validate/check-parameters.ts"
import { isNegative } from "../validate/check-workflow-file.ts"
import { givenParam } from "../validate/given-request.ts"
import type { Repair } from "./repair.ts"

interface DocumentRepairs {
  readonly workflows: Iterable<WorkflowFile>
  readonly versions: ApiVersions
  /** The changes from the old document to the new one. */
  readonly changes: readonly Change[]
}

/** Returns the repairs of blocks and saved requests, in the order of the files. */
export function repairsOfChanges({ workflows, versions, changes }: DocumentRepairs): readonly Repair[] {
  const operations = changedOperations(versions, changes)
  if (operations.size === 0) return []
  const senders = [...workflows].flatMap((workflow) => {
    if (isHalfWritten(workflow)) return []
    const expected = collectExpectedStatuses(workflow.readable?.workflow.blocks ?? [])
    return sendersIn(workflow, versions).map((sender) => ({
      ...sender,
      isNegative: isNegative(expected(sender.block.id)),
    }))
  })
  // What a rejected request leaves out or adds may be the reason for its rejection.
  const rejected = new Set(senders.flatMap(({ saved, isNegative: is }) => (is && saved ? [saved] : [])))
  const saved = [...versions.after.api.instances.values()].flatMap((file): readonly Subject[] => {
    const sender = savedSender(file, versions)
    return sender === undefined
      ? []
      : [{ ...sender, ...partsOfSaved(file), isNegative: rejected.has(file), isSaved: true }]
  })
  const blocks = senders.map((sender): Subject => ({ ...sender, ...partsOfBlock(sender), isSaved: false }))
  return [...saved, ...blocks].flatMap((subject) => {
    const changed = operations.get(subject.after ?? subject.before ?? "")
    return changed === undefined ? [] : repairsOf(subject, changed, { versions, rejected })
  })
}

/** A block or a saved request, with the parts of its request that its file contains. */
interface Subject extends Pick<Sender, "block" | "target" | "before" | "after" | "saved"> {
  readonly source: SourceFile
  /** The place of the target's name, of parameters, and of the parts of the body. */
  readonly at: { readonly target: JsonPointer; readonly params: JsonPointer; readonly body: JsonPointer }
  readonly operation: string | undefined
  readonly params: Params | undefined
  readonly bodies: readonly BodyPart[]
  /** True if the request is expected to be rejected. */
  readonly isNegative: boolean
  readonly isSaved: boolean
}

interface BodyPart {
  readonly pointer: JsonPointer
  /** The path of the part in the body. */
  readonly segments: JsonPointer
  readonly value: JsonValue
}

function partsOfSaved(file: InstanceFile) {
  const body = file.request?.body
  return {
    source: file,
    at: { target: [], params: ["params"], body: ["body"] },
    operation: file.request?.operation,
    params: file.request?.params,
    bodies: body === undefined ? [] : [{ pointer: ["body"], segments: [], value: body }],
  }
}

function partsOfBlock({ workflow, block: { request }, pointer }: Sender) {
  const base = [...pointer(), "request"]
  const at = {
    target: base,
    params: [...base, "overrides", "params"],
    body: [...base, "overrides", "body"],
  }
  const bodies = Object.entries(request.overrides?.body ?? {}).flatMap(([key, value]) => {
    const path = parsePathOnce(key)
    return path.ok ? [{ pointer: [...at.body, key], segments: path.segments, value }] : []
  })
  return {
    source: workflow,
    at,
    operation: request.instance === undefined ? request.operation : undefined,
    params: request.overrides?.params,
    bodies,
  }
}

/** Returns a saved request as if a block without overrides sent it. */
function savedSender(file: InstanceFile, { before, after }: ApiVersions) {
  if (file.request === undefined) return undefined
  const request = { api: after.api.name, resource: file.resource, instance: file.name }
  const block: RequestBlock = { id: "", type: "request", request }
  const [now, then] = [findTarget(after, request), findTarget(before, request)]
  const found = now.found ? now : then
  if (!found.found || found.instanceFile !== file) return undefined
  const keyOf = (one: typeof now) =>
    one.found ? operationKey(one.target.method, one.target.path) : undefined
  return { block, target: found.target, saved: file, after: keyOf(now), before: keyOf(then) }
}

interface ChangedOperation {
  readonly before: Operation
  readonly after: Operation
  readonly changes: readonly Change[]
}

function changedOperations(
  { before, after }: ApiVersions,
  changes: readonly Change[],
): ReadonlyMap<string, ChangedOperation> {
  const [old, current] = [before, after].map(
    ({ document }) =>
      new Map(
        (document === undefined ? [] : listOperations(document)).map((each) => [
          operationKey(each.method, each.path),
          each,
        ]),
      ),
  )
  const byKey = new Map<string, Change[]>()
  for (const change of changes) {
    const [, method = "", path = ""] = /^(\S+) (.*)$/s.exec(change.operation) ?? []
    if (change.side === "request") getOrCreate(byKey, operationKey(method, path), () => []).push(change)
  }
  return new Map(
    [...byKey].flatMap(([key, own]) => {
      const [one, other] = [old?.get(key), current?.get(key)]
      return one === undefined || other === undefined
        ? []
        : [[key, { before: one, after: other, changes: own }] as const]
    }),
  )
}

interface Surroundings {
  readonly versions: ApiVersions
  /** The saved requests that a block sends and expects to be rejected. */
  readonly rejected: ReadonlySet<InstanceFile>
}

function repairsOf(
  subject: Subject,
  changed: ChangedOperation,
  { versions, rejected }: Surroundings,
): readonly Repair[] {
  const { saved, isSaved } = subject
  const params = renamedParams(changed)
  const isComplete = !isSaved && saved !== undefined && !rejected.has(saved)
  return [
    ...renamedOperation(subject, changed, versions),
    ...renameParams(subject, params),
    ...(subject.isNegative
      ? []
      : [
          ...removedFields(subject, changed),
          // What a saved request leaves out is set in its own file.
          ...(isComplete ? [] : addedParams(subject, changed, params)),
          ...(isComplete ? [] : addedFields(subject, changed)),
        ]),
  ]
}

function renamedOperation(
  { source, at, operation, after, block }: Subject,
  { changes, after: current }: ChangedOperation,
  versions: ApiVersions,
): readonly Repair[] {
  // If the name means another operation now, only a person knows which one is meant.
  if (operation === undefined || after !== undefined) return []
  return changes.flatMap((change) => {
    if (change.kind !== "operation-renamed") return []
    const { from, to } = change.facts
    if (from !== operation || to === undefined || to.includes("{{")) return []
    const found = findTarget(versions.after, { operation: to, resource: block.request.resource })
    const isSame = found.found && found.target.method === current.method && found.target.path === current.path
    if (!isSame) return []
    const edit = { is: "set", pointer: [...at.target, "operation"], value: to } as const
    return [{ source, edit, message: repairTexts.operation(from, to) }]
  })
}

interface RenamedParam {
  readonly in: keyof Params
  readonly from: string
  readonly to: string
}

/** Returns the parameters with new names: of the path by their place in it, others if only one was replaced. */
function renamedParams({ before, after, changes }: ChangedOperation): readonly RenamedParam[] {
  const renamed: RenamedParam[] = changes.flatMap((change) =>
    change.kind === "parameter-renamed" ? [{ in: "path", ...change.facts }] : [],
  )
  for (const place of ["query", "header", "cookie"] as const) {
    const of = (kind: "parameter-removed" | "parameter-added") =>
      changes.flatMap((change) =>
        change.kind === kind && change.facts.in === place ? [change.facts.name] : [],
      )
    const [[from, ...othersRemoved], [to, ...othersAdded]] = [of("parameter-removed"), of("parameter-added")]
    if (from === undefined || to === undefined || othersRemoved.length + othersAdded.length > 0) continue
    const types = [
      parameterNamed(before, { in: place, name: from }),
      parameterNamed(after, { in: place, name: to }),
    ].map(typeName)
    if (types[0] !== undefined && types[0] === types[1] && isPlain(to)) renamed.push({ in: place, from, to })
  }
  return renamed
}

const parameterNamed = (
  operation: Operation,
  wanted: Pick<Parameter, "in" | "name">,
): Parameter | undefined =>
  parametersOf(operation).find((each) => each.in === wanted.in && each.name === wanted.name)

function typeName(parameter: Parameter | undefined): string | undefined {
  const kinds = parameter?.schema && schemaType(parameter.schema, "request").kinds
  return kinds && [...kinds].toSorted().join(" ")
}

function renameParams(subject: Subject, renamed: readonly RenamedParam[]): readonly Repair[] {
  const { source, at, params, target } = subject
  return renamed.flatMap(({ in: place, from, to }) => {
    // A saved request with its own path has its own names, too.
    if (place === "path" && target.instance?.operation === undefined && target.instance !== undefined)
      return []
    const names = Object.keys(params?.[place] ?? {})
    const given = names.find((name) => isSameParameter(place, name, from))
    if (given === undefined || names.some((name) => isSameParameter(place, name, to))) return []
    const edit = { is: "rename", pointer: [...at.params, place, given], to } as const
    return [{ source, edit, message: repairTexts.parameter(place, given, to) }]
  })
}

function addedParams(
  subject: Subject,
  { after: operation, changes }: ChangedOperation,
  renamed: readonly RenamedParam[],
): readonly Repair[] {
  const { source, at } = subject
  return changes.flatMap((change) => {
    if (change.kind !== "parameter-added" && change.kind !== "parameter-required") return []
    const { facts } = change
    const parameter = parameterNamed(operation, facts)
    if (parameter === undefined || !isMissing({ ...subject, operation }, parameter)) return []
    const isRenamed = renamed.some(
      ({ in: place, from, to }) =>
        place === facts.in && to === facts.name && givenParam(subject, place, from) !== undefined,
    )
    const text = [facts.default, facts.example].map(textOf).find((each) => each !== undefined)
    if (isRenamed || text === undefined) return []
    if (facts.in === "header" && checkHeader(facts.name, text) !== undefined) return []
    const edit = { is: "set", pointer: [...at.params, facts.in, facts.name], value: text } as const
    return [{ source, edit, message: repairTexts.requiredParameter(facts.in, facts.name) }]
  })
}

function textOf(value: JsonValue | undefined): string | undefined {
  if (value === undefined || value === null || typeof value === "object") return undefined
  const text = String(value)
  return isPlain(text) ? text : undefined
}

/** Returns whether a value of a document has no placeholder, so that it can't read anything of the project. */
const isPlain = (value: JsonValue): boolean => !JSON.stringify(value, withoutBigInts).includes("{{")
const withoutBigInts = (_: string, value: unknown): unknown => (typeof value === "bigint" ? 0 : value)

/** Visits every member of the objects in a value. */
function* membersIn({ pointer, segments, value }: BodyPart): Generator<BodyPart> {
  const entries = isJsonArray(value) ? value.entries() : isJsonObject(value) ? Object.entries(value) : []
  for (const [name, inner] of entries) {
    const part = { pointer: [...pointer, name], segments: [...segments, name], value: inner }
    yield part
    yield* membersIn(part)
  }
}

const isRemoval = (change: Change): boolean =>
  change.kind === "property-removed" && change.breaks === "sends" && change.path.startsWith("/body/")

function removedFields({ source, bodies, saved }: Subject, { changes }: ChangedOperation): readonly Repair[] {
  const removals = changes.filter(isRemoval)
  if (removals.length === 0) return []
  const isGone = (segments: JsonPointer): boolean => {
    const path = bodyPath(segments)
    return removals.some((change) => change.isAt(path))
  }
  const found: Repair[] = []
  const remove = ({ pointer, segments }: Omit<BodyPart, "value">): void =>
    void found.push({
      source,
      edit: { is: "delete", pointer },
      message: repairTexts.removedField(formatPath(segments)),
    })
  for (const part of bodies) {
    const around = part.segments.findIndex((_, at) => isGone(part.segments.slice(0, at + 1)))
    // Without its only override, the request would have no body at all.
    if (around !== -1 && (bodies.length > 1 || saved?.request?.body !== undefined))
      remove({ pointer: part.pointer, segments: part.segments.slice(0, around + 1) })
    if (around !== -1) continue
    for (const member of membersIn(part)) if (isGone(member.segments)) remove(member)
  }
  return found
}

const bodyPath = (segments: JsonPointer): string =>
  ["/body", ...segments.map((segment) => escapeKey(String(segment)))].join("/")

interface AddedField {
  readonly name: string
  readonly value: JsonValue
  readonly isAt: Change["isAt"]
}

function addedField(change: Change): readonly AddedField[] {
  if (change.kind !== "property-added" && change.kind !== "property-required") return []
  const { required, name, default: fallback, example } = change.facts
  const value = [fallback, example].find((each) => each !== undefined && isPlain(each))
  if (!required || value === undefined || !isPlain(name) || !change.path.startsWith("/body/")) return []
  return [{ name, value, isAt: change.isAt }]
}

function addedFields(subject: Subject, { after: operation, changes }: ChangedOperation): readonly Repair[] {
  const added = changes.flatMap(addedField)
  if (added.length === 0) return []
  const { isKnown, body } = composeBody({ ...subject, report: () => undefined })
  const documented = requestBodyType(operation, givenParam(subject, "header", "content-type")?.text)
  if (!isKnown || !isJsonObject(body) || documented === undefined) return []
  const kind = bodyKindOf(documented.mediaType)
  if (kind !== "json" && kind !== "form") return []
  const root: BodyPart = { pointer: [], segments: [], value: body }
  return [root, ...membersIn(root)].flatMap(({ segments, value: holder }) => {
    if (!isJsonObject(holder)) return []
    const required = typeAt(documented.type, segments)?.required() ?? []
    return added.flatMap(({ name, value, isAt }) => {
      const path = [...segments, name]
      const isWanted = required.includes(name) && !Object.hasOwn(holder, name) && isAt(bodyPath(path))
      if (!isWanted || (kind === "form" && typeof value === "object")) return []
      const edit = { is: "set", pointer: placeOfField(subject, path), value } as const
      return [{ source: subject.source, edit, message: repairTexts.requiredField(formatPath(path)) }]
    })
  })
}

function typeAt(type: ValueType, segments: JsonPointer): ValueType | undefined {
  let here: ValueType | undefined = type
  for (const segment of segments) here = here && memberType(here, String(segment))
  return here
}

/** Returns the place of a new field: in the part of the body that has its object, or in an override of its own. */
function placeOfField({ bodies, at, isSaved }: Subject, path: JsonPointer): JsonPointer {
  const holder = path.slice(0, -1)
  const part = bodies.findLast(
    ({ segments }) =>
      segments.length <= holder.length &&
      segments.every((segment, index) => String(segment) === String(holder[index])),
  )
  if (part !== undefined) return [...part.pointer, ...path.slice(part.segments.length)]
  return isSaved ? [...at.body, ...path] : [...at.body, formatPath(path)]
}
