// Repairs the files of a project: finds the repairs, shows them as a diff, and writes all files or none.

import { CallsheetError, inProject, type Problem, type Project } from "@callsheet/format"
import type { Repair, RepairedFile } from "@callsheet/language"
import { applyTextEdits, readAllEnvironments } from "@callsheet/project"
import { repairFiles, repairsOfVersion } from "@callsheet/server"
import { createTwoFilesPatch, FILE_HEADERS_ONLY } from "diff"
import type { CommandCall } from "../args/command.ts"
import { compareVersions } from "../impact/read-versions.ts"
import { maskOf } from "../mask-files.ts"
import { notices } from "../messages.ts"
import type { Output } from "../screen.ts"
import { printable } from "../text/printable.ts"

/** A repair as `validate --fix --json` lists it. The line is that before the repair. */
export interface Fix {
  readonly file: string
  readonly line: number
  readonly message: string
}

interface FixRequest {
  readonly call: CommandCall
  readonly project: Project
  /** What `validate` found, not masked. */
  readonly problems: readonly Problem[]
}

export interface FoundFixes {
  readonly files: readonly RepairedFile[]
  /** The repairs with masked messages, in the order of the files. */
  readonly fixes: readonly Fix[]
  /** Masks the secrets of the project. */
  readonly mask: (text: string) => string
}

/** Finds the repairs, and writes nothing. Throws if `--against` or `--against-file` can't be compared. */
export async function findFixes(request: FixRequest): Promise<FoundFixes> {
  const { call, project } = request
  const mask = await maskOf(readAllEnvironments(project), call.environment)
  const files = repairFiles(await documentRepairs(request, mask), request.problems)
  const fixes = files.flatMap(({ file, repairs: own }) =>
    own.map(({ line, message }) => ({ file, line, message: mask(message) })),
  )
  return { files, fixes, mask }
}

async function documentRepairs(
  { call, project }: FixRequest,
  mask: (text: string) => string,
): Promise<readonly Repair[]> {
  const { options } = call
  const [only, ...others] = project.apiNames
  const implied = options.has("against-file") && others.length === 0 ? only : undefined
  const api = options.value("api") ?? implied
  try {
    const { results } = await compareVersions({ call, project, api }, repairsOfVersion(project))
    return results.flat()
  } catch (error) {
    const isAsked = options.has("against") || options.has("against-file")
    if (isAsked || !(error instanceof CallsheetError)) throw error
    call.screen.err.write(`${printable(mask(notices.noDocumentRepairs(error.message)))}\n`)
    return []
  }
}

/** Writes all repaired files or, after an error, none. */
export async function writeFixes(root: string, { files }: FoundFixes): Promise<void> {
  if (files.length === 0) return
  const edits = files.map(({ file, before, after }) => ({ file, before, after, isSecret: false }))
  await applyTextEdits({ root, title: "repair what callsheet validate found", edits })
}

/** Returns the repairs with the project in their paths. */
export function placeFixes(found: FoundFixes, project: string | undefined): FoundFixes {
  if (project === undefined) return found
  const place = <T extends { readonly file: string }>(part: T): T => inProject(part, project)
  return { ...found, files: found.files.map(place), fixes: found.fixes.map(place) }
}

/** Prints the repairs as a unified diff, and what each is for. */
export function printFixes({ files, fixes, mask }: FoundFixes, isDryRun: boolean, out: Output): void {
  for (const { file, before, after } of files) {
    // Lines around a value of an environment may contain a secret that nothing declares yet.
    const context = file.includes("/environments/") ? 0 : 3
    const options = { context, headerOptions: FILE_HEADERS_ONLY }
    const patch = createTwoFilesPatch(file, file, before, after, "", "", options)
    for (const line of mask(patch).trimEnd().split("\n"))
      out.write(`${colored(printable(line.replace(/\r$/, "")), out)}\n`)
  }
  if (files.length > 0) out.write("\n")
  for (const { file, line, message } of fixes) out.write(`${printable(`${file}:${line}: ${message}`)}\n`)
  out.write(`${notices.fixed({ fixes: fixes.length, files: files.length }, isDryRun)}\n\n`)
}

function colored(line: string, { style }: Output): string {
  if (line.startsWith("+")) return style("green", line)
  return line.startsWith("-") ? style("red", line) : line
}
