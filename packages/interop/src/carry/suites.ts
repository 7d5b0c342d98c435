// Writes the suite of a workflow that was split, whose entries pass values to later ones.

import {
  formatPath,
  getOrCreate,
  PROJECT_FILE,
  type InputDeclaration,
  type JsonValue,
  type PlannedFile,
  UniqueNames,
} from "@callsheet/format"
import type { Request } from "../model.ts"
import { convertScript } from "../scripts/convert-script.ts"
import type { Flow } from "./flows.ts"
import { requestsIn, type PlannedWorkflow } from "./plan-workflows.ts"
import type { Names } from "./read-names.ts"

/** A variable whose value a workflow gets from an earlier one of its suite. */
export interface PassedInput {
  readonly variable: string
  /** The name of the input. */
  readonly name: string
  readonly declaration: InputDeclaration
  /** The workflow that the value is from. */
  readonly from: string
  /** The placeholder of the value in the suite. */
  readonly value: string
  /** The place of the first request that reads the value, if it is a whole body, which no input can have. */
  readonly bodyReadAt: string | undefined
}

/** The flows to each request that reads a variable. */
export type FlowsByReader = ReadonlyMap<Request, readonly Flow[]>

export function flowsByReader(flows: readonly Flow[]): FlowsByReader {
  const byReader = new Map<Request, Flow[]>()
  for (const flow of flows) getOrCreate(byReader, flow.to.request, (): Flow[] => []).push(flow)
  return byReader
}

/** Remembers which values the workflows of a suite set, in the order of the suite. */
export class PassedValues {
  readonly #names: Names
  readonly #reading: FlowsByReader
  readonly #set = new Map<string, { readonly workflow: string; readonly path: string }>()

  constructor(names: Names, reading: FlowsByReader) {
    this.#names = names
    this.#reading = reading
  }

  /** Returns the inputs of the next workflow. */
  inputsOf({ items }: PlannedWorkflow): readonly PassedInput[] {
    const own = new Set(requestsIn(items))
    const inflows = [...own].flatMap((request) =>
      (this.#reading.get(request) ?? []).filter(({ from }) => !own.has(from.request)),
    )
    const read = inflows.map(({ variable }) => variable)
    const { secrets, variables } = this.#names
    const unique = new UniqueNames({ separator: "_" })
    return [...new Set(read)].flatMap((variable): readonly PassedInput[] => {
      const found = this.#set.get(variable)
      if (found === undefined) return []
      const { workflow: from, path } = found
      const declaration = {
        type: variables.typeOfInput(variable),
        required: true,
        description: `Set by the workflow ${from}.`,
      } as const
      const name = unique.add(secrets.variableName(variable))
      const ofBody = inflows.find((flow) => flow.variable === variable && setsBody(flow))
      const value = `{{${formatPath([from])}.${path}}}`
      return [{ variable, name, declaration, from, value, bodyReadAt: ofBody?.to.request.where }]
    })
  }

  /** Adds the values that a workflow sets, with their paths by variable. */
  add(workflow: string, results: ReadonlyMap<string, string>): void {
    for (const [variable, path] of results) this.#set.set(variable, { workflow, path })
  }
}

/** Returns whether the value of a variable is the whole body of a response, which may be an object or a list. */
const setsBody = ({ variable, from: { request, scripts } }: Flow): boolean =>
  [...(request.steps ?? []), ...scripts.flatMap((script) => convertScript(script).steps)].some(
    (step) =>
      step.is === "set" &&
      step.variable === variable &&
      step.source.length === 1 &&
      step.source[0] === "body",
  )

interface Part extends PlannedWorkflow {
  readonly passed: readonly PassedInput[]
}

/** Returns the suites for `callsheet.json`. Workflows that only run in a suite are helpers. */
export function suitesFile(workflows: readonly Part[], { secrets }: Names): readonly PlannedFile[] {
  const bySuite = new Map<string, Part[]>()
  for (const part of workflows)
    if (part.suite !== undefined)
      bySuite.set(part.suite.name, [...(bySuite.get(part.suite.name) ?? []), part])
  if (bySuite.size === 0) return []
  const suites = [...bySuite].map(([name, parts]) => {
    const passing = new Set(parts.flatMap(({ passed }) => passed.map(({ from }) => from)))
    const last = parts.findLastIndex((part) => passing.has(part.name))
    const entries = parts.map(entryOf)
    const description = secrets.prose(parts[0]?.suite?.of ?? "")
    // The entries that pass nothing keep their place, because they may prepare what later ones need.
    const before = last === -1 ? {} : { before: entries.slice(0, last + 1) }
    return [name, { description, ...before, workflows: entries.slice(last + 1) }] as const
  })
  const helpers = workflows.flatMap(({ name, passed }) => (passed.length > 0 ? [name] : []))
  return [{ file: PROJECT_FILE, is: "suites", suites: Object.fromEntries(suites), helpers }]
}

const entryOf = ({ name, passed }: Part): JsonValue =>
  passed.length === 0
    ? name
    : { workflow: name, inputs: Object.fromEntries(passed.map((one) => [one.name, one.value])) }
