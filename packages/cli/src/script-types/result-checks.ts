// Checks by the project's TypeScript compiler that the functions of assert and script blocks return nothing. The compiler
// reads a generated file in which each line is about one function.

import { readFileSync } from "node:fs"
import { join } from "node:path"
import {
  attempt,
  hasTokens,
  ownOf,
  quote,
  scriptsOf,
  walkBlocks,
  type Problem,
  type Project,
} from "@callsheet/format"
import { scriptFile, sharedTypesFolder } from "@callsheet/language"
import { messages } from "../messages.ts"

interface CheckedFunction {
  /** The path of the script from the project's root. */
  readonly file: string
  readonly exportName: string
  readonly kind: "assert" | "script"
}

const kindsWithoutResult = { assert: "assert", script: "script" } as const

const nothing = [
  `type ResultOf<F> = F extends (...given: never[]) => infer R ? Awaited<R> : void`,
  `type Nothing<R extends void | undefined> = R`,
]

/** Returns the functions of the scripts that assert and script blocks call, once each. */
export function functionsWithoutResult(project: Project, scripts: readonly string[]): CheckedFunction[] {
  const found = new Map<string, CheckedFunction>()
  for (const [workflow, file] of project.workflows)
    for (const { block } of walkBlocks(file.readable?.workflow.blocks ?? [])) {
      const kind = ownOf(kindsWithoutResult, block.type)
      const [called] = scriptsOf(block)
      if (kind === undefined || called === undefined) continue
      const { name, exportName } = called
      const path = scriptFile(workflow, name)
      if (hasTokens(exportName) || !scripts.includes(path)) continue
      found.set(JSON.stringify([path, exportName]), { file: path, exportName, kind })
    }
  return [...found.values()]
}

export const resultChecks = (functions: readonly CheckedFunction[]): string =>
  [
    ...nothing,
    ...functions.map(({ file, exportName }, at) => {
      const up = sharedTypesFolder.replaceAll(/[^/]+/g, "..")
      return `export type R${at} = Nothing<ResultOf<(typeof import(${quote(`${up}/${file}`)}))[${quote(exportName)}]>>`
    }),
    "",
  ].join("\n")

/** Turns the compiler's messages about the generated file into problems of the scripts. Leaves other ones out. */
export function problemsOfResults(
  root: string,
  functions: readonly CheckedFunction[],
  found: readonly Problem[],
): Problem[] {
  return found.flatMap(({ line = 0, message }) => {
    const checked = functions[line - 1 - nothing.length]
    const type = /^TS2344: Type '(.*)' does not satisfy the constraint/.exec(message)?.[1]
    if (checked === undefined || type === undefined) return []
    const { file, exportName, kind } = checked
    const place = placeOfExport(join(root, file), exportName)
    return [{ ...messages["script-type"].returns(kind, exportName, type), severity: "error", file, ...place }]
  })
}

/** Returns where a function is exported. The first line, if the export has another form. */
function placeOfExport(path: string, exportName: string): { readonly line: number; readonly column: number } {
  const text = attempt(() => readFileSync(path, "utf8")) ?? ""
  const names = /\bexport\s+(?:default\s+)?(?:(?:async\s+)?function\s*\*?|const|let|var|class)\s+([\w$]+)/g
  for (const match of text.matchAll(names)) {
    if (match[1] !== exportName) continue
    const before = text.slice(0, match.index + match[0].length - exportName.length).split("\n")
    return { line: before.length, column: (before.at(-1) ?? "").length + 1 }
  }
  return { line: 1, column: 1 }
}
