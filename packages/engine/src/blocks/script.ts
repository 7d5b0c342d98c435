// Runs a script block. Also calls the scripts of other kinds of blocks.

import { lookUp, missingScript, scriptPath } from "@callsheet/language"
import {
  blockDefaults,
  type AssertBlock,
  type ConditionBlock,
  type JsonObject,
  type JsonValue,
  type LoopBlock,
  type ScriptBlock,
  type ScriptTarget,
  type TransformBlock,
} from "@callsheet/format"
import { iterationPath, type BlockRunner, type Running } from "../run/context.ts"
import { expandSelector } from "../run/expand.ts"
import { exchangesAt } from "../run/explain-failure.ts"
import { cancelled, failed, passed, type BlockOutcome } from "../run/failure.ts"
import { noteTimes, readTime } from "../run/generated.ts"
import { messages } from "../messages.ts"
import type { ScriptCall, ScriptKind, ScriptWorld } from "../ports.ts"
import { requireKnown, Undecided } from "../run/undecided.ts"
import { warnAt } from "../run/warn.ts"
import { MAX_PATHS, scriptChecks, type MadeCheck } from "./script-checks.ts"

export interface ScriptResult {
  readonly outcome: BlockOutcome
  /** A boolean for a condition, an object for a transform. Absent if the block didn't pass. */
  readonly result?: JsonValue | undefined
  readonly paths: ReadonlySet<string>
  /** True if the script read an unknown value or a withheld secret. Nothing may depend on its result. */
  readonly readsUnknown: boolean
  /** The checks that the script made with `ctx.expect`, all of them, even if it failed later. */
  readonly checks: readonly MadeCheck[]
}

export const runScript: BlockRunner<ScriptBlock> = async (running) => {
  const result = await callScript(running, "script", running.block.script)
  // It may use a withheld secret, because nothing depends on its result.
  return running.frame.scope.run.withheld === undefined ? verdictOf(result) : result.outcome
}

/** Returns the outcome of a script that asserts. */
export function verdictOf({ outcome, readsUnknown }: ScriptResult): BlockOutcome {
  if (readsUnknown && outcome.status !== "cancelled") throw new Undecided("script")
  return outcome
}

export async function callScript(
  running: Running<AssertBlock | ConditionBlock | TransformBlock | LoopBlock | ScriptBlock>,
  kind: ScriptKind,
  target: ScriptTarget,
): Promise<ScriptResult> {
  const paths = new Set<string>()
  const { plan, ports } = running.frame.context
  const checks: MadeCheck[] = []
  const unmade = (outcome: BlockOutcome): ScriptResult => ({ outcome, paths, readsUnknown: false, checks })
  const name = expandSelector(target.name, running.reader)
  if (!name.ok) return unmade(failed(name.finding))
  const exportName = expandSelector(target.exportName, running.reader)
  if (!exportName.ok) return unmade(failed(exportName.finding))
  requireKnown(running.frame.scope, [name.value, exportName.value], "the name of the script")
  // Accepts only names from the workflow's directory, so that no name is a path out of it.
  const known = plan.project.scriptNames.get(plan.file.name) ?? []
  if (!known.includes(name.value)) return unmade(failed(missingScript(plan.file.name, name.value, known)))
  const world = worldOf(running)
  let readsUnknown = false
  const onUnknown = (): void => void (readsUnknown = true)
  const outcome = await ports.scripts.call({
    kind,
    file: scriptPath(plan.project, plan.file.name, name.value),
    exportName: exportName.value,
    timeoutMs: running.block.timeoutMs ?? blockDefaults.timeoutMs,
    signal: running.frame.signal,
    world,
    withheld: withheldOf(running),
    ...scriptWorld(running, paths, onUnknown),
    ...scriptChecks(running, checks, { paths, onUnknown }),
  })
  if (running.times !== undefined && outcome.times !== undefined) noteTimes(running.times, outcome.times)
  if (outcome.readsUnknown === true) onUnknown()
  if (outcome.ok) {
    if (outcome.isUntranslated === true) {
      warnAt(running, ["script"], messages["import-todo"].skipped(exportName.value))
      return unmade({ status: "untranslated" })
    }
    const { ignored } = outcome
    if (ignored !== undefined)
      warnAt(
        running,
        ["script"],
        messages["script-result-ignored"].ignored(ignored.kind, exportName.value, ignored.returned),
      )
    return { outcome: passed, result: outcome.result, paths, readsUnknown, checks }
  }
  const { code, message } = outcome
  if (code === "cancelled") return { outcome: cancelled, paths, readsUnknown, checks }
  const exchanges = exchangesAt(paths, running.frame.scope)
  return { outcome: failed({ code, message }, { exchanges, at: ["script"] }), paths, readsUnknown, checks }
}

