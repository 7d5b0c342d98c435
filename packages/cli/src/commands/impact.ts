// `callsheet impact`: shows which workflows the changes of OpenAPI documents break.

import { CallsheetError, formatMessages, type Project } from "@callsheet/format"
import type { ImpactClass } from "@callsheet/language"
import { readAllEnvironments, readProject } from "@callsheet/project"
import { assessVersions, compareVersion } from "@callsheet/server"
import type { Command, CommandCall } from "../args/command.ts"
import type { Options } from "../args/options.ts"
import { readChoice, readName } from "../args/read-option.ts"
import { impactFormats, impactPrinters, type ImpactFormat } from "../impact/print-impact.ts"
import { compareVersions } from "../impact/read-versions.ts"
import { maskOf } from "../mask-files.ts"
import { messages } from "../messages.ts"
import { openRoot } from "../open-root.ts"
import { printProblems } from "../report-error.ts"

/** Returns 1 if a change breaks a use or a recorded response, depending on `--fail-on`, otherwise 0. */
export const impact: Command = async (call) => {
  const { options, screen, environment, cwd } = call
  const { format, failOn, api } = readOptions(options)
  const root = await openRoot(call)
  const project = readProject(root, { workflows: "all", apis: "all", named: api === undefined ? [] : [api] })
  const broken = [...project.workflows.values()].flatMap(({ workflow, problems }) =>
    workflow === undefined ? problems.slice(0, 1) : [],
  )
  printProblems(broken, screen.err)
  const { against, changes, versions } = await assessProject({ call, project, api })
  const mask = await maskOf(readAllEnvironments(project), environment)
  const records = options.values("records")
  const violations =
    records.length === 0
      ? undefined
      : await (await import("../impact/check-records.ts")).checkRecords(records, { cwd, versions })
  const countOf = (is: ImpactClass): number => changes.filter((change) => change.class === is).length
  const counts = { breaks: countOf("breaks"), unused: countOf("unused"), compatible: countOf("compatible") }
  const result = {
    against,
    changes,
    violations: violations?.map((each) => ({ ...each, message: mask(each.message) })),
    counts,
    failOn,
  }
  impactPrinters[format](result, { root, processEnvironment: environment, screen, mask })
  const isBroken = counts.breaks > 0 || (violations?.length ?? 0) > 0
  const failures = { none: false, breaks: isBroken, unused: isBroken || counts.unused > 0 }
  return failures[failOn] ? 1 : 0
}

/** Compares the documents of the project. Throws the problems of documents that can't be read. */
async function assessProject(request: {
  readonly call: CommandCall
  readonly project: Project
  readonly api: string | undefined
}) {
  const { project, api } = request
  const { against, results: versions } = await compareVersions(request, compareVersion)
  if (api !== undefined && versions.length === 0)
    throw new CallsheetError(formatMessages["api-unknown"].unknown(api, project.apiNames))
  return { against, changes: await assessVersions(project, versions), versions }
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
