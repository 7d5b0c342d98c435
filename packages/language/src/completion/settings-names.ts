// The names from the project that `callsheet.json` can contain.

import { COLLECTOR, reporterNames, type JsonPointer } from "@callsheet/format"

interface ProjectNames {
  readonly apis: readonly {
    readonly name: string
    readonly environments: readonly { readonly name: string }[]
  }[]
  readonly workflows: readonly { readonly name: string }[]
}

const entryLists: readonly unknown[] = ["workflows", "before", "finally"]

/** Returns the names that a string at the pointer may be. */
export function namesInSettings(pointer: JsonPointer, { apis, workflows }: ProjectNames): readonly string[] {
  const [owner, last] = pointer.slice(-2)
  if (
    pointer[0] === "suites" &&
    (last === "workflow" || (entryLists.includes(owner) && typeof last === "number"))
  )
    return workflows.map(({ name }) => name)
  if (pointer[0] === "helpers" && typeof last === "number") return workflows.map(({ name }) => name)
  if (pointer[0] === "suites" && (owner === "mocks" || (pointer.at(-3) === "mocks" && last === "api")))
    return apis.map(({ name }) => name)
  if (owner === "env")
    return apis.find(({ name }) => name === last)?.environments.map(({ name }) => name) ?? []
  return pointer[0] === "defaults" && owner === "reporters" ? reporters : []
}

/** Returns the names that are keys of the object at the pointer. */
export const keysInSettings = (pointer: JsonPointer, { apis }: ProjectNames): readonly string[] =>
  pointer.at(-1) === "env" || (pointer.length === 1 && pointer[0] === "sources")
    ? apis.map(({ name }) => name)
    : []

/** A collector has the usual address of one on this machine, because it can't be without one. */
const reporters = [...reporterNames, `${COLLECTOR}=http://localhost:4318`]