/** Returns the clock and the seed that a script sees while the run is recorded or repeats a record. */
function worldOf({ block, frame, times }: Running): ScriptWorld | undefined {
  const { plan, ports } = frame.context
  if (ports.generated === undefined || times === undefined) return undefined
  const seed = `${plan.settings.seed ?? ports.generated.seed}\n${iterationPath(block.id, frame)}\n${times.read?.length ?? 0}`
  const startedAt = readTime(times)
  const { unknown } = frame.scope.run
  if (unknown === undefined) return { seed, startedAt }
  const rest = times.recorded?.slice(times.read?.length) ?? []
  return { seed, startedAt, earlier: { times: rest, unknown: unknown.text } }
}

/** Creates the functions through which a script can see the run, and the script's log. */
function scriptWorld(
  running: Running,
  paths: Set<string>,
  onUnknown: () => void,
): Pick<ScriptCall, "context" | "read" | "environment" | "log" | "secret"> {
  const { block, id, frame, number } = running
  const { context, scope } = frame
  const { plan, emit, run } = context
  const inputs = Object.fromEntries(scope.run.inputs)
  const { withheld, secretInputs } = scope.run
  const isGiven = (value: JsonValue | undefined): boolean =>
    value !== undefined && withheld?.isIn(value) === true
  if (withheld !== undefined && (secretInputs?.size || isGiven(inputs) || isGiven(scope.iteration?.value)))
    onUnknown()
  return {
    context: {
      workflow: { name: plan.file.name },
      block: {
        id,
        type: block.type,
        ...(block.description === undefined ? {} : { description: block.description }),
      },
      inputs,
      ...(scope.iteration === undefined ? {} : { iteration: scope.iteration }),
    },
    read: (path) => {
      if (paths.size < MAX_PATHS) paths.add(path)
      const found = lookUp(scope, path)
      if (found.isUnknown === true || (withheld !== undefined && found.found && found.isSecret)) onUnknown()
      return found.found ? { found: true, value: found.value } : { found: false }
    },
    environment: (api) => variablesOf(running, api),
    log: (text) => emit({ type: "log.written", run, block: number, text }),
    secret: (value) => context.keepSecret(value, `ctx.secret in "${block.id}"`)?.message,
  }
}

/** Returns the secret variables of each API, if the script's result must not depend on them. */
function withheldOf({ frame }: Running): ScriptCall["withheld"] {
  if (frame.scope.run.withheld === undefined) return undefined
  return new Map(
    [...frame.context.plan.environments].map(([api, { variables }]) => [
      api,
      [...variables.values()]
        .filter(({ declaration }) => declaration.secret === true)
        .map(({ name }) => name),
    ]),
  )
}

function variablesOf({ frame }: Running, api: string): JsonObject | undefined {
  const environment = frame.context.plan.environments.get(api)
  if (environment === undefined) return undefined
  const values = [...environment.variables.values()].flatMap(({ name, value }) =>
    value === undefined ? [] : [[name, value] as const],
  )
  return Object.fromEntries(values)
}
