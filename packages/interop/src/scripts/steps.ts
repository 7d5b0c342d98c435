// What a script does, as far as callsheet can do the same: checks, variables, and code for what no operator says.

import { stringifyJson } from "@callsheet/format"
import { variablesIn } from "../text.ts"
import type { Check, ResponseStep } from "./checks.ts"
import { holesIn, type Line } from "./draft.ts"

/** A named test. It has either assertions or code. */
export interface TestStep {
  readonly is: "test"
  /** Empty for assertions outside tests. */
  readonly name: string
  readonly content: { readonly checks: readonly Check[] } | { readonly code: readonly Line[] }
}

/** Tests that a condition decides. */
export interface BranchStep {
  readonly is: "branch"
  readonly condition: { readonly check: Check } | { readonly code: readonly Line[] }
  readonly then: readonly ScriptStep[]
  readonly otherwise: readonly ScriptStep[]
}

/** Code that sets variables. */
export interface ValuesStep {
  readonly is: "values"
  readonly variables: readonly string[]
  /** The variables that keep their earlier value, unless the code sets them. */
  readonly kept: readonly string[]
  readonly code: readonly Line[]
}

export type ScriptStep = ResponseStep | TestStep | BranchStep | ValuesStep

/** Returns the variables that steps set. */
export const variablesSetBy = (steps: readonly ScriptStep[]): readonly string[] =>
  steps.flatMap((step) => (step.is === "set" ? [step.variable] : step.is === "values" ? step.variables : []))

/** Returns the variables that steps read. */
export const variablesReadBy = (steps: readonly ScriptStep[]): readonly string[] =>
  steps.flatMap((step) => {
    switch (step.is) {
      case "set":
        return []
      case "check":
        return readByCheck(step)
      case "values":
        return readByCode(step.code)
      case "test":
        return "code" in step.content
          ? readByCode(step.content.code)
          : step.content.checks.flatMap((check) => readByCheck(check))
      case "branch": {
        const { condition, then, otherwise } = step
        const read = "code" in condition ? readByCode(condition.code) : readByCheck(condition.check)
        return [...read, ...variablesReadBy(then), ...variablesReadBy(otherwise)]
      }
    }
  })

const readByCheck = ({ variable, value }: Check): readonly string[] => [
  ...(variable === undefined ? [] : [variable]),
  ...(value === undefined ? [] : variablesIn(stringifyJson(value))),
]

const readByCode = (code: readonly Line[]): readonly string[] =>
  holesIn(code).flatMap((hole) =>
    hole.is === "variable" ? [hole.name] : hole.is === "text" ? variablesIn(hole.text) : [],
  )
