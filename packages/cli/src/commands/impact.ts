// `callsheet impact`: shows which workflows the changes of OpenAPI documents break.

import { CallsheetError, formatMessages, inProject, maskProblem } from "@callsheet/format"
import type { ImpactClass } from "@callsheet/language"
import { openProject, readAllEnvironments, readProject } from "@callsheet/project"
import { assessVersions, compareVersion, type ApiChange } from "@callsheet/server"
import type { Command, CommandCall } from "../args/command.ts"
import type { Options } from "../args/options.ts"
import { readChoice, readName } from "../args/read-option.ts"
import {
  impactFormats,
  impactPrinters,
  type ImpactFormat,
  type ProjectChange,
} from "../impact/print-impact.ts"
import { compareVersions } from "../impact/read-versions.ts"
import { maskOf } from "../mask-files.ts"
import { messages } from "../messages.ts"
import { knownApi } from "../open-root.ts"
import { inEachProject, placeProblem, type CallProject } from "../projects/each-project.ts"
import { printProblems } from "../report-error.ts"

/**
 * Returns 1 if a change breaks a use or a recorded response, depending on `--fail-on`, 2 if the documents of a project
 * can't be compared, otherwise 0.
 */
export const impact: Command = async (call) => {
  const { options, screen, environment, cwd } = call
  const { format, failOn, api } = readOptions(options)
  const records = options.values("records")
  const { results, exitCode } = await inEachProject(
    call,
    (project) => assessProject(project, { call, api, keepsVersions: records.length > 0 }),
    { isAbsence: ({ code }) => code === "api-unknown" && api !== undefined },
  )
  const [first] = results
  if (first === undefined) throw new Error("at least one project is compared")
  const assessed = results.map(({ value }) => value)
  const changes = assessed.flatMap((each) => each.changes)
  const mask = await maskOf(
    assessed.flatMap((each) => each.environments),
    environment,
  )
  printProblems(
    assessed.flatMap(({ broken }) => broken.map((problem) => maskProblem(problem, { text: mask }))),
    screen.err,
  )
  const violations =
    records.length === 0
      ? undefined
      : await (await import("../impact/check-records.ts")).checkRecords(records, { cwd, projects: assessed })
  const countOf = (is: ImpactClass): number => changes.filter((change) => change.class === is).length
  const counts = { breaks: countOf("breaks"), unused: countOf("unused"), compatible: countOf("compatible") }
  const result = {
    against: first.value.against,
    changes,
    violations: violations?.map((each) => ({ ...each, message: mask(each.message) })),
    counts,
    failOn,
  }
  const root = first.project.name === undefined ? first.project.root : cwd
  impactPrinters[format](result, { root, processEnvironment: environment, screen, mask })
  const isBroken = counts.breaks > 0 || (violations?.length ?? 0) > 0
  const failures = { none: false, breaks: isBroken, unused: isBroken || counts.unused > 0 }
  return failures[failOn] ? Math.max(1, exitCode) : exitCode
}

interface Assessing {
  readonly call: CommandCall
  readonly api: string | undefined
  /** True to keep both versions of each document, which take much memory. */
  readonly keepsVersions: boolean
}

/** Compares the documents of a project. Throws the problems of documents that can't be read. */
async function assessProject({ root, name }: CallProject, { call, api, keepsVersions }: Assessing) {
  if (name !== undefined && api !== undefined) knownApi(openProject(root), api)
  const project = readProject(root, { workflows: "all", apis: "all", named: api === undefined ? [] : [api] })
  const broken = [...project.workflows.values()].flatMap(({ workflow, problems }) =>
    workflow === undefined ? problems.slice(0, 1) : [],
  )
  const { against, results: versions } = await compareVersions({ call, project, api }, compareVersion)
  if (api !== undefined && versions.length === 0)
    throw new CallsheetError(formatMessages["api-unknown"].unknown(api, project.apiNames))
  const changes = await assessVersions(project, versions)
  return {
    root,
    name,
    against,
    broken: broken.map((problem) => placeProblem(problem, name)),
    changes: name === undefined ? changes : changes.map((change) => placeChange(change, name)),
    versions: keepsVersions ? versions : [],
    environments: readAllEnvironments(project),
  }
}

function placeChange(change: ApiChange, project: string): ProjectChange {
  const { before, after, uses } = change
  return {
    ...change,
    project,
    before: before && inProject(before, project),
    after: after && inProject(after, project),
    uses: uses.map((use) => inProject(use, project)),
  }
}

const { usage } = messages

function readOptions(options: Options) {
  const api = options.value("api")
  if (options.has("against-file")) {
    if (options.has("against")) throw new CallsheetError(usage.contradiction("--against", "--against-file"))
    if (api === undefined) throw new CallsheetError(usage.againstFileApi([]))
  }
  return {
    api,
    format: readFormat(options),
    failOn: readChoice(options, "fail-on", ["breaks", "unused", "none"]) ?? "breaks",
  }
}

function readFormat(options: Options): ImpactFormat {
  const given = options.value("format")
  if (given === undefined) return options.has("json") ? "json" : "text"
  const name = readName("format", given, impactFormats)
  if (options.has("json") && name !== "json")
    throw new CallsheetError(usage.contradiction("--json", `--format ${name}`))
  return name
}
