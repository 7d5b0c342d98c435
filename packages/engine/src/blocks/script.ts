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
import type { BlockRunner, Running } from "../context.ts"
import { expandText } from "../expand.ts"
import { exchangesAt } from "../explain-failure.ts"
import { cancelled, failed, passed, type BlockOutcome } from "../failure.ts"
import type { ScriptCall, ScriptKind } from "../ports.ts"

interface ScriptResult {
  readonly outcome: BlockOutcome
  /** A boolean for a condition, an object for a transform. Absent if the block didn't pass. */
  readonly result?: JsonValue | undefined
  /** The paths that the script asked for. */
  readonly paths: ReadonlySet<string>
}

export const runScript: BlockRunner<ScriptBlock> = async (running) =>
  (await callScript(running, "script", running.block.script)).outcome

export async function callScript(
  running: Running<AssertBlock | ConditionBlock | TransformBlock | LoopBlock | ScriptBlock>,
  kind: ScriptKind,
  target: ScriptTarget,
): Promise<ScriptResult> {
  const paths = new Set<string>()
  const name = expandText(target.name, running.reader)
  if (!name.ok) return { outcome: failed(name.finding), paths }
  const exportName = expandText(target.exportName, running.reader)
  if (!exportName.ok) return { outcome: failed(exportName.finding), paths }
  const { plan, ports } = running.frame.context
  // Accepts only names from the workflow's directory, so that no name is a path out of it.
  const known = plan.project.scriptNames.get(plan.file.name) ?? []
  if (!known.includes(name.value))
    return { outcome: failed(missingScript(plan.file.name, name.value, known)), paths }
  const outcome = await ports.scripts.call({
    kind,
    file: scriptPath(plan.project, plan.file.name, name.value),
    exportName: exportName.value,
    timeoutMs: running.block.timeoutMs ?? blockDefaults.timeoutMs,
    signal: running.frame.signal,
    ...scriptWorld(running, paths),
  })
  if (outcome.ok) return { outcome: passed, result: outcome.result, paths }
  const { code, message } = outcome
  if (code === "cancelled") return { outcome: cancelled, paths }
  const exchanges = exchangesAt(paths, running.frame.scope)
  return { outcome: failed({ code, message }, { exchanges, at: ["script"] }), paths }
}

/** The maximum number of paths to remember. If the script fails, they show what it read. */
const MAX_PATHS = 1000

/** Creates the functions through which a script can see the run, and the script's log. */
function scriptWorld(
  running: Running,
  paths: Set<string>,
): Pick<ScriptCall, "context" | "read" | "environment" | "log" | "secret"> {
  const { block, id, frame, number } = running
  const { context, scope } = frame
  const { plan, emit, run } = context
  return {
    context: {
      workflow: { name: plan.file.name },
      block: {
        id,
        type: block.type,
        ...(block.description === undefined ? {} : { description: block.description }),
      },
      inputs: Object.fromEntries(scope.run.inputs),
      ...(scope.iteration === undefined ? {} : { iteration: scope.iteration }),
    },
    read: (path) => {
      if (paths.size < MAX_PATHS) paths.add(path)
      const found = lookUp(scope, path)
      return found.found ? found : { found: false, at: 0 }
    },
    environment: (api) => variablesOf(running, api),
    log: (text) => emit({ type: "log.written", run, block: number, text }),
    secret: (value) => context.keepSecret(value, `ctx.secret in "${block.id}"`)?.message,
  }
}

function variablesOf({ frame }: Running, api: string): JsonObject | undefined {
  const environment = frame.context.plan.environments.get(api)
  if (environment === undefined) return undefined
  const values = [...environment.variables.values()].flatMap(({ name, value }) =>
    value === undefined ? [] : [[name, value] as const],
  )
  return Object.fromEntries(values)
}
