// Refuses to replay scripts that read files, use the network or start processes.

import { CallsheetError, getOrCreate, hasTokens, scriptsOf, toProblem, walkBlocks } from "@callsheet/format"
import type { Problem, Project } from "@callsheet/format"
import { importCandidates, pathFrom, scriptFile } from "@callsheet/language"
import type { DescribeScript, ScriptDescription } from "@callsheet/language"
import { checkProjectFile } from "@callsheet/project"
import { messages } from "../messages.ts"
import type { ReplayPlan } from "./plan-replay.ts"

/** Throws `replay-script` if a script of the workflows, or a script that it imports, uses the outside world. */
export async function refuseScripts({ project, workflows }: ReplayPlan, describe: DescribeScript) {
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
