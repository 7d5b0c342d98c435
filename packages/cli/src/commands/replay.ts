// `callsheet replay`: runs the current files against the responses of a record, offline.

import { resolve } from "node:path"
import { monotonicMs, runSession, type SessionOptions } from "@callsheet/engine"
import {
  CallsheetError,
  getOrCreate,
  hasTokens,
  scriptsOf,
  toProblem,
  walkBlocks,
  type Problem,
  type Project,
  type SessionStatus,
} from "@callsheet/format"
import {
  importCandidates,
  pathFrom,
  scriptFile,
  type DescribeScript,
  type ScriptDescription,
} from "@callsheet/language"
import { checkProjectFile, readAllEnvironments } from "@callsheet/project"
import type { Command, CommandCall } from "../args/command.ts"
import { withInterrupts } from "../interrupts.ts"
import { messages, notices } from "../messages.ts"
import { openRoot } from "../open-root.ts"
import { unchangedApis } from "../record/document-digests.ts"
import { openRecord } from "../record/read-record.ts"
import { readSession, withoutVerdict, type RecordedSession } from "../replay/recorded-session.ts"
import { createReplayPorts } from "../replay/replay-ports.ts"
import { planReplay, type ReplayPlan } from "../replay/plan-replay.ts"
import { printBugs, reportError } from "../report-error.ts"
import { joinReporters } from "../reporters/join.ts"
import { openLog, openReporters, printRunProblems } from "../reporters/open-reporters.ts"
import { withPorts } from "../session/with-ports.ts"
import { readReporting } from "./read-run-options.ts"

const exitCodes: { readonly [S in SessionStatus]: number } = { passed: 0, failed: 1, error: 2 }

export const replay: Command = async (call) => {
  const { words, options, cwd, screen, environment } = call
  const [shown = "", ...wanted] = words
  const request = readReporting(options, cwd)
  const root = await openRoot(call)
  const record = await openRecord(resolve(cwd, shown), shown, withoutVerdict)
  const session = await readSession(record)
  await record.close()
  const isStrict = options.has("strict")
  const plan = await planReplay(session, {
    root,
    cwd,
    shown,
    wanted,
    isStrict,
    processEnvironment: environment,
  })
  if (plan.missing.length > 0) screen.err.write(`${notices.notReplayed(plan.missing)}\n`)
  const offline = { note: "replay, no requests are sent", report: { replayed: true } } as const
  const place = { root, processEnvironment: environment, screen, offline }
  return execute({ session, plan, request, joined: await openReporters(request, place) }, call)
}

interface Execution {
  readonly session: RecordedSession
  readonly plan: ReplayPlan
  readonly request: ReturnType<typeof readReporting>
  readonly joined: Awaited<ReturnType<typeof openReporters>>
}

async function execute({ session, plan, request, joined }: Execution, call: CommandCall): Promise<number> {
  const { screen } = call
  const startedAt = monotonicMs()
  let broken = 0
  const reporting = joinReporters(joined, (name, error) => {
    broken = 2
    screen.err.write(`${notices.reporterFailed(name)}\n`)
    reportError(error, { output: screen.err, debug: call.options.has("debug") })
  })
  const { project, workflows, schedule } = plan
  const printProblem = printRunProblems(request.reporters, screen)
  const place = { root: project.root, processEnvironment: {}, scriptEntry: call.scriptEntry }
  const log = await openLog(joined)
  return withInterrupts(call.exit, ({ signal, exitCode }) =>
    withPorts(place, async (ports) => {
      await refuseScripts(plan, ports.scripts.describe)
      const { scripts, random, outlines } = ports
      const unchanged = unchangedApis(project, session.documents)
      const isStrict = call.options.has("strict")
      const files = plan.filesOf(ports.files)
      const world = { scripts, random, ...(outlines && { outlines }), files, unchanged, isStrict }
      const replayed = createReplayPorts(session, world)
      const options: SessionOptions = { ...plan.options, signal, onBug: printBugs(call) }
      const status = await runSession({
        project,
        workflows,
        schedule,
        options,
        ports: replayed.ports,
        listen: [printProblem, ...(log === undefined ? [] : [log.append])],
        listenEnded: reporting.listenEnded,
        watch: (event, maskAgain) => {
          replayed.watch(event, maskAgain)
          reporting.watch?.(event, maskAgain)
        },
        readAllEnvironments: () => readAllEnvironments(project),
      })
      // What a cut record doesn't contain counts as failed, because its result is unknown.
      const code = exitCode() ?? Math.max(exitCodes[status], session.isWhole ? 0 : 2)
      await reporting.finish(log ?? [], {
        exitCode: code,
        durationMs: monotonicMs() - startedAt,
        verdict: session.isWhole ? undefined : "failed",
      })
      if (exitCode() !== undefined) screen.err.write(`${notices.interrupted()}\n`)
      return exitCode() ?? Math.max(code, broken)
    }),
  )
}

/** Throws `replay-script` if a script of the workflows, or a script that it imports, uses the outside world. */
async function refuseScripts({ project, workflows }: ReplayPlan, describe: DescribeScript) {
  const problems: Problem[] = []
  const files = new Set(workflows.flatMap((name) => scriptsOfWorkflow(project, name)))
  const described = new Map<string, Promise<ScriptDescription>>()
  // Imported scripts are added while iterating.
  for (const file of files) {
    const description = await getOrCreate(described, file, () => describe(resolve(project.root, file)))
    if (!description.ok) continue
    const { io, imports, lazyImports } = description
    for (const { what, ...place } of io)
      problems.push({ ...toProblem(messages["replay-script"].reaches(what), file), ...place })
    for (const specifier of [...imports.map((one) => one.specifier), ...lazyImports]) {
      const path = /^\.{1,2}(?:\/|$)/.test(specifier) ? pathFrom(file, specifier) : undefined
      const isFile = (candidate: string): boolean => checkProjectFile(project.root, candidate) === undefined
      const found = path && [path, ...importCandidates(path)].find(isFile)
      if (found !== undefined && found !== "") files.add(found)
    }
  }
  const [first] = problems
  if (first !== undefined) throw new CallsheetError(first, { problems })
}

function scriptsOfWorkflow({ workflows, scriptNames }: Project, name: string): readonly string[] {
  const targets = [...walkBlocks(workflows.get(name)?.workflow?.blocks ?? [])].flatMap(({ block }) =>
    scriptsOf(block),
  )
  // A placeholder may name any script.
  const names = targets.some((target) => hasTokens(target.name))
    ? (scriptNames.get(name) ?? [])
    : targets.map((target) => target.name)
  return names.map((script) => scriptFile(name, script))
}
