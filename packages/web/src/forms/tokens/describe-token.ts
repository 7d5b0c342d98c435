// Describes a placeholder: its definition, and its value in the last run.

import { parsePath, traitsOf, type JsonValue, type RunReport, ownOf } from "@callsheet/format"
import { rootOf, walkKnown, type Definition, describeKnown } from "@callsheet/language"
import { shownRun } from "../completion/known-sources.ts"
import { rootsOf, type Reading } from "../completion/roots.ts"

export interface TokenMeaning {
  /** Such as `input, string`. */
  readonly words: string
  /** Absent if the name isn't defined here, and for dynamic values. */
  readonly definition?: Definition | undefined
  /** The value in the last run, with secrets masked. */
  readonly seen?: JsonValue | undefined
  /** For a variable: the environment of its API in the last run. */
  readonly environment?: string | undefined
}

/** Resolves a path as a run of the block would. */
export async function describeToken(path: string, reading: Reading): Promise<TokenMeaning> {
  const variable = environmentVariable(path)
  if (variable !== undefined) return describeVariable("variable", variable, reading)
  const roots = await rootsOf(reading)
  const root = roots.find(({ name }) => name === path) ?? rootOf(path, roots)
  if (root === undefined) return { words: "" }
  const { definition } = root
  if (definition?.is === "variable") return describeVariable(root.note, definition, reading)
  if (definition?.is === "input")
    return { words: root.note, definition, seen: ownOf((await runOf(reading))?.inputs, root.name) }
  const known = walkKnown(path.slice(root.name.length), await root.known())
  const words = definition?.is === "result" ? resultWords(definition) : root.note
  if (known === undefined) return { words, definition }
  const type = describeKnown({ ...known, seen: [] })
  return { words: type === "" ? words : `${words}, ${type}`, definition, seen: known.seen[0] }
}

const runOf = async ({ workflow }: Reading): Promise<RunReport | undefined> =>
  workflow === undefined ? undefined : shownRun(workflow.name)

const describeVariable = async (
  note: string,
  definition: Definition & { readonly is: "variable" },
  reading: Reading,
): Promise<TokenMeaning> => ({
  words: `${note} · API ${definition.api}`,
  definition,
  environment: ownOf((await runOf(reading))?.environments, definition.api)?.name,
})

const resultWords = ({ name, block }: Definition & { readonly is: "result" }): string =>
  `${traitsOf(block["type"])?.result === "response" ? "response of" : "output of"} the block ${name}`

function environmentVariable(path: string): (Definition & { readonly is: "variable" }) | undefined {
  const parsed = parsePath(path)
  const [root, api, name] = parsed.ok ? parsed.segments : []
  return root === "env" && api !== undefined && name !== undefined ? { is: "variable", api, name } : undefined
}
