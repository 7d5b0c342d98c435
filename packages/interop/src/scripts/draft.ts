// Code of a translated script, with holes for what only its place in a workflow tells: the id of the request's block, and
// where a variable's value comes from.

import { splitCode, type Js } from "../export/js-code.ts"
import type { Text } from "../text.ts"
import type { ResponsePath } from "./checks.ts"

export type Hole =
  /** A value of the response. An empty path is the whole response. */
  | { readonly is: "response"; readonly path: ResponsePath }
  /** Whether the response has a value. */
  | { readonly is: "has"; readonly path: ResponsePath }
  | { readonly is: "variable"; readonly name: string }
  /** A text of the source, which may contain variables and secrets. */
  | { readonly is: "text"; readonly text: Text }
  /** The path of a place in the response, for `ctx.expect`. */
  | { readonly is: "subject"; readonly path: ResponsePath }
  /** The name of a member in an object or a pattern. */
  | { readonly is: "key"; readonly name: string }
  /** The place of a variable that the code sets. */
  | { readonly is: "output"; readonly name: string }
  /** A line break inside a function, with its indentation in levels. */
  | { readonly is: "break"; readonly depth: number }
  /** A function that the file of the script defines. */
  | { readonly is: "helper"; readonly helper: HelperName }

export type HelperName = "own" | "sizeOf" | "textOf"

export type Draft = readonly (Js | Hole)[]

/** A line of a function, with its indentation in levels. */
export interface Line {
  readonly depth: number
  readonly code: Draft
}

export function draft(code: TemplateStringsArray, ...values: readonly (Draft | Js)[]): Draft {
  return splitCode(code).flatMap((part, at) => {
    const value = values[at]
    return value === undefined ? [part] : typeof value === "string" ? [part, value] : [part, ...value]
  })
}

export const joinDrafts = (drafts: readonly Draft[], separator: Draft): Draft =>
  drafts.flatMap((one, at) => (at === 0 ? one : [...separator, ...one]))

export const indent = (lines: readonly Line[]): readonly Line[] =>
  lines.map(({ depth, code }) => ({ depth: depth + 1, code }))

export const line = (code: Draft): Line => ({ depth: 0, code })

/** Returns the holes of lines. */
export const holesIn = (lines: readonly Line[]): readonly Hole[] =>
  lines.flatMap(({ code }) => code.flatMap((part) => (typeof part === "string" ? [] : [part])))
