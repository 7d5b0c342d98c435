// The command `validate`, in this process: hundreds of projects in the time of ten commands.

import { existsSync, readFileSync } from "node:fs"
import { validateProject, type ScriptDescription } from "@callsheet/language"
import { createLazyScriptPort, type ScriptPort } from "@callsheet/engine"
import type { Problem } from "@callsheet/format"
import { findStrays, checkProjectFile, openProject, readProject } from "@callsheet/project"

export function validate(root: string): Promise<readonly Problem[]> {
  const project = readProject(root, { workflows: "all", apis: "all" })
  const strays = findStrays(openProject(root))
  return validateProject({
    project: { ...project, problems: [...project.problems, ...strays] },
    describe: (file) => describeScript(root, file),
    checkFile: (path) => checkProjectFile(root, path),
  })
}

const ports: ScriptPort[] = []
const described = new Map<string, Promise<ScriptDescription>>()

/** Asks the real script process once per text, because all copies have the same few scripts. */
function describeScript(root: string, file: string): Promise<ScriptDescription> {
  const text = existsSync(file) ? readFileSync(file, "utf8") : undefined
  const known = text === undefined ? undefined : described.get(text)
  if (known !== undefined) return known
  const port = createLazyScriptPort({
    root,
    concurrency: 1,
    scriptEntry: new URL("../../packages/cli/dist/script-child.js", import.meta.url),
  })
  ports.push(port)
  const description = port.describe(file)
  if (text !== undefined) described.set(text, description)
  return description
}

export const closeScripts = async (): Promise<void> => {
  await Promise.all(ports.map((port) => port.close()))
}
