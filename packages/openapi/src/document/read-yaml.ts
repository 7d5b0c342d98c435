// Reads YAML 1.2 (core schema) as JSON values. Rejects custom tags, duplicate keys, cycles and alias bombs.

import {
  formatMessages,
  conflictMarkerAt,
  type Finding,
  type JsonPointer,
  type JsonValue,
  type SourceFile,
} from "@callsheet/format"
import type { Event, EventId } from "js-yaml"
import { explainYamlError } from "./explain-yaml-error.ts"
import { type ReadText, type TextReader, unreadable } from "./read-text-file.ts"
import { messages } from "./messages.ts"

/** The maximum nesting depth. Code that walks a deeper document recursively would overflow the stack. */
const MAX_DEPTH = 500
/** The maximum ratio of expanded size to file size. Only an attack with aliases exceeds it. */
const MAX_GROWTH = 20
const MAX_EXPANDED_PARTS = 50_000

/** Creates a reader of YAML. Supports the merge key `<<`, which most OpenAPI tools use. */
export async function createYamlReader(): Promise<TextReader> {
  const yaml = await import("js-yaml")
  return (source) => readYaml(yaml, source)
}

function readYaml(yaml: typeof import("js-yaml"), source: SourceFile): ReadText {
  // Look for markers before parsing: the parser may accept them as a multi-line string.
  const conflict = conflictMarkerAt(source.text)
  if (conflict !== undefined)
    return unreadable(source, conflict, formatMessages["file-conflict"].conflictMarkers())
  try {
    const events = yaml.parseEvents(source.text, { maxDepth: MAX_DEPTH })
    const documents = yaml.constructFromEvents(events, { source: source.text, schema: schemaOf(yaml) })
    if (documents.length > 1) return unreadable(source, 0, syntax.severalDocuments())
    const value = (documents[0] ?? null) as JsonValue
    const finding = source.text.includes("*") ? checkAliases(value) : undefined
    if (finding !== undefined) return unreadable(source, Math.max(0, source.text.indexOf("*")), finding)
    return {
      ok: true,
      value,
      locate: (pointer) => locateInYaml(yaml, { events, source: source.text }, pointer),
    }
  } catch (error) {
    if (!(error instanceof yaml.YAMLException)) throw error
    const { reason, mark } = error
    const position = mark?.position ?? 0
    return unreadable(source, position, explainYamlError(source.text, { reason, position }))
  }
}

const syntax = messages["yaml-syntax"]

/** Returns a YAML schema that reads large integers, such as the bounds of an `int64`, as bigint. */
function schemaOf(yaml: typeof import("js-yaml")) {
  const { CORE_SCHEMA, defineScalarTag, intCoreTag, mergeTag } = yaml
  const { tagName, nodeKind: _, ...options } = intCoreTag
  const integer = defineScalarTag<number | bigint>(tagName, {
    ...options,
    resolve: (text, isExplicit, name) => {
      const value = intCoreTag.resolve(text, isExplicit, name)
      const isRounded = typeof value === "number" && !Number.isSafeInteger(value) && /^[-+]?\d+$/.test(text)
      return isRounded ? BigInt(text.replace("+", "")) : value
    },
  })
  return CORE_SCHEMA.withTags(integer, mergeTag)
}

/** Rejects cyclic and exponentially growing aliases, because a walk visits a shared value once per alias. */
function checkAliases(root: JsonValue): Finding | undefined {
  const sizes = new Map<object, number | "open">()
  const work: { readonly value: object; isLeaving: boolean }[] = []
  const enter = (value: unknown): boolean => {
    if (typeof value !== "object" || value === null) return true
    const size = sizes.get(value)
    if (size === "open") return false
    if (size === undefined) work.push({ value, isLeaving: false })
    return true
  }
  let written = 0
  enter(root)
  for (let step = work.at(-1); step !== undefined; step = work.at(-1)) {
    const inner = Object.values(step.value) as unknown[]
    if (!step.isLeaving) {
      step.isLeaving = true
      if (sizes.has(step.value)) {
        work.pop()
        continue
      }
      sizes.set(step.value, "open")
      if (!inner.every(enter)) return syntax.recursiveAlias()
      continue
    }
    work.pop()
    written += inner.length
    let size = 1
    for (const one of inner) size += typeof one === "object" && one !== null ? (sizes.get(one) as number) : 1
    sizes.set(step.value, size)
  }
  const size = typeof root === "object" && root !== null ? (sizes.get(root) as number) : 1
  if (size > Math.max(MAX_EXPANDED_PARTS, MAX_GROWTH * written)) return syntax.largeAliases()
  return undefined
}

/**
 * Returns the offset of a value in UTF-16 code units. Returns that of the nearest container if the value doesn't exist.
 */
function locateInYaml(
  yaml: typeof import("js-yaml"),
  { events, source }: { readonly events: readonly Event[]; readonly source: string },
  pointer: JsonPointer,
): number {
  const { EVENT_ID, getScalarValue } = yaml
  // The first event is the document itself, and the second is its first node.
  let at = 1
  for (const step of pointer) {
    const next = childAt(step)
    if (next === undefined) break
    at = next
  }
  // An empty value (`paths:`) has no position. Use that of its key.
  while (at > 0 && startOf(events[at]) < 0) at--
  return Math.max(0, startOf(events[at]))

  function childAt(step: string | number): number | undefined {
    const isMapping = events[at]?.type === EVENT_ID.MAPPING
    if (!isMapping && events[at]?.type !== EVENT_ID.SEQUENCE) return undefined
    let index = 0
    for (let child = at + 1; ; index++) {
      const key = events[child]
      if (key === undefined || key.type === EVENT_ID.POP) return undefined
      const value = isMapping ? endOfNode(events, child, EVENT_ID) : child
      const name = !isMapping ? index : key.type === EVENT_ID.SCALAR ? getScalarValue(source, key) : undefined
      if (name === step) return value
      child = endOfNode(events, value, EVENT_ID)
    }
  }
}

function startOf(event: Event | undefined): number {
  if (event === undefined) return -1
  return "valueStart" in event ? event.valueStart : "start" in event ? event.start : -1
}

function endOfNode(
  events: readonly Event[],
  start: number,
  ids: { readonly MAPPING: EventId; readonly SEQUENCE: EventId; readonly POP: EventId },
): number {
  let depth = 0
  for (let at = start; at < events.length; at++) {
    const type = events[at]?.type
    if (type === ids.MAPPING || type === ids.SEQUENCE) depth++
    else if (type === ids.POP) depth--
    if (depth === 0) return at + 1
  }
  return events.length
}
