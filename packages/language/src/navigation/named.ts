// The things of a project that have a name, and the places that mention them.

import { type TextRange } from "@callsheet/format"
import { slug } from "@callsheet/openapi"

/** A name inside a workflow. `loop` tells iterators with the same name apart. */
export interface NamedInWorkflow {
  readonly is: "block" | "input" | "iterator"
  readonly workflow: string
  readonly name: string
  readonly loop?: string
}

export type Named =
  | NamedInWorkflow
  | { readonly is: "variable" | "environment"; readonly api: string; readonly name: string }
  /** A mention of a saved request may leave out its resource. */
  | { readonly is: "request"; readonly api: string; readonly resource?: string; readonly name: string }
  | { readonly is: "operation"; readonly api: string; readonly resource?: string; readonly name: string }
  | { readonly is: "script"; readonly workflow: string; readonly name: string }
  | { readonly is: "export"; readonly workflow: string; readonly script: string; readonly name: string }
  | { readonly is: "workflow" | "suite" | "api" | "file"; readonly name: string }
  /** A name in a saved request. What it means depends on the workflow that sends the request. */
  | {
      readonly is: "open"
      readonly api: string
      readonly resource: string
      readonly request: string
      readonly name: string
    }
  /** A part of a block's response. `path` follows `response`. */
  | {
      readonly is: "part"
      readonly workflow: string
      readonly block: string
      readonly path: readonly string[]
      readonly name: string
    }

export interface Mention extends TextRange {
  readonly named: Named
  /** True where the thing gets its name. */
  readonly declares: boolean
  /** True for a member that a script reads with a dot. */
  readonly isMember?: boolean
}

/** Returns whether two mentions name the same thing. */
export function isSameNamed(one: Named, other: Named): boolean {
  if (one.is !== other.is || one.name !== other.name) return false
  if (one.is === "request" && other.is === "request")
    return one.api === other.api && isSameResource(one.resource, other.resource)
  return keyOf(one) === keyOf(other)
}

const isSameResource = (one: string | undefined, other: string | undefined): boolean =>
  one === undefined || other === undefined || one === other || slug(one) === slug(other)

function keyOf(named: Named): string {
  return JSON.stringify(Object.entries(named).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
