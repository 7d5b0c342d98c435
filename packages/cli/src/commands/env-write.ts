// `callsheet env write`: sets and removes values of one environment. Makes all changes or none.

import { CallsheetError } from "@callsheet/format"
import { writeEnvironment, type VariableText, type WrittenEnvironment } from "@callsheet/project"
import type { Command, CommandCall } from "../args/command.ts"
import type { Options } from "../args/options.ts"
import { messages, notices } from "../messages.ts"
import { printProblems, warnOfVisibleSecret } from "../report-error.ts"
import { changeEnvironment } from "./change-environment.ts"

export const envWrite: Command = async (call) => {
  const [api = "", environment = "", ...pairs] = call.words
  const parent = readParent(call.options)
  const values = await readValues(pairs)
  // A value is visible on the command line unless it is empty or read from standard input.
  const shown = pairs.filter((pair) => !/^[^=]*=-?$/.test(pair))
  const visible = new Set(shown.map((pair) => pair.slice(0, pair.indexOf("="))))
  const unset = call.options.values("unset")
  return changeEnvironment(
    call,
    (root, options) => writeEnvironment({ root, api, environment, values, unset, extends: parent }, options),
    async (written, root) => {
      await warnOfExposedSecrets(written, root, call)
      for (const { name, file } of written.edits)
        if (file.endsWith(".secrets.env") && visible.has(name)) warnOfVisibleSecret(name, call.screen.err)
      return [...describe(written, parent, call), ...emptyInput(pairs, values)]
    },
  )
}

/** Warns if git tracks the secrets file that was written, or would add it. */
async function warnOfExposedSecrets({ edits }: WrittenEnvironment, root: string, call: CommandCall) {
  const files = new Set(edits.flatMap(({ file }) => (file.endsWith(".secrets.env") ? [file] : [])))
  if (files.size === 0) return
  const { findExposedSecrets } = await import("@callsheet/engine")
  const place = { root, processEnvironment: call.environment }
  printProblems(await findExposedSecrets([...files], place), call.screen.err)
}

function readParent(options: Options): string | null | undefined {
  if (!options.has("no-extends")) return options.value("extends")
  if (options.has("extends"))
    throw new CallsheetError(messages.usage.contradiction("--extends", "--no-extends"))
  return null
}

/** Splits each `name=value` at the first `=`. Never quotes a word without `=`, which may be part of a secret. */
async function readValues(pairs: readonly string[]): Promise<VariableText[]> {
  const values = pairs.map((pair): VariableText => {
    const at = pair.indexOf("=")
    if (at > 0) return { name: pair.slice(0, at), text: pair.slice(at + 1) }
    const hint = "put quotes around it if it contains spaces; <name>=- reads it from standard input"
    throw new CallsheetError(messages.usage.form("a value", "<name>=<value>", hint))
  })
  const fromInput = values.filter(({ text }) => text === "-").map(({ name }) => name)
  if (fromInput.length === 0) return values
  if (fromInput.length > 1) throw new CallsheetError(messages.usage.manyFromInput(fromInput))
  const { readStandardInput } = await import("../args/standard-input.ts")
  const text = await readStandardInput(`${fromInput[0]}=-`)
  return values.map((value) => (value.text === "-" ? { name: value.name, text } : value))
}

/** Returns a notice if a value was read from empty input, which is rarely intended. */
const emptyInput = (pairs: readonly string[], values: readonly VariableText[]): readonly string[] =>
  values
    .filter(({ name, text }) => text === "" && pairs.includes(`${name}=-`))
    .map(({ name }) => notices.emptyInput(name))

function describe(written: WrittenEnvironment, parent: string | null | undefined, { screen }: CommandCall) {
  const { api, environment, isNew, edits, files } = written
  const lines = edits.map(({ name, did, file }) => notices[did](screen.err.style("bold", name), file))
  if (isNew) lines.unshift(notices.created(environment, api))
  if (parent !== undefined) lines.push(notices.extends(environment, parent))
  if (files.includes(".gitignore")) lines.push(notices.secretsIgnored())
  return lines
}
