// Finds the scripts of workflows that read files, use the network or start processes.

import {
  getOrCreate,
  hasTokens,
  scriptsOf,
  toProblem,
  walkBlocks,
  type Problem,
  type Project,
} from "@callsheet/format"
import { messages } from "../messages.ts"
import {
  importCandidates,
  pathFrom,
  scriptFile,
  type CheckFile,
  type DescribeScript,
  type ScriptDescription,
} from "./scripts.ts"

interface IoSearch {
  readonly project: Pick<Project, "root" | "scriptNames" | "workflows">
  readonly workflows: readonly string[]
  readonly describe: DescribeScript
  readonly checkFile: CheckFile
}

/** Returns a problem for each use of the outside world, in the workflows' scripts and in scripts that they import. */
export async function findScriptIo({ project, workflows, describe, checkFile }: IoSearch) {
  const problems: Problem[] = []
  const files = new Set(workflows.flatMap((name) => scriptsOfWorkflow(project, name)))
  const described = new Map<string, Promise<ScriptDescription>>()
  // Imported scripts are added while iterating.
  for (const file of files) {
    const description = await getOrCreate(described, file, () => describe(`${project.root}/${file}`))
    if (!description.ok) continue
    const { io, imports, lazyImports } = description
    for (const { what, ...place } of io)
      problems.push({ ...toProblem(messages["replay-script"].reaches(what), file), ...place })
    for (const specifier of [...imports.map((one) => one.specifier), ...lazyImports]) {
      const path = /^\.{1,2}(?:\/|$)/.test(specifier) ? pathFrom(file, specifier) : undefined
      const found =
        path && [path, ...importCandidates(path)].find((candidate) => checkFile(candidate) === undefined)
      if (found !== undefined && found !== "") files.add(found)
    }
  }
  return problems
}

function scriptsOfWorkflow({ workflows, scriptNames }: IoSearch["project"], name: string): readonly string[] {
  const targets = [...walkBlocks(workflows.get(name)?.workflow?.blocks ?? [])].flatMap(({ block }) =>
    scriptsOf(block),
  )
  // A placeholder may name any script.
  const names = targets.some((target) => hasTokens(target.name))
    ? (scriptNames.get(name) ?? [])
    : targets.map((target) => target.name)
  return names.map((script) => scriptFile(name, script))
}
