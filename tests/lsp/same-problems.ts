// Compares the diagnostics of an editor with the problems of `callsheet validate`.

import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { createLazyScriptPort, type ScriptPort } from "@callsheet/engine"
import { getOrCreate, type Problem } from "@callsheet/format"
import { validateProject, type ScriptDescription } from "@callsheet/language"
import { checkProjectFile, openRows, readAllEnvironments, readWholeProject } from "@callsheet/project"
import type { Diagnostic } from "vscode-languageserver-protocol"
import { maskProblems } from "../../packages/cli/src/mask-files.ts"
import { findSurrounding } from "../../packages/cli/src/validate/find-surrounding.ts"

type Shown = Readonly<Record<string, readonly string[]>>

/** Runs the checks of `callsheet validate` in this process, because there are hundreds of projects. */
export function createValidation() {
  const ports: ScriptPort[] = []
  const scriptEntry = new URL("../../packages/cli/dist/script-child.js", import.meta.url)
  const described = new Map<string, Promise<ScriptDescription>>()
  const describeIn =
    (root: string) =>
    (file: string): Promise<ScriptDescription> => {
      // A port keeps what it found in a file, so each text has its own.
      const describe = (): Promise<ScriptDescription> => {
        const port = createLazyScriptPort({ root, concurrency: 1, scriptEntry })
        ports.push(port)
        return port.describe(file)
      }
      return existsSync(file) ? getOrCreate(described, readFileSync(file, "utf8"), describe) : describe()
    }
  const validate = async (root: string): Promise<readonly Problem[]> => {
    const project = readWholeProject(root)
    const found = await validateProject({
      project,
      describe: describeIn(root),
      checkFile: (path) => checkProjectFile(root, path),
      checkRows: async (path, inputs) => (await openRows(root, { path }).check(inputs)).problems,
    })
    const around = await findSurrounding(project, { environment: {}, isWhole: true })
    return maskProblems([...found, ...around], readAllEnvironments(project), {})
  }
  return { validate, close: () => Promise.all(ports.map((port) => port.close())) }
}

/** Returns the problems by URI, each as one line of text. */
export function problemsByUri(root: string, problems: readonly Problem[]): Shown {
  return grouped(
    problems.map((problem) => {
      const { file = "", line = 1, column = 1, code, severity, message, hint } = problem
      const text = hint === undefined ? message : `${message}\n${hint}`
      return [pathToFileURL(join(root, file)).href, `${line}:${column} ${severity} ${code} ${text}`]
    }),
  )
}

export function diagnosticsByUri(found: ReadonlyMap<string, readonly Diagnostic[]>): Shown {
  return grouped(
    [...found].flatMap(([uri, diagnostics]) =>
      diagnostics.map((each): [string, string] => [uri, shown(each)]),
    ),
  )
}

function shown({ range: { start }, severity, code, message, source }: Diagnostic): string {
  const level = severity === 1 ? "error" : "warning"
  const text = typeof message === "string" ? message : message.value
  const from = source === "callsheet" ? "" : ` from ${source}`
  return `${start.line + 1}:${start.character + 1} ${level} ${code} ${text}${from}`
}

function grouped(lines: readonly (readonly [uri: string, text: string])[]): Shown {
  const all: Record<string, string[]> = {}
  for (const [uri, text] of lines) (all[uri] ??= []).push(text)
  for (const texts of Object.values(all)) texts.sort()
  return all
}
