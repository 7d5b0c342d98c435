// Finds schemas that include themselves by `$ref` and `allOf`, so that no value can ever be decided.

import { isJsonArray, type JsonObject } from "@callsheet/format"
import { lastKey, showPart, textMember } from "../document/located.ts"
import { messages } from "../document/messages.ts"
import type { Findings } from "../document/place-findings.ts"
import type { Visit, Walked } from "../document/walk-document.ts"

export interface CircleFinder {
  /** Remembers what a schema includes. `targets` are those of its references. */
  readonly note: (visit: Visit, targets: readonly Walked[]) => void
  readonly report: (findings: Findings) => void
}

interface Node {
  readonly pointer: string
  /** The schemas that apply to the same value. */
  readonly included: readonly { readonly value: JsonObject; readonly at: string }[]
}

export function createCircleFinder(): CircleFinder {
  const nodes = new Map<JsonObject, Node>()
  return {
    note: ({ kind, value, pointer }, targets) => {
      if (kind !== "schema") return
      const bases = value["allOf"]
      const included = isJsonArray(bases)
        ? bases.map((base, index) => ({ value: base as JsonObject, at: `${pointer}/allOf/${index}` }))
        : []
      const target = textMember(value, "$ref") === undefined ? undefined : targets[0]
      if (target !== undefined) included.push({ value: target.value as JsonObject, at: `${pointer}/$ref` })
      if (included.length > 0) nodes.set(value, { pointer, included })
    },
    report: ({ add }) => {
      for (const { at, names } of findCircles(nodes)) add(at, messages["document-standard"].circle(names))
    },
  }
}

interface Circle {
  readonly at: string
  readonly names: readonly string[]
}

/** Walks depth first, without recursion. Yields each circle where it closes. */
function* findCircles(nodes: ReadonlyMap<JsonObject, Node>): Generator<Circle> {
  const done = new Set<JsonObject>()
  for (const start of nodes.keys()) {
    const path: { readonly value: JsonObject; next: number }[] = [{ value: start, next: 0 }]
    const open = new Set<JsonObject>([start])
    for (let step = path.at(-1); step !== undefined; step = path.at(-1)) {
      const inner = done.has(step.value) ? undefined : nodes.get(step.value)?.included[step.next++]
      if (inner === undefined) {
        done.add(step.value)
        open.delete(step.value)
        path.pop()
      } else if (open.has(inner.value)) {
        const from = path.findIndex(({ value }) => value === inner.value)
        yield {
          at: inner.at,
          names: namesOf(path.slice(from).map(({ value }) => nodes.get(value)?.pointer ?? "")),
        }
      } else if (!done.has(inner.value)) {
        open.add(inner.value)
        path.push({ value: inner.value, next: 0 })
      }
    }
  }
}

/** Returns the names of the schemas in a circle, without the branches of their `allOf`. */
function namesOf(pointers: readonly string[]): readonly string[] {
  const named = pointers.filter((pointer) => !/\/allOf\/\d+$/.test(pointer))
  const shown = named.length === 0 ? pointers : named
  return [...shown, ...shown.slice(0, 1)].map((pointer) => lastKey(pointer) || showPart(pointer))
}
