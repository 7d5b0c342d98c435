// The steps for formats without branches and loops: requests and checks in order.

import { formatPath, parsePath } from "@callsheet/format"
import { exportReasons as reasons } from "./messages.ts"
import type { BranchStep, CheckStep, Exported, LoopStep, RequestStep, Step } from "./model.ts"

export interface LinearBranch extends Omit<BranchStep, "then" | "otherwise"> {
  readonly steps: readonly LinearStep[]
  readonly otherwise: readonly LinearStep[]
}

export type LinearStep = RequestStep | CheckStep | LoopStep | LinearBranch

export interface LinearSteps {
  readonly steps: readonly LinearStep[]
  /** Returns the path behind the output of a transform. Other paths stay. */
  readonly sourceOf: (path: string) => string
}

/** Puts groups in line, and loses branches and loops. `keeps` returns whether a format has one itself. */
export function linearSteps(
  { steps, lose }: Pick<Exported, "steps" | "lose">,
  tool: string,
  keeps: (step: LoopStep | BranchStep) => boolean = () => false,
): LinearSteps {
  const outputs = new Map<string, string>()
  const sourceOf = (path: string): string => {
    const parsed = parsePath(path)
    if (!parsed.ok) return path
    const [id, name, ...rest] = parsed.segments
    const own = name === undefined ? undefined : outputs.get(JSON.stringify([id, name]))
    if (own === undefined) return path
    const from = parsePath(own)
    return from.ok ? formatPath([...from.segments, ...rest]) : path
  }
  const visit = (step: Step): readonly LinearStep[] => {
    switch (step.kind) {
      case "section":
        return step.steps.flatMap(visit)
      case "outputs":
        for (const { name, source } of step.outputs)
          outputs.set(JSON.stringify([step.id, name]), sourceOf(source.path))
        return []
      case "branch":
        if (keeps(step))
          return [{ ...step, steps: step.then.flatMap(visit), otherwise: step.otherwise.flatMap(visit) }]
        lose(step.where, "condition", reasons.kind(tool))
        return []
      case "repeat":
        if (keeps(step)) return [step]
        lose(step.where, "loop", reasons.kind(tool))
        return []
      default:
        return [step]
    }
  }
  return { steps: steps.flatMap(visit), sourceOf }
}

/** Loses the settings of a request that only some formats have. */
export function loseSettings({ request, where }: RequestStep, lose: Exported["lose"], tool: string): void {
  if (!request.followRedirects) lose(where, "followRedirects", reasons.setting(tool))
  if (!request.verifyTls) lose(where, "tls.verify", reasons.setting(tool))
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

/** Creates a function that turns names into identifiers. Different keys, by default the names, have different ones. */
export function identifiers(reserved: Iterable<string> = [], refused = /[^A-Za-z0-9_]+/g) {
  const taken = new Set(reserved)
  const known = new Map<string, string>()
  return (name: string, key = name): string => {
    const own = known.get(key)
    if (own !== undefined) return own
    const base = name.replaceAll(refused, "_").replace(/^(?![A-Za-z_])/, "_")
    let identifier = base
    for (let count = 2; taken.has(identifier); count++) identifier = `${base}_${count}`
    taken.add(identifier)
    known.set(key, identifier)
    return identifier
  }
}
