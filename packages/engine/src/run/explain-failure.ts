// Explains a failed block: its position in the file, and the exchanges that it read.

import {
  hasResponse,
  parsePathOnce,
  stringsOf,
  valueStrings,
  type Exchange,
  type JsonPointer,
  type JsonValue,
} from "@callsheet/format"
import { findResult, loopGiving, type BlockResult, type Scope } from "@callsheet/language"
import type { Running } from "./context.ts"
import { expandString, type Reader } from "./expand.ts"
import type { BlockOutcome, Failure } from "./failure.ts"
import { placeOf } from "./warn.ts"

const MAX_EXCHANGES = 20

export function explainFailure(running: Running, { at, exchanges, ...error }: Failure): BlockOutcome {
  const isOwn = error.code !== "child-failed"
  const reads = isOwn && (at === undefined || exchanges === undefined) ? readsOf(running) : undefined
  const place = placeOf(running, at ?? reads?.unresolved ?? (isOwn ? fieldOf(running) : []))
  return {
    status: "failed",
    failure: {
      ...error,
      ...place,
      exchanges: exchanges ?? exchangesAt(reads?.paths ?? [], running.reader.scope),
    },
  }
}

/** Returns the main field of a block, such as `request` or `script`. */
const fieldOf = ({ block }: Running): JsonPointer =>
  stringsOf(block)
    .map(({ pointer }) => pointer.slice(0, 1))
    .find(([field]) => field !== "description") ?? []

interface Reads {
  /** The paths that the block's strings read, unresolved ones first. */
  readonly paths: readonly string[]
  /** The field with the first placeholder that doesn't resolve. */
  readonly unresolved: JsonPointer | undefined
}

/** Expands the strings of a failed block again, to find the values that they read. */
export function readsOf(
  { block, frame, reader }: Running,
  isWanted: (pointer: JsonPointer) => boolean = ([field]) => field !== "description",
): Reads {
  const paths: string[] = []
  const recording: Reader = {
    ...reader,
    ...(hasResponse(block) ? { api: block.request.api } : {}),
    onPath: (path, found) => void (found ? paths.push(path) : paths.unshift(path)),
  }
  let unresolved: JsonPointer | undefined
  for (const { text, is, pointer } of stringsOf(block)) {
    if (!isWanted(pointer)) continue
    const expanded = expandString(text, recording)
    if (!expanded.ok) unresolved ??= pointer
    else if (is === "path" && typeof expanded.value === "string") paths.push(expanded.value)
  }
  const saved = hasResponse(block) ? frame.context.templates.get(block)?.target.instance : undefined
  for (const { text } of valueStrings([saved?.params ?? null, saved?.body ?? null] as JsonValue, []))
    expandString(text, recording)
  return { paths, unresolved }
}

/** Returns the exchanges from which these paths got their values. */
export function exchangesAt(paths: Iterable<string>, scope: Scope): readonly Exchange[] {
  const found = new Map<string, Exchange>()
  for (const path of paths) {
    if (found.size >= MAX_EXCHANGES) break
    for (const exchange of exchangesOf(path, scope)) found.set(exchange.block, exchange)
  }
  return [...found.values()]
}

function exchangesOf(path: string, scope: Scope): readonly Exchange[] {
  const around = loopGiving<Scope>(scope, path)
  if (around?.outer !== undefined)
    return around.loop?.mode === "forEach" ? exchangesOf(around.loop.source, around.outer) : []
  return resultAt(path, scope)?.exchanges?.() ?? []
}

export function resultAt(path: string, scope: Scope): BlockResult | undefined {
  const parsed = parsePathOnce(path)
  return parsed.ok ? findResult(scope, parsed.segments[0]) : undefined
}
