// The steps for formats without branches and loops: requests and checks in order.

import { formatPath, parsePath } from "@callsheet/format"
import { exportReasons as reasons } from "./messages.ts"
import type { CheckStep, Exported, LoopStep, RequestStep, Step } from "./model.ts"

export type LinearStep = RequestStep | CheckStep | LoopStep

export interface LinearSteps {
  readonly steps: readonly LinearStep[]
  /** Returns the path behind the output of a transform. Other paths stay. */
  readonly sourceOf: (path: string) => string
}

/** Puts groups in line, and loses branches and loops. `keepsLoop` returns whether a format has a loop itself. */
export function linearSteps(
  { steps, lose }: Pick<Exported, "steps" | "lose">,
  tool: string,
  keepsLoop: (loop: LoopStep) => boolean = () => false,
): LinearSteps {
  const outputs = new Map<string, string>()
  const found: LinearStep[] = []
  const sourceOf = (path: string): string => {
    const parsed = parsePath(path)
    if (!parsed.ok) return path
    const [id, name, ...rest] = parsed.segments
    const own = name === undefined ? undefined : outputs.get(JSON.stringify([id, name]))
    if (own === undefined) return path
    const from = parsePath(own)
    return from.ok ? formatPath([...from.segments, ...rest]) : path
  }
  const visit = (step: Step): void => {
    if (step.kind === "section") step.steps.forEach(visit)
    else if (step.kind === "outputs")
      for (const { name, source } of step.outputs)
        outputs.set(JSON.stringify([step.id, name]), sourceOf(source.path))
    else if (step.kind === "branch") lose(step.where, "condition", reasons.kind(tool))
    else if (step.kind === "repeat" && !keepsLoop(step)) lose(step.where, "loop", reasons.kind(tool))
    else found.push(step)
  }
  steps.forEach(visit)
  return { steps: found, sourceOf }
}

/** Where a value of an earlier response is: the id of the request and the path in its response. */
export interface ResponsePlace {
  readonly step: RequestStep
  /** `["status"]`, `["body", "id"]`, `["headers", "etag"]` */
  readonly path: readonly string[]
}

/** Finds values of earlier responses. A path that contains marks has none. */
export function findResponses({ steps, sourceOf }: LinearSteps) {
  const byId = new Map(steps.flatMap((step) => (step.kind === "send" ? [[step.id, step]] : [])))
  return (path: string): ResponsePlace | undefined => {
    const parsed = parsePath(sourceOf(path))
    if (!parsed.ok) return undefined
    const [id, response, ...rest] = parsed.segments
    const step = byId.get(id)
    return step === undefined || response !== "response" || rest.length === 0
      ? undefined
      : { step, path: rest }
  }
}

/** Creates a function that turns names into identifiers. Different names have different identifiers. */
export function identifiers(reserved: Iterable<string> = [], refused = /[^A-Za-z0-9_]+/g) {
  const taken = new Set(reserved)
  const known = new Map<string, string>()
  return (name: string): string => {
    const own = known.get(name)
    if (own !== undefined) return own
    const base = name.replaceAll(refused, "_").replace(/^(?![A-Za-z_])/, "_")
    let identifier = base
    for (let count = 2; taken.has(identifier); count++) identifier = `${base}_${count}`
    taken.add(identifier)
    known.set(name, identifier)
    return identifier
  }
}
